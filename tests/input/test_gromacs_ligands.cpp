// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "input/gromacs_ligands.hpp"
#include "input/ligands_for_engines.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::string types = "[ atomtypes ]\nxc 6 12.01 0.0 A 0.3 0.4\n";
const std::string molecule =
    "[ moleculetype ]\nligand 3\n[ atoms ]\n1 xc 1 LIG C1 1 0.5 12.01\n2 xc 1 LIG C2 1 -0.5 12.01\n"
    "[ bonds ]\n1 2 1 0.15 300000\n#ifdef POSRES\n#include \"posre.itp\"\n#endif\n";

const std::string topology =
    "; made\n#include \"amber.ff/forcefield.itp\"\n\n#include \"amber.ff/tip3p.itp\"\n\n[ system ]\nx\n\n"
    "[ molecules ]\nProtein 1\nSOL 4\n";

std::vector<EngineLigand> read(const std::vector<std::string>& paths) {
  return ligands_for_engines(paths, {LigandsOf::gromacs});
}

std::vector<Atom> copies(int count) {
  std::vector<Atom> atoms;
  for (int n = 1; n <= count; ++n)
    for (const char* const name : {"C1", "C2"}) {
      Atom& atom = atoms.emplace_back();
      atom.name = name;
      atom.residue = "LIG";
      atom.residue_number = n;
    }
  return atoms;
}

}  // namespace

TEST_CASE(
    "gromacs ligands: types behind the force field, molecules before [ system ], counts before the water") {
  const TemporaryFolder folder;
  write_text(folder / "lig.itp", types + molecule);
  write_text(folder / "posre.itp", "[ position_restraints ]\n");
  const GromacsLigands ligands(read({folder / "lig.itp"}));
  CHECK(ligands.has("LIG"));
  CHECK_FALSE(ligands.has("SOL"));
  CHECK(ligands.with_molecules(topology, copies(2)) ==
        "; made\n#include \"amber.ff/forcefield.itp\"\n#include \"ligand1_types.itp\"\n\n"
        "#include \"amber.ff/tip3p.itp\"\n\n#include \"ligand1.itp\"\n[ system ]\nx\n\n"
        "[ molecules ]\nProtein 1\nligand 2\nSOL 4\n");
  REQUIRE(ligands.files().size() == 3);
  CHECK(ligands.files()[0].name == "ligand_posre.itp");
  CHECK(ligands.files()[0].text == "[ position_restraints ]\n");
  CHECK(ligands.files()[1].text == types);
  CHECK(ligands.files()[2].text.find("#include \"ligand_posre.itp\"\n") != std::string::npos);
}

TEST_CASE("gromacs ligands: types may have a file of their own, and then come first") {
  const TemporaryFolder folder;
  write_text(folder / "lig.itp", molecule);
  write_text(folder / "types.itp", types);
  const GromacsLigands ligands(read({folder / "lig.itp", folder / "types.itp"}));
  const std::string text =
      ligands.with_molecules("#include \"f/forcefield.itp\"\n[ system ]\n[ molecules ]\n", copies(1));
  CHECK(text ==
        "#include \"f/forcefield.itp\"\n#include \"ligand2.itp\"\n#include \"ligand1.itp\"\n[ system ]\n"
        "[ molecules ]\nligand 1\n");
}

TEST_CASE(
    "gromacs ligands: a file whose molecule depends on a word stays in one piece, behind the force field") {
  const TemporaryFolder folder;
  write_text(folder / "posre.itp", "; none\n");
  const std::string either = types + "#ifndef STIFF\n" + molecule + "#else\n" + molecule + "#endif\n";
  write_text(folder / "lig.itp", either);
  const GromacsLigands ligands(read({folder / "lig.itp"}));
  REQUIRE(ligands.files().size() == 2);
  CHECK(ligands.files()[1].name == "ligand1.itp");
  CHECK(ligands.with_molecules("#include \"f/forcefield.itp\"\n[ system ]\n[ molecules ]\n", copies(1)) ==
        "#include \"f/forcefield.itp\"\n#include \"ligand1.itp\"\n[ system ]\n[ molecules ]\nligand 1\n");
}

TEST_CASE("gromacs ligands: a guard against including a file twice does not hide what is in it") {
  const TemporaryFolder folder;
  write_text(folder / "posre.itp", "; none\n");
  const std::string guarded =
      "; made\n#ifndef LIG_ITP\n#define LIG_ITP\n" + types + molecule + "#endif  ; LIG_ITP\n";
  write_text(folder / "lig.itp", guarded);
  write_text(folder / "other.itp",
             "[ atomtypes ]\nyc 6 12.01 0.0 A 0.3 0.4\n[ moleculetype ]\nother 3\n[ atoms ]\n1 yc 1 OTH C1 1 "
             "0.0 12.01\n");
  const GromacsLigands ligands(read({folder / "lig.itp", folder / "other.itp"}));
  CHECK(ligands.with_molecules("#include \"f/forcefield.itp\"\n[ system ]\n[ molecules ]\n", copies(1)) ==
        "#include \"f/forcefield.itp\"\n#include \"ligand1_types.itp\"\n#include \"ligand2_types.itp\"\n"
        "#include \"ligand1.itp\"\n#include \"ligand2.itp\"\n[ system ]\n[ molecules ]\nligand 1\n");
  CHECK(ligands.files()[1].text == "; made\n\n#define LIG_ITP\n" + types);
  CHECK(ligands.files()[2].text.find("#endif\n") != std::string::npos);  // of POSRES
  CHECK(ligands.files()[2].text.find("LIG_ITP") == std::string::npos);
  // Where one word chooses between two texts there is no such guard.
  write_text(folder / "either.itp",
             "#ifndef STIFF\n#define STIFF\n" + molecule + "#else\n" + molecule + "#endif\n");
  CHECK(GromacsLigands(read({folder / "either.itp"})).files().back().text.starts_with("#ifndef STIFF\n"));
}

TEST_CASE("gromacs ligands: a whole system's topology, and molecules of several residues, are refused") {
  const TemporaryFolder folder;
  write_text(folder / "lig.itp", "[ defaults ]\n1 2 yes 0.5 0.8333\n" + types + molecule);
  CHECK(error_of([&] {
          GromacsLigands{read({folder / "lig.itp"})};
        }).starts_with((folder / "lig.itp") + ":1: has [ defaults ], "));
  write_text(folder / "two.itp",
             "[ moleculetype ]\nligand 3\n[ atoms ]\n1 xc 1 LIG C1 1 0.5 12.01\n"
             "2 xc 2 LIG C1 2 -0.5 12.01\n");
  CHECK(error_of([&] {
          read({folder / "two.itp"});
        }).starts_with((folder / "two.itp") + ": molecule ligand has several residues, LIG 1 and LIG 2; "));
}

TEST_CASE("ligands: files of a program need its folder, and an .itp gives charges without one") {
  const TemporaryFolder folder;
  write_text(folder / "lig.itp", molecule);
  write_text(folder / "lig.xml", "<ForceField/>");
  CHECK(ligands_for_engines({folder / "lig.itp"}, {LigandsOf::leap}).empty());
  CHECK(error_of([&] { ligands_for_engines({folder / "lig.xml"}, {LigandsOf::leap}); }) ==
        "--ligand " + (folder / "lig.xml") +
            ": is a file for OpenMM, but no folder for OpenMM is written; add --for openmm, or give a mol2 "
            "file or a topology");
  CHECK(ligands_for_engines({folder / "lig.xml"}, {LigandsOf::openmm}).size() == 1);
}
