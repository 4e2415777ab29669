// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/geometry/rotation.hpp"
#include "core/unit_cell.hpp"

namespace ionwell::test {

struct NamedRotation {
  std::string name;
  Rotation rotation;
};

/// By 90 degrees about each axis, and by an angle that has no symmetry about an axis that has none.
inline std::vector<NamedRotation> rotations() {
  const double s = std::sin(0.7), c = std::cos(0.7), u = 1.0 / 3, v = 2.0 / 3, w = -2.0 / 3;  // the axis
  const Rotation any{{c + u * u * (1 - c), u * v * (1 - c) - w * s, u * w * (1 - c) + v * s},
                     {v * u * (1 - c) + w * s, c + v * v * (1 - c), v * w * (1 - c) - u * s},
                     {w * u * (1 - c) - v * s, w * v * (1 - c) + u * s, c + w * w * (1 - c)}};
  return {{"about x", {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}},
          {"about y", {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}},
          {"about z", {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}},
          {"any", any}};
}

inline UnitCell rotated(const UnitCell& cell, const Rotation& rotation) {
  return {{rotation(cell.a), rotation(cell.b), rotation(cell.c)}, cell.kind};
}

}  // namespace ionwell::test
