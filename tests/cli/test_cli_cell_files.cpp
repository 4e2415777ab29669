// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell::test;
using nlohmann::json;

namespace {

/// Two phosphates and the cell of a NAMD run, whose origin is not where the atoms are and which is rotated.
struct RotatedRun {
  TemporaryFolder folder;
  std::string solute = folder / "solute.pqr", xsc = folder / "run.xsc";

  RotatedRun() {
    write_text(solute,
               "ATOM 1 CL CL A 1 1.0 2.0 3.0 -1.0 1.8\nATOM 2 CL CL A 2 2.5 2.0 3.0 -1.0 1.5\n"
               "ATOM 3 CL CL A 3 9.0 4.0 3.0 -1.0 1.8\nATOM 4 CL CL A 4 9.0 5.5 3.0 -1.0 1.5\n");
    write_text(xsc,
               "# NAMD extended system configuration output file\n"
               "#$LABELS step a_x a_y a_z b_x b_y b_z c_x c_y c_z o_x o_y o_z\n"
               "0 0 60 0 -50 0 0 0 0 40 7.5 -2.25 1\n");
  }

  ProgramResult place(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"place", solute, xsc, "--ion", "NA:1", "--spacing", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  }
};

}  // namespace

TEST_CASE("cells in files: NAMD gets the origin that the XSC file has") {
  const RotatedRun run;
  const std::string out = run.folder / "namd";
  REQUIRE(run.place({"--for", "charmm", "-o", out}).exit_code == 0);
  const std::string cell = read_text(out + "/cell.namd");
  CHECK(cell.find("cellBasisVector1        0.0000     60.0000      0.0000\n") != std::string::npos);
  CHECK(cell.find("cellOrigin              7.5000     -2.2500      1.0000\n") != std::string::npos);
}

TEST_CASE("cells in files: no script shows a map beside atoms that are rotated with their cell") {
  const RotatedRun run;
  const std::string out = run.folder / "out.pdb", map = run.folder / "map.dx";
  const ProgramResult refused = run.place({"--with-solute", "--save-map", map, "--view", "pymol", "-o", out});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("the atoms are rotated together with the cell of") != std::string::npos);
  CHECK(run.place({"--save-map", map, "--view", "pymol", "-o", out}).exit_code == 0);
  CHECK(run.place({"--with-solute", "--view", "pymol", "-o", out}).exit_code == 0);
  CHECK(run.place({"--with-solute", "--save-map", map, "-o", out}).exit_code == 0);
}

TEST_CASE("cells in files: reports have the vectors of the cell that was read") {
  const RotatedRun run;
  const std::string report = run.folder / "run.json";
  REQUIRE(run.place({"-o", run.folder / "out.pdb", "--report", report}).exit_code == 0);
  const json cell = json::parse(read_text(report))["structure"]["cell"];
  CHECK(cell["vectors_A"] == json{{0.0, 60.0, 0.0}, {-50.0, 0.0, 0.0}, {0.0, 0.0, 40.0}});
  CHECK(cell["lengths_A"] == json{60.0, 50.0, 40.0});
}

TEST_CASE("cells in files: what a topology cannot lose is refused before the cell is filled") {
  const TemporaryFolder folder;
  write_text(
      folder / "two.gro",
      "two residues\n2\n    1U        P    1   0.100   0.200   0.300\n    2U        P    2   0.900   0.400   "
      "0.300\n   3.00000   3.00000   3.00000\n");
  write_text(
      folder / "two.top",
      "[ defaults ]\n1 2 yes 0.5 0.8\n[ atomtypes ]\nP 30.97 0 A 0.3 0.8\n[ moleculetype ]\nU 3\n[ atoms ]\n"
      " 1 P 1 U P 1 -1 30.97\n 2 P 2 U P 1 -1 30.97\n[ system ]\ntwo\n[ molecules ]\nU 1\n");
  for (const char* const command : {"solvate", "prepare"}) {
    CAPTURE(std::string(command));
    // A cell of this size fails as soon as it is to be filled.
    std::vector<std::string> words = {
        command,   folder / "two.top", folder / "two.gro", "--cell", "4,4,4",       "--for",
        "gromacs", "--ignore",         "resid 2",          "-o",     folder / "out"};
    if (words.front() == "prepare") words.insert(words.end(), {"--salt", "NaCl:0.1"});
    const ProgramResult result = run_ionwell(words);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("U 2 is left out of the structure by --solute or --ignore") != std::string::npos);
  }
}
