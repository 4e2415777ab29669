// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/structure.hpp"

/// Options by name and value, apart from how a command line spells them: what a preset is made of.
namespace ionwell {

/// Whether a flag is set, a number, a whole number, a text, or the values of an option that may be repeated.
using OptionValue = std::variant<bool, double, std::int64_t, std::string, std::vector<std::string>>;

struct OptionSetting {
  std::string name;                // "padding"
  OptionValue kind;                // some value of the type that it takes
  std::vector<std::string> words;  // where it takes one of a few words: these
  /// What it is now; nothing where it was not given and has no default.
  std::function<std::optional<OptionValue>()> value;
};

inline OptionValue option_value(double member) {
  return member;
}
inline OptionValue option_value(std::int64_t member) {
  return member;
}
inline OptionValue option_value(int member) {
  return std::int64_t(member);
}
inline OptionValue option_value(const std::string& member) {
  return member;
}
/// As read_value reads it.
OptionValue option_value(const Box& member);
OptionValue option_value(const CellParameters& member);

/// The setting of an option whose value is kept in `member`.
template <typename T>
OptionSetting setting_of(const std::string& name, const T& member) {
  return {name, option_value(T{}), {}, [&member] { return std::optional(option_value(member)); }};
}

template <typename T>
OptionSetting setting_of(const std::string& name, const std::optional<T>& member) {
  return {name, option_value(T{}), {}, [&member] {
            return member ? std::optional(option_value(*member)) : std::nullopt;
          }};
}

}  // namespace ionwell
