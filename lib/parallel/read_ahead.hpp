// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

namespace ionwell {

/// Things that a thread of its own makes one after the other, some of them ahead of who takes them: reading
/// that continues while others compute. Where the system gives no thread, they are made when they are taken.
template <typename T>
class ReadAhead {
 public:
  /// Calls next(), on one thread and never twice at a time, until it gives nothing or throws; not more than
  /// `most` that nobody has taken are kept.
  ReadAhead(std::function<std::optional<T>()> next, std::size_t most) : next_(std::move(next)), most_(most) {
    try {
      thread_ = std::thread([this] { make_all(); });
    } catch (const std::system_error&) {
      // Then take() makes them.
    }
  }
  /// Waits for the one that is being made.
  ~ReadAhead() {
    {
      const std::lock_guard lock(mutex_);
      is_stopped_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// The next one, in their order; nothing after the last. Throws what making it threw.
  std::optional<T> take() {
    if (!thread_.joinable()) return next_();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !made_.empty() || is_done_; });
    if (made_.empty()) {
      if (failure_) std::rethrow_exception(failure_);
      return {};
    }
    std::optional<T> first(std::move(made_.front()));
    made_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return first;
  }

 private:
  void make_all() noexcept {
    std::exception_ptr failure;
    try {
      while (add(next_())) {
      }
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      failure_ = failure;
      is_done_ = true;
    }
    changed_.notify_all();
  }

  /// Waits for room; false when no more are wanted.
  bool add(std::optional<T> made) {
    if (!made) return false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return made_.size() < most_ || is_stopped_; });
      if (is_stopped_) return false;
      made_.push_back(std::move(*made));
    }
    changed_.notify_all();
    return true;
  }

  std::function<std::optional<T>()> next_;
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> made_;
  std::exception_ptr failure_;
  bool is_done_ = false, is_stopped_ = false;
  std::thread thread_;
};

}  // namespace ionwell
