// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "core/unit_cell.hpp"

namespace ionwell {

/// The cell of a simulation by its three vectors [A]; nothing where they are no cell: no numbers, or without
/// volume.
std::optional<UnitCell> cell_of_vectors(const CellVectors& vectors_A);

/// The same by its lengths and angles.
std::optional<UnitCell> cell_of_parameters(const CellParameters& parameters);

}  // namespace ionwell
