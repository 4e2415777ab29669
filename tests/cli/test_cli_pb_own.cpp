// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/example.hpp"
#include "support/program_paths.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using Json = nlohmann::json;

TEST_CASE("PB: ionwell's own solver needs no other program") {
  const TemporaryFolder folder;
  const std::vector<std::string> no_programs = {"/usr/bin/env", "PATH=/nonexistent", program_path()};
  const auto run_alone = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = no_programs;
    all.insert(all.end(), words.begin(), words.end());
    return RunningProgram(all).wait();
  };
  const ProgramResult result =
      run_alone({"place", duplex, "--pb", "own", "--pb-every", "1", "--ion", "MG:2", "--spacing", "1.5", "-o",
                 folder / "ions.pdb", "--report", folder / "report.json", "--quiet"});
  CHECK(result.err.empty());
  REQUIRE(result.exit_code == 0);
  const Json report = report_of(folder);
  CHECK(report["method"] == "pb");
  CHECK(report["poisson_boltzmann"]["solver"] == "own");
  CHECK(report["poisson_boltzmann"]["solves"] == 2);
  CHECK(report["poisson_boltzmann"]["residual"] <= 1e-6);
  CHECK(report["poisson_boltzmann"]["iterations"] > 0);
  CHECK(report["ions"].size() == 2);
  for (const Json& ion : report["ions"]) CHECK(ion["energy_kT"] < 0.0);

  const ProgramResult mapped = run_alone({"map", duplex, "--pb", "own", "--spacing", "1.5", "--pb-energy",
                                          "-o", folder / "map.dx", "--report", folder / "map.json"});
  REQUIRE(mapped.exit_code == 0);
  CHECK(mapped.out.find("\nsolvation       -") != std::string::npos);
  CHECK(Json::parse(read_text(folder / "map.json"))["poisson_boltzmann"]["solvation_energy_kJ_mol"] < 0.0);
  REQUIRE(run_alone({"place", duplex, "--map", folder / "map.dx", "--ion", "MG:1", "-o", folder / "one.pdb",
                     "--report", folder / "one.json", "--quiet"})
              .exit_code == 0);
  const Json one = Json::parse(read_text(folder / "one.json"));
  CHECK(one["ions"][0]["position_A"] == report["ions"][0]["position_A"]);
  CHECK(std::abs(one["ions"][0]["energy_kT"].get<double>() - report["ions"][0]["energy_kT"].get<double>()) <
        1e-4);  // the file's digits
}

TEST_CASE("PB: what ionwell's own solver cannot do is refused, and nothing is written") {
  const TemporaryFolder folder;
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"--pb-option", "write=pot dx a"}, "--pb-option is 'write=pot dx a', but 'write' is set by ionwell, "},
      {{"--pb-option", "calcforce=no"}, "--pb-option is 'calcforce=no', which only APBS uses; "},
      {{"--pb-option", "srfm=dots"}, "the Poisson-Boltzmann option is 'srfm=dots'; "},
      {{"--pb-energy", "--pb-option", "npbe"}, "--pb-energy is for the linear equation"},
      {{"--dielectric", "4"}, "--dielectric has no effect with --pb own: "},
      {{"--method", "msm"}, "--method msm has no effect with --pb own: no charges are summed; "}};
  for (const auto& [more, message] : cases)
    for (const bool is_map : {false, true}) {
      CAPTURE(message);
      const std::string output = folder / (is_map ? "o.dx" : "o.pdb");
      std::vector<std::string> all = {is_map ? "map" : "place", duplex, "--pb", "own", "-o", output};
      if (!is_map) all.insert(all.end(), {"--ion", "MG:1"});
      all.insert(all.end(), more.begin(), more.end());
      const ProgramResult result = run_ionwell(all);
      CHECK(result.exit_code == 2);
      CHECK(result.err.starts_with("ionwell: " + message));
      CHECK(!std::filesystem::exists(output));
    }
}

TEST_CASE("PB: maps of the equation are written beside the potential's, or none") {
  const TemporaryFolder folder;
  const auto map = [&](const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> all = {"map", duplex, "--spacing", "2", "-o", output};
    all.insert(all.end(), more.begin(), more.end());
    return run_ionwell(all);
  };
  const ProgramResult result = map(folder / "pot.dx", {"--pb", "own", "--pb-maps", "eps,charge"});
  REQUIRE(result.exit_code == 0);
  std::vector<std::string> names = folder.entries();
  std::sort(names.begin(), names.end());
  CHECK(names ==
        std::vector<std::string>{"pot.charge.dx", "pot.dx", "pot.eps_x.dx", "pot.eps_y.dx", "pot.eps_z.dx"});
  CHECK(result.out.find(folder / "pot.eps_z.dx") != std::string::npos);
  CHECK(run_ionwell({"info", folder / "pot.eps_x.dx"}).exit_code == 0);

  const std::pair<std::vector<std::string>, std::string> refused[] = {
      {{"--pb-maps", "eps"}, "--pb-maps has no effect without --pb own; "},
      {{"--pb", "own", "--pb-maps", "epsilon"},
       "--pb-maps is 'epsilon'; write eps, kappa and charge, or some of them"},
      {{"--pb", "own", "--pb-maps", "eps", "--report", folder / "new.eps_x.dx"}, ""}};
  for (const auto& [more, message] : refused) {
    CAPTURE(message);
    const ProgramResult failed = map(folder / "new.dx", more);
    CHECK(failed.exit_code == 2);
    CHECK(failed.err.starts_with("ionwell: " + message));
    CHECK(folder.entries().size() == names.size());
  }
  CHECK(map("-", {"--pb", "own", "--pb-maps", "eps"})
            .err.starts_with("ionwell: --pb-maps makes the names of its files"));
}
