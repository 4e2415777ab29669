// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "support/example.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

/// A folder with a map, and `path` in it, a script that hands that out in place of APBS.
struct StandIn {
  TemporaryFolder folder;

  explicit StandIn(const std::string& path) {
    REQUIRE(run_ionwell({"map", duplex, "--ionic-strength", "0.15", "--spacing", "1", "-o", folder / "map.dx",
                         "--quiet"})
                .exit_code == 0);
    std::filesystem::create_directories(std::filesystem::path(folder / path).parent_path());
    write_text(folder / path, "#!/bin/sh\ncp '" + folder / "map.dx" + "' pot.dx\n");
    std::filesystem::permissions(folder / path, std::filesystem::perms::owner_all);
  }

  ProgramResult place(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"place", duplex,  "--pb", "apbs", "--pb-every",
                                      "1",     "--ion", "NA:3", "-o",   folder / "ions.pdb"};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  }
};

}  // namespace

TEST_CASE("PB: a folder for the solver's files that holds others loses none") {
  const StandIn solver("solver");
  const std::string kept = solver.folder / "kept";
  std::filesystem::create_directory(kept);
  const std::vector<std::string> own = {"pot.dx", "pot-PE0.dxbin", "apbs.in", "apbs.out", "solute.pqr"};
  for (const std::string& name : own) write_text(kept + '/' + name, "mine: " + name);
  const ProgramResult result =
      solver.place({"--tune", "pb-program=" + (solver.folder / "solver"), "--tune", "keep-scratch=" + kept});
  CHECK(result.exit_code == 0);
  CHECK(
      result.err.find(
          "--tune keep-scratch: " + kept +
          " already contains files, which ionwell does not touch; the files of APBS go to a new subfolder") !=
      std::string::npos);
  for (const std::string& name : own) CHECK(read_text(kept + '/' + name) == "mine: " + name);
  for (const char* const name : {"apbs.in", "apbs.out", "solute.pqr", "pot.dx"})
    CHECK(std::filesystem::exists(kept + "/run-1/" + name));
  CHECK(!std::filesystem::exists(kept + "/run-2"));  // one folder for all solves of a run
}

TEST_CASE("PB: a folder called apbs in PATH does not hide the program") {
  const StandIn solver("second/apbs");
  std::filesystem::create_directories(solver.folder / "first/apbs");
  const std::string path = std::getenv("PATH");
  setenv("PATH", (solver.folder / "first" + ':' + solver.folder / "second" + ':' + path).c_str(), 1);
  const ProgramResult result = solver.place({});
  setenv("PATH", path.c_str(), 1);
  CHECK(result.err.empty());
  CHECK(result.exit_code == 0);
}
