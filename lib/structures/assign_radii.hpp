// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "core/structure.hpp"

namespace ionwell {

/// Gives atoms radii, for formats that have none and what needs them, a Poisson-Boltzmann solver: to an ion
/// of one atom its ionic radius (Shannon), to all others that of their element (AMBER's bondi), as the atom
/// has it or as its name tells. Returns how many have neither, such as lone pairs and extra points, whose
/// radius is then 0. O(atoms).
std::int64_t assign_radii(std::span<Atom> atoms);

/// Does so for a structure of which no atom has a radius, with a warning; other structures stay as they are.
void complete_radii(Structure& structure);

}  // namespace ionwell
