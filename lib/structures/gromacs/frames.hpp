// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>

#include "structures/coordinates.hpp"

/// What GROMACS's four formats of coordinates have in common.
namespace ionwell {

constexpr double nm_A = 10.0;

/// The frame's index from 0. Throws Error when there is none.
std::int64_t chosen_frame(FrameChoice choice, std::int64_t frames, const std::string& path);

/// A box as its three vectors [nm]; nothing where it has no volume, as for what is not periodic.
std::optional<UnitCell> cell_of_box(const std::array<Vec3<double>, 3>& vectors_nm);

/// A box in the order of .gro and .g96: xx yy zz, then xy xz yx yz zx zy, of which the latter may be missing
/// (0).
std::optional<UnitCell> cell_of_box(const std::array<double, 9>& numbers_nm);

/// Throws Error for a position that is not finite, or where no atom can be; `frame` counts from 0.
void check_positions(const Coordinates& coordinates, std::int64_t frame, const std::string& path);

/// What a reader says of frames that were not read since the file is damaged or cut there; `frames` are
/// complete.
std::string cut_warning(const std::string& path, std::int64_t frames);

}  // namespace ionwell
