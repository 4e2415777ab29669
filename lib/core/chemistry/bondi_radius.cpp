// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/bondi_radius.hpp"

namespace ionwell {
namespace {

struct Entry {
  std::string_view element;
  double radius_A;
};

constexpr Entry table[] = {
    {"H", 1.20},  {"C", 1.70},  {"N", 1.55},  {"O", 1.50},  {"F", 1.50},  {"SI", 2.10}, {"P", 1.85},
    {"S", 1.80},  {"CL", 1.70}, {"BR", 1.85}, {"I", 1.98},  {"SE", 1.90}, {"AS", 1.85}, {"TE", 2.06},
    {"HE", 1.40}, {"NE", 1.54}, {"AR", 1.88}, {"KR", 2.02}, {"XE", 2.16}, {"LI", 1.82}, {"NA", 2.27},
    {"K", 2.75},  {"MG", 1.73}, {"NI", 1.63}, {"CU", 1.40}, {"ZN", 1.39}, {"GA", 1.87}, {"PD", 1.63},
    {"AG", 1.72}, {"CD", 1.58}, {"IN", 1.93}, {"SN", 2.17}, {"AU", 1.66}, {"HG", 1.55}, {"TL", 1.96},
    {"PB", 2.02}, {"U", 1.86},
};

}  // namespace

std::optional<double> bondi_radius_A(std::string_view element) {
  for (const Entry& entry : table)
    if (entry.element == element) return entry.radius_A;
  return std::nullopt;
}

}  // namespace ionwell
