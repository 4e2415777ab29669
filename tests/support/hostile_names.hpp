// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

namespace ionwell::test {

/// Names of at most four printable characters that mean something to one of the programs that read what is
/// written: Tcl, shells, LEaP, CIF, HTML, paths, printf.
inline constexpr std::array<std::string_view, 28> hostile_names = {
    "}",  "{",  "[ls]", "$x", "a;b", "a/b", "..", "../x", "\"",   "'",   "`ls`", "\\", "#",    "<b>",
    "&&", "|x", ">x",   "*",  "%s",  "-rf", "_a", "~",    "quit", "\\n", "],[",  "=1", "@ti@", ","};

/// Those with bytes that are not printable ASCII: lines, a terminal's commands, 8-bit controls, broken UTF-8.
inline constexpr std::array<std::string_view, 7> unprintable_names = {"a\nb", "\x1b[2J",  "\r",      "a\tb",
                                                                      "\x07", "\u009b1m", "\xff\xfe"};

}  // namespace ionwell::test
