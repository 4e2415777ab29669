// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "chemistry/decided.hpp"
#include "chemistry/decisions/residue_selection.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Rows = std::vector<std::string>;

/// Leaves only these atoms of a residue.
void keep_only(MadeStructure& made, int number, const std::vector<std::string>& names) {
  std::erase_if(made.atoms(), [&](const Atom& atom) {
    return atom.residue_number == number &&
           std::find(names.begin(), names.end(), std::string(atom.name.view())) == names.end();
  });
}

/// A peptide, and its copy in the same places.
MadeStructure twice(const char* other_chain) {
  MadeStructure made;
  made.add("GLY").bound("ALA").bound("SER", {{}, ChainEnd::c_terminal}).end_chain();
  std::vector<Atom> copy = made.atoms();
  for (Atom& atom : copy) atom.chain = other_chain;
  made.atoms().insert(made.atoms().end(), copy.begin(), copy.end());
  return made;
}

}  // namespace

TEST_CASE("refused residues: of too few atoms, with what they lack, before PDB2PQR runs") {
  MadeStructure made;
  made.add("GLY").bound("PHE").bound("PHE").bound("GLY", {{}, ChainEnd::c_terminal});
  keep_only(made, 2, {"N", "CA"});
  const DecidedStructure decided = decided_structure(made.atoms());
  CHECK(decided.plan(1).fate == ResidueFate::refused);
  CHECK(decided.plan(1).lacks.size() == 10);  // 9 of 11, and the OXT of an end
  CHECK(decided.plan(2).fate == ResidueFate::sent);
  const ChemistryDecision row = refusal_row(made.atoms(), decided.chemistry, decided.decisions, 1);
  CHECK(row.what == "incomplete: the run stops");
  CHECK(row.why == "lacks C O CB CG CD1 CD2 and 4 more, which cannot be built");
  CHECK(refusal_text(made.atoms()) ==
        "x.pdb: too few atoms of 1 residue are present to build the others: PHE 2 A (lacks C O CB CG CD1 CD2 "
        "and 4 more, which cannot be built); build them first, for example with PDBFixer, leave them out "
        "with --ignore 'chain A and resid 2', or run with --allow-missing, which drops them");
  CHECK(refusal_text(made.atoms(), {}, {1}) == "no error");  // it does not act
  const DecidedStructure dropped = decided_structure(made.atoms(), {.allow_missing = true});
  CHECK(dropped.plan(1).fate == ResidueFate::removed);
  REQUIRE_FALSE(dropped.rows(1).empty());
  CHECK(dropped.rows(1)[0].starts_with("left out (lacks C O CB CG CD1 CD2 and 4 more"));
}

TEST_CASE("refused residues: three atoms besides the phosphate are enough, two are not") {
  for (const bool has_third : {true, false}) {
    MadeStructure made;
    made.add("A").bound("U").bound("G", {{}, ChainEnd::three_hydroxyl});
    std::vector<std::string> names = {"P", "OP1", "OP2", "O5'", "C3'", "O3'"};
    if (has_third) names.emplace_back("C4'");
    keep_only(made, 2, names);
    const DecidedStructure decided = decided_structure(made.atoms());
    CAPTURE(has_third);
    CHECK((decided.plan(1).fate == ResidueFate::sent) == has_third);
    CHECK(decided.plan(1).lacks.empty() == has_third);
  }
}

TEST_CASE("refused residues: a side chain without its backbone is no ligand") {
  MadeStructure made;
  made.add("GLY").bound("PHE").bound("GLY").add("PHE", {{}, ChainEnd::c_terminal});
  keep_only(made, 2, {"CB", "CG", "CD1", "CD2", "CE1", "CE2", "CZ"});
  CHECK(refusal_text(made.atoms()).find("PHE 2 A (lacks N CA C O, which cannot be built)") !=
        std::string::npos);
  MadeStructure other;  // other names than those of an amino acid
  other.add_atoms("ARG", {"C1", "C2", "C3", "AR"});
  CHECK(decided_structure(other.atoms()).plan(0).lacks.empty());
}

TEST_CASE("refused residues: of two copies in one place one may act") {
  const MadeStructure other = twice("B"), same = twice("A");
  const std::string text = refusal_text(other.atoms());
  CHECK(text ==
        "x.pdb: 3 residues are at the positions of others, and both would count: GLY 1 B (on GLY 1 A), ALA 2 "
        "B (on ALA 2 A), SER 3 B (on SER 3 A); remove one of the copies from the file, leave it out with "
        "--ignore 'chain B', or run with --allow-missing, which drops the second one");
  // Where both have the same chain and numbers no selection tells them apart.
  CHECK(refusal_text(same.atoms()).find("leave it out with --ignore, or run") != std::string::npos);
  CHECK(refusal_text(other.atoms(), {}, {3, 4, 5}) == "no error");
  const DecidedStructure second = decided_structure(other.atoms(), {}, {0, 1, 2});
  CHECK(second.plan(0).fate == ResidueFate::uncharged);
  CHECK(second.plan(3).fate == ResidueFate::sent);
  const DecidedStructure dropped = decided_structure(other.atoms(), {.allow_missing = true});
  CHECK(dropped.plan(0).fate == ResidueFate::sent);
  CHECK(dropped.plan(4).fate == ResidueFate::removed);
  CHECK(dropped.rows(4) == Rows{"left out (it is at the position of ALA 2 A, --allow-missing)"});
}

TEST_CASE("refused residues: the selection that leaves a ligand out spares residues of its name in chains") {
  MadeStructure made;
  made.add("GTP").bound("G").bound("C", {{}, ChainEnd::three_hydroxyl}).end_chain();
  made.chain("B").add("GTP").chain("A", 90).add("GTP").add_atoms("QQQ", {"C1", "C2", "C3"});
  const std::string text = refusal_text(made.atoms());
  CHECK(text.find("--ignore 'resname QQQ or (chain A and resid 90) or chain B'") != std::string::npos);
}

TEST_CASE("refused residues: selections by name, chain and number") {
  MadeStructure made;
  made.add("GLY").add("ALA").add("ALA").chain("*").add("SER").chain("").add("ALA");
  const Chemistry chemistry = perceive(made.atoms());
  const auto selection = [&](const std::vector<std::uint32_t>& residues) {
    return residue_selection(made.atoms(), chemistry, residues);
  };
  CHECK(selection({0}) == "resname GLY");
  CHECK(selection({0, 3}) == "resname GLY SER");
  CHECK(selection({1}) == "chain A and resid 2");
  CHECK(selection({1, 2, 4}) == "resname ALA");
  CHECK(selection({1, 3}) == "resname SER or (chain A and resid 2)");
  MadeStructure quoted;
  quoted.add("ALA").chain("*").add("ALA");
  CHECK(residue_selection(quoted.atoms(), perceive(quoted.atoms()), std::vector<std::uint32_t>{1}) ==
        "chain \"*\"");
  MadeStructure numbered;  // two residues of one number: the names tell them apart
  numbered.add("ALA").number(1).add("SER").add("SER").number(2).add("SER");
  const Chemistry of_numbered = perceive(numbered.atoms());
  CHECK(residue_selection(numbered.atoms(), of_numbered, std::vector<std::uint32_t>{1}) ==
        "chain A and resid 1 and resname SER");
}

TEST_CASE("refused residues: a nucleotide at an end that has no charges goes, where it is ignored") {
  MadeStructure made;
  made.add("A").bound("U").bound("C").bound("G", {{}, ChainEnd::three_hydroxyl});
  keep_only(made, 1, {"O3'", "C3'"});
  const DecidedStructure end = decided_structure(made.atoms(), {}, {0});
  CHECK(end.plan(0).fate == ResidueFate::removed);
  CHECK(end.rows(0) == Rows{"left out (it is an end of its chain without charges, and is ignored)"});
  MadeStructure inner;
  inner.add("A").bound("U").bound("C").bound("G", {{}, ChainEnd::three_hydroxyl});
  keep_only(inner, 2, {"P", "OP1", "OP2", "O5'", "C3'", "O3'"});
  CHECK(decided_structure(inner.atoms(), {}, {1}).plan(1).fate == ResidueFate::uncharged);
}
