// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/error.hpp"

namespace ionwell {

/// How many points there are, which are numbered by 32 bits from here on: half the memory of lists of them.
/// Throws Error for more than there are numbers.
inline std::size_t numbered(std::size_t points) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (points > most)
    fail("there are ", points, " points or atoms near each other to be looked for, and at most ", most,
         " fit in one list; use a part of the system");
  return points;
}

}  // namespace ionwell
