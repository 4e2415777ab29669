// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/atomic_mass.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ionwell {
namespace {

struct Element {
  double mass_u;
  ElementSymbol symbol;
};

// In ascending order; what has no stable isotope is left out.
constexpr Element elements[] = {
    {1.008, "H"},   {6.94, "LI"},   {9.0122, "BE"}, {10.81, "B"},   {12.011, "C"},  {14.007, "N"},
    {15.999, "O"},  {18.998, "F"},  {22.990, "NA"}, {24.305, "MG"}, {26.982, "AL"}, {28.085, "SI"},
    {30.974, "P"},  {32.06, "S"},   {35.45, "CL"},  {39.098, "K"},  {40.078, "CA"}, {44.956, "SC"},
    {47.867, "TI"}, {50.942, "V"},  {51.996, "CR"}, {54.938, "MN"}, {55.845, "FE"}, {58.693, "NI"},
    {58.933, "CO"}, {63.546, "CU"}, {65.38, "ZN"},  {69.723, "GA"}, {72.630, "GE"}, {74.922, "AS"},
    {78.971, "SE"}, {79.904, "BR"}, {85.468, "RB"}, {87.62, "SR"},  {88.906, "Y"},  {91.224, "ZR"},
    {92.906, "NB"}, {95.95, "MO"},  {101.07, "RU"}, {102.91, "RH"}, {106.42, "PD"}, {107.87, "AG"},
    {112.41, "CD"}, {114.82, "IN"}, {118.71, "SN"}, {121.76, "SB"}, {126.90, "I"},  {127.60, "TE"},
    {132.91, "CS"}, {137.33, "BA"}, {138.91, "LA"}, {140.12, "CE"}, {140.91, "PR"}, {144.24, "ND"},
    {150.36, "SM"}, {151.96, "EU"}, {157.25, "GD"}, {158.93, "TB"}, {162.50, "DY"}, {164.93, "HO"},
    {167.26, "ER"}, {168.93, "TM"}, {173.05, "YB"}, {174.97, "LU"}, {178.49, "HF"}, {180.95, "TA"},
    {183.84, "W"},  {186.21, "RE"}, {190.23, "OS"}, {192.22, "IR"}, {195.08, "PT"}, {196.97, "AU"},
    {200.59, "HG"}, {204.38, "TL"}, {207.2, "PB"},  {208.98, "BI"}, {232.04, "TH"}, {238.03, "U"},
};

}  // namespace

ElementSymbol element_of_mass(double mass_u) {
  // Nitrogen with one heavy hydrogen has 11.99 u, 0.02 less than carbon, and the united atom CH2 14.03 u.
  constexpr double light_u = 20.0, light_within_u = 0.015, within_u = 0.1;
  const auto* const above =
      std::lower_bound(std::begin(elements), std::end(elements), mass_u,
                       [](const Element& element, double mass) { return element.mass_u < mass; });
  const Element* nearest = above == std::end(elements) ? above - 1 : above;
  if (above != std::begin(elements) && mass_u - above[-1].mass_u < std::abs(nearest->mass_u - mass_u))
    nearest = above - 1;
  const double off_u = std::abs(nearest->mass_u - mass_u);
  return off_u <= (mass_u < light_u ? light_within_u : within_u) ? nearest->symbol : ElementSymbol{};
}

}  // namespace ionwell
