// SPDX-License-Identifier: BSD-3-Clause
#include "files/ordered_writer.hpp"

#include <utility>

namespace ionwell {

std::string OrderedWriter::spare_part() {
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return {};
  std::string part = std::move(spare_.back());
  spare_.pop_back();
  return part;
}

void OrderedWriter::put(std::int64_t number, std::string bytes) noexcept {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return error_ || number < due_ + most_waiting_; });
  try {
    waiting_.emplace(number, std::move(bytes));
    if (writing_) return;
    writing_ = true;
    while (!error_ && !waiting_.empty() && waiting_.begin()->first == due_) {
      std::string part = std::move(waiting_.extract(waiting_.begin()).mapped());
      lock.unlock();
      file_.write(part);
      lock.lock();
      spare_.push_back(std::move(part));
      ++due_;
      room_.notify_all();
    }
    writing_ = false;
  } catch (...) {
    if (lock.owns_lock()) lock.unlock();
    stop(std::current_exception());
  }
}

void OrderedWriter::stop(std::exception_ptr reason) noexcept {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::move(reason);
  room_.notify_all();
}

bool OrderedWriter::stopped() noexcept {
  const std::lock_guard lock(mutex_);
  return error_ != nullptr;
}

void OrderedWriter::finish() {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

}  // namespace ionwell
