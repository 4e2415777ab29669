// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "parallel/first_failure.hpp"

namespace ionwell {

/// Threads for very short pieces of work, of 10 microseconds and up. Unlike at an OpenMP barrier the caller
/// never waits for a thread that has not begun: on a busy machine the caller does the work itself.
class ThreadPool {
 public:
  /// `threads` includes the caller. Makes do with fewer when the system gives no more.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// The caller's thread and those that the system gave.
  int threads() const { return int(threads_.size()) + 1; }

  /// Calls work(i) for each i in [0, count) on any of the pool's threads; returns when all are done. The
  /// caller begins with the first, the others with the last, of 65,535 at a time. When a call throws, those
  /// that have not begun are left out and the first exception is thrown again here. For one caller at a time.
  template <typename Work>
  friend void parallel_for(ThreadPool& pool, std::int64_t count, const Work& work) {
    pool.run_all(
        std::size_t(count),
        [](const void* context, std::size_t i) { (*static_cast<const Work*>(context))(std::int64_t(i)); },
        &work);
  }

 private:
  using Function = void (*)(const void*, std::size_t);

  void run_all(std::size_t count, Function function, const void* context);
  void run_round(std::size_t first, std::size_t count);
  std::uint32_t run_pieces(bool from_front) noexcept;
  void serve() noexcept;

  // Generation, count, pieces taken at the back, pieces taken in front (16 bits each): one word, so that a
  // piece is claimed from the very round that was looked at.
  alignas(64) std::atomic<std::uint64_t> round_{0};
  alignas(64) std::atomic<std::uint32_t> done_{0};  // by the others, in the present round
  std::atomic<int> asleep_{0};
  std::atomic<bool> leave_{false};
  Function function_ = nullptr;
  const void* context_ = nullptr;
  std::size_t first_ = 0;  // piece of the present round
  FirstFailure failure_;   // of the present loop
  std::vector<std::thread> threads_;
};

}  // namespace ionwell
