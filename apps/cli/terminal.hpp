// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

/// Text that fits the terminal it goes to.
namespace ionwell {

/// Where it is not known how wide the reader's terminal is.
constexpr std::size_t usual_columns = 80;

/// Width of the terminal that a descriptor (STDOUT_FILENO, STDERR_FILENO) leads to; nothing for a file or a
/// pipe.
std::optional<std::size_t> terminal_columns(int descriptor);

/// Whether text for a descriptor may be coloured: it leads to a terminal that is not "dumb", and NO_COLOR
/// (no-color.org) is not set, or empty.
bool shows_colours(int descriptor);

/// Whether the locale (LC_ALL, LC_CTYPE, LANG: the first that is set) is of UTF-8.
bool reads_utf8();

/// Width for help and tables on standard output: the terminal's, or the usual one.
std::size_t output_columns();

/// How lines are broken.
struct Wrapping {
  std::size_t columns = usual_columns;
  std::size_t indent = 0;     // blanks before every line but the first
  std::string_view end = "";  // of every line but the last, as the \ of a shell
};

/// `text` in lines that are no longer than `columns`, broken at blanks. A word too long for that stays whole:
/// a path must be fit to be copied.
std::string wrapped(std::string_view text, const Wrapping& wrapping);

/// "ionwell: ...", or the name of another program, on standard error, which `err` is: in lines that fit a
/// terminal; in one line for a file or a pipe, where scripts look for it.
void print_message(std::ostream& err, const std::string& text, const std::string& program = "ionwell");

}  // namespace ionwell
