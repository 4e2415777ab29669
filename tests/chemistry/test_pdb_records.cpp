// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chemistry/chemistry_lines.hpp"
#include "chemistry/made_structure.hpp"
#include "chemistry/pdb_records.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("PDB records: bonds, modifications, sequences and missing residues of an entry") {
  const std::vector<std::string> lines = {
      "HEADER    HYDROLASE                               01-JAN-00   0XXX",
      "REMARK 465 MISSING RESIDUES",
      "REMARK 465 THE FOLLOWING RESIDUES WERE NOT LOCATED IN THE",
      "REMARK 465   M RES C SSSEQI",
      "REMARK 465     MET A    -1",
      "REMARK 465     GLY A    13B",
      "REMARK 465   1 ALA B     7",
      "REMARK 465   2 ALA B     7",
      "SEQRES   1 A   15  MET GLY LYS CYS MSE ALA ALA ALA ALA ALA ALA ALA ALA",
      "SEQRES   2 A   15  SER THR",
      "SEQRES   1 R    3    G   U PSU",
      "MODRES 0XXX MSE A    5  MET  SELENOMETHIONINE",
      "SSBOND   1 CYS A    4    CYS B  115                          1555   1555  2.03",
      "SSBOND   2 CYS A    4    CYS A    4                          1555   2655  2.10",
      "SSBOND   3 CYS A    x    CYS A    4                          1555   1555  2.10",
      "LINK         NZ  LYS A 296                 C15 RET A1296     1555   1555  1.33",
      "SSBOND"};
  const EntryRecords records = pdb_entry_records(lines);
  REQUIRE(records.bonds.size() == 3);
  CHECK(records.bonds[0].first_residue == RecordedResidue{"A", 4});
  CHECK(records.bonds[0].second_residue == RecordedResidue{"B", 115});
  CHECK(records.bonds[0].first_atom == Label("SG"));
  CHECK_FALSE(records.bonds[0].is_across_symmetry);
  CHECK(records.bonds[1].is_across_symmetry);
  CHECK(records.bonds[2].second_residue == RecordedResidue{"A", 1296});
  CHECK(records.bonds[2].first_atom == Label("NZ"));
  CHECK(records.bonds[2].second_atom == Label("C15"));
  REQUIRE(records.missing.size() == 3);
  CHECK(records.missing[0].residue == RecordedResidue{"A", -1});
  CHECK(records.missing[1].residue == RecordedResidue{"A", 13, 'B'});
  CHECK(records.missing[1].name == Label("GLY"));
  REQUIRE(records.sequences.size() == 2);
  CHECK(records.sequences[0].residues.size() == 15);
  CHECK(records.sequences[1].residues == std::vector<Label>{"G", "U", "PSU"});
  REQUIRE(records.modifications.size() == 1);
  CHECK(records.modifications[0].residue == RecordedResidue{"A", 5});
  CHECK(records.modifications[0].parent == Label("MET"));
}

TEST_CASE("chemistry lines: what is not plain, and how much more there is") {
  MadeStructure made = MadeStructure().add("GLY").bound("MSE").bound("LYS");
  made.end_chain().chain("R").add("PSU").bound("G");
  const Chemistry chemistry = perceive(made.atoms());
  CHECK(chain_summary(chemistry) ==
        "3 amino acids and 2 nucleotides in 2 pieces, 0 e with standard ends and protonation");
  const auto lines = chemistry_lines(chemistry, made.atoms(), 100);
  CHECK(lines.size() == chemistry.notes.size());
  CHECK(std::count(lines.begin(), lines.end(), "MSE 2 A: modified amino acid, made from MET (by its name)") ==
        1);
  const auto two = chemistry_lines(chemistry, made.atoms(), 2);
  REQUIRE(two.size() == 3);
  CHECK(two[2] == "and " + std::to_string(chemistry.notes.size() - 2) + " more");
  CHECK(chain_summary(perceive({})).empty());
}
