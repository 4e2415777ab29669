// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <sstream>

#include "support/example.hpp"
#include "support/program_paths.hpp"
#include "support/terminal.hpp"

using namespace ionwell::test;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();  // a terminal's line ends
    lines.push_back(line);
  }
  return lines;
}

/// Without colours, and a byte for each character: what is wide on a screen.
std::string shown(const std::string& text) {
  std::string letters;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "\x1b[") == 0 && text.find('m', at) < at + 6)
      at = text.find('m', at);
    else if ((text[at] & 0xc0) != 0x80)
      letters += text[at];
  }
  return letters;
}

/// Lines that are too long though a blank in them is a place to break at.
std::vector<std::string> too_long(const std::string& text, std::size_t columns) {
  std::vector<std::string> found;
  for (const std::string& line : lines_of(shown(text))) {
    const std::size_t word = line.find_last_of(' ');
    const std::size_t before = line.find_last_not_of(' ', word);
    if (line.size() > columns && word != std::string::npos && before != std::string::npos && before > 16)
      found.push_back(line);
  }
  return found;
}

/// Without blanks and line ends: the same words however they are broken.
std::string words_of(const std::string& text) {
  std::istringstream in(text);
  std::string words;
  for (std::string word; in >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

}  // namespace

TEST_CASE("terminal: help fits 80 columns in a file, and the width of a terminal") {
  std::vector<std::vector<std::string>> helps = {{"--help"}};
  for (const char* const command : {"place", "solvate", "prepare", "map", "average", "potential", "sample",
                                    "convert", "info", "compare", "completion"})
    for (const char* const length : {"--help", "--help-all"}) helps.push_back({command, length});
  for (const std::vector<std::string>& words : helps) {
    CAPTURE(words.front());
    CAPTURE(words.back());
    const ProgramResult file = run_ionwell(words);
    CHECK(file.exit_code == 0);
    CHECK(lines_of(file.out).size() > 8);
    for (const std::string& line : lines_of(file.out)) {
      CAPTURE(line);
      CHECK(line.size() <= 80);
    }
    for (const unsigned short columns : {50, 60, 80, 100, 200}) {
      CAPTURE(columns);
      const ProgramResult terminal = run_on_terminal(words, columns);
      CHECK(terminal.exit_code == 0);
      CHECK(too_long(terminal.out, columns).empty());
      if (columns == 80) CHECK(words_of(terminal.out) == words_of(file.out));
    }
  }
}

TEST_CASE("terminal: a command in the help that is too long goes on as a shell takes it") {
  const std::string help = run_on_terminal({"place", "--help"}, 60).out;
  CHECK(help.find(" \\\r\n      ") != std::string::npos);
}

TEST_CASE("terminal: the summary of a run fits, with nothing cut") {
  const TemporaryFolder folder;
  const std::string output =
      folder / "a-name-that-is-longer-than-a-narrow-terminal-is-wide-by-far-and-so-on.pdb";
  const std::vector<std::string> words = {"place",         duplex, "--ion", "MG:4",      "--ion",
                                          "NA:neutralize", "-o",   output,  "--spacing", "1"};
  const ProgramResult file = run_ionwell(words);
  REQUIRE(file.exit_code == 0);
  for (const unsigned short columns : {60, 80, 120}) {
    CAPTURE(columns);
    const ProgramResult terminal = run_on_terminal(words, columns);
    REQUIRE(terminal.exit_code == 0);
    CHECK(too_long(terminal.out, columns).empty());
    CHECK(terminal.out.find(output) != std::string::npos);
    CHECK(terminal.out.find(duplex) != std::string::npos);
    CHECK(terminal.out.find("to ion") != std::string::npos);  // in the table, or named below it
    CHECK((terminal.out.find("  no room for: ") != std::string::npos) == (columns < 80));
  }
  // Scripts look for rows in a file: each is one line.
  const std::vector<std::string> lines = lines_of(file.out);
  CHECK(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
          return line.starts_with("lattice ") && line.find(" points, ") != std::string::npos &&
                 line.ends_with(") A");
        }) == 1);
}

TEST_CASE("terminal: warnings and errors are broken at words there, and are one line in a file") {
  const TemporaryFolder folder;
  const std::vector<std::string> repelled = {"place", duplex, "--ion", "CL:3",   "--spacing",
                                             "2",     "-o",   "",      "--quiet"};
  std::vector<std::string> warned = repelled;
  warned[7] = folder / "ions.pdb";
  const std::vector<std::string> refused = {"place",          duplex,  "--ion", "MG:4",         "-o",
                                            folder / "x.pdb", "--ddd", "3",     "--dielectric", "2"};
  for (const std::vector<std::string>& words : {warned, refused}) {
    const ProgramResult file = run_ionwell(words);
    CHECK(file.err.starts_with("ionwell: "));
    CHECK(file.err.find('\n') == file.err.size() - 1);
    const ProgramResult terminal = run_on_terminal(words, 50);
    CHECK(terminal.exit_code == file.exit_code);
    CHECK(lines_of(terminal.out).size() > 1);
    CHECK(too_long(terminal.out, 50).empty());
    CHECK(words_of(terminal.out) == words_of(file.err));
  }
}

TEST_CASE("terminal: ^C takes the progress bar away and says so in one line") {
  const TemporaryFolder folder;
  ProgramOnTerminal program(
      {program_path(), "map", duplex, "--spacing", "0.15", "--threads", "1", "-o", folder / "map.dx.gz"}, 80);
  REQUIRE(program.shows(" left"));  // the bar is there
  program.type("\x03");
  const ProgramResult result = program.wait();
  CHECK(result.signal == SIGINT);
  CHECK(result.out.ends_with("\r\x1b[Kionwell: interrupted; no unfinished file is left\r\n"));
  CHECK(folder.entries().empty());
}

TEST_CASE("signals: a run that is ended says by what, but nothing to a reader who has gone") {
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) {
    CAPTURE(signal);
    const TemporaryFolder folder;
    RunningProgram program(
        {program_path(), "map", duplex, "--spacing", "0.15", "-o", folder / "map.dx.gz", "--quiet"});
    for (int i = 0; i < 2000 && folder.entries().empty(); ++i) usleep(10'000);
    program.send(signal);
    const ProgramResult result = program.wait();
    CHECK(result.signal == signal);
    CHECK(result.err == (signal == SIGINT    ? "ionwell: interrupted; no unfinished file is left\n"
                         : signal == SIGTERM ? "ionwell: stopped by SIGTERM; no unfinished file is left\n"
                                             : ""));
  }
}
