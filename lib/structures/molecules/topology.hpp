// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/structure.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// What a topology says of a system: everything but where its atoms are. The readers of the formats
/// (charmm/psf.hpp, amber/prmtop.hpp, gromacs/topology.hpp) give one each.
struct Topology {
  std::vector<Atom> atoms;      // at (0, 0, 0), in the order of the file; radii 0 where the format has none
  std::vector<AtomLink> links;  // bonds between residues
  std::optional<UnitCell> cell;
  std::vector<std::string> warnings;  // what the reader had to decide, ready to show
  bool has_copies = false;            // of atoms, which share a charge and may lie on each other (LES)
};

}  // namespace ionwell
