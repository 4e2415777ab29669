// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "chemistry/perception/bond_lengths.hpp"
#include "chemistry/perception/residue_links.hpp"

namespace ionwell {
namespace {

using AtomPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr double longest_connected_A = 3.0;  // of a CONECT record; farther ones are of wrong numbers

void add_of_template(const WorkingResidues& working, const WorkingResidue& residue,
                     std::vector<std::uint32_t>& at, AtomPairs& bonds) {
  const ResidueTemplate& found = *residue.found();
  at.assign(found.atoms.size(), nothing);
  for (std::uint32_t n = residue.begin; n < residue.end; ++n)
    if (const std::uint16_t m = working.template_atom(n); m != ResidueMatch::no_atom) at[m] = n;
  for (const TemplateBond& bond : found.bonds)
    if (at[bond.first] != nothing && at[bond.second] != nothing)
      bonds.push_back(std::minmax(at[bond.first], at[bond.second]));
}

/// Bonds, within its residue, of an atom that no template knows.
void add_by_distance(const WorkingResidues& working, std::uint32_t atom, AtomPairs& bonds) {
  constexpr double farthest_A = 2.6, shortest_A = 0.4;
  working.near(atom, farthest_A, [&](std::uint32_t other, double distance_A) {
    if (working.residue_of(other) != working.residue_of(atom) || distance_A < shortest_A) return;
    if (distance_A <= longest_bond_A(working.element(atom), working.element(other)))
      bonds.push_back(std::minmax(atom, other));
  });
}

}  // namespace

AtomPairs all_bonds(const WorkingResidues& working, const std::vector<ResidueLink>& links,
                    const EntryRecords& records) {
  AtomPairs bonds;
  bonds.reserve(working.atoms().size() + links.size());
  std::vector<std::uint32_t> at;
  for (const WorkingResidue& residue : working.residues()) {
    if (residue.role == ResidueRole::bead) continue;
    if (residue.match != nullptr) add_of_template(working, residue, at, bonds);
    for (std::uint32_t n = residue.begin; n < residue.end; ++n)
      if (working.template_atom(n) == ResidueMatch::no_atom && residue.end - residue.begin > 1)
        add_by_distance(working, n, bonds);
    if (residue.after != nothing) {
      const WorkingResidue& next = working.residues()[residue.after];
      bonds.push_back(std::minmax(residue.last_atom, next.first_atom));
    }
  }
  for (const ResidueLink& link : links) bonds.emplace_back(link.first, link.second);
  for (auto [a, b] : records.connected_atoms) {
    const auto count = working.atoms().size();
    if (a >= count || b >= count || a == b || working.residue_of(a) != working.residue_of(b)) continue;
    const bool is_known = working.template_atom(a) != ResidueMatch::no_atom &&
                          working.template_atom(b) != ResidueMatch::no_atom;
    if (!is_known && working.distance_A(a, b) <= longest_connected_A) bonds.push_back(std::minmax(a, b));
  }
  std::sort(bonds.begin(), bonds.end());
  bonds.erase(std::unique(bonds.begin(), bonds.end()), bonds.end());
  return bonds;
}

}  // namespace ionwell
