// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "chemistry/made_structure.hpp"
#include "programs/propka.hpp"
#include "structures/pdb/pdb_reader.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE(
    "PROPKA: gets proteins by their pieces, then metals and ligands, and no nucleic acids, waters and "
    "hydrogens") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.chain("X", 57).add("ASP").bound("GLY").chain("Y").add("HIS").chain("Z").add("HOH").add("ZN");
  made.chain("R").add("A").chain("L").add_atoms("LIG", {"C1", "O1"});
  Structure structure;
  structure.path = "x.pdb";
  structure.atoms = made.atoms();
  const PropkaInput input = propka_input(structure, perceive(structure.atoms));
  CHECK(input.residues == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(input.chains == "AAB");
  CHECK(input.numbers == std::vector<int>{1, 2, 1});
  std::string residues;
  for (const Atom& atom : read_pdb(input.pdb_text, "in.pdb").atoms) {
    CHECK(atom.element.view() != "H");
    const std::string name = describe_residue(atom) + ", ";
    if (!residues.ends_with(name)) residues += name;
  }
  CHECK(residues == "ASP 1 A, GLY 2 A, HIS 1 B, ZN 1 C, LIG 2 C, ");
}

TEST_CASE("PROPKA: gets caps, and far coordinates in its columns") {
  MadeStructure made;
  made.add("ACE").bound("ASP").bound("NME").chain("B").add("NME");
  Structure structure;
  structure.path = "x.pdb";
  structure.atoms = made.atoms();
  for (Atom& atom : structure.atoms) atom.position_A = atom.position_A + Vec3<double>{-2000.0, 0.0, 0.0};
  const PropkaInput input = propka_input(structure, perceive(structure.atoms));
  CHECK(input.residues == std::vector<std::uint32_t>{0, 1, 2});  // a cap alone is no end of anything
  CHECK(input.chains == "AAA");
  const std::vector<Atom> read = read_pdb(input.pdb_text, "in.pdb").atoms;
  REQUIRE(!read.empty());
  CHECK(read.front().residue == Label("ACE"));
  const double shift_A = read.front().position_A.x - structure.atoms.front().position_A.x;
  CHECK(shift_A > 1500.0);
  CHECK(read.back().position_A.z == doctest::Approx(structure.atoms[read.size() - 1].position_A.z));
}

TEST_CASE("PROPKA: the summary of its results, under the numbers of the structure's residues") {
  const PropkaInput input{.pdb_text = "", .residues = {4, 5, 9}, .chains = "AAB", .numbers = {1, 2, 1}};
  const std::vector<ResiduePka> pkas = read_pkas(
      "   ASP   1 A     1.00       3.80\n"
      "SUMMARY OF THIS PREDICTION\n"
      "       Group      pKa  model-pKa   ligand atom-type\n"
      "   ASP   1 A     3.36       3.80                      \n"
      "   CYS   2 A    99.99       9.00                      \n"
      "   GLU   1 B     6.47*      4.50                      \n"
      "   N+    1 A     8.07       8.00                      \n"
      "   ASP   7 C     2.00       3.80                      \n"
      "--------------------------------\n"
      "   ASP   2 A     9.00       3.80\n",
      input);
  REQUIRE(pkas.size() == 3);
  CHECK(pkas[0].residue == 4);
  CHECK(pkas[0].pka == 3.36);
  CHECK(pkas[1].residue == 9);
  CHECK(pkas[1].pka == 6.47);
  CHECK(pkas[2].group == Label("N+"));
  CHECK(pkas[2].residue == 4);
}
