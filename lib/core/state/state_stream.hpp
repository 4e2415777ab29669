// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/state/saved_state.hpp"

namespace ionwell {

/// Whole and other numbers one after the other, for the state of many small things of one kind.
class StateWriter {
 public:
  void put(std::int64_t value) { whole_.push_back(value); }
  void put(double value) { numbers_.push_back(value); }
  /// Their number and they themselves.
  void put(std::span<const double> values) {
    put(std::int64_t(values.size()));
    numbers_.insert(numbers_.end(), values.begin(), values.end());
  }

  void move_to(SavedState& state, const std::string& name) {
    state.put(name + ": whole numbers", std::move(whole_));
    state.put(name + ": numbers", std::move(numbers_));
  }

 private:
  std::vector<std::int64_t> whole_;
  std::vector<double> numbers_;
};

/// Reads them in the same order. Throws DamagedState where there are not so many.
class StateReader {
 public:
  StateReader(const SavedState& state, const std::string& name)
      : name_(name),
        whole_(state.get<std::int64_t>(name + ": whole numbers")),
        numbers_(state.get<double>(name + ": numbers")) {}

  std::int64_t whole() {
    if (next_whole_ == whole_.size()) SavedState::fail_damaged(name_);
    return whole_[next_whole_++];
  }
  /// From `least` to `most`.
  std::int64_t whole(std::int64_t least, std::int64_t most) {
    const std::int64_t value = whole();
    if (value < least || value > most) SavedState::fail_damaged(name_);
    return value;
  }
  /// Of things that were counted one by one: sums of 100,000 of them are numbers, too.
  std::int64_t count() { return whole(0, std::int64_t{1} << 46); }
  double number() {
    if (next_number_ == numbers_.size()) SavedState::fail_damaged(name_);
    return numbers_[next_number_++];
  }
  std::vector<double> numbers() {
    const auto count = std::size_t(whole(0, std::int64_t(numbers_.size() - next_number_)));
    const auto first = numbers_.begin() + std::ptrdiff_t(next_number_);
    next_number_ += count;
    return {first, first + std::ptrdiff_t(count)};
  }
  /// So many.
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> values = numbers();
    if (values.size() != count) SavedState::fail_damaged(name_);
    return values;
  }

 private:
  std::string name_;
  const std::vector<std::int64_t>& whole_;
  const std::vector<double>& numbers_;
  std::size_t next_whole_ = 0, next_number_ = 0;
};

}  // namespace ionwell
