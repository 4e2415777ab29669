// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/ion_component.hpp"

#include <algorithm>
#include <iterator>

#include "core/chemistry/ion_table.hpp"

namespace ionwell {
namespace {

// Tungsten (W) is left out: coarse-grained waters have its name.
constexpr IonComponent components[] = {
    {"3CO", {"CO", 3}}, {"3NI", {"NI", 3}}, {"4MO", {"MO", 4}}, {"4TI", {"TI", 4}}, {"6MO", {"MO", 6}},
    {"AG", {"AG", 1}},  {"AL", {"AL", 3}},  {"AM", {"AM", 3}},  {"AU", {"AU", 1}},  {"AU3", {"AU", 3}},
    {"BS3", {"BI", 3}}, {"CE", {"CE", 3}},  {"CR", {"CR", 3}},  {"CU", {"CU", 2}},  {"CU1", {"CU", 1}},
    {"CU3", {"CU", 3}}, {"ER3", {"ER", 3}}, {"EU", {"EU", 2}},  {"EU3", {"EU", 3}}, {"FE", {"FE", 3}},
    {"FE2", {"FE", 2}}, {"GA", {"GA", 3}},  {"GD3", {"GD", 3}}, {"HG", {"HG", 2}},  {"HO3", {"HO", 3}},
    {"IN", {"IN", 3}},  {"IR", {"IR", 4}},  {"IR3", {"IR", 3}}, {"LA", {"LA", 3}},  {"LU", {"LU", 3}},
    {"MN3", {"MN", 3}}, {"NI", {"NI", 2}},  {"OS", {"OS", 3}},  {"OS4", {"OS", 4}}, {"PB", {"PB", 2}},
    {"PD", {"PD", 2}},  {"PR", {"PR", 3}},  {"PT", {"PT", 2}},  {"PT4", {"PT", 4}}, {"RH3", {"RH", 3}},
    {"RU", {"RU", 3}},  {"SB", {"SB", 3}},  {"SM", {"SM", 3}},  {"TB", {"TB", 3}},  {"TL", {"TL", 1}},
    {"V", {"V", 3}},    {"Y1", {"Y", 2}},   {"YB", {"YB", 3}},  {"YB2", {"YB", 2}}, {"YT3", {"Y", 3}}};

constexpr bool is_before(const IonComponent& a, const IonComponent& b) {
  return a.name < b.name;
}
static_assert(std::is_sorted(std::begin(components), std::end(components), is_before));

}  // namespace

std::span<const IonComponent> ion_components() {
  return components;
}

std::optional<FormalIon> ion_component(std::string_view name) {
  const IonComponent* const found =
      std::lower_bound(std::begin(components), std::end(components), IonComponent{name, {}}, is_before);
  if (found != std::end(components) && found->name == name) return found->ion;
  const KnownIon* const known = find_ion(name);
  return known != nullptr ? std::optional(FormalIon{known->element, known->charge_e}) : std::nullopt;
}

std::optional<FormalIon> formal_ion(const ResidueTraits& ion) {
  const std::optional<FormalIon> component = ion_component(ion.name);
  return component ? component : ion_component(ion_label(ion));
}

}  // namespace ionwell
