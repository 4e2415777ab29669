// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/ion_radius.hpp"

namespace ionwell {
namespace {

struct Entry {
  std::string_view element;
  double charge_e, radius_A;
};

// Without Co3+, which stands for its hexammine, NCO, as well.
constexpr Entry table[] = {
    {"LI", 1, 0.76},  {"NA", 1, 1.02},  {"K", 1, 1.38},   {"RB", 1, 1.52},  {"CS", 1, 1.67},
    {"MG", 2, 0.72},  {"CA", 2, 1.00},  {"SR", 2, 1.18},  {"BA", 2, 1.35},  {"ZN", 2, 0.74},
    {"CD", 2, 0.95},  {"MN", 2, 0.83},  {"CO", 2, 0.745}, {"F", -1, 1.33},  {"CL", -1, 1.81},
    {"BR", -1, 1.96}, {"I", -1, 2.20},  {"MN", 3, 0.645}, {"FE", 3, 0.645}, {"FE", 2, 0.78},
    {"NI", 2, 0.69},  {"NI", 3, 0.60},  {"CU", 2, 0.73},  {"CU", 1, 0.77},  {"CU", 3, 0.54},
    {"AG", 1, 1.15},  {"HG", 2, 1.02},  {"PB", 2, 1.19},  {"TL", 1, 1.50},  {"AL", 3, 0.535},
    {"GA", 3, 0.62},  {"IN", 3, 0.80},  {"TI", 4, 0.605}, {"V", 3, 0.64},   {"CR", 3, 0.615},
    {"CR", 2, 0.80},  {"Y", 3, 0.90},   {"MO", 4, 0.65},  {"MO", 6, 0.59},  {"RU", 3, 0.68},
    {"RH", 3, 0.665}, {"PD", 2, 0.86},  {"OS", 4, 0.63},  {"IR", 4, 0.625}, {"IR", 3, 0.68},
    {"PT", 2, 0.80},  {"PT", 4, 0.625}, {"AU", 1, 1.37},  {"AU", 3, 0.85},  {"SB", 3, 0.76},
    {"BI", 3, 1.03},  {"LA", 3, 1.032}, {"CE", 3, 1.01},  {"PR", 3, 0.99},  {"SM", 3, 0.958},
    {"EU", 2, 1.17},  {"EU", 3, 0.947}, {"GD", 3, 0.938}, {"TB", 3, 0.923}, {"HO", 3, 0.901},
    {"ER", 3, 0.89},  {"YB", 3, 0.868}, {"YB", 2, 1.02},  {"LU", 3, 0.861}, {"AM", 3, 0.975},
};

}  // namespace

std::optional<double> ionic_radius_A(std::string_view element, double charge_e) {
  for (const Entry& entry : table)
    if (entry.element == element && entry.charge_e == charge_e) return entry.radius_A;
  return std::nullopt;
}

}  // namespace ionwell
