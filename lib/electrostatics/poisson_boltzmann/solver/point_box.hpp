// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/vec3.hpp"

namespace ionwell {

/// Points of a lattice from `low` to `high`, both included.
struct PointBox {
  Vec3<std::int64_t> low, high;
};

}  // namespace ionwell
