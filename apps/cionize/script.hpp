// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"
#include "structures/writers/system_file.hpp"

/// The script language of cionize: one command a line, in any case; options first, then BEGIN, then ions.
namespace ionwell::cionize {

enum class Keyword {
  r_ion_solute,
  r_ion_ion,
  border_size,
  grid_spacing,
  ddd,
  grid_file,
  xyz_dim,
  multigrid,
  show_options,
  help,
  begin,
  place_ion,
  save_ion,
  save_grid,
  exit
};

/// One command, whose arguments make sense by themselves.
struct ScriptCommand {
  Keyword keyword = Keyword::help;
  std::int64_t line = 0;               // of the script, from 1
  double number = 0.0;                 // r_ion_solute .. ddd [A, A, A, A, 1/A]; place_ion: the charge [e]
  Box box;                             // xyz_dim
  std::string name;                    // place_ion: of the ion, as typed
  std::int64_t count = 0;              // place_ion
  std::string path;                    // grid_file, save_ion, save_grid
  std::optional<SystemFormat> format;  // save_ion, where the script names one
};

/// Where a script has come to: BEGIN stands between options and ions.
enum class Phase { options, ions };

/// The word that stands for it in scripts: PLACEION.
std::string_view word_of(Keyword keyword);

/// The command of one line; nothing for an empty line and for one that begins with #. A word in double quotes
/// may have blanks. Throws Error, without the line's place, for words that are unknown, missing or too many,
/// for numbers that are none or out of range, and for commands on the wrong side of BEGIN.
std::optional<ScriptCommand> parse_command(std::string_view line, Phase phase);

/// All commands up to EXIT, which is the last one if it is there; what follows is not read. Throws Error,
/// beginning with `name`:line:, as above, and for options without BEGIN. O(text).
std::vector<ScriptCommand> parse_script(std::string_view text, const std::string& name);

/// What HELP prints: every command with its arguments and what it does.
void print_keywords(std::ostream& out, std::size_t columns);

}  // namespace ionwell::cionize
