// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "chemistry/perception/chemistry.hpp"
#include "core/structure.hpp"
#include "input/gromacs_ligands.hpp"

namespace ionwell {

/// An entry's atoms in two, by their numbers.
struct EntryShares {
  std::vector<std::size_t> of_pdb2gmx, of_ligands;
  std::size_t before_ligands = 0;  // of those of pdb2gmx: up to the first water

  /// As the topology has them.
  std::vector<std::size_t> in_order() const;
};

EntryShares shares_of(std::span<const Atom> atoms, const GromacsLigands& ligands);

/// Puts the residues of a piece one after the other, along its bonds: pdb2gmx makes ends where chains begin
/// and end in the file. `chemistry`: of the atoms of pdb2gmx. Says whether anything moved.
bool put_along_bonds(std::span<const Atom> atoms, const Chemistry& chemistry, EntryShares& shares);

std::vector<Atom> with_numbers(std::span<const Atom> atoms, const std::vector<std::size_t>& numbers);

}  // namespace ionwell
