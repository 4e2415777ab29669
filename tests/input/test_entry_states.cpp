// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "input/entry_charges.hpp"
#include "input/pdb2pqr_double.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("entry: hydrogens of an amino acid go to PDB2PQR under its names, those of another state do not") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("PRO", {ChainEnd::n_terminal, {}})
      .bound("LYN")
      .bound("ASP")
      .bound("GLY", {{}, ChainEnd::c_terminal});
  for (Atom& atom : made.atoms()) {
    if (atom.residue_number == 2) atom.residue = "LYS";
    if (atom.residue_number == 3 && atom.name == Label("H")) atom.name = "HX";
  }
  Pdb2pqrDouble program;
  charged(made, program);
  std::vector<std::string> names;
  for (const Atom& atom : program.asked.atoms)
    if (const std::string name(atom.name.view()); name == "H" || name == "HX" || name.starts_with("HZ") ||
                                                  (name[0] == 'H' && name.size() == 2 && name[1] < 'A'))
      names.push_back(std::to_string(atom.residue_number) + name);
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"1H", "1H2", "2H", "2HZ1", "2HZ2", "4H"});
  CHECK(std::any_of(program.asked.atoms.begin(), program.asked.atoms.end(),
                    [](const Atom& atom) { return atom.residue == Label("LYN"); }));
}

TEST_CASE("entry: what PDB2PQR's four decimals lose of a residue's charge is given back") {
  const MadeStructure made = MadeStructure().add("GLY").bound("ALA").bound("GLY", {{}, ChainEnd::c_terminal});
  Pdb2pqrDouble program(-0.0002);  // of five atoms, each of which may be off by 0.00005
  CHECK(charge_of(charged(made, program).structure, 2) == doctest::Approx(0.0).epsilon(1e-12));
  Pdb2pqrDouble wrong(-0.0004);
  CHECK(charge_of(charged(made, wrong).structure, 2) == doctest::Approx(-0.0004));
}

TEST_CASE("entry: of a chain that is there twice in one place the second goes, also under the same names") {
  MadeStructure made;
  made.add("GLY").bound("ALA").bound("SER", {{}, ChainEnd::c_terminal}).end_chain();
  const std::vector<Atom> copy = made.atoms();
  made.atoms().insert(made.atoms().end(), copy.begin(), copy.end());
  Pdb2pqrDouble program;
  CHECK(error_of([&] {
          charged(made, program);
        }).starts_with("x.pdb: 3 residues are at the positions of others"));
  CHECK(program.asked.atoms.empty());
  const ChargedEntry rest = charged(made, program, {.choices = {.allow_missing = true}});
  CHECK(chains_of(rest.structure.atoms) == "GLY ALA SER|");
  CHECK(rest.rows[0].why == "it is at the position of GLY 1 A, --allow-missing");
  const std::vector<ChemistryRow> rows = chemistry_rows(structure_of(made), {}, perceive(made.atoms()), {});
  CHECK(std::count_if(rows.begin(), rows.end(), [](const ChemistryRow& row) {
          return row.what == "overlaps another residue: the run stops";
        }) == 1);
}
