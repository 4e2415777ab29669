// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

#include "parallel/first_failure.hpp"

namespace ionwell {

/// Calls work(0) on this thread and work(1), work(2) ... each on one of its own, where the system gives so
/// many, and returns when all are done: for waiting on several devices, each with OpenMP threads of its own.
/// None may wait for another. The first exception is thrown again here.
template <typename Work>
void on_threads(std::size_t count, const Work& work) {
  FirstFailure failure;
  const auto guarded = [&](std::size_t n) {
    try {
      work(n);
    } catch (...) {
      failure.keep();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(count);
  std::size_t started = 1;
  try {
    for (; started < count; ++started) threads.emplace_back(guarded, started);
  } catch (const std::exception&) {
    // The system gives no more threads, or no memory for them.
  }
  if (count > 0) guarded(0);
  for (std::size_t n = started; n < count; ++n) guarded(n);
  for (std::thread& thread : threads) thread.join();
  failure.rethrow();
}

}  // namespace ionwell
