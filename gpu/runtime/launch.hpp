// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

namespace ionwell::gpu {

constexpr int usual_threads = 256;  // of a thread block

/// Thread blocks for `items`, one thread each; as many as a grid may have, should there be more.
inline unsigned blocks_for(std::int64_t items, int threads = usual_threads) {
  return unsigned(std::clamp<std::int64_t>((items + threads - 1) / threads, 1, (std::int64_t(1) << 31) - 1));
}

}  // namespace ionwell::gpu
