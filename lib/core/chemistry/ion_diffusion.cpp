// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/ion_diffusion.hpp"

namespace ionwell {
namespace {

struct DiffusionEntry {
  std::string_view element;
  double charge_e, per_1e9_m2_s;
};

constexpr DiffusionEntry diffusion_table[] = {
    {"LI", 1, 1.029}, {"NA", 1, 1.334},  {"K", 1, 1.957},   {"RB", 1, 2.072}, {"CS", 1, 2.056},
    {"MG", 2, 0.706}, {"CA", 2, 0.792},  {"SR", 2, 0.791},  {"BA", 2, 0.847}, {"ZN", 2, 0.703},
    {"CD", 2, 0.719}, {"MN", 2, 0.712},  {"CO", 2, 0.732},  {"CO", 3, 0.904},  // the hexammine
    {"F", -1, 1.475}, {"CL", -1, 2.032}, {"BR", -1, 2.080}, {"I", -1, 2.045},
};

constexpr double A2_ps_per_1e9_m2_s = 0.1;

}  // namespace

std::optional<double> ion_diffusion_A2_ps(std::string_view element, double charge_e) {
  for (const DiffusionEntry& entry : diffusion_table)
    if (entry.element == element && entry.charge_e == charge_e)
      return A2_ps_per_1e9_m2_s * entry.per_1e9_m2_s;
  return std::nullopt;
}

}  // namespace ionwell
