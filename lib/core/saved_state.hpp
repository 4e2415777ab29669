#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.hpp"

namespace ionwell {

/// A saved state lacks something, or has it otherwise than what wrote it would.
struct DamagedState : Error {
  using Error::Error;
};

/// What a run has come to, as arrays by name: enough for another process to go on from there. Names are free
/// but for '/'.
class SavedState {
 public:
  using Array = std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>>;

  void put(const std::string& name, Array values) { arrays_.insert_or_assign(name, std::move(values)); }
  void put(const std::string& name, double value) { put(name, std::vector{value}); }
  void put(const std::string& name, std::int64_t value) { put(name, std::vector{value}); }

  bool has(const std::string& name) const { return arrays_.count(name) != 0; }

  /// Throws DamagedState when there is no such array of this type.
  template <typename T>
  const std::vector<T>& get(const std::string& name) const {
    const auto found = arrays_.find(name);
    const auto* const values = found == arrays_.end() ? nullptr : std::get_if<std::vector<T>>(&found->second);
    if (values == nullptr) fail_damaged(name);
    return *values;
  }

  /// The same, of so many values.
  template <typename T>
  const std::vector<T>& get(const std::string& name, std::size_t count) const {
    const std::vector<T>& values = get<T>(name);
    if (values.size() != count) fail_damaged(name);
    return values;
  }

  /// The only value of an array.
  template <typename T>
  T value(const std::string& name) const {
    return get<T>(name, 1).front();
  }

  const std::map<std::string, Array>& arrays() const { return arrays_; }

  /// Throws DamagedState that names the array.
  [[noreturn]] static void fail_damaged(const std::string& name) {
    fail<DamagedState>("the saved ", name, " is missing or makes no sense");
  }

 private:
  std::map<std::string, Array> arrays_;
};

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
