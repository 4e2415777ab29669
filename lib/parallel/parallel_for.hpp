// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "parallel/first_failure.hpp"

/// Loops shared among OpenMP threads, the only place that starts them; thread_pool.hpp has a parallel_for for
/// loops of a few microseconds. They leave OpenMP's settings as the host program has them, and an exception
/// in any iteration stops the loop and reaches the caller. They run in a process made by fork(), too.
namespace ionwell {

/// Who does which iterations.
struct Schedule {
  int threads = 1;         // at most; the caller's is one of them
  std::int64_t chunk = 0;  // iterations that a thread takes when it is free; 0: each has an equal part of all
};

/// Calls function(context, thread, threads) on so many threads, or on as many as OpenMP gives. `function`
/// must not throw.
void on_openmp_threads(int threads, void (*function)(const void* context, int thread, int threads),
                       const void* context);

/// Calls work(first, last) for ranges that make up [0, count), each iteration once; thread t of an equal
/// division has the t-th part, so that memory stays with the thread that touched it first. What is needed for
/// the length of a range only can be a local variable of `work`. When a call throws, ranges that were not
/// begun are left out, and the first exception is thrown again here, once all threads are done.
template <typename Work>
void parallel_ranges(const Schedule& schedule, std::int64_t count, const Work& work) {
  if (count <= 0) return;
  const std::int64_t chunks = schedule.chunk > 0 ? (count + schedule.chunk - 1) / schedule.chunk : count;
  const int threads = int(std::min<std::int64_t>(std::max(schedule.threads, 1), chunks));
  if (threads == 1) return work(std::int64_t{0}, count);
  std::atomic<std::int64_t> next{0};
  FirstFailure failure;
  const auto share = [&](int thread, int of) noexcept {
    try {
      if (schedule.chunk <= 0) {
        const std::int64_t first = count * thread / of, last = count * (thread + 1) / of;
        if (first < last) work(first, last);
        return;
      }
      while (!failure.has_happened()) {
        const std::int64_t first = schedule.chunk * next.fetch_add(1, std::memory_order_relaxed);
        if (first >= count) return;
        work(first, std::min(count, first + schedule.chunk));
      }
    } catch (...) {
      failure.keep();
    }
  };
  using Share = decltype(share);
  on_openmp_threads(
      threads,
      [](const void* context, int thread, int of) { (*static_cast<const Share*>(context))(thread, of); },
      &share);
  failure.rethrow();
}

/// Calls work(i) for each i in [0, count), in ranges as parallel_ranges has them.
template <typename Work>
void parallel_for(const Schedule& schedule, std::int64_t count, const Work& work) {
  parallel_ranges(schedule, count, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) work(i);
  });
}

/// Iterations that parallel_reduce takes together.
constexpr std::int64_t reduce_chunk = 1 << 16;

/// combine(... combine(combine(start, part(0, n)), part(n, 2 n)) ...) over [0, count), n = reduce_chunk: the
/// parts are the same and come in the same order whatever the number of threads, so that floating-point sums
/// are too.
template <typename T, typename Sum, typename Combine>
T parallel_reduce(int threads, std::int64_t count, T start, const Sum& part, const Combine& combine) {
  constexpr std::int64_t chunk = reduce_chunk;
  struct Part {  // so that a bool has an address of its own
    T value;
  };
  std::vector<Part> parts(std::size_t((count + chunk - 1) / chunk), Part{start});
  parallel_ranges({threads, 1}, std::int64_t(parts.size()), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t p = first; p < last; ++p)
      parts[std::size_t(p)].value = part(chunk * p, std::min(count, chunk * (p + 1)));
  });
  for (const Part& one : parts) start = combine(start, one.value);
  return start;
}

}  // namespace ionwell
