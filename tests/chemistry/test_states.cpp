// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "chemistry/decided.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Rows = std::vector<std::string>;

void take_out_atoms(MadeStructure& made, int number, const std::vector<std::string>& names) {
  std::erase_if(made.atoms(), [&](const Atom& atom) {
    return atom.residue_number == number &&
           std::find(names.begin(), names.end(), std::string(atom.name.view())) != names.end();
  });
}

MadeStructure peptide_of(const char* residue) {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("GLY", {ChainEnd::n_terminal, {}}).bound(residue).bound("GLY", {{}, ChainEnd::c_terminal});
  return made;
}

Label standard_of(const MadeStructure& made, std::size_t residue = 1) {
  const Chemistry chemistry = perceive(made.atoms());
  return chemistry.residues[residue].standard->name;
}

}  // namespace

TEST_CASE("states: two hydrogens at NZ are those of neutral lysine, whichever of them is missing") {
  CHECK(standard_of(peptide_of("LYS")) == Label("LYS"));
  for (const char* const missing : {"HZ1", "HZ3"}) {
    MadeStructure made = peptide_of("LYS");
    take_out_atoms(made, 2, {missing});
    CAPTURE(std::string(missing));
    CHECK(standard_of(made) == Label("LYN"));
    const DecidedStructure decided = decided_structure(made.atoms());
    CHECK(decided.plan(1).sent_as == Label("LYN"));
    CHECK(decided.rows(1) == Rows{"as LYN (by the hydrogens in the file)"});
  }
}

TEST_CASE("states: where a file has some hydrogens only, those that it lacks decide nothing") {
  const auto standard_without = [](const char* residue, const std::vector<std::string>& absent) {
    MadeStructure made = MadeStructure(MadeStructure::Hydrogens::yes).add(residue);
    std::erase_if(made.atoms(), [&](const Atom& atom) {
      return std::find(absent.begin(), absent.end(), std::string(atom.name.view())) != absent.end();
    });
    return std::string(perceive(made.atoms()).residues[0].standard->name.view());
  };
  CHECK(standard_without("LYS", {"HZ1", "HZ2", "HZ3"}) == "LYS");  // those of carbons and amides
  CHECK(standard_without("LYS", {"HB2", "HB3", "HG2", "HG3"}) == "LYS");
  CHECK(standard_without("LYN", {"HB2", "HB3", "HG2", "HG3"}) == "LYN");
  CHECK(standard_without("CYS", {"HG", "HB2", "HB3"}) == "CYS");
  CHECK(standard_without("CYS", {"HG"}) == "CYM");
  CHECK(standard_without("CYS", {"HG", "H"}) == "CYS");
  CHECK(standard_without("TYR", {"HH", "H"}) == "TYR");
  for (const bool has_hydroxyls : {false, true}) {  // of refinement, which may put none on O and S
    MadeStructure made = MadeStructure(MadeStructure::Hydrogens::yes).add("GLY").bound("CYS").bound("SER");
    std::erase_if(made.atoms(), [&](const Atom& atom) {
      return atom.name == Label("HG") && (atom.residue == Label("CYS") || !has_hydroxyls);
    });
    CHECK(perceive(made.atoms()).residues[1].standard->name == Label(has_hydroxyls ? "CYM" : "CYS"));
  }
  CHECK(standard_without("TYR", {"HH", "HD1", "HD2", "HE1", "HE2", "HB2", "HB3"}) == "TYR");
  CHECK(standard_without("ARG", {"HH11", "HH12", "HH21", "HH22", "HE"}) == "ARG");
  CHECK(standard_without("HID", {"HB2", "HB3", "HD2", "HE1", "HA"}) == "HID");
}

TEST_CASE("states: hydrogens of carboxylates, histidines and cysteines in the file decide") {
  for (const auto& [state, name] :
       {std::pair("ASH", "ASP"), std::pair("GLH", "GLU"), std::pair("HID", "HIS"), std::pair("HIE", "HIS"),
        std::pair("HIP", "HIS"), std::pair("CYM", "CYS")}) {
    MadeStructure made = peptide_of(state);
    for (Atom& atom : made.atoms())
      if (atom.residue_number == 2) atom.residue = name;
    CAPTURE(std::string(state));
    if (state != std::string("HIE"))
      CHECK(standard_of(made) == Label(state));  // the table's HIS has its proton
    CHECK(decided_structure(made.atoms()).plan(1).sent_as == Label(state));
  }
  for (const auto& [acid, hydrogen, state] :
       {std::tuple("ASP", "HD1", "ASH"), std::tuple("GLU", "HE1", "GLH")}) {
    MadeStructure made = peptide_of(acid);
    Atom proton = made.atoms()[made.at(1, "HA")];
    proton.name = hydrogen;
    proton.position_A.y += 9.0;
    made.atoms().insert(made.atoms().begin() + made.at(1, "HA"), proton);
    CAPTURE(std::string(acid));
    CHECK(standard_of(made) == Label(state));
  }
}

TEST_CASE(
    "states: a cysteine whose metal does not act is protonated, and so is one with its hydrogen in the "
    "file") {
  MadeStructure made;
  made.add("CYS").chain("B").add("ZN").join(0, "SG", 1, "ZN", 2.3);
  const DecidedStructure bound = decided_structure(made.atoms());
  CHECK(bound.plan(0).sent_as == Label("CYM"));
  CHECK(bound.rows(0) == Rows{"deprotonated (CYM) (SG is 2.30 A from ZN 1 B)"});
  for (const DecidedStructure& freed :
       {decided_structure(made.atoms(), {}, {1}),
        decided_structure(made.atoms(), {.crystal_ions = CrystalIons::ignore})}) {
    CHECK(freed.plan(0).sent_as.empty());
    CHECK(freed.rows(0) == Rows{"protonated (CYS) (the metal at its SG is ignored)"});
  }
  made.chain("C").add("HG").join(0, "SG", 2, "HG", 2.4);  // one of two metals acts
  CHECK(decided_structure(made.atoms(), {}, {1}).plan(0).sent_as == Label("CYM"));

  MadeStructure thiol = peptide_of("CYS");
  thiol.chain("B").add("ZN").join(1, "SG", 3, "ZN", 2.3);
  const DecidedStructure kept = decided_structure(thiol.atoms());
  CHECK(kept.plan(1).sent_as.empty());
  CHECK(kept.rows(1) == Rows{"protonated (CYS) (its HG is in the file, although SG is 2.30 A from ZN 1 B)"});
}

TEST_CASE("states: a cysteine whose partner is ignored gets its proton back") {
  MadeStructure made;
  made.add("CYX").chain("B").add("CYX").join(0, "SG", 1, "SG", 2.05);
  for (Atom& atom : made.atoms()) atom.residue = "CYS";
  CHECK(decided_structure(made.atoms()).plan(0).sent_as == Label("CYX"));
  CHECK(decided_structure(made.atoms()).rows(0).at(0).starts_with("disulfide bond to CYS 1 B"));
  const DecidedStructure freed = decided_structure(made.atoms(), {}, {1});
  CHECK(freed.plan(0).sent_as == Label("CYS"));
  CHECK(freed.rows(0) == Rows{"protonated (CYS) (CYS 1 B, which its SG is bound to, is ignored)"});
}

TEST_CASE("states: an atom of the backbone at the metal hides none of the side chain") {
  MadeStructure made;
  made.add("HIS").chain("B").add("CU").join(1, "CU", 0, "N", 2.0).join(1, "CU", 0, "ND1", -2.0);
  CHECK(decided_structure(made.atoms()).plan(0).sent_as == Label("HIE"));
  MadeStructure cysteine;
  cysteine.add("CYS").chain("B").add("ZN").chain("C").add("MG");
  cysteine.join(0, "SG", 1, "ZN", 2.3).join(0, "O", 2, "MG", 2.1);
  CHECK(decided_structure(cysteine.atoms(), {}, {1}).rows(0) ==
        Rows{"protonated (CYS) (the metal at its SG is ignored)"});
}

TEST_CASE("states: alkali and alkaline earth metals leave a cysteine its proton") {
  for (const char* const metal : {"NA", "MG", "ZN"}) {
    MadeStructure made;
    made.add("CYS").chain("B").add(metal).join(0, "SG", 1, metal, 2.6);
    CHECK(perceive(made.atoms()).residues[0].standard->name ==
          Label(std::string_view(metal) == "ZN" ? "CYM" : "CYS"));
    if (std::string_view(metal) != "ZN") CHECK(decided_structure(made.atoms()).rows(0).empty());
  }
}

TEST_CASE("states: a lysine at a metal stays NH3+, and the table says so") {
  MadeStructure made;
  made.add("LYS").chain("B").add("ZN").join(0, "NZ", 1, "ZN", 2.1);
  const DecidedStructure decided = decided_structure(made.atoms());
  const Rows rows = decided.rows(0);
  CHECK(std::find(rows.begin(), rows.end(),
                  "stays NH3+ although it binds a metal (NZ is 2.10 A from ZN 1 B; with the name LYN in the "
                  "file it would be neutral)") != rows.end());
  for (Atom& atom : made.atoms())
    if (atom.residue == Label("LYS")) atom.residue = "LYN";
  for (const std::string& row : decided_structure(made.atoms()).rows(0))
    CHECK(row.find("stays NH3+") == row.npos);
}

TEST_CASE("states: what force fields lack at metals is told: tyrosinate, and histidine between two") {
  MadeStructure tyrosine;
  tyrosine.add("TYR").chain("B").add("FE").join(0, "OH", 1, "FE", 1.9);
  CHECK(decided_structure(tyrosine.atoms()).rows(0) ==
        Rows{"keeps its HH although it binds a metal (OH is 1.90 A from FE 1 B; without it, it would have -1 "
             "e)"});
  tyrosine.join(0, "OH", 1, "FE", 2.4);
  CHECK(decided_structure(tyrosine.atoms()).rows(0).empty());

  MadeStructure bridge;
  bridge.add("HIS").chain("B").add("ZN").chain("C").add("CU");
  bridge.join(0, "NE2", 1, "ZN", 2.05).join(0, "ND1", 2, "CU", -2.05);
  const DecidedStructure decided = decided_structure(bridge.atoms());
  CHECK(decided.plan(0).sent_as == Label("HID"));
  const Rows rows = decided.rows(0);
  CHECK(std::find(
            rows.begin(), rows.end(),
            "keeps one proton (HID) between two metals (ND1 is 2.05 A from CU 1 C, too; as imidazolate it "
            "would have -1 e, and no proton there)") != rows.end());
  for (const std::string& row : decided_structure(bridge.atoms(), {}, {2}).rows(0))
    CHECK(row.find("between two metals") == row.npos);
  MadeStructure given = peptide_of("HIE");  // one metal, at the nitrogen whose hydrogen is in the file
  for (Atom& atom : given.atoms())
    if (atom.residue == Label("HIE")) atom.residue = "HIS";
  given.chain("B").add("ZN").join(1, "NE2", 3, "ZN", 2.05);
  for (const std::string& row : decided_structure(given.atoms()).rows(1))
    CHECK(row.find("between two metals") == row.npos);
}

TEST_CASE("states: of two positions of one ion the first in the file stays") {
  const auto decided = [](const char* first, const char* second, double distance_A) {
    MadeStructure made;
    made.add(first).chain("B").add(second).join(0, first, 1, second, distance_A);
    return decided_structure(made.atoms());
  };
  const DecidedStructure twice = decided("MG", "MG", -1.04);
  CHECK(twice.plan(0).fate == ResidueFate::ion);
  REQUIRE(twice.plan(1).fate == ResidueFate::removed);
  CHECK(twice.rows(1).back() ==
        "ion left out (it is 1.04 A from MG 1 A, and both cannot be there at a time)");
  MadeStructure zincs;
  zincs.add("ZN").chain("B").add("ZN").chain("C").add("HIS");
  zincs.join(0, "ZN", 1, "ZN", 1.8).join(1, "ZN", 2, "ND1", 2.0);
  CHECK(decided_structure(zincs.atoms()).plan(2).sent_as.empty());  // what is left out decides nothing
  CHECK(decided_structure(zincs.atoms(), {}, {0}).plan(2).sent_as == Label("HIE"));
  zincs.chain("D").add("CYS").join(1, "ZN", 3, "SG", 2.3);
  CHECK(decided_structure(zincs.atoms()).plan(3).sent_as == Label("CYS"));
  CHECK(decided_structure(zincs.atoms()).rows(3) ==
        Rows{"protonated (CYS) (the metal at its SG is left out)"});
  CHECK(decided_structure(zincs.atoms(), {}, {0}).plan(3).sent_as == Label("CYM"));
  CHECK(decided("MG", "K", 0.3).plan(1).fate == ResidueFate::removed);
  CHECK(decided("ZN", "ZN", 2.4).plan(1).fate == ResidueFate::ion);
  CHECK(decided("ZN", "CL", 1.9).plan(1).fate == ResidueFate::ion);
  CHECK(decided("ZN", "CL", 0.9).plan(1).fate == ResidueFate::removed);
}

TEST_CASE("states: a histidine keeps its tautomer free where its metal does not act") {
  MadeStructure made;
  made.add("HIS").chain("B").add("ZN").join(0, "ND1", 1, "ZN", 2.1);
  CHECK(decided_structure(made.atoms()).plan(0).sent_as == Label("HIE"));
  CHECK(decided_structure(made.atoms(), {}, {1}).plan(0).sent_as.empty());
  made.join(0, "ND1", 1, "ZN", 2.68);  // as at cadmium in 4V9F
  CHECK(decided_structure(made.atoms()).plan(0).sent_as == Label("HIE"));
  made.join(0, "ND1", 1, "ZN", 2.85);
  CHECK(decided_structure(made.atoms()).plan(0).sent_as.empty());
}

TEST_CASE(
    "states: the first proline's hydrogens have several names, and one of them alone is a neutral end's") {
  using Names = std::vector<const char*>;
  for (const Names& names : {Names{"H1", "H2"}, {"H2", "H3"}, {"HT1", "HT2"}, {"HN1", "HN2"}, {"1H", "2H"}}) {
    CAPTURE(std::string(names[0]));
    MadeStructure made(MadeStructure::Hydrogens::yes);
    made.add("PRO", {ChainEnd::n_terminal, {}}).bound("GLY", {{}, ChainEnd::c_terminal});
    const std::uint32_t second = made.at(0, "H3"), first = made.at(0, "H2");
    made.atoms()[first].name = names[0];
    made.atoms()[second].name = names[1];
    CHECK(decided_structure(made.atoms()).rows(0).empty());
    const Chemistry chemistry = perceive(made.atoms());
    CHECK(chemistry.residues[0].standard->ends.first == ChainEnd::n_terminal);
    CHECK(std::count(chemistry.found_atoms.begin(), chemistry.found_atoms.end(), Chemistry::no_atom) == 0);
    made.atoms().erase(made.atoms().begin() + second);
    made.atoms()[first].name = "H1";
    CHECK(perceive(made.atoms()).residues[0].standard->ends.first == ChainEnd::n_terminal_neutral);
  }
}

TEST_CASE("states: an amino acid alone has both ends under CHARMM's names of its oxygens, too") {
  MadeStructure made;
  made.add("SER", {{}, ChainEnd::c_terminal});
  made.atoms()[made.at(0, "O")].name = "OT1";
  made.atoms()[made.at(0, "OXT")].name = "OT2";
  const DecidedStructure decided = decided_structure(made.atoms());
  CHECK(decided.plan(0).fate == ResidueFate::made);
  REQUIRE(decided.plan(0).goal != nullptr);
  CHECK(decided.plan(0).goal->ends == ChainEnds{ChainEnd::n_terminal, ChainEnd::c_terminal});
}

TEST_CASE("states: ends that are neutral by their hydrogens become charged, and rows say so") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("ALA", {ChainEnd::n_terminal_neutral, {}}).bound("ALA", {{}, ChainEnd::c_terminal_neutral});
  const DecidedStructure decided = decided_structure(made.atoms());
  CHECK(decided.rows(0) == Rows{"begins with NH3+ (the hydrogens in the file are those of a neutral end, "
                                "which the force field does not have)"});
  CHECK(decided.rows(1) == Rows{"ends with COO- (the hydrogen in the file is that of a neutral end, which "
                                "the force field does not have)"});
}

TEST_CASE("states: inosine becomes guanosine with --replace-nonstandard, in RNA and in DNA") {
  for (const auto& [name, parent] : {std::pair("I", "G"), std::pair("DI", "DG")}) {
    MadeStructure made;
    made.add(name).bound(name).bound(name, {{}, ChainEnd::three_hydroxyl});
    CAPTURE(std::string(name));
    const DecidedStructure kept = decided_structure(made.atoms());
    CHECK(kept.plan(1).fate == ResidueFate::made);
    const DecidedStructure replaced = decided_structure(made.atoms(), {.replace_nonstandard = true});
    CHECK(replaced.plan(1).fate == ResidueFate::sent);
    CHECK(replaced.plan(1).sent_as == Label(parent));
  }
}

TEST_CASE("states: a phosphate that is bound to O2' is removed for want of parameters, and the row says so") {
  MadeStructure made = MadeStructure().add("A").add("A");
  made.join(0, "O2'", 1, "P", 1.6);
  const DecidedStructure decided = decided_structure(made.atoms());
  CHECK(decided.rows(0).front() ==
        "its 5' phosphate is removed, so it begins with a hydroxyl (nothing is bound to that phosphate)");
  CHECK(decided.rows(1).front() ==
        "its 5' phosphate is removed, so it begins with a hydroxyl (P is bound to O2' of A 1 A, for which "
        "there "
        "are no parameters)");
}
