// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/example.hpp"
#include "support/program_paths.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using nlohmann::json;

namespace {

bool starts_a_row(const std::string& line) {
  return line.starts_with("  --") || (line.starts_with("  -") && line.find(", --") == 4);
}

/// Name and text of each option in a help text, its lines joined.
std::vector<std::pair<std::string, std::string>> rows_of(const std::string& help) {
  std::vector<std::pair<std::string, std::string>> rows;
  std::istringstream lines(help.substr(0, help.find("\nExamples:")));
  bool is_in_row = false;
  for (std::string line; std::getline(lines, line);) {
    if (starts_a_row(line)) {
      const std::size_t name = line.find("--") + 2;
      rows.emplace_back(line.substr(name, line.find(' ', name) - name), line);
      is_in_row = true;
    } else if (is_in_row && line.starts_with("      ")) {
      rows.back().second += ' ' + line.substr(line.find_first_not_of(' '));
    } else {
      is_in_row = false;
    }
  }
  return rows;
}

std::vector<std::string> names_of(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::vector<std::string> names;
  for (const auto& [name, text] : rows) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("help: --help shows the common options, --help-all all of them with their defaults") {
  const json tables = json::parse(run_ionwell({"help", "--json"}).out);
  CHECK(tables.size() == 11);
  for (const json& table : tables) {
    const std::string command = table["command"];
    CAPTURE(command);
    const std::string brief = run_ionwell({command, "--help"}).out;
    const auto all = rows_of(run_ionwell({command, "--help-all"}).out);
    const std::vector<std::string> common = names_of(rows_of(brief)), names = names_of(all);
    CHECK(common.size() <= 13);
    CHECK((common.empty()) == (command == "completion"));
    for (const std::string& name : common) {
      CAPTURE(name);
      CHECK(std::find(names.begin(), names.end(), name) != names.end());
    }
    std::size_t options = 0;
    for (const json& option : table["options"]) {
      if (option.contains("tune")) continue;
      ++options;
      const std::string name = option["name"];
      CAPTURE(name);
      CHECK(std::find(names.begin(), names.end(), name) != names.end());
    }
    CHECK((common.size() < options || options == 0));
    for (const auto& [name, text] : all) {
      CAPTURE(text);
      CHECK(
          (text.ends_with(")") && (text.find(" (default: ") != text.npos || text.ends_with(" (required)"))));
    }
    if (options > 0) CHECK(brief.find("'ionwell " + command + " --help-all' describes all ") != brief.npos);
  }
}

TEST_CASE("help: one line for each default and for what must be given") {
  const std::string help = run_ionwell({"prepare", "--help-all"}).out;
  for (const auto& [name, text] : rows_of(help)) {
    if (name == "output") CHECK(text.ends_with(" (required)"));
    if (name == "ion-solute") CHECK(text.ends_with(" (default: 5)"));
    if (name == "allow-fewer") CHECK(text.ends_with(" (default: off)"));
  }
  for (const char* const heading :
       {"Ions", "Water and salt", "Cell", "Structure", "Protonation and charges", "Output"})
    CHECK(help.find("\n" + std::string(heading) + ":\n") != help.npos);
}

TEST_CASE("messages: warnings follow the results, notes follow the warnings, and an error shows them first") {
  const TemporaryFolder folder;
  const std::string report = folder / "report.json";
  const std::vector<std::string> words = {
      "place",     duplex, "--ion",         "MG:11", "--ion",    "NA:neutralize", "-o", folder / "ions.pdb",
      "--spacing", "2",    "--temperature", "25",    "--report", report};
  std::string shell = "'" + program_path() + "'";
  for (const std::string& word : words) shell += " '" + word + "'";
  const ProgramResult joined = RunningProgram({"/bin/sh", "-c", shell + " 2>&1"}).wait();
  CAPTURE(joined.out);
  const std::size_t written = joined.out.find("\nwritten "),
                    warning = joined.out.find("\nionwell: warning: "),
                    note = joined.out.find("\nionwell: note: --ion NA:neutralize: the charge is already 0");
  REQUIRE(written != std::string::npos);
  REQUIRE(warning != std::string::npos);
  REQUIRE(note != std::string::npos);
  CHECK(written < warning);
  CHECK(warning < note);
  const json parsed = json::parse(read_text(report));
  CHECK(parsed["warnings"].size() == 1);
  CHECK(parsed["notes"] == json{"--ion NA:neutralize: the charge is already 0, so no NA is placed"});

  std::vector<std::string> quiet = words;
  quiet.push_back("--quiet");
  const ProgramResult silent = run_ionwell(quiet);
  CHECK(silent.err.starts_with("ionwell: warning: --temperature is 25 K"));
  CHECK(silent.err.find("note: ") == std::string::npos);

  std::vector<std::string> failing = words;
  failing[3] = "MG:100000";
  failing[5] = "K:1";
  const ProgramResult failed = run_ionwell(failing);
  CHECK(failed.exit_code == 3);
  CHECK(failed.err.starts_with("ionwell: warning: --temperature is 25 K"));  // before the error
  CHECK(std::count(failed.err.begin(), failed.err.end(), '\n') == 2);
}
