// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace ionwell {

/// Takes an exception from one thread to another: the first that any of several threads meets.
class FirstFailure {
 public:
  /// In a catch block: keeps the exception, unless another came first.
  void keep() noexcept {
    if (!has_happened_.exchange(true, std::memory_order_relaxed)) failure_ = std::current_exception();
  }

  /// For the threads that continue: whether it is of use.
  bool has_happened() const { return has_happened_.load(std::memory_order_relaxed); }

  /// Once all threads are done: throws what was kept, if anything, and forgets it.
  void rethrow() {
    if (!has_happened_.exchange(false, std::memory_order_relaxed)) return;
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  std::atomic<bool> has_happened_{false};
  std::exception_ptr failure_;
};

}  // namespace ionwell
