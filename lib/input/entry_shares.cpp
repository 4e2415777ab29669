// SPDX-License-Identifier: BSD-3-Clause
#include "input/entry_shares.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/chemistry/composition.hpp"
#include "core/chemistry/residue_kind.hpp"

namespace ionwell {

std::vector<std::size_t> EntryShares::in_order() const {
  std::vector<std::size_t> all = of_pdb2gmx;
  all.insert(all.begin() + std::ptrdiff_t(before_ligands), of_ligands.begin(), of_ligands.end());
  return all;
}

EntryShares shares_of(std::span<const Atom> atoms, const GromacsLigands& ligands) {
  EntryShares shares;
  std::optional<std::size_t> water;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const bool is_ligand = ligands.has(atoms[begin].residue.view());
    if (residue.kind == ResidueKind::water && !water) water = shares.of_pdb2gmx.size();
    for (; begin < residue.end; ++begin) (is_ligand ? shares.of_ligands : shares.of_pdb2gmx).push_back(begin);
  }
  shares.before_ligands = water.value_or(shares.of_pdb2gmx.size());
  return shares;
}

bool put_along_bonds(std::span<const Atom> atoms, const Chemistry& chemistry, EntryShares& shares) {
  const std::vector<std::uint32_t> order = residues_along_bonds(chemistry);
  if (std::ranges::is_sorted(order)) return false;
  std::vector<std::size_t> moved;
  std::optional<std::size_t> water;
  for (const std::uint32_t r : order) {
    const PerceivedResidue& residue = chemistry.residues[r];
    const auto begin = shares.of_pdb2gmx.begin() + residue.begin,
               end = shares.of_pdb2gmx.begin() + residue.end;
    if (!water && residue_kind(atoms[*begin].residue.view()) == ResidueKind::water) water = moved.size();
    moved.insert(moved.end(), begin, end);
  }
  shares.before_ligands = water.value_or(moved.size());
  shares.of_pdb2gmx = std::move(moved);
  return true;
}

std::vector<Atom> with_numbers(std::span<const Atom> atoms, const std::vector<std::size_t>& numbers) {
  std::vector<Atom> some;
  some.reserve(numbers.size());
  for (const std::size_t n : numbers) some.push_back(atoms[n]);
  return some;
}

}  // namespace ionwell
