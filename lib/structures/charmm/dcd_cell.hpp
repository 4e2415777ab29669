// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>

#include "core/structure.hpp"

namespace ionwell {

/// The six numbers of a DCD's cell in the order of the file.
using DcdCell = std::array<double, 6>;

/// The cell that they are. As lengths a, b, c with cosines or angles [degrees] they are a, gamma, b, beta,
/// alpha, c; as CHARMM's shape matrix xx, xy, yy, xz, yz, zz. Nothing in the file tells which: numbers from
/// -1 to 1 are taken for cosines, else those that make angles of 20 to 160 degrees for angles. Nothing where
/// all of it fails, as for six zeros.
std::optional<UnitCell> cell_of_dcd(const DcdCell& numbers);

}  // namespace ionwell
