// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "parallel/thread_pool.hpp"

/// Loops over a lattice's points, shared among the threads of a pool where there is enough to do.
namespace ionwell {

/// Threads that so many points are worth.
inline int threads_for_points(std::int64_t points, const ThreadPool& pool) {
  constexpr std::int64_t points_a_thread = 1 << 14;  // some 20 microseconds of work
  return int(std::clamp<std::int64_t>(points / points_a_thread, 1, pool.threads()));
}

/// Calls work(first, last) for ranges that make up [0, count), of which each is `points` points' work in all.
template <typename Work>
void for_ranges(ThreadPool& pool, std::int64_t points, std::int64_t count, const Work& work) {
  constexpr int pieces_a_thread = 4;  // so that a thread that is held up holds up nobody
  const int threads = threads_for_points(points, pool);
  if (threads == 1) return work(std::int64_t{0}, count);
  const std::int64_t pieces = std::min<std::int64_t>(count, pieces_a_thread * threads);
  parallel_for(pool, pieces, [&](std::int64_t n) { work(count * n / pieces, count * (n + 1) / pieces); });
}

/// Planes that each stage has less than the one before, at the first and at the last: 1 where what is after
/// them is not known, and 0 where it is given.
struct StageEnds {
  int low = 0, high = 0;
};

/// Calls stage(s, k) for each of `stages` stages s and each plane k of [first, last), but for what `ends`
/// takes away, where stage s may use what stage s - 1 has left in planes k - 1, k and k + 1, and what it
/// overwrites in plane k nobody needs any more. All stages go over the lattice together, each a plane after
/// the one before, so that a plane stays in the cache; slabs of planes go to different threads, and what
/// their borders lack is done at the end. `points`: of all planes.
template <typename Stage>
void run_plane_stages(ThreadPool& pool, std::int64_t points, int first, int last, int stages,
                      const StageEnds& ends, const Stage& stage) {
  const int planes = last - first;
  if (planes <= 0) return;
  const int slabs = std::clamp(planes / (2 * stages), 1, threads_for_points(points, pool));
  const auto begin_of = [&](std::int64_t slab) { return first + int(planes * slab / slabs); };
  parallel_for(pool, slabs, [&](std::int64_t slab) {
    const int begin = begin_of(slab), end = begin_of(slab + 1);
    const int lag_at_begin = slab == 0 ? ends.low : 1, lag_at_end = slab == slabs - 1 ? ends.high : 1;
    for (int t = begin; t < end + stages - 1; ++t)
      for (int s = 0; s < stages; ++s) {
        const int k = t - s;
        if (k >= begin + s * lag_at_begin && k < end - s * lag_at_end) stage(s, k);
      }
  });
  parallel_for(pool, slabs - 1, [&](std::int64_t border) {
    const int middle = begin_of(border + 1);
    for (int s = 1; s < stages; ++s)
      for (int k = middle - s; k < middle + s; ++k) stage(s, k);
  });
}

}  // namespace ionwell
