#pragma once

#include <array>
#include <optional>

#include "core/structure.hpp"

namespace ionwell {

/// A cell as its three vectors [A]; nothing where they are no cell: no numbers, or without volume.
std::optional<UnitCell> cell_of_vectors(const std::array<Vec3<double>, 3>& vectors_A);

/// Whether the three lengths and angles are those of a cell with a volume.
bool is_possible(const UnitCell& cell);

}  // namespace ionwell
