// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace ionwell {

/// What threads of its own make of the items of a source, ahead of who takes it, and in the order of the
/// source: while one reads an item others work on those before it. Where the system gives no thread, all is
/// made when it is taken.
template <typename Item, typename Made>
class WorkAhead {
 public:
  /// Calls source(), never twice at a time, until it gives nothing or throws, and work(item) on up to
  /// `workers` threads at a time; not more than `most` that nobody has taken are kept beside those that are
  /// being made.
  WorkAhead(std::function<std::optional<Item>()> source, std::function<Made(Item&&)> work, int workers,
            std::size_t most)
      : source_(std::move(source)), work_(std::move(work)), most_(most) {
    try {
      for (int n = 0; n < std::max(workers, 1); ++n) threads_.emplace_back([this] { make_all(); });
    } catch (const std::system_error&) {
      // Fewer, or none.
    }
  }
  /// Waits for those that are being made.
  ~WorkAhead() {
    {
      const std::lock_guard lock(mutex_);
      is_stopped_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  WorkAhead(const WorkAhead&) = delete;
  WorkAhead& operator=(const WorkAhead&) = delete;

  /// The next one; nothing after the last. Throws what reading or making it threw.
  std::optional<Made> take() {
    if (threads_.empty()) {
      std::optional<Item> item = source_();
      return item ? std::optional<Made>(work_(std::move(*item))) : std::nullopt;
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return places_.count(taken_) > 0; });
    const Place& first = places_.at(taken_);
    if (first.failure) std::rethrow_exception(first.failure);
    if (!first.made) return {};
    std::optional<Made> made = std::move(places_.extract(taken_).mapped().made);
    ++taken_;
    lock.unlock();
    changed_.notify_all();
    return made;
  }

 private:
  /// One of these; neither where the source has ended.
  struct Place {
    std::optional<Made> made;
    std::exception_ptr failure;
  };

  void make_all() noexcept {
    for (;;) {
      Place place;
      std::optional<Item> item;
      std::int64_t number = 0;
      {
        const std::lock_guard reading(source_mutex_);
        if (has_ended_) return;
        number = next_++;
        try {
          item = source_();
        } catch (...) {
          place.failure = std::current_exception();
        }
        has_ended_ = !item;
      }
      if (item) {
        try {
          place.made = work_(std::move(*item));
        } catch (...) {
          place.failure = std::current_exception();
        }
      }
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return number < taken_ + std::int64_t(most_) || is_stopped_; });
      if (is_stopped_) return;
      places_.emplace(number, std::move(place));
      lock.unlock();
      changed_.notify_all();
    }
  }

  std::function<std::optional<Item>()> source_;
  std::function<Made(Item&&)> work_;
  std::size_t most_;
  std::mutex source_mutex_;
  std::int64_t next_ = 0;   // of the source
  bool has_ended_ = false;  // the source, or it failed
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::int64_t, Place> places_;  // by number
  std::int64_t taken_ = 0;
  bool is_stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ionwell
