// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/example.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using Json = nlohmann::json;

namespace {

ProgramResult place(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"place", duplex, "--ion", "MG:2", "--spacing", "2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_ionwell(arguments);
}

/// The lines that do not depend on the command line.
std::string without_remarks(const std::string& pdb) {
  return pdb.substr(std::min(pdb.find("HETATM"), pdb.size()));
}

}  // namespace

TEST_CASE("standard output: has the result alone, and standard error the summary") {
  const TemporaryFolder folder;
  REQUIRE(place({"-o", folder / "ions.pdb"}).exit_code == 0);
  const std::string ions = without_remarks(read_text(folder / "ions.pdb"));
  std::filesystem::create_symlink("/dev/stdout", folder / "link");
  for (const std::string& name : {std::string("-"), std::string("/dev/stdout"), std::string("/dev/fd/1"),
                                  std::string("/proc/self/fd/1"), folder / "link"}) {
    CAPTURE(name);
    const ProgramResult result = place({"-o", name});
    CHECK(result.exit_code == 0);
    CHECK(result.out.starts_with("REMARK"));
    CHECK(result.out.ends_with("END\n"));
    CHECK(without_remarks(result.out) == ions);
    CHECK(result.err.find("net charge") != std::string::npos);
    CHECK(result.err.find("written") != std::string::npos);
    const ProgramResult quiet = place({"-o", name, "--quiet"});
    CHECK(without_remarks(quiet.out) == ions);
    CHECK(quiet.err.empty());
  }
  CHECK(folder.entries() == std::vector<std::string>{"ions.pdb", "link"});
  CHECK(std::filesystem::is_symlink(folder / "link"));
}

TEST_CASE("standard output: takes the file of every command, the map as OpenDX") {
  const TemporaryFolder folder;
  const std::string map = folder / "a.dx";
  const std::vector<std::string> words = {"map", duplex, "--spacing", "2", "-o"};
  const auto run = [&](const std::vector<std::string>& first, const std::vector<std::string>& more) {
    std::vector<std::string> all = first;
    all.insert(all.end(), more.begin(), more.end());
    const ProgramResult result = run_ionwell(all);
    CHECK(result.exit_code == 0);
    return result;
  };
  CHECK(run(words, {map}).out.find("written") != std::string::npos);
  const std::string text = read_text(map), values = text.substr(text.find("object 1"));
  const ProgramResult written = run(words, {"-"});
  CHECK(written.out.starts_with("# "));
  CHECK(written.out.ends_with(values));
  CHECK(written.err.find("written") != std::string::npos);
  const ProgramResult converted = run({"convert", map, "-"}, {});
  CHECK(converted.out.ends_with(values));
  CHECK(converted.err.find("format") != std::string::npos);

  REQUIRE(place({"-o", folder / "ions.pdb"}).exit_code == 0);
  const ProgramResult reported = place({"-o", folder / "ions.pdb", "--report", "-"});
  CHECK(Json::parse(reported.out)["ions"].size() == 2);
  CHECK(reported.err.find("net charge") != std::string::npos);
  CHECK(Json::parse(run(words, {map, "--report", "-"}).out)["command"].is_string());
  const ProgramResult compared =
      run({"compare", folder / "ions.pdb", folder / "ions.pdb", "--report", "-"}, {});
  CHECK(Json::parse(compared.out).is_object());
  CHECK(!compared.err.empty());
  CHECK(Json::parse(run({"compare", duplex, "--ion", "MG:1", "--report", "-"}, {}).out)["protocols"]
            .is_array());
}

TEST_CASE("standard output: takes one file, and a file may be called -") {
  const TemporaryFolder folder;
  for (const char* const other : {"-", "/dev/stdout", "/proc/self/fd/1"}) {
    const ProgramResult result = place({"-o", "-", "--report", other});
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find("ionwell: -o and --report are both ") == 0);
  }
  RunSettings settings;
  settings.standard_output = "/dev/full";
  const ProgramResult full =
      run_ionwell({"place", duplex, "--ion", "MG:2", "--spacing", "2", "-o", "-"}, settings);
  CHECK(full.exit_code == 1);
  CHECK(full.err.find("ionwell: cannot write to standard output: No space left on device") !=
        std::string::npos);
  CHECK(place({"-o", folder / "-"}).out.find("written") != std::string::npos);
  CHECK(folder.entries() == std::vector<std::string>{"-"});
}

TEST_CASE("outputs: a link that leads to no file yet stays, and the file comes where it leads") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "results");
  std::filesystem::create_symlink("results/ions.pdb", folder / "first");
  std::filesystem::create_symlink("first", folder / "link.pdb");
  std::filesystem::create_symlink("results/run.json", folder / "link.json");
  CHECK(place({"-o", folder / "link.pdb", "--report", folder / "link.json"}).exit_code == 0);
  for (const char* const link : {"first", "link.pdb", "link.json"})
    CHECK(std::filesystem::is_symlink(folder / link));
  CHECK(read_text(folder / "results/ions.pdb").ends_with("END\n"));
  CHECK(read_text(folder / "results/run.json").starts_with("{"));

  std::filesystem::create_symlink("nowhere/ions.pdb", folder / "astray.pdb");
  const ProgramResult astray = place({"-o", folder / "astray.pdb"});
  CHECK(astray.exit_code == 1);
  CHECK(astray.err.find("there is no folder " + folder / "nowhere") != std::string::npos);
  std::filesystem::create_symlink("round.pdb", folder / "round.pdb");
  const ProgramResult round = place({"-o", folder / "round.pdb"});
  CHECK(round.exit_code == 1);
  CHECK(round.err.find("Too many levels of symbolic links") != std::string::npos);
  std::filesystem::create_symlink("new.json", folder / "same.json");
  CHECK(place({"-o", folder / "same.json", "--report", folder / "new.json"}).exit_code == 2);
}
