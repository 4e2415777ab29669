// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "chemistry/decisions/made_residue.hpp"
#include "chemistry/decisions/sent_names.hpp"
#include "chemistry/made_structure.hpp"
#include "chemistry/templates/residue_charges.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "core/error.hpp"
#include "input/entry_charges.hpp"
#include "input/pdb2pqr_double.hpp"
#include "structures/solute_elements.hpp"
#include "support/error_of.hpp"
#include "support/temporary_file.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("entry: chains end at gaps, there and in the result, and a warning says so") {
  const MadeStructure made =
      MadeStructure().add("GLY").bound("ALA").number(6).add("SER").bound("GLY", {{}, ChainEnd::c_terminal});
  Pdb2pqrDouble program;
  const ChargedEntry entry = charged(made, program);
  CHECK(chains_of(program.asked.atoms) == "GLY ALA|SER GLY|");
  CHECK(chains_of(entry.structure.atoms) == "GLY ALA|SER GLY");
  REQUIRE(entry.structure.warnings.size() == 1);
  CHECK(entry.structure.warnings[0].starts_with(
      "x.pdb: SER 6 A: a gap after ALA 2 A: two pieces, with charged ends (C and N are "));
}

TEST_CASE(
    "entry: where an atom is missing that would be bound the chain is broken, too, and a warning says so") {
  MadeStructure made;
  made.add("GLY").bound("ALA").bound("GLY", {{}, ChainEnd::c_terminal});
  std::erase_if(made.atoms(),
                [](const Atom& atom) { return atom.residue_number == 2 && atom.name == Label("N"); });
  Pdb2pqrDouble program;
  const ChargedEntry entry = charged(made, program);
  CHECK(chains_of(program.asked.atoms) == "GLY|ALA GLY|");
  CHECK(chains_of(entry.structure.atoms) == "GLY|ALA GLY");
  REQUIRE(entry.structure.warnings.size() == 1);
  CHECK(entry.structure.warnings[0].starts_with("x.pdb: ALA 2 A: a gap after GLY 1 A: two pieces"));
}

TEST_CASE("entry: neither a closed ring nor a chain with caps gets ends") {
  MadeStructure ring;
  ring.add("GLY").bound("ALA").bound("SER");
  ring.join(2, "C", 0, "N", 1.4);
  Pdb2pqrDouble program;
  charged(ring, program);
  CHECK(chains_of(program.asked.atoms) == "NME GLY ALA SER NME|");

  MadeStructure capped;
  capped.add("ACE").bound("ALA").bound("NME");
  const ChargedEntry entry = charged(capped, program);
  CHECK(chains_of(program.asked.atoms) == "NME ALA NME|");
  CHECK(chains_of(entry.structure.atoms) == "ACE ALA NME");
  CHECK(std::abs(charge_of(entry.structure, 1)) < 1e-9);
  CHECK(std::any_of(entry.structure.atoms.begin(), entry.structure.atoms.end(),
                    [](const Atom& atom) { return atom.residue == Label("ACE") && atom.charge_e != 0.0; }));
}

TEST_CASE("entry: a gap that is capped is followed by a cap on either side, neutral and with charges") {
  MadeStructure made;
  made.add("GLY").bound("ALA").number(6).add("SER").bound("GLY", {{}, ChainEnd::c_terminal});
  auto& atoms = made.atoms();  // some on a line as they are made
  atoms[made.at(1, "O")].position_A = atoms[made.at(1, "C")].position_A + Vec3<double>{0.4, 0.8, 0.8};
  const std::vector<std::uint8_t> acts(atoms.size(), 1);
  Pdb2pqrDouble program;
  const EntryOptions options{.choices = {.gap_ends = GapEnds::capped}, .acts = acts};
  const ChargedEntry entry = charged(made, program, options);
  CHECK(chains_of(program.asked.atoms) == "GLY ALA NME|NME SER GLY|");
  CHECK(chains_of(entry.structure.atoms) == "GLY ALA NME|ACE SER GLY");
  CHECK(entry.structure.atoms.size() == made.atoms().size() + 12);
  double largest_e = 0.0;
  for (const Atom& atom : entry.structure.atoms) largest_e = std::max(largest_e, atom.charge_e);
  CHECK(largest_e == doctest::Approx(0.5972));  // C of ACE
  for (const Atom& atom : entry.structure.atoms) {
    if (atom.residue == Label("NME") && atom.name == Label("H")) CHECK(atom.radius_A == 0.6);
    if (atom.residue == Label("ACE") && atom.name == Label("H1")) CHECK(atom.radius_A == 1.487);
  }
  CHECK(std::abs(charge_of(entry.structure, 3)) < 1e-9);
  CHECK(std::abs(charge_of(entry.structure, 5)) < 1e-9);
  REQUIRE(entry.structure.warnings.size() == 1);
  CHECK(entry.structure.warnings[0].starts_with(
      "x.pdb: SER 6 A: a gap after ALA 2 A: two pieces, with caps as ends"));
}

TEST_CASE("entry: a modified nucleotide has its formal charge, and the charges of its hydrogens") {
  const MadeStructure made =
      MadeStructure().add("A").bound("1MA").bound("PSU").bound("G", {{}, ChainEnd::three_hydroxyl});
  Pdb2pqrDouble program(-1.0);  // that of each nucleotide within a chain
  const ChargedEntry entry = charged(made, program);
  CHECK(chains_of(program.asked.atoms) == "A A U G|");
  CHECK(chains_of(entry.structure.atoms) == "A 1MA PSU G");
  CHECK(charge_of(entry.structure, 2) == doctest::Approx(0.0).epsilon(1e-9));
  CHECK(charge_of(entry.structure, 3) == doctest::Approx(-1.0));
  const auto& atoms = entry.structure.atoms;
  const auto methyl =
      std::find_if(atoms.begin(), atoms.end(), [](const Atom& atom) { return atom.name == Label("CM1"); });
  REQUIRE(methyl != atoms.end());
  // AMBER's modrna08: C10 and its three hydrogens.
  const ResidueTemplate& residue = *residue_table().find("1MA");
  double expected_e = 0.0;
  for (const char* const name : {"CM1", "HM11", "HM12", "HM13"})
    expected_e += *library_charge_e(residue, residue.find(name));
  CHECK(methyl->charge_e == doctest::Approx(expected_e).epsilon(1e-6));
  CHECK(methyl->radius_A == 1.908);
  CHECK(std::count_if(entry.rows.begin(), entry.rows.end(), [](const ChemistryRow& row) {
          return row.what.starts_with("kept, with charges from the AMBER libraries");
        }) == 2);
}

TEST_CASE("entry: hydrogens are PDB2PQR's only where their atoms have the parent's bonds") {
  MadeStructure file, answer(MadeStructure::Hydrogens::yes);
  file.add("PSU");
  answer.add("U");
  for (Atom& atom : answer.atoms()) atom.charge_e = -1.0 / double(answer.atoms().size());
  ResiduePlan plan;
  plan.parent = residue_table().find("U");
  plan.goal = residue_table().find("PSU");
  const std::vector<Atom> made =
      made_residue(file.atoms(), sent_names(file.atoms(), plan), plan, answer.atoms(), true);
  const auto has = [&](const char* name) {
    return std::any_of(made.begin(), made.end(), [&](const Atom& atom) { return atom.name == Label(name); });
  };
  // In U, C1' is bonded to N1, which is at the other side of the ring of PSU.
  CHECK_FALSE(has("H1'"));
  CHECK(has("H2'"));
  CHECK(has("H6"));
  double sum_e = 0.0;
  for (const Atom& atom : made) sum_e += atom.charge_e;
  CHECK(sum_e == doctest::Approx(-1.0));
}

TEST_CASE("entry: an ion that is left out by --ignore gets no charge, and PDB2PQR does not get it") {
  MadeStructure made;
  made.add("GLY")
      .bound("ALA", {{}, ChainEnd::c_terminal})
      .chain("M")
      .add("MG")
      .add_atoms("NCO", {"CO", "N1", "N2"});
  EntryOptions options;
  options.acts.assign(made.atoms().size(), 1);
  for (std::size_t n = 0; n < made.atoms().size(); ++n)
    if (made.atoms()[n].residue == Label("NCO")) options.acts[n] = ignored_atom;
  Pdb2pqrDouble program;
  const ChargedEntry entry = charged(made, program, options);
  CHECK(chains_of(program.asked.atoms) == "GLY ALA|MG|");
  CHECK(chains_of(entry.structure.atoms) == "GLY ALA MG NCO");
  CHECK(charge_of(entry.structure, 2) == 0.0);
}

TEST_CASE("entry: a phosphate is left out before PDB2PQR runs, or kept with a charge of -1") {
  const MadeStructure made = MadeStructure()
                                 .add("G", {ChainEnd::five_phosphate, ChainEnd::none})
                                 .bound("C", {{}, ChainEnd::three_hydroxyl});
  Pdb2pqrDouble program(-0.3081);  // AMBER's G5
  const ChargedEntry removed = charged(made, program);
  const auto has_phosphate = [](const Structure& structure) {
    return std::any_of(structure.atoms.begin(), structure.atoms.end(),
                       [](const Atom& atom) { return atom.name == Label("P") && atom.residue_number == 1; });
  };
  CHECK_FALSE(has_phosphate(program.asked));
  CHECK_FALSE(has_phosphate(removed.structure));
  CHECK(charge_of(removed.structure, 1) == doctest::Approx(-0.3081));
  const ChargedEntry kept = charged(made, program, {.choices = {.five_phosphate = FivePhosphate::keep}});
  CHECK_FALSE(has_phosphate(program.asked));
  CHECK(has_phosphate(kept.structure));
  CHECK(charge_of(kept.structure, 1) == doctest::Approx(-1.3081));
}

TEST_CASE("entry: atoms that PDB2PQR loses stop the run") {
  const MadeStructure made = MadeStructure().add("GLY").bound("ALA", {{}, ChainEnd::c_terminal});
  Pdb2pqrDouble program;
  program.without = "CB";
  CHECK(error_of([&] { charged(made, program); }) ==
        "x.pdb: PDB2PQR has no charges for ALA 2 A CB; correct them or build the missing atoms around them, "
        "leave them out with --ignore, or use --allow-missing, which drops them");
  CHECK(charged(made, program, {.choices = {.allow_missing = true}}).structure.atoms.size() ==
        made.atoms().size() - 1);
}

TEST_CASE(
    "entry: atoms and residues that are left out are in the table and in a warning, and a chain ends there") {
  MadeStructure made;
  made.add("GLY").bound("ALA").bound("SER").bound("GLY", {{}, ChainEnd::c_terminal});
  Pdb2pqrDouble program;
  program.without = "OG";
  const EntryOptions options{.choices = {.allow_missing = true}};
  const ChargedEntry entry = charged(made, program, options);
  REQUIRE(entry.structure.warnings.size() == 1);
  CHECK(entry.structure.warnings[0] ==
        "x.pdb: left out, because PDB2PQR has no charges for them: SER 3 A OG");
  CHECK(std::any_of(entry.rows.begin(), entry.rows.end(), [](const ChemistryRow& row) {
    return row.residue == "SER 3 A" && row.what == "OG left out";
  }));

  MadeStructure unknown;
  unknown.add("GLY").bound("ALA").bound("SER").bound("GLY", {{}, ChainEnd::c_terminal});
  for (Atom& atom : unknown.atoms())
    if (atom.residue_number == 3) atom.residue = "ZZZ";
  const ChargedEntry rest = charged(unknown, program, options);
  CHECK(chains_of(program.asked.atoms) == "GLY ALA|GLY|");
  CHECK(chains_of(rest.structure.atoms) == "GLY ALA|GLY");
  REQUIRE(!rest.rows.empty());
  CHECK(rest.rows[0].residue == "ZZZ 3 A");
  CHECK(rest.rows[0].what == "left out");
  CHECK(std::any_of(
      rest.structure.warnings.begin(), rest.structure.warnings.end(),
      [](const std::string& text) { return text == "x.pdb: left out because of --allow-missing: ZZZ 3 A"; }));
}

TEST_CASE("entry: a residue that is bound within a chain is sent there, wherever the file has it") {
  MadeStructure made;
  made.add("GLY").bound("ALA").bound("SER").bound("GLY", {{}, ChainEnd::c_terminal});
  std::stable_partition(made.atoms().begin(), made.atoms().end(),
                        [](const Atom& atom) { return atom.residue_number != 2; });
  Pdb2pqrDouble program;
  const ChargedEntry entry = charged(made, program);
  CHECK(chains_of(program.asked.atoms) == "GLY ALA SER GLY|");
  CHECK(entry.structure.atoms.size() == made.atoms().size());
  CHECK(entry.structure.atoms.back().residue == Label("ALA"));  // as the file has it
}

TEST_CASE("entry: a modified residue loses its phosphate, and keeps the order of its atoms") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("2MG", {ChainEnd::five_phosphate, ChainEnd::none}).bound("G", {{}, ChainEnd::three_hydroxyl});
  Atom proton = made.atoms().front();
  proton.name = "HOP3";
  proton.element = "H";
  proton.position_A.x += 0.9;
  made.atoms().insert(made.atoms().begin(), proton);
  std::reverse(made.atoms().begin(), std::find_if(made.atoms().begin(), made.atoms().end(),
                                                  [](const Atom& atom) { return atom.residue_number == 2; }));
  Pdb2pqrDouble program(-0.3081);
  const ChargedEntry entry = charged(made, program);
  std::vector<Label> expected, found;
  for (const Atom& atom : made.atoms())
    if (atom.residue_number == 1 && !is_phosphate_atom(atom.name.view())) expected.push_back(atom.name);
  for (const Atom& atom : entry.structure.atoms)
    if (atom.residue_number == 1) found.push_back(atom.name);
  CHECK(found == expected);
  CHECK(std::find(found.begin(), found.end(), Label("HOP3")) == found.end());
}

TEST_CASE("entry: a modified residue without atoms that nothing builds has no charges") {
  MadeStructure made;
  made.add("A").bound("1MA").bound("G", {{}, ChainEnd::three_hydroxyl});
  std::erase_if(made.atoms(), [](const Atom& atom) { return atom.name == Label("CM1"); });
  Pdb2pqrDouble program(-1.0);
  CHECK(error_of([&] { charged(made, program); })
            .starts_with("x.pdb: too few atoms of 1 residue are present to build the others: 1MA 2 A (lacks "
                         "CM1, which cannot be built); build them first, for example with PDBFixer, replace "
                         "them by their parent residues with --replace-nonstandard, leave them out with "
                         "--ignore 'resname 1MA', or run with"));
  CHECK(program.asked.atoms.empty());  // it does not run
  const ChargedEntry rest = charged(made, program, {.choices = {.allow_missing = true}});
  CHECK(chains_of(rest.structure.atoms) == "A|G");
}

TEST_CASE("entry: an atom is not taken where it is bonded to other atoms than in what it was built for") {
  const ResidueTemplate *const pseudouridine = residue_table().find("PSU"), *const uridine =
                                                                                residue_table().find("U");
  REQUIRE(pseudouridine != nullptr);
  ResiduePlan plan;
  plan.goal = pseudouridine;
  plan.parent = uridine;
  CHECK_FALSE(takes_built_atom(plan, "C6"));
  CHECK(takes_built_atom(plan, "C5'"));
}

TEST_CASE("entry: a ligand has the charges of its file, its missing hydrogens those of their atoms") {
  MadeStructure made;
  made.add("GLY", {{}, ChainEnd::c_terminal}).chain("B").add_atoms("LIG", {"C1", "O1"});
  made.chain("C").add_atoms("LIG", {"O1", "C1"});
  const TemporaryFile file(
      "lig.mol2",
      "@<TRIPOS>MOLECULE\nLIG\n4 3 1 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
      "1 C1 0.0 0.0 0.0 C.3 1 LIG1 0.1\n2 O1 1.4 0.0 0.0 O.3 1 LIG1 -0.6\n"
      "3 H1 -0.5 0.9 0.0 H 1 LIG1 0.05\n4 HO 1.8 0.9 0.0 H 1 LIG1 0.45\n@<TRIPOS>BOND\n1 1 2 1\n");
  const std::vector<std::string> paths = {file.path()};
  Pdb2pqrDouble program;
  const ChargedEntry entry = charged(made, program, {.ligands = LigandCharges(paths, made.atoms())});
  int checked = 0;
  for (const Atom& atom : entry.structure.atoms) {
    if (!(atom.residue == Label("LIG"))) continue;
    CHECK(atom.charge_e == doctest::Approx(atom.name == Label("C1") ? 0.15 : -0.15));
    ++checked;
  }
  CHECK(checked == 4);
  MadeStructure other;
  other.add("GLY", {{}, ChainEnd::c_terminal}).chain("B").add_atoms("LIG", {"C1", "O7"});
  CHECK(error_of([&] {
          charged(other, program, {.ligands = LigandCharges(paths, made.atoms())});
        }).find("has no atom for LIG 1 B O7") != std::string::npos);
}

TEST_CASE("entry: a ligand that lacks a heavy atom is refused, also where its hydrogen comes first") {
  MadeStructure made;
  made.add("GLY", {{}, ChainEnd::c_terminal}).chain("B").add_atoms("LIG", {"C1"});
  const TemporaryFile file("lig.mol2",
                           "@<TRIPOS>MOLECULE\nLIG\n3 2 1 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
                           "1 HO 1.8 0.9 0.0 H 1 LIG1 0.45\n2 C1 0.0 0.0 0.0 C.3 1 LIG1 0.1\n"
                           "3 O1 1.4 0.0 0.0 O.3 1 LIG1 -0.55\n@<TRIPOS>BOND\n1 2 3 1\n2 1 3 1\n");
  const std::vector<std::string> paths = {file.path()};
  Pdb2pqrDouble program;
  CHECK(error_of([&] {
          charged(made, program, {.ligands = LigandCharges(paths, made.atoms())});
        }).find("which LIG 1 B lacks") != std::string::npos);
}

TEST_CASE(
    "entry: a file of --ligand gives charges to what would be an ion, and one that fits nothing is named") {
  MadeStructure made;
  made.add("GLY", {{}, ChainEnd::c_terminal}).chain("B").add("ZN");
  const TemporaryFile file("zn.mol2",
                           "@<TRIPOS>MOLECULE\nZN\n1 0 1 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
                           "1 ZN 0.0 0.0 0.0 Zn 1 ZN 1.25\n");
  const std::vector<std::string> paths = {file.path()};
  Pdb2pqrDouble program;
  const ChargedEntry entry = charged(made, program, {.ligands = LigandCharges(paths, made.atoms())});
  CHECK(entry.structure.atoms.back().charge_e == doctest::Approx(1.25));
  CHECK(error_of([&] {
          LigandCharges(paths, MadeStructure().add("GLY").atoms());
        }).find("has charges of ZN, but the structure has no residue of that name") != std::string::npos);
}

TEST_CASE("entry: a ligand alone needs no program, and the file's warnings stay") {
  MadeStructure made;
  made.add_atoms("LIG", {"C1"});
  const TemporaryFile file("lig.mol2",
                           "@<TRIPOS>MOLECULE\nLIG\n1 0 1 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
                           "1 C1 0.0 0.0 0.0 C.3 1 LIG1 1.0\n");
  const std::vector<std::string> paths = {file.path()};
  Structure structure = structure_of(made);
  structure.warnings = {"of the reader"};
  const ChargedEntry entry = charge_entry(structure, {}, {.ligands = LigandCharges(paths, made.atoms())},
                                          [](const Structure&) -> ChargedStructure { fail("not to run"); });
  CHECK(entry.structure.warnings == structure.warnings);
  CHECK(entry.structure.atoms.front().charge_e == doctest::Approx(1.0));
}

TEST_CASE("entry: ions are named with their count, and of those of several atoms what is left out") {
  MadeStructure made;
  made.add("GLY", {{}, ChainEnd::c_terminal}).chain("B").add("MG").add("MG").add("NCO");
  const std::vector<ChemistryRow> rows = chemistry_rows(structure_of(made), {}, perceive(made.atoms()), {});
  const auto why = [&](const std::string& ions) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const ChemistryRow& other) { return other.residue == ions; });
    return row == rows.end() ? "no row" : row->why;
  };
  CHECK(why("2 MG ions") == "of the crystal");
  CHECK(why("1 NCO ion") == "of the crystal; one atom has the charge, the others are left out");
}

TEST_CASE("entry: what does not act may lack charges, and stays") {
  MadeStructure made;
  made.add("GLY", {{}, ChainEnd::c_terminal}).chain("B").add_atoms("QQQ", {"C1", "O1"});
  Pdb2pqrDouble program;
  std::vector<std::uint8_t> acts(made.atoms().size(), 1);
  acts[acts.size() - 1] = acts[acts.size() - 2] = 0;
  const ChargedEntry entry = charged(made, program, {.acts = acts});
  CHECK(entry.structure.atoms.size() == made.atoms().size());
  CHECK(entry.structure.atoms.back().charge_e == 0.0);
  acts[acts.size() - 1] = 1;
  CHECK(error_of([&] { charged(made, program, {.acts = acts}); }).find("QQQ 1 B (ligand)") !=
        std::string::npos);
}
