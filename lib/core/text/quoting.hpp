// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

/// Text that users and their files chose, made safe for the place where it is written: one function for each
/// kind of place. All of them take any bytes.
namespace ionwell {

/// One line of text for a terminal, a title, a comment or a remark: control characters (those of eight bits,
/// U+0080 to U+009F, too), separators of lines and bytes that are not UTF-8 become "?".
std::string one_line(std::string_view text);

/// The same for formats whose columns are bytes: each byte that is not printable ASCII becomes "?".
std::string ascii_line(std::string_view text);

/// Whether it has letters, digits and underscores alone, and one of them at least: a word that every program
/// takes as it is.
bool is_plain_word(std::string_view text);

/// A part of the name of a file: letters, digits, `+`, `-` and `_` stay, all else becomes "_". Never empty.
std::string path_part(std::string_view text);

/// A word of a shell's command line, in quotes where it needs them.
std::string shell_word(std::string_view text);

/// A word in double quotes as Tcl reads it.
std::string tcl_quoted(std::string_view text);

/// The same, as it is where it is a plain word, with a sign in front or not.
std::string tcl_word(std::string_view text);

/// A literal b"..." of Python: the bytes of a file's name, whatever they are.
std::string python_bytes(std::string_view text);

/// A file's name in double quotes as ChimeraX reads it.
std::string chimerax_quoted(std::string_view text);

/// A cell of a table in CSV in quotes, and only where it needs them.
std::string csv_quoted(std::string_view text);
std::string csv_cell(std::string_view text);

}  // namespace ionwell
