// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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

/// What a run has come to, as arrays by name: enough for another process to continue from there. Names are
/// free but for '/'.
class SavedState {
 public:
  using Array = std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>>;

  void put(const std::string& name, Array values) { arrays_.insert_or_assign(name, std::move(values)); }
  void put(const std::string& name, double value) { put(name, std::vector{value}); }
  void put(const std::string& name, std::int64_t value) { put(name, std::vector{value}); }

  /// Takes the arrays of another one that this one has not.
  void add(const SavedState& other) { arrays_.insert(other.arrays_.begin(), other.arrays_.end()); }

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
    fail<DamagedState>("the saved ", name, " is missing or invalid");
  }

 private:
  std::map<std::string, Array> arrays_;
};

}  // namespace ionwell
