// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "chemistry/made_structure.hpp"
#include "chemistry/perceived_notes.hpp"
#include "chemistry/perception/chemistry.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Hydrogens = MadeStructure::Hydrogens;

}  // namespace

TEST_CASE("perception: a peptide is one piece with both ends, bonds of templates and between neighbours") {
  const MadeStructure made = MadeStructure().add("ALA").bound("GLU").bound("GLY", {{}, ChainEnd::c_terminal});
  const Chemistry chemistry = perceive(made.atoms());
  REQUIRE(chemistry.pieces.size() == 1);
  CHECK(chemistry.pieces[0].residues == std::vector<std::uint32_t>{0, 1, 2});
  CHECK_FALSE(chemistry.pieces[0].is_ring);
  CHECK(standard_of(chemistry, 0) == "ALA, n_terminal");
  CHECK(standard_of(chemistry, 1) == "GLU");
  CHECK(standard_of(chemistry, 2) == "GLY, c_terminal");
  CHECK(chemistry.standard_charge_e() == -1);
  CHECK(chemistry.bonds.size() == 4 + 8 + 4 + 2);
  CHECK(is_bonded(chemistry, made.at(0, "C"), made.at(1, "N")));
  CHECK(is_bonded(chemistry, made.at(1, "CD"), made.at(1, "OE2")));
  CHECK(std::is_sorted(chemistry.bonds.begin(), chemistry.bonds.end()));
  CHECK(notes_of(chemistry, 1).empty());
  CHECK(chemistry.gaps.empty());
}

TEST_CASE("perception: a gap makes two pieces, and says what is missing") {
  const MadeStructure made =
      MadeStructure().add("GLY").bound("ALA").number(6).add("SER").bound("GLY", {{}, ChainEnd::c_terminal});
  EntryRecords records;
  records.sequences = {{"A", {"MET", "GLY", "ALA", "TRP", "TYR", "THR", "SER", "GLY"}}};
  SUBCASE("by SEQRES") {
    const Chemistry chemistry = perceive(made.atoms(), records);
    REQUIRE(chemistry.gaps.size() == 1);
    CHECK(chemistry.gaps[0].missing == std::vector<Label>{"TRP", "TYR", "THR"});
  }
  SUBCASE("by SEQRES, where the same residues come twice") {
    records.sequences = {{"A", {"GLY", "ALA", "SER", "GLY", "ALA", "TRP", "TYR", "THR", "SER", "GLY"}}};
    const Chemistry chemistry = perceive(made.atoms(), records);
    REQUIRE(chemistry.gaps.size() == 1);
    CHECK(chemistry.gaps[0].missing == std::vector<Label>{"TRP", "TYR", "THR"});
    records.missing = {{{"B", 4}, "LEU"}};  // the entry says what is missing, and here nothing
    CHECK(perceive(made.atoms(), records).gaps[0].missing.empty());
  }
  SUBCASE("by REMARK 465") {
    records.missing = {{{"A", 4}, "VAL"}, {{"B", 4}, "LEU"}, {{"A", 9}, "ILE"}};
    const Chemistry chemistry = perceive(made.atoms(), records);
    REQUIRE(chemistry.gaps.size() == 1);
    CHECK(chemistry.gaps[0].missing == std::vector<Label>{"VAL"});
  }
  SUBCASE("by distance alone") {
    const Chemistry chemistry = perceive(made.atoms());
    REQUIRE(chemistry.pieces.size() == 2);
    REQUIRE(chemistry.gaps.size() == 1);
    CHECK(chemistry.gaps[0].before == 1);
    CHECK(chemistry.gaps[0].after == 2);
    CHECK(chemistry.gaps[0].distance_A > 15.0);
    CHECK(chemistry.gaps[0].missing.empty());
    CHECK(has_note(chemistry, 2, "a gap after ALA 2 A"));
    CHECK(standard_of(chemistry, 1) == "ALA, c_terminal");
    CHECK(standard_of(chemistry, 2) == "SER, n_terminal");
    CHECK_FALSE(is_bonded(chemistry, made.at(1, "C"), made.at(2, "N")));
  }
}

TEST_CASE("perception: another chain is no gap") {
  const auto gaps = [](const MadeStructure& made) { return perceive(made.atoms()).gaps.size(); };
  CHECK(gaps(MadeStructure().add("GLY").end_chain().add("ALA")) == 0);
  CHECK(gaps(MadeStructure().add("GLY").chain("B", 2).add("ALA")) == 0);
  CHECK(gaps(MadeStructure().number(7).add("GLY").number(3).add("ALA")) == 0);
  CHECK(gaps(MadeStructure().add("GLY").add("ALA")) == 1);
  CHECK(gaps(MadeStructure().number(-1).add("GLY").add("ALA")) == 1);
  CHECK(gaps(MadeStructure().number(3, 'A').add("GLY").number(3, 'B').add("ALA")) == 1);
}

TEST_CASE("perception: residues that are bound are one piece, whatever their numbers") {
  const MadeStructure made =
      MadeStructure().number(-1).add("GLY").number(27, 'A').bound("GLY").number(27, 'B').bound("ALA");
  CHECK(perceive(made.atoms()).pieces.size() == 1);
  MadeStructure stretched = MadeStructure().add("G").bound("A");
  stretched.join(0, "O3'", 1, "P", 2.3);
  const Chemistry chemistry = perceive(stretched.atoms());
  CHECK(chemistry.pieces.size() == 1);
  CHECK(has_note(chemistry, 1, "its bond to G 1 A is 2.30 A long"));
  stretched.join(0, "O3'", 1, "P", 2.6);
  CHECK(perceive(stretched.atoms()).pieces.size() == 2);
}

TEST_CASE("perception: a peptide bond joins residues of two chain identifiers, also across a TER") {
  for (const bool has_ter : {false, true}) {
    MadeStructure made;
    made.add("GLY").bound("ALA");
    if (has_ter) made.end_chain();
    made.chain("B", 7).bound("SER").bound("GLY", {{}, ChainEnd::c_terminal});
    const Chemistry chemistry = perceive(made.atoms());
    CAPTURE(has_ter);
    REQUIRE(chemistry.pieces.size() == 1);
    CHECK(chemistry.pieces[0].residues.size() == 4);
    CHECK(chemistry.gaps.empty());
    CHECK(chemistry.residues[1].standard->ends == ChainEnds{});
    CHECK(chemistry.residues[2].standard->ends == ChainEnds{});
  }
}

TEST_CASE("perception: a cyclic peptide stays closed") {
  MadeStructure made = MadeStructure().add("GLY").bound("ALA").bound("LYS");
  made.join(0, "N", 2, "C", 1.33);
  const Chemistry chemistry = perceive(made.atoms());
  REQUIRE(chemistry.pieces.size() == 1);
  CHECK(chemistry.pieces[0].is_ring);
  CHECK(chemistry.pieces[0].residues.size() == 3);
  CHECK(chemistry.standard_charge_e() == 1);
  CHECK(standard_of(chemistry, 0) == "GLY");
  CHECK(is_bonded(chemistry, made.at(2, "C"), made.at(0, "N")));
}

TEST_CASE("perception: caps are the ends of their peptide") {
  const MadeStructure made = MadeStructure().add("ACE").bound("ALA").bound("NME");
  const Chemistry chemistry = perceive(made.atoms());
  REQUIRE(chemistry.pieces.size() == 1);
  CHECK(chemistry.pieces[0].residues.size() == 3);
  CHECK(standard_of(chemistry, 0) == "ACE");
  CHECK(standard_of(chemistry, 1) == "ALA");
  CHECK(standard_of(chemistry, 2) == "NME");
  CHECK(chemistry.counts[std::size_t(ResidueRole::cap)] == 2);
}

TEST_CASE("perception: of three cysteines the nearer two have a disulfide, and it is said") {
  MadeStructure made = MadeStructure().add("CYS").add("CYS").add("CYS");
  made.join(0, "SG", 1, "SG", 2.3).join(0, "SG", 2, "SG", -2.05);
  const Chemistry chemistry = perceive(made.atoms());
  REQUIRE(chemistry.links.size() == 1);
  CHECK(chemistry.links[0].kind == LinkKind::disulfide);
  CHECK(chemistry.links[0].first == made.at(0, "SG"));
  CHECK(chemistry.links[0].second == made.at(2, "SG"));
  CHECK_FALSE(chemistry.links[0].is_recorded);
  CHECK(has_note(chemistry, 1, "no disulfide with CYS 1 A"));
  CHECK(chemistry.residues[0].standard->name == Label("CYX"));
  CHECK(chemistry.residues[1].standard->name == Label("CYS"));
  CHECK(is_bonded(chemistry, made.at(0, "SG"), made.at(2, "SG")));
}

TEST_CASE("perception: records confirm bonds, add longer ones, and are refused when they lead nowhere") {
  MadeStructure made = MadeStructure().add("CYS").add("CYS").add("CYS");
  made.join(0, "SG", 1, "SG", 2.05);
  EntryRecords records;
  records.bonds = {{{"A", 1}, {"A", 2}, "SG", "SG"}};
  CHECK(perceive(made.atoms(), records).links.at(0).is_recorded);
  made.join(0, "SG", 1, "SG", 2.7);
  CHECK(perceive(made.atoms()).links.empty());
  CHECK(perceive(made.atoms(), records).links.at(0).kind == LinkKind::disulfide);
  records.bonds = {{{"A", 1}, {"A", 3}, "SG", "SG"}};
  Chemistry chemistry = perceive(made.atoms(), records);
  CHECK(chemistry.links.empty());
  CHECK(has_note(chemistry, 0, "the recorded bond of SG and CYS 3 A SG is not made"));
  records.bonds = {{{"A", 1}, {"A", 2}, "SG", "SG", true}};
  chemistry = perceive(made.atoms(), records);
  CHECK(chemistry.links.empty());
  CHECK(has_note(chemistry, 0, "the recorded bond of SG and CYS 2 A SG is not made"));
  records.bonds = {{{"A", 1}, {"X", 2}, "SG", "SG"}, {{"A", 1}, {"A", 2}, "XX", "SG"}};
  CHECK(perceive(made.atoms(), records).links.empty());
}

TEST_CASE(
    "perception: isopeptides, sugars, ligands that are bound, and residues with a backbone of their own") {
  MadeStructure made = MadeStructure().add("LYS").add("GLN").add("ASN").add("LYS");
  made.join(0, "NZ", 1, "CD", 1.35);
  made.add_atoms("NAG", {"C1", "C2", "O5"}).join(2, "ND2", 4, "C1", 1.45);
  made.add_atoms("RET", {"C15", "C14"}).join(3, "NZ", 5, "C15", 1.33);
  const Chemistry chemistry = perceive(made.atoms());
  REQUIRE(chemistry.links.size() == 3);
  CHECK(chemistry.links[0].kind == LinkKind::isopeptide);
  CHECK(chemistry.links[1].kind == LinkKind::glycosidic);
  CHECK(chemistry.links[2].kind == LinkKind::other);
  CHECK(chemistry.residues[4].role == ResidueRole::sugar);
  CHECK(chemistry.residues[5].role == ResidueRole::cofactor);

  MadeStructure chromophore = MadeStructure().add("PHE");
  chromophore.add_atoms("CRO", {"N1", "CA1", "C3", "O3"}).join(0, "C", 1, "N1", 1.33);
  chromophore.add("VAL").join(2, "N", 1, "C3", 1.33);
  const Chemistry protein = perceive(chromophore.atoms());
  REQUIRE(protein.pieces.size() == 1);
  CHECK(protein.pieces[0].residues.size() == 3);
  CHECK(protein.residues[1].role == ResidueRole::amino_acid);
  CHECK(protein.residues[1].standard == nullptr);
  CHECK(has_note(protein, 1, "modified amino acid"));
  CHECK(protein.links.empty());
}

TEST_CASE("perception: bonds of what has no template come from distances and CONECT") {
  MadeStructure made = MadeStructure().add_atoms("LIG", {"C1", "C2", "O3", "H4"});
  made.join(0, "C1", 0, "C2", 1.5).join(0, "C1", 0, "O3", -1.4).join(0, "C1", 0, "H4", -2.8);
  Chemistry chemistry = perceive(made.atoms());
  CHECK(chemistry.bonds == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {0, 2}});
  EntryRecords records;
  records.connected_atoms = {{3, 0}, {0, 3}, {0, 99}, {2, 2}};
  chemistry = perceive(made.atoms(), records);
  CHECK(chemistry.bonds == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {0, 2}, {0, 3}});
  CHECK(chemistry.residues[0].role == ResidueRole::ligand);
}

TEST_CASE("perception: cysteines at a metal are deprotonated") {
  MadeStructure made = MadeStructure().add("CYS").add("CYS").add("HIS").add("ZN").add("MG").add("HOH");
  made.join(3, "ZN", 0, "SG", 2.3).join(3, "ZN", 1, "SG", -2.6).join(4, "MG", 5, "O", 2.07);
  made.atoms()[made.at(2, "NE2")].position_A =
      made.atoms()[made.at(3, "ZN")].position_A + Vec3<double>{0.0, 2.1, 0.0};
  const Chemistry chemistry = perceive(made.atoms());
  REQUIRE(chemistry.metals.size() == 2);
  CHECK(chemistry.metals[0].ligands ==
        std::vector<std::uint32_t>{made.at(0, "SG"), made.at(1, "SG"), made.at(2, "NE2")});
  CHECK(chemistry.metals[1].ligands == std::vector<std::uint32_t>{made.at(5, "O")});
  CHECK(chemistry.residues[0].standard->name == Label("CYM"));
  CHECK(chemistry.residues[1].standard->name == Label("CYM"));
  CHECK(has_note(chemistry, 2, "bound to ZN 4 A"));
  MadeStructure farther = made;
  farther.join(3, "ZN", 1, "SG", -2.86);  // as of cadmium in a ribosome
  CHECK(perceive(farther.atoms()).residues[1].standard->name == Label("CYM"));
  farther.join(3, "ZN", 1, "SG", -3.0);
  CHECK(perceive(farther.atoms()).residues[1].standard->name == Label("CYS"));
}

TEST_CASE("perception: nucleic acids begin and end as they are, with a 5' hydroxyl as the standard") {
  const MadeStructure made = MadeStructure().add("G").bound("PSU").bound("DC").bound("U");
  const Chemistry chemistry = perceive(made.atoms());
  REQUIRE(chemistry.pieces.size() == 1);
  CHECK(standard_of(chemistry, 0) == "G, five_hydroxyl");
  CHECK(standard_of(chemistry, 3) == "U, three_hydroxyl");
  CHECK(chemistry.standard_charge_e() == -3);
  CHECK(has_note(chemistry, 0, "begins with a phosphate"));
  CHECK(has_note(chemistry, 1, "modified nucleotide, made from U"));
  CHECK(has_note(chemistry, 2, "a deoxyribonucleotide in RNA"));
  CHECK(notes_of(chemistry, 3).empty());

  const MadeStructure begun = MadeStructure().add("GTP").bound("C").bound("CCC");
  const Chemistry cyclic = perceive(begun.atoms());
  CHECK(standard_of(cyclic, 0) == "GTP");
  CHECK(standard_of(cyclic, 2) == "CCC");
  CHECK(cyclic.standard_charge_e() == -7);
  const Chemistry alone = perceive(MadeStructure().add("GTP").atoms());
  CHECK(alone.residues[0].role == ResidueRole::ligand);
  CHECK(alone.pieces.empty());
}

TEST_CASE("perception: adenine is a ligand, though CHARMM calls a nucleotide so") {
  const Chemistry chemistry = perceive(
      MadeStructure().add_atoms("ADE", {"N9", "C8", "N7", "C5", "C6", "N6", "N1", "C2", "N3", "C4"}).atoms());
  CHECK(chemistry.residues[0].role == ResidueRole::ligand);
  CHECK(chemistry.residues[0].found == nullptr);
}

TEST_CASE("perception: hydrogens of the file decide about protonation") {
  const MadeStructure made =
      MadeStructure(Hydrogens::yes).add("ASH").add("HID").add("LYN").add("TYR").add("CYM");
  const Chemistry chemistry = perceive(made.atoms());
  const std::vector<std::string> names = {"ASH", "HID", "LYN", "TYR", "CYM"};
  for (std::uint32_t n = 0; n < names.size(); ++n) {
    CHECK(chemistry.residues[n].standard->name.view() == names[n]);
    CHECK(has_note(chemistry, n, "as " + names[n]) == (names[n] != "TYR"));
  }
}

TEST_CASE("perception: without hydrogens the name decides about protonation") {
  MadeStructure made;
  for (const char* const name : {"ASP", "GLU", "LYS", "CYS", "HIS", "HIS", "HIS"}) made.add(name);
  const std::vector<std::string> names = {"ASH", "GLH", "LYN", "CYM", "HIP", "HSP", "HSD"},
                                 found = {"ASH", "GLH", "LYN", "CYM", "HIP", "HIP", "HID"};
  const Chemistry plain = perceive(made.atoms());
  for (std::uint32_t n = 0; n < names.size(); ++n)
    for (std::uint32_t a = plain.residues[n].begin; a < plain.residues[n].end; ++a)
      made.atoms()[a].residue = Label(names[n]);
  const Chemistry chemistry = perceive(made.atoms());
  for (std::uint32_t n = 0; n < names.size(); ++n) {
    CAPTURE(names[n]);
    CHECK(plain.residues[n].standard->name == plain.residues[n].standard->residue);
    CHECK(chemistry.residues[n].standard->name.view() == found[n]);
    CHECK(has_note(chemistry, n, "as " + found[n]));
  }
}

TEST_CASE("perception: deuterium is hydrogen") {
  MadeStructure made = MadeStructure(Hydrogens::yes).add("ALA").add("DOD");
  for (Atom& atom : made.atoms())
    if (atom.name == Label("H")) {
      atom.name = "D";
      atom.element = "D";
    }
  const Chemistry chemistry = perceive(made.atoms());
  CHECK(is_bonded(chemistry, made.at(0, "N"), made.at(0, "D")));
  CHECK(notes_of(chemistry, 0).empty());
  CHECK(chemistry.residues[1].role == ResidueRole::water);
}

TEST_CASE("perception: what residues are") {
  MadeStructure made;
  made.add("HOH").add("MG").add("SO4").add("NCO");
  made.add_atoms("GOL", {"C1", "O1", "C2"}).add_atoms("HEM", {"NA", "C1A"}).add_atoms("MAN", {"C1", "O5"});
  made.add_atoms("POPC", {"C31", "C32"})
      .add_atoms("LIG", {"C1", "C2"})
      .add_atoms("UNK", {"N", "CA", "C", "O"});
  made.add_atoms("CSO", {"N", "CA", "C", "O", "CB", "SG", "OD"}).add_atoms("LCG", {"O3'", "C1'", "C4'"});
  const Chemistry chemistry = perceive(made.atoms());
  using enum ResidueRole;
  const std::vector<ResidueRole> roles = {water,    ion,   additive, ion,   additive,
                                          cofactor, sugar, lipid,    ligand};
  for (std::uint32_t n = 0; n < roles.size(); ++n) {
    CAPTURE(n);
    CHECK(chemistry.residues[n].role == roles[n]);
  }
  CHECK(has_note(chemistry, 9, "not identified in the entry"));
  CHECK(has_note(chemistry, 10, "ligand"));  // by itself, and not in a chain
  CHECK(has_note(chemistry, 11, "ligand"));
  CHECK(notes_of(chemistry, 0).empty());
  CHECK(notes_of(chemistry, 1).empty());
}

TEST_CASE("perception: chains of CA or P atoms, and Martini's, are beads") {
  MadeStructure made;
  made.add_atoms("ALA", {"CA"})
      .add_atoms("GLY", {"CA"})
      .chain("B")
      .add_atoms("G", {"P"})
      .chain("C")
      .add_atoms("LYS", {"BB", "SC1", "SC2"});
  const Chemistry chemistry = perceive(made.atoms());
  CHECK(chemistry.counts[std::size_t(ResidueRole::bead)] == 4);
  CHECK(chemistry.pieces.empty());
  CHECK(chemistry.bonds.empty());
  CHECK(notes_of(chemistry, 0) == std::vector<std::string>{"2 beads"});
  CHECK(notes_of(chemistry, 1).empty());
  CHECK(notes_of(chemistry, 2) == std::vector<std::string>{"1 bead"});
  // The ion is no bead.
  CHECK(perceive(MadeStructure().add("CA").atoms()).residues[0].role == ResidueRole::ion);
}

TEST_CASE("perception: two residues at one place, atoms that are missing or unknown, and the wrong hand") {
  MadeStructure made = MadeStructure().number(5).add("SER").number(5).add("ALA");
  CHECK(has_note(perceive(made.atoms()), 1, "a second residue at the position of SER 5 A"));

  MadeStructure lysine = MadeStructure().add("LYS");
  std::erase_if(lysine.atoms(),
                [](const Atom& atom) { return atom.name == Label("CE") || atom.name == Label("NZ"); });
  CHECK(notes_of(perceive(lysine.atoms()), 0) == std::vector<std::string>{"lacks CE NZ"});
  lysine.atoms()[0].name = "XX";
  CHECK(has_note(perceive(lysine.atoms()), 0, "has atoms that LYS does not: XX"));

  MadeStructure alanine = MadeStructure().add("ALA");
  const auto move = [&](const char* name, Vec3<double> p) {
    alanine.atoms()[alanine.at(0, name)].position_A = p;
  };
  move("CA", {0, 0, 0});
  move("N", {-0.5, 1.36, 0});
  move("C", {1.5, 0, 0});
  move("CB", {-0.5, -0.8, -1.2});
  CHECK_FALSE(has_note(perceive(alanine.atoms()), 0, "a D-amino acid"));
  move("CB", {-0.5, -0.8, 1.2});
  CHECK(has_note(perceive(alanine.atoms()), 0, "a D-amino acid"));
}

TEST_CASE("perception: MODRES says what a residue without a template was made from") {
  MadeStructure made = MadeStructure().add("GLY");
  made.add_atoms("MLZ", {"N", "CA", "C", "O"}).join(0, "C", 1, "N", 1.33);
  EntryRecords records;
  records.modifications = {{{"A", 2}, "LYS"}, {{"Q", 2}, "ALA"}};
  const Chemistry chemistry = perceive(made.atoms(), records);
  const auto note = std::find_if(chemistry.notes.begin(), chemistry.notes.end(),
                                 [](const auto& n) { return n.residue == 1; });
  REQUIRE(note != chemistry.notes.end());
  CHECK(note->why == "the table of residues has no MLZ; the entry states that it was LYS");
}

TEST_CASE("perception: nothing, one atom, and a crowd in one place have a chemistry") {
  CHECK(perceive({}).residues.empty());
  CHECK(perceive(MadeStructure().add("MG").atoms()).standard_charge_e() == 2);
  MadeStructure made;
  for (int n = 0; n < 2000; ++n) made.add("CYS");
  for (Atom& atom : made.atoms()) atom.position_A = {};
  const Chemistry chemistry = perceive(made.atoms());
  CHECK(chemistry.residues.size() == 2000);
  CHECK(chemistry.links.empty());
}
