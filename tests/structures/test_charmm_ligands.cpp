// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "structures/charmm/residue_topology.hpp"
#include "structures/engines/engine_files.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

// As CGenFF writes it.
const std::string stream =
    "* Toppar stream file\n*\n\nread rtf card append\n* Topologies\n*\n36 1\n\nRESI LIG  -1.000 ! param "
    "penalty\n"
    "GROUP\nATOM C1 CG2O3 0.620 ! 1.0\nATOM O1 OG2D2 -0.760\natom O2 OG2D2 -0.860\nBOND C1 O1 C1 O2 C1 +N\n"
    "IC C1 O1 O2 C1 0 0 0 0 0\nPRES FIX 0.0\nATOM X1 CG331 0.5\nEND\n\nread param card flex append\n"
    "BONDS\nATOM none\nEND\nRETURN\n";

std::string text_of(const std::vector<EngineFile>& files, const std::string& name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const EngineFile& f) { return f.name == name; });
  return found == files.end() ? std::string() : found->text;
}

}  // namespace

TEST_CASE("CHARMM's residues: charges and bonds of RESI entries, up to the parameters") {
  const CharmmResidues read = read_charmm_residues(stream, "x.str");
  REQUIRE(read.atoms.size() == 3);
  CHECK(read.atoms[2].name == Label("O2"));
  CHECK(read.atoms[2].residue == Label("LIG"));
  CHECK(read.atoms[2].charge_e == -0.86);
  REQUIRE(read.bonds.size() == 2);
  CHECK(read.bonds[1].second == 2);
  CHECK(error_of([] { read_charmm_residues("RESI A 0\nATOM C1 CG x\n", "x.rtf"); }) ==
        "x.rtf:2: 'x' is not a charge");
  CHECK(error_of([] {
          read_charmm_residues("* none\nBOND A B\n", "x.rtf");
        }).starts_with("x.rtf: has no CHARMM residue (RESI)"));
}

TEST_CASE("CHARMM: the folder has the files of a ligand, which psfgen reads behind CGenFF") {
  std::vector<Atom> atoms;
  for (const char* const name : {"C1", "O1", "O2"})
    atoms.push_back({.position_A = {1.0 + 1.3 * double(atoms.size()), 0.0, 0.0},
                     .name = name,
                     .residue = "LIG",
                     .chain = "L",
                     .residue_number = 7});
  EngineSystem system{.atoms = atoms};
  CHECK(error_of([&] { engine_files(Engine::charmm, system); }).find("LIG 7 L") != std::string::npos);
  system.ligands = {{"a.rtf", LigandKind::charmm_topology, stream, {"LIG"}},
                    {"a.prm", LigandKind::charmm_parameters, "BONDS\n", {}}};
  const std::vector<EngineFile> files = engine_files(Engine::charmm, system);
  CHECK(text_of(files, "ligand1.rtf") == stream);
  CHECK(text_of(files, "ligand2.prm") == "BONDS\n");
  const std::string script = text_of(files, "psfgen.tcl");
  CHECK(script.find("foreach file {\n  top_all36_cgenff.rtf\n} {\n") != std::string::npos);
  CHECK(script.find("}\ntopology ligand1.rtf\nsegment L {\n  first none\n  last none\n") !=
        std::string::npos);
  CHECK(script.find("topology ligand2") == std::string::npos);
  CHECK(script.find("set free {\n  L\n}\n") != std::string::npos);
  CHECK(text_of(files, "segment_L.pdb").find(" O2  LIG L   7") != std::string::npos);
  // LEaP's files are no help to psfgen.
  system.ligands = {{"a.lib", LigandKind::leap_library, "", {"LIG"}}};
  CHECK(error_of([&] { engine_files(Engine::charmm, system); }).find("LIG 7 L") != std::string::npos);
}
