// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "chemistry/made_structure.hpp"
#include "chemistry/perceived_notes.hpp"
#include "chemistry/perception/chemistry.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("perception: residues and their atoms in any order are the same chain, with the same gap") {
  MadeStructure made = MadeStructure().add("GLY").bound("ALA").bound("SER").bound("LYS");
  made.number(8).add("THR").bound("VAL").bound("GLU").bound("GLY", {{}, ChainEnd::c_terminal});
  const Chemistry ordered = perceive(made.atoms());
  std::vector<Atom> shuffled;
  for (const std::uint32_t r : {5, 2, 7, 0, 4, 1, 6, 3})
    for (std::uint32_t n = ordered.residues[r].end; n > ordered.residues[r].begin; --n)
      shuffled.push_back(made.atoms()[n - 1]);
  const Chemistry chemistry = perceive(shuffled);
  REQUIRE(chemistry.pieces.size() == 2);
  CHECK(chemistry.standard_charge_e() == ordered.standard_charge_e());
  CHECK(chemistry.bonds.size() == ordered.bonds.size());
  REQUIRE(chemistry.gaps.size() == 1);
  CHECK(describe_residue(shuffled[chemistry.residues[chemistry.gaps[0].before].begin]) == "LYS 4 A");
  CHECK(describe_residue(shuffled[chemistry.residues[chemistry.gaps[0].after].begin]) == "THR 8 A");
}

TEST_CASE("perception: a chain that is there twice is named, and has no bonds to itself") {
  MadeStructure made = MadeStructure().add("CYS").bound("GLY").bound("CYS").end_chain();
  made.join(0, "SG", 2, "SG", 2.05);
  made.atoms()[made.at(0, "CB")].position_A =
      made.atoms()[made.at(0, "SG")].position_A + Vec3<double>{0.0, 1.8, 0.0};
  const std::size_t count = made.atoms().size();
  std::vector<Atom> twice = made.atoms();
  for (std::size_t n = 0; n < count; ++n) {
    twice.push_back(made.atoms()[n]);
    twice.back().chain = "B";
    twice.back().position_A.x += 0.01;
  }
  const Chemistry chemistry = perceive(twice);
  REQUIRE(chemistry.shared_places.size() == 3);
  CHECK(chemistry.shared_places[2].residue == 5);
  CHECK(chemistry.shared_places[2].of == 2);
  CHECK(chemistry.links.size() == 2);
  for (const ResidueLink& link : chemistry.links) CHECK(twice[link.first].chain == twice[link.second].chain);
  CHECK(has_note(chemistry, 3, "this and 2 residues after it are at the positions of CYS 1 A"));
  CHECK(has_note(chemistry, 3, "disulfide bond to CYS 3 B"));
  CHECK(perceive(made.atoms()).shared_places.empty());
}

TEST_CASE("perception: a single residue in the place of another, and atoms that are there twice") {
  MadeStructure made = MadeStructure().add("MG").add("HOH").add("ALA").bound("GLY");
  made.join(0, "MG", 1, "O", 0.2);
  std::vector<Atom> atoms = made.atoms();
  Atom again = atoms[made.at(2, "CB")];
  atoms.insert(atoms.begin() + made.at(2, "CB"), again);
  const Chemistry chemistry = perceive(atoms);
  REQUIRE(chemistry.shared_places.size() == 1);
  CHECK(has_note(chemistry, 1, "is at the position of MG 1 A"));
  CHECK(has_note(chemistry, 2, "has atoms twice: CB"));
}

TEST_CASE("perception: atoms on axes of symmetry, where the entry says so") {
  const MadeStructure made = MadeStructure().add("MG").add("MG").add("HOH");
  EntryRecords records;
  records.on_axes = {{"A", 2}, {"A", 3}, {"B", 1}};
  const Chemistry chemistry = perceive(made.atoms(), records);
  CHECK(notes_of(chemistry, 0).empty());
  CHECK(has_note(chemistry, 1, "on an axis of symmetry"));
  CHECK(has_note(chemistry, 2, "on an axis of symmetry"));
}

TEST_CASE("perception: CONECT joins residues that no rule joins, where their atoms are near") {
  MadeStructure made = MadeStructure().add("SER").add("SER").add("GLY");
  made.join(0, "OG", 1, "OG", 1.5);
  CHECK(perceive(made.atoms()).links.empty());
  EntryRecords records;
  records.connected_atoms = {{made.at(0, "OG"), made.at(1, "OG")},
                             {made.at(0, "OG"), made.at(2, "CA")},
                             {made.at(0, "CA"), std::uint32_t(9999)}};
  const Chemistry chemistry = perceive(made.atoms(), records);
  REQUIRE(chemistry.links.size() == 1);
  CHECK(chemistry.links[0].is_recorded);
  CHECK(is_bonded(chemistry, made.at(0, "OG"), made.at(1, "OG")));
}

TEST_CASE("perception: side chains as near as a bond, which nothing states, are named") {
  MadeStructure made = MadeStructure().add("THR").add("GLU").add("GLY");
  made.join(0, "OG1", 1, "CD", 1.4);
  const Chemistry chemistry = perceive(made.atoms());
  CHECK(chemistry.links.empty());
  CHECK(has_note(chemistry, 0, "OG1 is 1.40 A from GLU 2 A CD, and no bond is made"));
  EntryRecords records;
  records.bonds = {{{"A", 1}, {"A", 2}, "OG1", "CD"}};
  const Chemistry recorded = perceive(made.atoms(), records);
  CHECK(recorded.links.size() == 1);
  CHECK(!has_note(recorded, 0, "OG1 is"));
  made.join(0, "OG1", 1, "CD", 1.65);
  CHECK(!has_note(perceive(made.atoms()), 0, "OG1 is"));
}

TEST_CASE(
    "perception: a phosphate that is bound elsewhere stays, and is no gap, an ester is no carboxylate") {
  MadeStructure made = MadeStructure().add("A").add("A").chain("B").add("A").chain("C").add("CYS");
  made.join(0, "O2'", 1, "P", 1.6).join(2, "O3'", 3, "C", 1.33);
  EntryRecords records;
  records.bonds = {{{"B", 1}, {"C", 1}, "O3'", "C"}};
  const Chemistry chemistry = perceive(made.atoms(), records);
  CHECK(chemistry.gaps.empty());
  CHECK(chemistry.links.at(0).kind == LinkKind::phosphodiester);
  CHECK(standard_of(chemistry, 1) == "A, three_hydroxyl");
  CHECK_FALSE(has_note(chemistry, 1, "begins with a phosphate"));
  CHECK(has_note(chemistry, 0, "begins with a phosphate"));
  CHECK(standard_of(chemistry, 3) == "CYS, n_terminal");
}

TEST_CASE("perception: of two residues at one place the chain goes through the first") {
  MadeStructure made = MadeStructure().add("GLY").bound("ALA").number(2).add("SER").number(3).add("GLY");
  made.join(3, "N", 1, "C", 1.33);
  const Chemistry chemistry = perceive(made.atoms());
  REQUIRE(chemistry.pieces.size() == 2);
  CHECK(chemistry.pieces[0].residues == std::vector<std::uint32_t>{0, 1, 3});
  CHECK(has_note(chemistry, 2, "a second residue at the position of ALA 2 A"));
}

TEST_CASE("perception: an amino acid or a nucleotide behind the end of its chain is a single one") {
  const MadeStructure made = MadeStructure().add("GLY").end_chain().add("GLU").chain("B").add("A");
  const Chemistry chemistry = perceive(made.atoms());
  CHECK_FALSE(has_note(chemistry, 0, "a single"));
  CHECK(has_note(chemistry, 1, "a single amino acid"));
  CHECK_FALSE(has_note(chemistry, 2, "a single"));
}

TEST_CASE("perception: metals at nitrogens of bases that have no hydrogen then") {
  MadeStructure made = MadeStructure().add("U").add("G").add("HG").add("HG");
  made.join(0, "N3", 2, "HG", 2.1).join(1, "N7", 3, "HG", 2.1);
  const Chemistry chemistry = perceive(made.atoms());
  CHECK(has_note(chemistry, 0, "bound to HG 3 A"));
  CHECK_FALSE(has_note(chemistry, 1, "bound to"));
}

TEST_CASE("perception: atoms of a residue that are not together are named as such") {
  MadeStructure made = MadeStructure().add("LYS").bound("GLY").number(1).add_atoms("LYS", {"CD", "CE", "NZ"});
  const Chemistry chemistry = perceive(made.atoms());
  CHECK(has_note(chemistry, 2, "more atoms of a residue above"));
}

TEST_CASE("perception: cysteines and histidines at a heme and at iron and sulfur") {
  MadeStructure made = MadeStructure().add("CYS").add("HIS").add_atoms("HEM", {"FE", "NA", "CAB"});
  made.add("CYS").add_atoms("SF4", {"FE1", "S1"});
  for (const std::uint32_t iron : {made.at(2, "FE"), made.at(4, "FE1")}) made.atoms()[iron].element = "FE";
  made.join(0, "SG", 2, "CAB", 1.8).join(1, "NE2", 2, "FE", 2.0).join(3, "SG", 4, "FE1", 2.3);
  const Chemistry chemistry = perceive(made.atoms());
  CHECK(chemistry.residues[2].role == ResidueRole::cofactor);
  CHECK(chemistry.residues[4].role == ResidueRole::cofactor);
  CHECK(standard_of(chemistry, 0) == "CYX, n_terminal, c_terminal");
  CHECK(has_note(chemistry, 0, "covalent bond to HEM 3 A"));
  CHECK(has_note(chemistry, 1, "bound to HEM 3 A"));
  CHECK(standard_of(chemistry, 3) == "CYM, n_terminal, c_terminal");
  CHECK(has_note(chemistry, 3, "bound to SF4 5 A"));
}
