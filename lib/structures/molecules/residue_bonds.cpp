// SPDX-License-Identifier: BSD-3-Clause
#include "structures/molecules/residue_bonds.hpp"

#include <algorithm>
#include <utility>

#include "core/cell_list.hpp"
#include "core/chemistry/composition.hpp"
#include "structures/molecules/chain_ends.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

constexpr double longest_to_hydrogen_A = 1.4;  // H-S has 1.34 A; a hydrogen bond has 1.6 A and more
constexpr double longest_link_A = 1.9;         // between residues: C-S has 1.82 A, P-O 1.6 A, C-N 1.33 A

}  // namespace

ResidueBonds::Link ResidueBonds::link_of(const Atom& atom) {
  const std::string_view name = atom.name.view();
  if (name == "C") return Link::peptide_carbon;
  if (name == "N") return Link::peptide_nitrogen;
  if (name == "O3'" || name == "O3*") return Link::sugar_oxygen;
  if (name == "P") return Link::phosphorus;
  return Link::none;
}

ResidueBonds::ResidueBonds(std::span<const Atom> atoms, std::span<const AtomLink> links)
    : kinds_(atoms.size()) {
  for (const AtomLink& link : links)
    links_.insert(key(std::min(link.first, link.second), std::max(link.first, link.second)));
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const auto number = std::uint32_t(begins_a_chain_.size());
    begins_a_chain_.push_back(begin == 0 || chain_ends_between(atoms[begin - 1], atoms[begin]));
    for (std::size_t n = begin; n < residue.end; ++n)
      kinds_[n] = {
          .residue = number,
          .link = link_of(atoms[n]),
          .is_hydrogen = element_of(atoms[n]) == "H",
          .is_ion = residue.kind == ResidueKind::ion && residue.end - begin == 1,
          .is_water = residue.kind == ResidueKind::water,
          .is_of_polymer = residue.kind == ResidueKind::protein || residue.kind == ResidueKind::nucleic_acid};
    begin = residue.end;
  }
}

/// Of residues that follow each other in one chain.
bool ResidueBonds::are_linked(const Kind& before, const Kind& behind, double distance2_A2) const {
  if (before.is_hydrogen || behind.is_hydrogen || before.is_water || behind.is_water ||
      distance2_A2 > longest_link_A * longest_link_A)
    return false;
  // Residues of other molecules, as a lipid's head and tails, have no names that all force fields agree on.
  if (!before.is_of_polymer && !behind.is_of_polymer) return true;
  return (before.link == Link::peptide_carbon && behind.link == Link::peptide_nitrogen) ||
         (before.link == Link::sugar_oxygen && behind.link == Link::phosphorus);
}

bool ResidueBonds::are_bonded(std::uint32_t a, std::uint32_t b, double distance2_A2) const {
  const Kind &first = kinds_[std::min(a, b)], &second = kinds_[std::max(a, b)];
  if (!links_.empty() && links_.contains(key(std::min(a, b), std::max(a, b)))) return true;
  if (first.is_ion || second.is_ion || (first.is_hydrogen && second.is_hydrogen)) return false;
  if (second.residue == first.residue + 1)
    return begins_a_chain_[second.residue] == 0 && are_linked(first, second, distance2_A2);
  if (first.residue != second.residue) return false;
  const double limit_A = first.is_hydrogen || second.is_hydrogen ? longest_to_hydrogen_A : longest_A;
  return distance2_A2 <= limit_A * limit_A;
}

std::vector<AtomsOfMolecule> molecules_of(std::span<const Atom> atoms, std::span<const AtomLink> links) {
  std::vector<Vec3<double>> positions_A;
  for (const Atom& atom : atoms) positions_A.push_back(atom.position_A);
  const ResidueBonds bonds(atoms, links);
  const CellList list(positions_A, ResidueBonds::longest_A);
  std::vector<AtomsOfMolecule> molecules;
  std::vector<std::uint8_t> is_reached(atoms.size());
  for (std::uint32_t first = 0; first < atoms.size(); ++first) {
    if (is_reached[first]) continue;
    is_reached[first] = 1;
    AtomsOfMolecule molecule = {first};
    for (std::size_t at = 0; at < molecule.size(); ++at) {
      const std::uint32_t from = molecule[at];
      const Vec3<double>& p = positions_A[from];
      list.near({p, p}, ResidueBonds::longest_A, [&](std::uint32_t n) {
        if (is_reached[n] || !bonds.are_bonded(from, n, distance_squared(p, positions_A[n]))) return;
        is_reached[n] = 1;
        molecule.push_back(n);
      });
    }
    molecules.push_back(std::move(molecule));
  }
  return molecules;
}

}  // namespace ionwell
