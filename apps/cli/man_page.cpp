// SPDX-License-Identifier: BSD-3-Clause
#include "cli/man_page.hpp"

#include <algorithm>
#include <sstream>

namespace ionwell {
namespace {

/// Text as roff has it: none of its signs is an instruction, and what a shell reads can be copied.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if (c == '\'')
      escaped += "\\(aq";
    else if (c == '`')
      escaped += "\\(ga";
    else if (c == '^')
      escaped += "\\(ha";
    else if (c == '~')
      escaped += "\\(ti";
    else
      escaped += c;
  }
  const bool is_request = !escaped.empty() && escaped.front() == '.';
  return is_request ? "\\&" + escaped : escaped;
}

std::string bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}

/// Without the blanks around it, and its lines as one.
std::string words_in_line(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// A key of --tune.
void print_key(std::ostream& out, const OptionDescription& key) {
  out << ".TP\n" << bold(key.name);
  if (!key.argument.empty()) out << bold("=") << "\\fI" << roff(key.argument) << "\\fR";
  out << '\n' << roff(words_in_line(key.full_text())) << '\n';
}

void print_option(std::ostream& out, const OptionDescription& option) {
  out << ".TP\n";
  if (!option.letter.empty()) out << bold('-' + option.letter) << ", ";
  out << bold("--" + option.name);
  if (!option.argument.empty()) out << " \\fI" << roff(option.argument) << "\\fR";
  out << '\n' << roff(words_in_line(option.full_text())) << '\n';
}

void print_options(std::ostream& out, const CommandDescription& command) {
  out << ".SH OPTIONS\n";
  for (const OptionHeading& heading : command.headings) {
    out << ".SS " << roff(heading.heading) << '\n';
    for (const OptionDescription& option : heading.options) print_option(out, option);
  }
  if (!command.headings.empty()) out << ".SS Help\n";
  for (const OptionDescription& help : help_options()) print_option(out, help);
}

/// Command lines as tags, and what they are good for beside them.
void print_examples(std::ostream& out, const CommandText& text) {
  if (text.examples.empty()) return;
  out << ".SH EXAMPLES\n";
  std::istringstream lines(text.examples);
  for (std::string line; std::getline(lines, line);) {
    const std::string words = words_in_line(line);
    if (words.starts_with(text.program + ' '))
      out << ".TP\n" << bold(words) << '\n';
    else if (!words.empty())
      out << roff(words) << '\n';
  }
}

/// Lines that are broken already.
void print_notes(std::ostream& out, const std::string& notes) {
  if (notes.empty()) return;
  out << ".SH NOTES\n.nf\n";
  std::istringstream lines(notes.substr(std::min(notes.find_first_not_of('\n'), notes.size())));
  for (std::string line; std::getline(lines, line);) out << roff(line) << '\n';
  out << ".fi\n";
}

}  // namespace

std::string page_name(const CommandText& text) {
  return text.name.empty() ? text.program : text.program + '-' + text.name;
}

void print_man_page(std::ostream& out, const ManPage& page) {
  const CommandText& text = page.command.text;
  const std::string name = page.name.empty() ? page_name(text) : page.name;
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  out << ".TH " << roff(title) << " 1 \"\" \"" << roff(page.version) << "\" \"User Commands\"\n"
      << ".SH NAME\n"
      << roff(name) << " \\- " << roff(page.command.summary) << "\n.SH SYNOPSIS\n";
  const char* between = "";
  for (const std::string& synopsis : synopses_of(text)) {
    out << between << bold(called(text)) << ' ' << roff(synopsis) << '\n';
    between = ".br\n";
  }
  out << ".SH DESCRIPTION\n" << roff(words_in_line(text.about)) << '\n';
  if (!page.parts.empty()) out << ".SH COMMANDS\n";
  for (const CommandDescription& part : page.parts)
    out << ".TP\n" << bold(page_name(part.text)) << "(1)\n" << roff(part.summary) << '\n';
  if (page.is_of_keys) {
    out << ".SH KEYS\n";
    for (const OptionDescription& key : page.command.tuning) print_key(out, key);
  } else {
    print_options(out, page.command);
  }
  print_examples(out, text);
  print_notes(out, page.command.notes);
  if (!page.exit_codes.empty()) out << ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : page.exit_codes)
    out << ".TP\n" << bold(std::to_string(code)) << '\n' << roff(meaning) << '\n';
  if (!page.see_also.empty()) out << ".SH SEE ALSO\n";
  const char* comma = "";
  for (const std::string& other : page.see_also) {
    out << comma << bold(other) << "(1)";
    comma = ",\n";
  }
  if (!page.see_also.empty()) out << '\n';
}

}  // namespace ionwell
