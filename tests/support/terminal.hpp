// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/run_program.hpp"

namespace ionwell::test {

/// A program with a terminal for its input, output and errors, and somebody who types on it.
class ProgramOnTerminal {
 public:
  ProgramOnTerminal(const std::vector<std::string>& words, unsigned short columns);
  ~ProgramOnTerminal();
  ProgramOnTerminal(const ProgramOnTerminal&) = delete;
  ProgramOnTerminal& operator=(const ProgramOnTerminal&) = delete;

  /// Waits until the terminal got `text`; false when the program ends before.
  bool shows(const std::string& text);

  void type(const std::string& keys) const;

  /// Its end; `out` is all that the terminal got, with its control characters.
  ProgramResult wait();

 private:
  bool read_more();

  int keyboard_and_screen_;
  Child child_;
  std::string screen_;
};

/// Runs `ionwell` with `arguments` to its end on a terminal that is `columns` wide.
ProgramResult run_on_terminal(const std::vector<std::string>& arguments, unsigned short columns);

}  // namespace ionwell::test
