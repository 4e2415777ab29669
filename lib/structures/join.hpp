// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "structures/coordinates.hpp"

namespace ionwell {

/// Puts the atoms of a topology (or of a structure, whose positions are replaced) where a coordinate file
/// says; its cell comes along. Throws Error where the numbers of atoms differ, and where more than one name
/// in a hundred is that of another element, by its first letter, with the first place; what is left is a
/// warning, for files of one system may spell names in two ways. `topology_path` and `path` are for messages.
/// O(atoms).
void place_atoms(std::vector<Atom>& atoms, const Coordinates& coordinates, const std::string& topology_path,
                 const std::string& path, std::vector<std::string>& warnings);

}  // namespace ionwell
