// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "structures/amber/prmtop_sections.hpp"
#include "structures/molecules/topology.hpp"

namespace ionwell {

/// An AMBER topology (prmtop, parm7; also CHAMBER's, and those before AMBER 7, which have no %FLAG): names,
/// charges [e], intrinsic radii [A] where there are some, residues with the chain, number and insertion code
/// that ParmEd's addPDB has added, or else numbers from 1; elements by atomic number, or by mass. A chain
/// ends where a residue is bound to the one before it and not to the next; hence it does not at each water.
/// The cell is that of BOX_DIMENSIONS, which tells all angles of a rectangular box and of a truncated
/// octahedron, and no cell where it tells one of three. Throws Error with `path:line:` for what is missing or
/// cannot be read. O(bytes).
Topology read_prmtop(std::string_view text, const std::string& path);

/// The bonds of its hydrogens, by the numbers of atoms. Throws as read_prmtop. O(bytes).
std::vector<AtomLink> read_bonds_to_hydrogen(std::string_view text, const std::string& path);

}  // namespace ionwell
