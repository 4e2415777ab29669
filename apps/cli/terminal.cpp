// SPDX-License-Identifier: BSD-3-Clause
#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/text/quoting.hpp"

namespace ionwell {
namespace {

/// Characters, not bytes: a path may have others than ASCII.
std::size_t width(std::string_view text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Of the environment; empty when it is not set.
std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

std::optional<std::size_t> terminal_columns(int descriptor) {
  if (isatty(descriptor) != 1) return {};
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : usual_columns;
}

bool shows_colours(int descriptor) {
  const std::string_view kind = variable("TERM");
  return isatty(descriptor) == 1 && variable("NO_COLOR").empty() && !kind.empty() && kind != "dumb";
}

bool reads_utf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale(variable(name));
    if (locale.empty()) continue;
    for (char& c : locale) c = c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    return locale.find("UTF-8") != std::string::npos || locale.find("UTF8") != std::string::npos;
  }
  return false;
}

std::size_t output_columns() {
  return terminal_columns(STDOUT_FILENO).value_or(usual_columns);
}

std::string wrapped(std::string_view text, const Wrapping& wrapping) {
  const std::string line_break = std::string(wrapping.end) + '\n' + std::string(wrapping.indent, ' ');
  const std::size_t most = wrapping.columns - std::min(wrapping.columns, wrapping.end.size());
  std::string lines;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t word = std::min(text.find_first_not_of(' ', at), text.size());
    const std::size_t end = std::min(text.find(' ', word), text.size());
    const std::size_t blanks = word - at, letters = width(text.substr(word, end - word));
    if (column + blanks + letters > most && column > wrapping.indent) {
      lines += line_break;
      column = wrapping.indent;
    } else {
      lines.append(blanks, ' ');
      column += blanks;
    }
    lines.append(text.substr(word, end - word));
    column += letters;
    at = end;
  }
  return lines;
}

void print_message(std::ostream& err, const std::string& text, const std::string& program) {
  const std::string message = program + ": " + one_line(text);
  const auto columns = terminal_columns(STDERR_FILENO);
  err << (columns ? wrapped(message, {.columns = *columns, .indent = 2}) : message) << '\n';
}

}  // namespace ionwell
