// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "chemistry/made_structure.hpp"
#include "input/entry_shares.hpp"
#include "input/gromacs_topology.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// "A3 U1 ...": residues and numbers, each once.
std::string residues_of(std::span<const Atom> atoms, const std::vector<std::size_t>& numbers) {
  std::string text, last;
  for (const Atom& atom : with_numbers(atoms, numbers)) {
    const std::string name = std::string(atom.residue.view()) + std::to_string(atom.residue_number) + ' ';
    if (name != last) text += name;
    last = name;
  }
  return text;
}

Chemistry chemistry_of(std::span<const Atom> atoms, const EntryShares& shares) {
  return pdb2gmx_structure(with_numbers(atoms, shares.of_pdb2gmx), "amber99sb-ildn").chemistry;
}

}  // namespace

TEST_CASE("entry for pdb2gmx: a residue that the file has behind its chain comes where it is bound") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("U", {{}, ChainEnd::three_hydroxyl}).add("MG").add("A", {ChainEnd::five_hydroxyl, {}}).add("HOH");
  made.join(2, "O3'", 0, "P", 1.6);
  EntryShares shares = shares_of(made.atoms(), GromacsLigands({}));
  CHECK(residues_of(made.atoms(), shares.of_pdb2gmx) == "U1 MG2 A3 HOH4 ");
  CHECK(put_along_bonds(made.atoms(), chemistry_of(made.atoms(), shares), shares));
  CHECK(residues_of(made.atoms(), shares.of_pdb2gmx) == "A3 U1 MG2 HOH4 ");
  REQUIRE(shares.before_ligands < shares.of_pdb2gmx.size());
  CHECK(made.atoms()[shares.of_pdb2gmx[shares.before_ligands]].residue == Label("HOH"));
  CHECK(shares.in_order() == shares.of_pdb2gmx);
  CHECK_FALSE(put_along_bonds(made.atoms(), chemistry_of(made.atoms(), shares), shares));
}
