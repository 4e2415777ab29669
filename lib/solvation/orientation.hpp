// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "solvation/cell_shape.hpp"
#include "solvation/rotation.hpp"

namespace ionwell {

/// The rotation after which the smallest cell of that shape with so much padding has the least volume: 4,096
/// orientations spread evenly over all, and the best of them turned in smaller and smaller steps. The same in
/// every run; never worse than none at all. O(points) and some 0.3 s.
Rotation rotation_of_least_volume(std::span<const Vec3<double>> positions_A, CellShape shape,
                                  double padding_A);

}  // namespace ionwell
