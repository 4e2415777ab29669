// SPDX-License-Identifier: BSD-3-Clause
#include "core/box.hpp"

#include <ostream>

namespace ionwell {

std::ostream& operator<<(std::ostream& out, const Box& box) {
  const auto& [low, high] = box;
  return out << '(' << low.x << ", " << low.y << ", " << low.z << ") to (" << high.x << ", " << high.y << ", "
             << high.z << ')';
}

bool overlap(const Box& a, const Box& b) {
  return a.lowest_A.x <= b.highest_A.x && b.lowest_A.x <= a.highest_A.x &&  //
         a.lowest_A.y <= b.highest_A.y && b.lowest_A.y <= a.highest_A.y &&  //
         a.lowest_A.z <= b.highest_A.z && b.lowest_A.z <= a.highest_A.z;
}

}  // namespace ionwell
