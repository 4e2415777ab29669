#pragma once

#include <algorithm>

#include "parallel/parallel_for.hpp"

namespace ionwell {

/// Planes of a level: threads share them when there is enough to do.
inline int threads_for_points(std::int64_t points, int threads) {
  constexpr std::int64_t points_a_thread = 1 << 14;  // some 20 microseconds of work
  return int(std::clamp<std::int64_t>(points / points_a_thread, 1, threads));
}

/// Calls stage(s, k) for each of `stages` stages s and each plane k of [first, last), where stage s may use
/// what stage s - 1 has left in planes k - 1, k and k + 1, and what it overwrites in plane k nobody needs any
/// more. All stages go over the lattice together, each a plane behind the one before, so that a plane stays
/// in the cache; slabs of planes go to different threads, and what their borders lack is done at the end.
template <typename Stage>
void run_plane_stages(int threads, int first, int last, int stages, const Stage& stage) {
  const int planes = last - first;
  const int slabs = std::clamp(planes / (2 * stages), 1, threads);
  const auto begin_of = [&](std::int64_t slab) { return first + int(planes * slab / slabs); };
  parallel_for({threads}, slabs, [&](std::int64_t slab) {
    const int begin = begin_of(slab), end = begin_of(slab + 1);
    const int lag_at_begin = slab == 0 ? 0 : 1, lag_at_end = slab == slabs - 1 ? 0 : 1;
    for (int t = begin; t < end + stages - 1; ++t)
      for (int s = 0; s < stages; ++s) {
        const int k = t - s;
        if (k >= begin + s * lag_at_begin && k < end - s * lag_at_end) stage(s, k);
      }
  });
  parallel_for({threads}, slabs - 1, [&](std::int64_t border) {
    const int middle = begin_of(border + 1);
    for (int s = 1; s < stages; ++s)
      for (int k = middle - s; k < middle + s; ++k) stage(s, k);
  });
}

}  // namespace ionwell
