// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception/bond_lengths.hpp"

#include <algorithm>
#include <iterator>

#include "core/chemistry/elements.hpp"
#include "core/chemistry/ion_table.hpp"
#include "core/text/lines.hpp"

namespace ionwell {
namespace {

struct Radius {
  std::string_view element;
  double radius_A;
};

constexpr Radius radii[] = {
    {"H", 0.31},  {"C", 0.76},  {"N", 0.71},  {"O", 0.66},  {"S", 1.05},  {"P", 1.07},  {"F", 0.57},
    {"CL", 1.02}, {"SE", 1.20}, {"BR", 1.20}, {"I", 1.39},  {"B", 0.84},  {"SI", 1.11}, {"AS", 1.19},
    {"FE", 1.32}, {"ZN", 1.22}, {"CU", 1.32}, {"CO", 1.26}, {"NI", 1.24}, {"MN", 1.39}, {"MG", 1.41}};

// All that is in no group of nonmetals; the most frequent first.
constexpr std::string_view nonmetals[] = {"C",  "O", "N",  "H",  "P",  "S",  "F",  "CL", "BR", "I",
                                          "SE", "B", "SI", "AS", "TE", "HE", "NE", "AR", "KR", "XE"};

/// Metals whose ligands are farther away than those of zinc and its like.
constexpr std::string_view large_ions[] = {"NA", "K",  "RB", "CS", "CA", "SR", "BA", "PB",
                                           "TL", "LA", "CE", "PR", "ND", "SM", "EU", "GD",
                                           "TB", "DY", "HO", "ER", "TM", "YB", "LU", "Y"};

template <typename List>
bool contains(const List& list, std::string_view element) {
  return std::find(std::begin(list), std::end(list), element) != std::end(list);
}

}  // namespace

double covalent_radius_A(std::string_view element) {
  for (const Radius& known : radii)
    if (known.element == element) return known.radius_A;
  return 1.5;
}

bool is_metal(std::string_view element) {
  return !element.empty() && !contains(nonmetals, element);
}

double longest_bond_A(std::string_view first, std::string_view second) {
  if (first == "H" && second == "H") return 0.0;
  return covalent_radius_A(first) + covalent_radius_A(second) + 0.3;
}

bool takes_proton_of_thiol(std::string_view metal) {
  constexpr std::string_view hard[] = {"LI", "NA", "K", "RB", "CS", "BE", "MG", "CA", "SR", "BA"};
  return !contains(hard, metal);
}

double longest_coordination_A(std::string_view metal, std::string_view ligand) {
  const bool is_large = contains(large_ions, metal);
  if (ligand == "O")
    return metal == "K" || metal == "RB" || metal == "CS" || metal == "BA" ? 3.2 : is_large ? 2.8 : 2.5;
  if (ligand == "N") return is_large ? 2.9 : farthest_nitrogen_A;
  if (ligand == "S" || ligand == "SE") return is_large ? 3.2 : 2.9;  // Cd-S of 2.5 A is refined to 2.86
  if (ligand == "CL" || ligand == "F" || ligand == "BR") return is_large ? 3.2 : 2.6;
  return 0.0;
}

ElementSymbol element_by_name(const Atom& atom, bool is_alone) {
  const std::string_view said = atom.element.view();
  if (said == "D") return "H";
  if (const std::string_view element = element_of_symbol(said); !element.empty()) return element;
  std::string_view name = atom.name.view();
  if (is_alone)
    if (const KnownIon* const ion = find_ion(name)) return ion->element;
  while (!name.empty() && is_digit(name.front())) name.remove_prefix(1);
  if (name.starts_with('D')) return "H";
  return element_of_symbol(name.substr(0, 1));
}

}  // namespace ionwell
