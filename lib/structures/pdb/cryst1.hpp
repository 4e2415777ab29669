// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/structure.hpp"

namespace ionwell {

/// A cell from its three lengths [A] and three angles [degrees]. Nothing where one of them is not above 0,
/// and for the 1 A cube that stands for none in entries of the PDB without a crystal. Throws Error for angles
/// that make no cell, with the file and line that are `where`.
std::optional<UnitCell> crystallographic_cell(const std::array<double, 6>& lengths_and_angles,
                                              std::string_view where);

/// The cell of a CRYST1 record of PDB and PQR files: lengths in columns 7-15, 16-24, 25-33, angles in 34-40,
/// 41-47, 48-54; or between blanks. Errors as of crystallographic_cell.
std::optional<UnitCell> read_cryst1(std::string_view line, std::string_view where);

}  // namespace ionwell
