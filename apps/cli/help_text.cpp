// SPDX-License-Identifier: BSD-3-Clause
#include "cli/help_text.hpp"

#include <algorithm>
#include <sstream>

#include "cli/terminal.hpp"
#include "core/error.hpp"

namespace ionwell {
namespace {

constexpr std::size_t widest_help = 100;  // longer lines are hard to read
constexpr std::size_t help_text_column = 29;
constexpr std::size_t narrow_columns = 60, narrow_text_column = 8;  // where it leaves too little room

/// A command line that goes on in the next one as a shell takes it, from option to option and at '>'.
std::string wrapped_command(std::string line, std::size_t columns) {
  constexpr char kept = '\1';  // stands for a blank that is no place to break at
  const std::size_t indent = line.find_first_not_of(' ');
  for (std::size_t at = indent; at + 1 < line.size(); ++at)
    if (line[at] == ' ' && line[at + 1] != '-' && line[at + 1] != '>') line[at] = kept;
  std::string text = wrapped(line, {.columns = columns, .indent = indent + 4, .end = " \\"});
  std::replace(text.begin(), text.end(), kept, ' ');
  return text;
}

/// The lines of help that show how to call a program, and what for.
std::string wrapped_examples(const std::string& examples, const std::string& program, std::size_t columns) {
  std::istringstream lines(examples);
  std::string text;
  for (std::string line; std::getline(lines, line); text += '\n') {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    if (line.compare(indent, program.size(), program) == 0)
      text += wrapped_command(line, columns);
    else
      text += wrapped(line, {.columns = columns, .indent = indent});
  }
  return text;
}

/// The first examples, each with the lines that explain it.
std::string first_examples(const std::string& examples, const std::string& program, std::size_t most) {
  std::istringstream lines(examples);
  std::string text;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); text += line + '\n')
    if (line.starts_with("  " + program + ' ') && ++count > most) break;
  return text;
}

/// Heading and a line or more for each option.
void print_heading(std::ostream& out, const OptionHeading& heading, std::size_t columns) {
  const std::size_t text_column = columns < narrow_columns ? narrow_text_column : help_text_column;
  out << '\n' << heading.heading << ":\n";
  for (const OptionDescription& option : heading.options) {
    std::string line = option.letter.empty() ? "  --" : "  -" + option.letter + ", --";
    line += option.name + (option.argument.empty() ? "" : " ") + option.argument;
    if (line.size() + 1 > text_column) {  // the text begins below a long option
      out << line << '\n';
      line.clear();
    }
    line.resize(text_column, ' ');
    out << wrapped(line + option.full_text(), {.columns = columns, .indent = text_column}) << '\n';
  }
}

/// The headings with the common options of a command only.
std::vector<OptionHeading> common_headings(const CommandDescription& command) {
  const std::vector<std::string>& names = command.text.common;
  std::vector<OptionHeading> headings = command.headings;
  const std::vector<OptionDescription> all = options_of(command);
  for (const std::string& name : names)
    if (std::none_of(all.begin(), all.end(), [&](const OptionDescription& one) { return one.name == name; }))
      fail("the help of ", called(command.text), " is to show --", name, ", which is not an option");
  for (OptionHeading& heading : headings)
    std::erase_if(heading.options, [&](const OptionDescription& option) {
      return std::find(names.begin(), names.end(), option.name) == names.end();
    });
  std::erase_if(headings, [](const OptionHeading& heading) { return heading.options.empty(); });
  return headings;
}

/// Where the options are described that the help does not show.
std::string where_the_rest_is(const CommandDescription& command) {
  const std::vector<OptionDescription> all = options_of(command);
  std::string text =
      '\'' + called(command.text) + " --help-all' describes all " + std::to_string(all.size()) + " options";
  const bool has_keys = !command.tuning.empty();
  if (std::any_of(all.begin(), all.end(), [](const OptionDescription& one) { return one.is_chemistry; }))
    text += std::string(has_keys ? "," : " and") + " 'ionwell help chemistry' those for PDB entries";
  return text + (has_keys ? ", and 'ionwell help tune' the keys of --tune." : ".");
}

}  // namespace

void print_help(const CommandDescription& command, HelpLength length, std::ostream& out) {
  constexpr std::size_t examples_in_short_help = 2;
  const CommandText& text = command.text;
  const bool is_short = length == HelpLength::common && !text.common.empty();
  const std::size_t columns = std::min(output_columns(), widest_help);
  std::string usage = "Usage: ";
  for (const std::string& synopsis : synopses_of(text)) {
    out << wrapped(usage + called(text) + ' ' + synopsis, {.columns = columns, .indent = usage.size() + 2})
        << '\n';
    usage.assign(usage.size(), ' ');
  }
  std::string about = text.about;
  std::replace(about.begin(), about.end(), '\n', ' ');
  out << '\n' << wrapped(about, {.columns = columns}) << '\n';
  const auto shown = is_short ? common_headings(command) : command.headings;
  for (const OptionHeading& heading : shown) print_heading(out, heading, columns);
  const std::string examples =
      is_short ? first_examples(text.examples, text.program, examples_in_short_help) : text.examples;
  out << "\nExamples:\n" << wrapped_examples(examples, text.program, columns);
  if (is_short) out << '\n' << wrapped(where_the_rest_is(command), {.columns = columns}) << '\n';
}

}  // namespace ionwell
