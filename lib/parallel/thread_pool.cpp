// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/thread_pool.hpp"

#include <algorithm>
#include <exception>

namespace ionwell {
namespace {

constexpr std::size_t most_in_round = 0xffff;  // the 16 bits that a round has for its count

constexpr int spins_before_sleep = 20000;  // some 100 microseconds: between two rounds of a search

constexpr std::uint64_t one_in_front = 1, one_at_the_back = 1 << 16;
constexpr int count_bits = 32, generation_bits = 48;  // where these begin

std::uint64_t taken_in_front(std::uint64_t round) {
  return round & 0xffff;
}
std::uint64_t taken_at_the_back(std::uint64_t round) {
  return round >> 16 & 0xffff;
}
std::uint64_t count_of(std::uint64_t round) {
  return round >> count_bits & 0xffff;
}
bool has_pieces(std::uint64_t round) {
  return taken_in_front(round) + taken_at_the_back(round) < count_of(round);
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  try {
    for (int t = 1; t < threads; ++t) threads_.emplace_back([this] { serve(); });
  } catch (const std::exception&) {
    // The system gives no more threads, or no memory for them; those there are do all the work.
  }
}

ThreadPool::~ThreadPool() {
  leave_ = true;
  round_ += std::uint64_t(1) << generation_bits;
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run_all(std::size_t count, Function function, const void* context) {
  if (threads_.empty() || count < 2) {
    for (std::size_t n = 0; n < count; ++n) function(context, n);
    return;
  }
  function_ = function;
  context_ = context;
  for (std::size_t first = 0; first < count; first += most_in_round)
    run_round(first, std::min(count - first, most_in_round));
  failure_.rethrow();
}

void ThreadPool::run_round(std::size_t first, std::size_t count) {
  first_ = first;
  done_.store(0, std::memory_order_relaxed);
  const std::uint64_t generation = (round_.load(std::memory_order_relaxed) >> generation_bits) + 1;
  round_.store(generation << generation_bits | std::uint64_t(count) << count_bits);
  if (asleep_.load() > 0) round_.notify_all();
  const std::uint32_t own = run_pieces(true);
  for (int spins = 0; own + done_.load(std::memory_order_acquire) != count; ++spins)
    if (spins < spins_before_sleep)
      pause();
    else
      std::this_thread::yield();
}

/// Claims pieces of the present round, from the front or from the back, and does them until none is left;
/// returns how many.
std::uint32_t ThreadPool::run_pieces(bool from_front) noexcept {
  const std::uint64_t one = from_front ? one_in_front : one_at_the_back;
  std::uint32_t pieces = 0;
  std::uint64_t round = round_.load(std::memory_order_acquire);
  while (has_pieces(round))
    if (round_.compare_exchange_weak(round, round + one, std::memory_order_acq_rel)) {
      const std::uint64_t piece =
          from_front ? taken_in_front(round) : count_of(round) - 1 - taken_at_the_back(round);
      try {
        if (!failure_.has_happened()) function_(context_, first_ + piece);
      } catch (...) {
        failure_.keep();
      }
      ++pieces;
      round += one;
    }
  return pieces;
}

void ThreadPool::serve() noexcept {
  for (int spins = 0; !leave_.load(std::memory_order_relaxed);) {
    if (const std::uint32_t pieces = run_pieces(false); pieces > 0) {
      done_.fetch_add(pieces, std::memory_order_acq_rel);
      spins = 0;
    } else if (++spins < spins_before_sleep) {
      pause();
    } else {
      ++asleep_;
      const std::uint64_t round = round_.load();
      if (!has_pieces(round) && !leave_) round_.wait(round);
      --asleep_;
      spins = 0;
    }
  }
}

}  // namespace ionwell
