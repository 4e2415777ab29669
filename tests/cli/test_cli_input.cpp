// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "support/example.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

struct BadInput {
  std::string name, text;
  std::string message;  // after the file's path
};

}  // namespace

TEST_CASE("structures: each bad file gets one message, exit code 1, and no output file") {
  const std::string good = "ATOM      1  P     A A   1       0.000   0.000   0.000 -1.0000 1.8000\n";
  const std::vector<BadInput> cases = {
      {"empty.pqr", "", ": is empty"},
      {"no-atoms.pqr", "REMARK nothing here\nEND\n", ": "},
      {"text.pqr", "Dear all,\nplease find attached\n", ": "},
      {"plain.pdb", "ATOM      1  P     A A   1       0.000   0.000   0.000  1.00  0.00           P\n",
       ": PDB2PQR has no charges for 1 residue: A 1 A (bead); give charges"},
      {"entry.cif", "data_1ABC\n#\nloop_\n_atom_site.group_PDB\n",
       ":5: the category _atom_site has no Cartn_x"},
      {"nan.pqr", "ATOM 1 P A 1 0.0 nan 0.0 -1.0 1.8\n", ":1: "},
      {"overflow.pqr", good + "ATOM 2 P A 2 0.0 1e999 0.0 -1.0 1.8\n", ":2: "},
      {"far.pqr", good + "ATOM 2 P A 2 1e30 0.0 0.0 -1.0 1.8\n", ":2: x is 1e+30 A"},
      {"cut.pqr", good + "ATOM      2  P     A A   2       3.000   0.0", ":2: "},
      {"no-charge.pqr", "ATOM 1 P A 1 0.0 0.0 0.0\n", ":1: "},
      {"zero.pqr", "ATOM 1 P A 1 0.0 0.0 0.0 0.0 1.8\n", ": the charge of its one atom is zero"},
  };
  for (const BadInput& c : cases) {
    CAPTURE(c.name);
    const TemporaryFolder folder;
    const std::string path = folder / c.name;
    write_text(path, c.text);
    const ProgramResult result = run_ionwell({"place", path, "--ion", "MG:1", "-o", folder / "ions.pdb"});
    CHECK(result.exit_code == 1);
    CHECK(result.out.empty());
    CHECK(result.err.substr(0, 9 + path.size() + c.message.size()) == "ionwell: " + path + c.message);
    CHECK(folder.entries() == std::vector<std::string>{c.name});
  }
}

TEST_CASE("structures: a missing file and a folder") {
  const TemporaryFolder folder;
  const ProgramResult missing = run_ionwell({"info", folder / "none.pqr"});
  CHECK(missing.exit_code == 1);
  CHECK(missing.err == "ionwell: " + folder / "none.pqr" + ": no such file; check the path\n");
  const ProgramResult directory = run_ionwell({"info", folder.path()});
  CHECK(directory.exit_code == 1);
  CHECK(directory.err == "ionwell: " + folder.path() + ": is a folder; give a file in it\n");
}

TEST_CASE("structures: what is only suspicious is a warning, also with --quiet") {
  const TemporaryFolder folder;
  write_text(folder / "half.pqr", "ATOM 1 P A 1 0.0 0.0 0.0 -1.0 1.8\nATOM 2 P A 2 0.0 0.0 0.0 -0.5 1.8\n");
  const ProgramResult result =
      run_ionwell({"place", folder / "half.pqr", "--ion", "MG:1", "-o", folder / "ions.pdb", "--quiet"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.empty());
  CHECK(result.err.find("ionwell: warning: " + folder / "half.pqr" + ": the net charge is -1.500 e") == 0);
  CHECK(result.err.find("1 atom lies within") != std::string::npos);
  CHECK(folder.entries() == std::vector<std::string>{"half.pqr", "ions.pdb"});
}

TEST_CASE("place: ions, distances and electrostatics that make no sense") {
  struct WrongRequest {
    std::vector<std::string> options;
    std::string mentions;
  };
  const std::vector<WrongRequest> cases = {
      {{"--ion", "XYZ:3"}, "XYZ"},
      {{"--ion", "MG"}, "MG"},
      {{"--ion", "MG:0"}, "0"},
      {{"--ion", "MG:-3"}, "-3"},
      {{"--ion", "MG:many"}, "many"},
      {{"--ion", "MG:99999999999999999999"}, "99999999999999999999"},
      {{"--ion", "MG:2:0"}, "0"},
      {{"--ion", "CL:neutralize"}, "CL"},            // makes the charge of the duplex, -22, worse
      {{"--ion", "X:neutralize:+3"}, "neutralize"},  // does not divide it
      {{"--ion", "MG:1", "--ion-solute", "-1"}, "-1"},
      {{"--ion", "MG:1", "--ion-ion", "-1"}, "-1"},
      {{"--ion", "MG:1", "--dielectric", "0"}, "dielectric"},
      {{"--ion", "MG:1", "--ddd", "-3"}, "-3"},
      {{"--ion", "MG:1", "--ddd", "3", "--ionic-strength", "0.1"}, "ionic"},
      {{"--ion", "MG:1", "--temperature", "0"}, "temperature"},
      {{"--ion", "MG:1", "--temperature", "1e-40"}, "temperature"},
      {{"--ion", "MG:1", "--dielectric", "1e20"}, "dielectric"},
      {{"--ion", "MG:1", "--ionic-strength", "1e9"}, "ionic"},
  };
  for (const WrongRequest& c : cases) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments = {"place", duplex, "-o", folder / "ions.pdb"};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    CAPTURE(c.options.back());
    const ProgramResult result = run_ionwell(arguments);
    CHECK(result.exit_code == 2);
    CHECK(result.err.substr(0, 9) == "ionwell: ");
    CHECK(result.err.find(c.mentions) != std::string::npos);
    CHECK(result.err.find('\n') == result.err.size() - 1);
    CHECK(folder.entries().empty());
  }
}

TEST_CASE("place: a lattice that does not fit into memory is refused with both numbers") {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_ionwell({"place", duplex, "--ion", "MG:1", "--spacing", "0.005", "-o", folder / "ions.pdb"});
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("points needs ") != std::string::npos);
  CHECK(result.err.find("are free; use a larger --spacing, a smaller --border or a smaller --box") !=
        std::string::npos);
  CHECK(folder.entries().empty());
}
