// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "python/word_choice.hpp"

namespace ionwell::python {

/// The keywords of a call, whose names are those of the program's options. What is None is not given. Each
/// function throws UsageError, which names the keyword, for a value of another kind.
class Keywords {
 public:
  explicit Keywords(pybind11::dict given) : given_(std::move(given)) {}

  bool has(const char* name) const;
  pybind11::object operator[](const char* name) const { return given_[name]; }

  std::string text(const char* name) const;

  /// Sets `member` to what the word stands for, where it is given.
  template <typename Member, typename Choice>
  void choose(const char* name, Member& member, const OptionWords<Choice>& choices) const {
    if (has(name)) member = chosen(text(name), name, choices);
  }

  std::optional<double> number(const char* name) const;
  std::optional<std::int64_t> whole_number(const char* name) const;

  /// Texts or paths, `what` for messages: one, or several; empty when none is given.
  std::vector<std::string> texts(const char* name, const char* what) const;

  /// A dict of names and positive numbers; empty when none is given.
  std::vector<std::pair<std::string, double>> named_numbers(const char* name) const;

  /// `threads`: so many as there are cores for, all of them for 0 and None.
  int threads() const;

  /// Whether it is given and true.
  bool flag(const char* name) const;

 private:
  pybind11::dict given_;
};

/// As Python writes it, for messages.
std::string shown(const pybind11::handle& value);

/// Of a text, or what has __fspath__.
std::string path_text(const pybind11::handle& path);

bool is_text(const pybind11::handle& value);

/// Python's ints and NumPy's, and no bool.
std::optional<std::int64_t> whole(const pybind11::handle& value);

}  // namespace ionwell::python
