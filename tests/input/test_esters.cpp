// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "input/entry_charges.hpp"
#include "input/pdb2pqr_double.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

bool has_row(const std::vector<ChemistryRow>& rows, const std::string& residue, const std::string& what,
             const std::string& why) {
  return std::any_of(rows.begin(), rows.end(), [&](const ChemistryRow& row) {
    return row.residue == residue && row.what == what && row.why == why;
  });
}

}  // namespace

TEST_CASE("entry: the ester of a nucleotide and an amino acid is named, and its oxygen has no hydrogen") {
  MadeStructure made;
  made.add("G").bound("A", {{}, ChainEnd::three_hydroxyl}).end_chain().add("CYS");
  made.join(1, "O3'", 2, "C", 1.35);
  Pdb2pqrDouble program;
  const ChargedEntry entry = charge_entry(structure_of(made), {}, {}, [&](const Structure& sent) {
    ChargedStructure answer = program(sent);
    std::vector<Atom>& atoms = answer.structure.atoms;
    const auto oxygen = std::find_if(atoms.begin(), atoms.end(), [](const Atom& atom) {
      return atom.residue_number == 2 && atom.name == Label("O3'");
    });
    Atom hydrogen = *oxygen;
    hydrogen.name = "H3T";
    hydrogen.position_A.y += 0.96;
    hydrogen.charge_e = 0.4;
    atoms.insert(oxygen + 1, hydrogen);
    return answer;
  });
  const std::vector<Atom>& atoms = entry.structure.atoms;
  CHECK(std::none_of(atoms.begin(), atoms.end(), [](const Atom& atom) { return atom.name == Label("H3T"); }));
  CHECK(charge_of(entry.structure, 2) == doctest::Approx(0.4));
  CHECK(has_row(entry.rows, "A 2 A", "ester bond to CYS 3 A", "O3' and C are 1.35 A apart"));
  CHECK(has_row(entry.rows, "CYS 3 A", "an ester of A 2 A", "its C is bound to O3', and it has no COO-"));
  CHECK(std::none_of(
      entry.structure.warnings.begin(), entry.structure.warnings.end(),
      [](const std::string& warning) { return warning.find("single residues") != warning.npos; }));
}

TEST_CASE("entry: without its nucleotide, the amino acid of an ester has both ends") {
  MadeStructure made;
  made.add("G").bound("A", {{}, ChainEnd::three_hydroxyl}).end_chain().add("CYS");
  made.join(1, "O3'", 2, "C", 1.35);
  EntryOptions options;
  for (const Atom& atom : made.atoms()) options.acts.push_back(atom.residue_number == 3 ? 1 : ignored_atom);
  Pdb2pqrDouble program;
  const ChargedEntry alone = charged(made, program, options);
  CHECK(std::any_of(alone.rows.begin(), alone.rows.end(), [](const ChemistryRow& row) {
    return row.residue == "CYS 3 A" && row.what == "OXT built";
  }));
}

TEST_CASE("entry: of four oxygens at a phosphate the one that lies on the residue before is surplus") {
  MadeStructure made;
  made.add("G").bound("C").bound("A", {{}, ChainEnd::three_hydroxyl});
  Atom third = made.atoms()[made.at(1, "OP1")];
  third.name = "OP3";
  third.position_A.y += 1.5;
  const std::uint32_t second = made.at(1, "OP2");
  made.atoms()[second].position_A = made.atoms()[made.at(0, "O3'")].position_A + Vec3<double>{0.4, 0.0, 0.0};
  made.atoms().insert(made.atoms().begin() + second + 1, third);
  Pdb2pqrDouble program;
  program.without = "OP3";
  const ChargedEntry entry = charged(made, program, {.choices = {.allow_missing = true}});
  CHECK(has_row(entry.rows, "C 2 A", "OP2 and OP3 change places: OP3 is surplus",
                "OP2 is 0.40 A from G 1 A O3'"));
  const auto kept =
      std::find_if(entry.structure.atoms.begin(), entry.structure.atoms.end(),
                   [](const Atom& atom) { return atom.residue_number == 2 && atom.name == Label("OP2"); });
  REQUIRE(kept != entry.structure.atoms.end());
  CHECK(kept->position_A == third.position_A);
}
