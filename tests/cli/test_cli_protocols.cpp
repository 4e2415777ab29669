// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

TEST_CASE("compare: options of another use than theirs are refused") {
  const TemporaryFolder folder;
  const std::string sites = folder / "sites.pdb";
  REQUIRE(run_ionwell({"place", duplex, "--ion", "MG:2", "-o", sites, "--quiet"}).exit_code == 0);
  const auto refused = [&](std::vector<std::string> words, const char* message) {
    words.insert(words.begin(), "compare");
    const ProgramResult result = run_ionwell(words);
    CAPTURE(message);
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(message) != std::string::npos);
  };
  for (const std::vector<std::string>& set :
       {std::vector<std::string>{"--set", folder.path()}, {"--set=" + folder.path(), "--csv", "x.csv"}})
    refused(set, "--set is a script of the Python package now; use python3 -m ionwell.compare_set DIR");
  refused({duplex, "--ion", "MG:2", "--protocol", "hybird"},
          "--protocol hybird is not known; the protocols are hybrid");
  refused({sites, sites, "--pb", "own"}, "--pb has no effect without --ion; add it, or leave --pb out");
  refused({sites, sites, "--random-around", duplex, "--seed", "-1"}, "--seed is -1; it must not be negative");
  refused({}, "IONS.pdb or STRUCTURE is missing; usage: ionwell compare");
}

TEST_CASE("compare: the protocols of one structure can be chosen, and solved here") {
  const TemporaryFolder folder;
  const ProgramResult result = run_ionwell({"compare", duplex, "--ion", "MG:2", "--protocol", "iterated",
                                            "--pb", "own", "--report", folder / "report.json"});
  REQUIRE(result.exit_code == 0);
  const auto report = report_of(folder / "report.json");
  REQUIRE(report["protocols"].size() == 1);
  CHECK(report["protocols"][0]["name"] == "iterated");
  CHECK(report["protocols"][0]["positions_A"].size() == 2);
}

TEST_CASE("compare: without a solver the protocols that need one are left out") {
  const TemporaryFolder folder;
  const std::vector<std::string> words = {"compare", duplex,    "--ion",     "MG:1", "--pb",
                                          "none",    "--quiet", "--threads", "1",    "--report"};
  std::vector<std::string> usual = words, named = words;
  usual.push_back(folder / "report.json");
  REQUIRE(run_ionwell(usual).exit_code == 0);
  const auto report = report_of(folder / "report.json");
  REQUIRE(report["protocols"].size() == 3);
  CHECK(report["protocols"][2]["name"] == "debye-hueckel");
  named.insert(named.end(), {folder / "none.json", "--protocol", "hybrid"});
  const ProgramResult refused = run_ionwell(named);
  CHECK(refused.exit_code == 2);
  CHECK(
      refused.err ==
      "ionwell: --protocol hybrid solves the Poisson-Boltzmann equation, and --pb is none; leave one of them "
      "out\n");
}
