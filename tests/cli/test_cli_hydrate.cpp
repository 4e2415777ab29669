// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

ProgramResult place(const TemporaryFolder& folder, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"place", duplex, "--ion", "MG:2",
                                    "--ion", "NA:1", "-o",    folder / "ions.pdb"};
  words.insert(words.end(), more.begin(), more.end());
  return run_ionwell(words);
}

}  // namespace

TEST_CASE("hydrate: waters stand behind the ions, each with its TER, and the report tells of them") {
  const TemporaryFolder folder;
  const ProgramResult result = place(folder, {"--hydrate", "MG:6", "--report", folder / "report.json"});
  REQUIRE(result.exit_code == 0);
  CHECK(result.out.find("\nhydration       12 waters around 2 ions; 0 acceptors of the solute") !=
        std::string::npos);
  const std::string text = read_text(folder / "ions.pdb");
  CHECK(count_of(text, " HOH W") == 36);
  CHECK(count_of(text, "\nTER\n") == 3 + 12);
  CHECK(text.find(" NA    NA I   3") < text.find(" O   HOH W   1"));
  CHECK(text.find("REMARK   6 Hydrated: 2 ions with 12 waters") != std::string::npos);
  const auto report = report_of(folder / "report.json");
  CHECK(report["hydration"]["waters"] == 12);
  CHECK(report["hydration"]["left_out"] == 0);
  REQUIRE(report["hydration"]["shells"].size() == 2);
  CHECK(report["hydration"]["shells"][1]["ion"] == 2);
  CHECK(report["net_charge_after_e"].get<double>() == doctest::Approx(-17.0));

  const TemporaryFolder bare;
  REQUIRE(place(bare, {"--report", bare / "report.json"}).exit_code == 0);
  const std::string ions = read_text(bare / "ions.pdb");  // the same, where they were
  const std::size_t first = ions.find("HETATM");
  CHECK(text.find(ions.substr(first, ions.find("END\n") - first)) != std::string::npos);
  CHECK_FALSE(report_of(bare / "report.json").contains("hydration"));
}

TEST_CASE("hydrate: names are the engine's, and one residue is the PDB's") {
  const TemporaryFolder folder;
  REQUIRE(place(folder, {"--hydrate", "MG", "--ion-names", "amber", "--quiet"}).exit_code == 0);
  CHECK(count_of(read_text(folder / "ions.pdb"), " WAT W") == 36);
  REQUIRE(place(folder, {"--hydrate", "MG", "--hydrate-as", "residue", "--quiet"}).exit_code == 0);
  const std::string text = read_text(folder / "ions.pdb");
  CHECK(count_of(text, " MO6 W   1 ") == 7);
  CHECK(count_of(text, "HOH") == 0);
  CHECK(text.find("HETATM    2 MG   MO6 W   1 ") != std::string::npos);
  CHECK(text.find("HETATM    8  O6  MO6 W   1 ") != std::string::npos);
  CHECK(count_of(text, "\nTER\n") == 3);
  CHECK(run_ionwell({"compare", folder / "ions.pdb", folder / "ions.pdb"}).out.find("3 ions, 3 sites\n") !=
        std::string::npos);

  const std::string amber = folder / "amber";
  REQUIRE(run_ionwell(
              {"place", duplex, "--ion", "MG:2", "--hydrate", "MG", "--for", "amber", "-o", amber, "--quiet"})
              .exit_code == 0);
  CHECK(count_of(read_text(amber + "/water.pdb"), " WAT W") == 36);
  CHECK(count_of(read_text(amber + "/ions.pdb"), " MG I ") == 2);
}

TEST_CASE("hydrate: shells stay where they are when the system gets water") {
  const TemporaryFolder folder;
  REQUIRE(place(folder, {"--hydrate", "MG", "--with-solute", "--quiet"}).exit_code == 0);
  REQUIRE(run_ionwell({"solvate", folder / "ions.pdb", "--padding", "4", "-o", folder / "all.pdb", "--quiet"})
              .exit_code == 0);
  const std::string shells = read_text(folder / "ions.pdb"), system = read_text(folder / "all.pdb");
  // All positions move together, by how the first oxygen did.
  const auto positions = [](const std::string& text, std::size_t most) {
    std::vector<double> x_A;
    for (std::size_t at = text.find(" O   HOH "); at != std::string::npos && x_A.size() < most;
         at = text.find(" O   HOH ", at + 1))
      x_A.push_back(std::stod(text.substr(text.rfind('\n', at) + 31, 8)));
    return x_A;
  };
  const std::vector<double> before = positions(shells, 12), after = positions(system, 12);
  REQUIRE(before.size() == 12);
  REQUIRE(after.size() == 12);
  for (std::size_t n = 0; n < 12; ++n)
    CHECK(after[n] - after[0] == doctest::Approx(before[n] - before[0]).epsilon(0.002));
}

TEST_CASE("hydrate: what cannot be is refused") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::vector<std::string>& words, const char* message) {
    const ProgramResult result = place(folder, words);
    CAPTURE(message);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(message) != std::string::npos);
  };
  refused({"--hydrate", "CL:6"}, "--hydrate CL:6: the shell of CL is not known");
  refused({"--hydrate", "MG:12"}, "the number of neighbours must be 1 to 9; 6 is common for MG");
  refused({"--hydrate", "CA"}, "--hydrate CA: this ion is not placed; name one of --ion");
  refused({"--hydrate", "MG", "--hydrate", "MG:6"}, "--hydrate MG is given twice");
  refused({"--hydrate", "MG:5", "--hydrate-as", "residue"}, "--hydrate-as residue is only for MG:6");
  refused({"--hydrate", "NA", "--hydrate-as", "residue"}, "--hydrate-as residue is only for MG:6");
  refused({"--tune", "hydrate-water=spce"}, "--tune hydrate-water has no effect without --hydrate");
  refused({"--hydrate", "MG", "--tune", "hydrate-water=opc"}, "OPC has 4 sites");
  CHECK(folder.entries().empty());
}

TEST_CASE("hydrate: ions that take the places of waters have waters around them already") {
  const TemporaryFolder folder;
  REQUIRE(run_ionwell({"solvate", duplex, "--padding", "4", "-o", folder / "box.pqr", "--quiet"}).exit_code ==
          0);
  const ProgramResult result = run_ionwell({"place", folder / "box.pqr", "--ion", "MG:1", "--hydrate", "MG",
                                            "-o", folder / "ions.pdb", "--quiet"});
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("--hydrate has no effect with a box of water: ions replace its waters") !=
        std::string::npos);
}
