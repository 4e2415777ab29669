// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// Which atoms belong together, found in one frame and used in all others: a tree over each molecule, so that
/// what a simulation left on both sides of a periodic boundary comes together again in O(atoms). As for
/// make_whole (solvation/whole_molecules.hpp) atoms are one molecule by the bonds that residues and a
/// topology tell of (ResidueBonds, by whatever image), and molecules other than water and single ions within
/// 10 A of each other are kept together by their nearest atoms, which must not part by half a cell.
class MoleculeLinks {
 public:
  /// By the positions of `atoms` in this frame. O(atoms), 1 s for a million.
  MoleculeLinks(std::span<const Atom> atoms, const PeriodicCell& cell, std::span<const AtomLink> links = {});

  /// Brings each atom to the image nearest to the atom that it is linked to; the first of each tree, but for
  /// waters and ions, to that nearest to its place in the frame that the links were found in: what is whole
  /// does not jump either. Returns how many were moved. `positions_A` are of the same atoms.
  std::int64_t make_whole(std::span<Vec3<double>> positions_A, const PeriodicCell& cell) const;

 private:
  struct Step {
    std::uint32_t atom, from;
  };

  struct Anchor {
    std::uint32_t atom;
    Vec3<double> position_A;
  };

  std::vector<Anchor> anchors_;  // first atoms of trees
  std::vector<Step> steps_;      // each atom behind the one that it comes from
};

}  // namespace ionwell
