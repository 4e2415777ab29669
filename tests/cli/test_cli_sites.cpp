// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <sstream>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using Json = nlohmann::json;

TEST_CASE("compare: of a crystal's atoms ions are sites, and all of them when asked for") {
  const TemporaryFolder folder;
  REQUIRE(run_ionwell({"place", duplex, "--ion", "MG:2", "--ion", "XYZ:1:2", "--spacing", "1",
                       "--with-solute", "-o", folder / "all.pdb", "--quiet"})
              .exit_code == 0);
  const auto compare = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"compare", folder / "all.pdb", folder / "all.pdb"};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  };
  const ProgramResult ions = compare({});
  CHECK(ions.exit_code == 0);
  CHECK(ions.out.find("all.pdb: 3 ions; 758 other atoms left out (--sites all includes them)\n") !=
        std::string::npos);
  CHECK(ions.out.find("3 ions, 3 sites\n") != std::string::npos);
  CHECK(compare({"--sites", "all"}).out.find("761 ions, 761 sites\n") == 0);
  CHECK(compare({"--quiet"}).out.empty());

  write_text(folder / "none.pdb",
             "ATOM      1  CA  ALA A   1       0.000   0.000   0.000  1.00  0.00           C\n");
  const ProgramResult none = run_ionwell({"compare", folder / "all.pdb", folder / "none.pdb"});
  CHECK(none.exit_code == 1);
  CHECK(none.err.find("none.pdb: holds 1 atom but no ion (") != std::string::npos);
  CHECK(none.err.find("--sites all uses every atom") != std::string::npos);
}

TEST_CASE("compare: options that would do nothing are refused") {
  const ProgramResult water = run_ionwell({"compare", "ions.pdb", "sites.pdb", "--input-water", "ignore"});
  CHECK(water.exit_code == 2);
  CHECK(water.err.find(" has no effect without --ion; add it") != std::string::npos);
  const ProgramResult sites = run_ionwell({"compare", duplex, "--ion", "MG:1", "--sites", "all"});
  CHECK(sites.exit_code == 2);
  CHECK(sites.err.find("--sites is given, but SITES.pdb is not") != std::string::npos);
}

TEST_CASE("compare: precision, what chance finds, and sites that count by occupancy") {
  const TemporaryFolder folder;
  REQUIRE(
      run_ionwell({"place", duplex, "--ion", "MG:4", "--spacing", "1", "-o", folder / "ions.pdb", "--quiet"})
          .exit_code == 0);
  std::string ion;  // the first that was placed, as the only site
  for (std::istringstream lines(read_text(folder / "ions.pdb")); std::getline(lines, ion);)
    if (ion.starts_with("HETATM")) break;
  write_text(folder / "sites.pdb", ion.substr(0, 54) + "  0.40 25.00          MG2+\n");
  const ProgramResult result =
      run_ionwell({"compare", folder / "ions.pdb", folder / "sites.pdb", "--random-around", duplex, "--seed",
                   "3", "--site-weights", "bfactor", "--report", folder / "report.json"});
  REQUIRE(result.exit_code == 0);
  const Json report = Json::parse(read_text(folder / "report.json"));
  REQUIRE(report["within"].size() == 6);
  const Json& row = report["within"][3];
  CHECK(row["distance_A"] == 4.0);
  CHECK(row["recall"] == 1.0);
  CHECK(row["precision"] == 0.25);
  CHECK(row["weighted_recall"] == 1.0);
  CHECK(row["matched_by_first_ions"] == Json({1, 1, 1, 1}));
  CHECK(row["matched_at_random"].get<double>() < 0.9);
  CHECK(report["within"][5]["matched_at_random"].get<double>() > 0.0);
  CHECK(report["site_weights"] == "bfactor");
  CHECK(result.out.find("by bfactor") != std::string::npos);
  CHECK(result.out.find("at random") != std::string::npos);
  CHECK(result.out.find("first ions ") != std::string::npos);

  const ProgramResult alone =
      run_ionwell({"compare", folder / "ions.pdb", folder / "sites.pdb", "--seed", "3"});
  CHECK(alone.exit_code == 2);
  CHECK(alone.err.find("--seed has no effect without --random-around") != std::string::npos);
  const ProgramResult none =
      run_ionwell({"compare", folder / "ions.pdb", folder / "ions.pdb", "--site-weights", "bfactor"});
  CHECK(none.exit_code == 1);
  CHECK(none.err.find("has a B-factor of 0") != std::string::npos);
  const ProgramResult placing = run_ionwell({"compare", duplex, "--ion", "MG:1", "--random-around", duplex});
  CHECK(placing.exit_code == 2);
  CHECK(placing.err.find("--random-around has no effect with --ion") != std::string::npos);
}
