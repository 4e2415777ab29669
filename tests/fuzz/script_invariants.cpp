// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/script_invariants.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "cionize/script.hpp"
#include "core/error.hpp"

namespace ionwell::test {
namespace {

using cionize::Keyword;
using cionize::ScriptCommand;

constexpr const char* script_name = "script.in";

std::string format_name(SystemFormat format) {
  constexpr const char* names[] = {"pdb", "cif", "gro", "pqr", "crd", "rst7", "xyz"};
  return names[int(format)];
}

/// The command as a user would write it.
std::string script_line(const ScriptCommand& command) {
  std::ostringstream line;
  line << std::setprecision(17) << cionize::word_of(command.keyword);
  switch (command.keyword) {
    case Keyword::r_ion_solute:
    case Keyword::r_ion_ion:
    case Keyword::border_size:
    case Keyword::grid_spacing:
    case Keyword::ddd:
      line << ' ' << command.number;
      break;
    case Keyword::xyz_dim:
      for (const Vec3<double>& corner : {command.box.lowest_A, command.box.highest_A})
        line << ' ' << corner.x << ' ' << corner.y << ' ' << corner.z;
      break;
    case Keyword::place_ion:
      line << ' ' << command.name << ' ' << command.count << ' ' << command.number;
      break;
    case Keyword::save_ion:
      if (command.format) line << ' ' << format_name(*command.format);
      [[fallthrough]];
    case Keyword::grid_file:
    case Keyword::save_grid:
      line << " \"" << command.path << '"';
      break;
    default:
      break;
  }
  return line.str();
}

bool same_command(const ScriptCommand& a, const ScriptCommand& b) {
  return a.keyword == b.keyword && a.number == b.number && a.box == b.box && a.name == b.name &&
         a.count == b.count && a.path == b.path && a.format == b.format;
}

std::string broken_order(const std::vector<ScriptCommand>& commands) {
  std::int64_t line = 0;
  bool has_begun = false;
  for (const ScriptCommand& command : commands) {
    if (command.line <= line) return "lines are not in order";
    line = command.line;
    const Keyword keyword = command.keyword;
    const bool is_of_ions =
        keyword == Keyword::place_ion || keyword == Keyword::save_ion || keyword == Keyword::save_grid;
    const bool is_anywhere = keyword == Keyword::help || keyword == Keyword::exit;
    if (!is_anywhere && is_of_ions != has_begun) return "on the wrong side of BEGIN";
    has_begun |= keyword == Keyword::begin;
    if (!std::isfinite(command.number)) return "a number that is not finite";
    if (keyword == Keyword::place_ion && (command.count < 1 || command.number == 0.0 || command.name.empty()))
      return "ions that cannot be placed";
  }
  return {};
}

}  // namespace

std::string broken_script_invariant(std::string_view text) {
  std::vector<ScriptCommand> commands;
  try {
    commands = cionize::parse_script(text, script_name);
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.starts_with(script_name) && message.find('\n') == message.npos
               ? ""
               : "not one line: " + message;
  }
  if (const std::string problem = broken_order(commands); !problem.empty()) return problem;
  std::string again;
  for (const ScriptCommand& command : commands) {
    if (command.path.find('"') != command.path.npos) return {};  // no way to write it
    again += script_line(command) + '\n';
  }
  const std::vector<ScriptCommand> same = cionize::parse_script(again, script_name);
  if (same.size() != commands.size()) return "written anew it has other commands";
  for (std::size_t n = 0; n < same.size(); ++n)
    if (!same_command(same[n], commands[n])) return "written anew it differs: " + script_line(commands[n]);
  return {};
}

}  // namespace ionwell::test
