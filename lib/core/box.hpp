// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <iosfwd>

#include "core/vec3.hpp"

namespace ionwell {

/// Axis-parallel, with its faces.
struct Box {
  Vec3<double> lowest_A, highest_A;

  friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// The smallest box around `box` and a position.
constexpr Box extended(const Box& box, const Vec3<double>& p) {
  return {{std::min(box.lowest_A.x, p.x), std::min(box.lowest_A.y, p.y), std::min(box.lowest_A.z, p.z)},
          {std::max(box.highest_A.x, p.x), std::max(box.highest_A.y, p.y), std::max(box.highest_A.z, p.z)}};
}

/// The position in a box that is nearest to a position.
constexpr Vec3<double> nearest_in(const Box& box, const Vec3<double>& p) {
  return {std::clamp(p.x, box.lowest_A.x, box.highest_A.x), std::clamp(p.y, box.lowest_A.y, box.highest_A.y),
          std::clamp(p.z, box.lowest_A.z, box.highest_A.z)};
}

/// "(0, 0, 0) to (10, 20, 30)".
std::ostream& operator<<(std::ostream& out, const Box& box);

/// Whether two boxes have a point in common.
bool overlap(const Box& a, const Box& b);

}  // namespace ionwell
