// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>

#include "support/example.hpp"
#include "support/rod_files.hpp"

using namespace ionwell::test;
using nlohmann::json;

TEST_CASE("prepare: each engine gets the names and the cell of its own") {
  const RodFiles files("CL", "CL");
  const auto make = [&](const std::string& engine, const std::string& water, const std::string& shape) {
    const std::string path = files.folder / (engine + '-' + water);
    const ProgramResult result = files.prepare({"--salt", "NaCl:0.2", "--for", engine, "--water-model", water,
                                                "--cell-shape", shape, "-o", path, "--quiet"});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    return path + '/';
  };
  const std::string amber = make("amber", "opc", "octahedron"), leap = read_text(amber + "leap.in");
  CHECK(has(leap, "source leaprc.water.opc\n"));
  CHECK(has(leap, "sys = combine { mol ions water }\n"));
  CHECK(has(leap, "saveAmberParm sys leap.prmtop leap.rst7\n"));
  CHECK(has(read_text(amber + "cell.py"), ", 109.4712190, 109.4712190, 109.4712190]"));
  CHECK(has(read_text(amber + "water.pdb"), "109.47 109.47 109.47"));
  CHECK(has(read_text(amber + "water.pdb"), " EPW WAT"));
  CHECK(has(read_text(amber + "ions.pdb"), "Na+"));
  const std::string cubic = make("amber", "tip3p", "cube");
  CHECK(has(read_text(cubic + "leap.in"), "saveAmberParm sys system.prmtop system.rst7\n"));
  CHECK(!std::filesystem::exists(cubic + "cell.py"));
  const std::string skew = make("amber", "spce", "dodecahedron");
  CHECK(has(read_text(skew + "cell.py"), ", 60.0000000, 60.0000000, 90.0000000]"));

  const std::string openmm = read_text(make("openmm", "tip4pew", "cube") + "run.py");
  CHECK(has(openmm, "\"amber14/tip4pew.xml\""));
  CHECK(has(openmm, "\"charmm36/tip4pew.xml\""));
  CHECK(has(openmm, "addExtraParticles"));
  CHECK(!has(read_text(make("openmm", "opc", "cube") + "run.py"), "charmm36"));

  const std::string charmm = files.folder / "charmm/";  // which needs whole residues
  const ProgramResult result =
      run_ionwell({"prepare", duplex, "--padding", "5", "--salt", "NaCl:0.2", "--for", "charmm",
                   "--water-model", "tips3p", "--cell-shape", "hexagonal", "-o", charmm, "--quiet"});
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(has(read_text(charmm + "segment_WT1.pdb"), " OH2 TIP3"));
  CHECK(has(read_text(charmm + "segment_A.pdb"), " H5T CYT A   1"));
  CHECK(has(read_text(charmm + "psfgen.tcl"), "segment A {\n  first 5TER\n  last 3TER\n"));
  CHECK(has(read_text(charmm + "psfgen.tcl"), "\npatch DEO5 A:1\n"));
  // A residue that CHARMM does not have stops it before anything is computed.
  const ProgramResult refused =
      RodFiles().prepare({"--salt", "NaCl:0.2", "--for", "charmm", "-o", files.folder / "none"});
  CHECK(refused.exit_code == 1);
  CHECK(has(refused.err, "CHARMM's force fields have no U 1"));
  CHECK(has(read_text(charmm + "psfgen.tcl"), "segment WT1"));
  CHECK(has(read_text(charmm + "cell.namd"), "cellBasisVector3"));
  CHECK(std::filesystem::exists(make("vmd", "tip5p", "cube") + "view.tcl"));

  // Water alone is written by the same code.
  const std::string wet = files.folder / "wet";
  REQUIRE(run_ionwell({"solvate", files.rod, "--for", "amber", "--water-model", "spce", "-o", wet, "--quiet"})
              .exit_code == 0);
  CHECK(has(read_text(wet + "/leap.in"), "leaprc.water.spce"));
  CHECK(has(read_text(wet + "/leap.in"), "combine { mol water }"));
}

TEST_CASE("place: a ligand of a folder for AMBER needs its file, which the folder gets") {
  const TemporaryFolder folder;
  const std::string pqr = folder / "lig.pqr", mol2 = folder / "lig.mol2", frcmod = folder / "lig.frcmod";
  write_text(pqr,
             "ATOM      1  C1  LIG     1       0.000   0.000   0.000  0.6000 1.9000\n"
             "ATOM      2  O1  LIG     1       1.400   0.000   0.000 -1.6000 1.6000\n");
  write_text(mol2,
             "@<TRIPOS>MOLECULE\nLIG\n2 1 1 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
             "1 C1 0.0 0.0 0.0 C.3 1 LIG1 0.6\n2 O1 1.4 0.0 0.0 O.3 1 LIG1 -1.6\n"
             "@<TRIPOS>BOND\n1 1 2 1\n");
  write_text(frcmod, "parameters of a ligand\n");
  const auto place = [&](std::vector<std::string> more, const std::string& engine) {
    std::vector<std::string> words = {"place", pqr, "--ion", "NA:1", "--for", engine, "-o", folder / engine};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  };
  const ProgramResult without = place({}, "amber");
  CHECK(without.exit_code == 1);
  CHECK(has(without.err, "AMBER's force fields have no LIG 1"));
  CHECK(has(without.err, "--ligand"));
  const ProgramResult with = place({"--ligand", mol2, "--ligand", frcmod}, "amber");
  CHECK_MESSAGE(with.exit_code == 0, with.err);
  const std::string leap = read_text(folder / "amber/leap.in");
  CHECK(has(leap, "source leaprc.gaff2\n"));
  CHECK(has(leap, "LIG = loadMol2 ligand1.mol2\nloadAmberParams ligand2.frcmod\n"));
  CHECK(read_text(folder / "amber/ligand1.mol2") == read_text(mol2));
  CHECK(read_text(folder / "amber/ligand2.frcmod") == read_text(frcmod));
  const ProgramResult openmm = place({"--ligand", frcmod}, "openmm");
  CHECK(openmm.exit_code == 2);
  CHECK(has(openmm.err, "lig.frcmod: is a file for LEaP, but no folder for AMBER is written"));
  const std::string xml = folder / "lig.xml";
  write_text(xml,
             "<ForceField><Residues><Residue name=\"LIG\"><Atom name=\"C1\" type=\"c\" charge=\"0.6\"/>"
             "<Atom name=\"O1\" type=\"o\" charge=\"-1.6\"/><Bond from=\"0\" to=\"1\"/></Residue></Residues>"
             "</ForceField>\n");
  const ProgramResult own = place({"--ligand", xml}, "openmm");
  CHECK_MESSAGE(own.exit_code == 0, own.err);
  CHECK(read_text(folder / "openmm/ligand1.xml") == read_text(xml));
  CHECK(has(read_text(folder / "openmm/run.py"), "LIGANDS = [\"ligand1.xml\"]"));
  write_text(mol2,
             "@<TRIPOS>MOLECULE\nOTH\n1 0 1 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
             "1 C1 0.0 0.0 0.0 C.3 1 OTH1 0.0\n");
  std::filesystem::remove_all(folder / "amber");
  CHECK(has(place({"--ligand", mol2}, "amber").err, "the structure has no residue of that name"));
}

TEST_CASE("prepare: GROMACS's topology gets ions and water behind the solute, of the model that it has") {
  const RodFiles files;
  const std::string top = files.folder / "topol.top", gro = files.folder / "conf.gro",
                    out = files.folder / "run";
  std::string lines;
  for (int i = 0; i < 3; ++i) {
    char line[64];
    std::snprintf(line, sizeof line, "%5d%-5s%5s%5d%8.3f%8.3f%8.3f\n", i + 1, "U", "P", i + 1, 0.5 * i, 0.0,
                  0.0);
    lines += line;
  }
  write_text(gro, "rod\n3\n" + lines + "   2.00000   2.00000   2.00000\n");
  write_text(
      top,
      "[ moleculetype ]\nROD 1\n[ atoms ]\n1 P 1 U P 1 -1.0 30.97\n[ moleculetype ]\nNA 1\n[ atoms ]\n"
      "1 NA 1 NA NA 1 1.0 22.99\n[ moleculetype ]\nCL 1\n[ atoms ]\n1 CL 1 CL CL 1 -1.0 35.45\n"
      "[ moleculetype ]\nSOL 2\n[ atoms ]\n1 OW 1 SOL OW 1 -0.82 16.0\n2 HW 1 SOL HW1 1 0.41 1.008\n"
      "3 HW 1 SOL HW2 1 0.41 1.008\n[ moleculetype ]\nWAT 2\n[ atoms ]\n1 OW 1 WAT OW 1 -0.834 16.0\n"
      "2 HW 1 WAT HW1 1 0.417 1.008\n3 HW 1 WAT HW2 1 0.417 1.008\n[ system ]\nrod\n[ molecules ]\nROD 3\n");
  const auto prepare = [&](const std::string& water) {
    return run_ionwell({"prepare", top, gro, "--salt", "NaCl:0.2", "--padding", "9", "--water-model", water,
                        "--for", "gromacs", "-o", out, "--report", files.report, "--quiet"});
  };
  REQUIRE(prepare("tip3p").exit_code == 0);
  const json told = files.told();
  std::int64_t sodium = 0;
  for (const json& ion : told["ions"]) sodium += ion["name"] == "NA";
  const std::string topology = read_text(out + "/topol.top");
  CHECK(has(topology, "ROD 3\nNA                  " + std::to_string(sodium) + "\nCL                  " +
                          std::to_string(std::ssize(told["ions"]) - sodium) + "\nWAT                 " +
                          std::to_string(told["water"]["left"].get<int>()) + "\n"));
  CHECK(has(run_ionwell({"info", out + "/topol.top", out + "/conf.gro"}).out, "net charge      0 e"));
  CHECK(!has(read_text(out + "/conf.gro"), "SOL"));
  std::filesystem::remove_all(out);

  // A crystal's water is part of the topology: its line stays, beside that of the water added and that of the
  // molecule type, or goes.
  write_text(top, read_text(top) + "WAT 1\n");
  write_text(
      gro, "rod\n6\n" + lines +
               "    4WAT     OW    4   0.500   0.500   0.000\n    4WAT    HW1    5   0.596   0.500   0.000\n"
               "    4WAT    HW2    6   0.476   0.593   0.000\n   2.00000   2.00000   2.00000\n");
  for (const char* const water : {"solute", "ignore"}) {
    REQUIRE(run_ionwell({"prepare", top, gro, "--salt", "NaCl:0.2", "--padding", "9", "--for", "gromacs",
                         "-o", out, "--input-water", water, "--quiet"})
                .exit_code == 0);
    CHECK(count_in(read_text(out + "/topol.top"), "\nWAT ") == (water == std::string("solute") ? 3 : 2));
    CHECK(has(run_ionwell({"info", out + "/topol.top", out + "/conf.gro"}).out, "net charge      0 e"));
    std::filesystem::remove_all(out);
  }
  for (const char* const other : {"spce", "opc"}) {
    const ProgramResult result = prepare(other);
    CHECK(result.exit_code == 2);
    CHECK(
        has(result.err, std::string("with the charges of ") + other + ", but SOL with 3 sites and +0.41 e"));
    CHECK(!std::filesystem::exists(out));
  }
}
