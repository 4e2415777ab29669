#pragma once

#include <exception>
#include <thread>
#include <vector>

namespace ionwell::gpu {

/// Calls work(0) on this thread and work(1), work(2) ... each on one of its own, where the system gives so
/// many, and returns when all are done. None may wait for another. Of what they throw the first is thrown
/// again.
template <typename Work>
void on_threads(std::size_t count, const Work& work) {
  std::vector<std::exception_ptr> failures(count);
  const auto guarded = [&](std::size_t n) {
    try {
      work(n);
    } catch (...) {
      failures[n] = std::current_exception();
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
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ionwell::gpu
