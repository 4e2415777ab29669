#include "cli/help_text.hpp"

#include <algorithm>
#include <sstream>

#include "cli/terminal.hpp"

namespace ionwell {
namespace {

constexpr std::size_t widest_help = 100;  // longer lines are hard to read
constexpr std::size_t help_text_column = 29;
constexpr std::size_t narrow_columns = 60, narrow_text_column = 8;  // where it leaves too little room

/// A command line that goes on in the next one as a shell takes it, from option to option.
std::string wrapped_command(std::string line, std::size_t columns) {
  constexpr char kept = '\1';  // stands for a blank that is no place to break at
  const std::size_t indent = line.find_first_not_of(' ');
  for (std::size_t at = indent; at + 1 < line.size(); ++at)
    if (line[at] == ' ' && line[at + 1] != '-') line[at] = kept;
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

/// Heading and a line or more for each option.
void print_heading(std::ostream& out, const OptionHeading& heading, std::size_t columns) {
  const std::size_t text_column = columns < narrow_columns ? narrow_text_column : help_text_column;
  out << heading.heading << ":\n";
  std::string brief;
  for (const OptionDescription& option : heading.options) {
    if (option.is_brief) {
      brief += (brief.empty() ? "" : ", ") + ("--" + option.name) + (option.argument.empty() ? "" : " ") +
               option.argument;
      continue;
    }
    std::string line = option.letter.empty() ? "  --" : "  -" + option.letter + ", --";
    line += option.name + (option.argument.empty() ? "" : " ") + option.argument;
    if (line.size() + 1 > text_column) {  // the text begins below a long option
      out << line << '\n';
      line.clear();
    }
    line.resize(text_column, ' ');
    out << wrapped(line + option.full_text(), {.columns = columns, .indent = text_column}) << '\n';
  }
  if (!brief.empty())
    out << wrapped("  For PDB and mmCIF files also " + brief + "; 'ionwell help chemistry' describes " +
                       (brief.find(", ") == brief.npos ? "it" : "them"),
                   {.columns = columns, .indent = 4})
        << '\n';
}

}  // namespace

void print_help(const CommandDescription& command, std::ostream& out) {
  const CommandText& text = command.text;
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
  for (const OptionHeading& heading : command.headings) print_heading(out << '\n', heading, columns);
  out << "\nExamples:\n" << wrapped_examples(text.examples, text.program, columns);
}

}  // namespace ionwell
