// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/ways/site_atoms.hpp"

#include <algorithm>

#include "core/cell_list.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// What the atoms of a nucleotide say of it.
struct Nucleotide {
  bool is_one = false, is_purine = false, has_n6 = false, has_o6 = false, has_n4 = false;

  explicit Nucleotide(std::span<const Atom> residue) {
    bool has_sugar = false;
    for (const Atom& atom : residue) {
      const std::string_view name = atom.name.view();
      has_sugar |= is_any_of(name, {"C1'", "C1*", "C4'", "C4*"});
      is_purine |= name == "N7";
      has_n6 |= name == "N6";
      has_o6 |= name == "O6";
      has_n4 |= name == "N4";
    }
    is_one =
        has_sugar && (is_purine || residue_kind(residue.front().residue.view()) == ResidueKind::nucleic_acid);
  }

  bool accepts_at(std::string_view nitrogen) const {
    return nitrogen == "N3" ? is_purine || has_n4 : nitrogen == "N1" && is_purine && !has_o6;
  }
};

SiteAtomClass oxygen_of(std::string_view name) {
  using enum SiteAtomClass;
  if (is_any_of(name, {"OP1", "OP2", "OP3", "O1P", "O2P", "O3P"})) return phosphate_oxygen;
  if (is_any_of(name, {"O6", "O4"})) return carbonyl_oxygen;
  if (name == "O2") return pyrimidine_oxygen;
  return is_any_of(name, {"O2'", "O2*"}) ? hydroxyl_oxygen : sugar_oxygen;
}

SiteAtomClass class_in(const Nucleotide& nucleotide, std::string_view name, std::string_view element) {
  using enum SiteAtomClass;
  if (element == "P") return phosphorus;
  if (element == "O") return oxygen_of(name);
  if (element == "N") return name == "N7" ? n7 : nucleotide.accepts_at(name) ? ring_nitrogen : amino_nitrogen;
  if (element == "C") return name.find_first_of("'*") != std::string_view::npos ? sugar_carbon : base_carbon;
  return other_heavy;
}

}  // namespace

std::vector<SiteAtom> site_atoms(std::span<const Atom> atoms) {
  std::vector<SiteAtom> sites;
  std::vector<std::string_view> elements;
  std::vector<Vec3<double>> heavy_A;
  std::vector<std::size_t> heavy;
  sites.reserve(atoms.size());
  elements.reserve(atoms.size());
  for (std::size_t begin = 0, end = 0; begin < atoms.size(); begin = end) {
    end = end_of_residue(atoms, begin);
    const std::span<const Atom> residue = atoms.subspan(begin, end - begin);
    const Nucleotide nucleotide(residue);
    for (const Atom& atom : residue) {
      const std::string_view element = element_of(atom);
      SiteAtomClass kind = element == "O" ? SiteAtomClass::other_oxygen : SiteAtomClass::other_heavy;
      if (element == "H")
        kind = SiteAtomClass::nonpolar_hydrogen;
      else if (nucleotide.is_one)
        kind = class_in(nucleotide, atom.name.view(), element);
      if (is_heavy(kind)) {
        heavy.push_back(sites.size());
        heavy_A.push_back(atom.position_A);
      }
      elements.push_back(element);
      sites.push_back({atom.position_A, atom.charge_e, kind});
    }
  }
  constexpr double longest_bond_A = 1.6;  // to hydrogen, with some room
  const CellList cells(heavy_A, longest_bond_A);
  for (SiteAtom& atom : sites) {
    if (is_heavy(atom.kind)) continue;
    const auto any = [](std::uint32_t) { return true; };
    const CellList::Nearest parent = cells.nearest(heavy_A, atom.position_A, longest_bond_A, any);
    if (parent.distance2_A2 <= longest_bond_A * longest_bond_A &&
        is_any_of(elements[heavy[parent.number]], {"N", "O", "S"}))
      atom.kind = SiteAtomClass::polar_hydrogen;
  }
  return sites;
}

}  // namespace ionwell
