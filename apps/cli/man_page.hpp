// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_description.hpp"

/// Manual pages in the language of man(7).
namespace ionwell {

/// A number that a program may end with, and what it means.
using ExitCodeText = std::pair<int, std::string_view>;

struct ManPage {
  std::string version;                    // "ionwell 0.2.0", for the foot of the page
  CommandDescription command;             // with its summary
  std::vector<CommandDescription> parts;  // commands that have a page of their own, named behind this one
  std::span<const ExitCodeText> exit_codes;
  std::vector<std::string> see_also;  // names of pages of section 1
  std::string name = {};              // where it is not that of the command
  bool is_of_keys = false;            // its options are keys of --tune
};

/// "ionwell-place": what man finds the page of a command by.
std::string page_name(const CommandText& text);

/// Writes the page for `man -l` or a folder man1.
void print_man_page(std::ostream& out, const ManPage& page);

}  // namespace ionwell
