// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/vec3.hpp"

namespace ionwell {

/// Coordinates as an XTC file packs them: whole numbers of 1/precision, either each in the range of all, or
/// as the small difference from the atom before.
struct PackedCoordinates {
  std::int64_t atoms = 0;
  std::array<std::int64_t, 3> lowest{}, highest{};
  std::int64_t small_index = 0;  // says how many bits the differences have at first
  std::string_view bits;         // highest bit of each byte first
};

/// The whole numbers, in the order of the atoms. Empty when the data make no sense: bits that end too early,
/// ranges or indices that cannot be. O(atoms), which may not be more than there can be in so many bits.
/// Source: xdr3dfcoord of F. van Hoesel, as described for GROMACS's libxdrf.
std::vector<Vec3<std::int64_t>> unpack_coordinates(const PackedCoordinates& packed);

}  // namespace ionwell
