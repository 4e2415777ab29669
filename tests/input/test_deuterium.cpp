// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "chemistry/made_structure.hpp"
#include "input/deuterium.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

Structure structure_with(const MadeStructure& made) {
  Structure structure;
  structure.path = "x.pdb";
  structure.atoms = made.atoms();
  return structure;
}

}  // namespace

TEST_CASE("entry: deuterium becomes hydrogen, where it shares a site with one, too") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("GLY").chain("B").add_atoms("LIG", {"C1", "D1"});
  Structure structure = structure_with(made);
  const std::size_t before = structure.atoms.size();
  EntryPart plain{structure_with(MadeStructure(MadeStructure::Hydrogens::yes).add("GLY")), {}, {}};
  replace_deuterium(plain);
  CHECK(plain.structure.warnings.empty());
  Atom& alpha = structure.atoms[made.at(0, "HA2")];
  alpha.name = "DA2";
  alpha.element = "D";
  Atom shared = structure.atoms[made.at(0, "HA3")];
  shared.name = "DA3";
  shared.element = "D";
  structure.atoms.back().element = "D";
  structure.atoms.insert(structure.atoms.begin() + std::ptrdiff_t(made.at(0, "HA3")), shared);
  const auto last = std::uint32_t(structure.atoms.size() - 1);
  EntryPart entry{structure, {}, {}};
  entry.records.connected_atoms = {{last - 1, last}};
  replace_deuterium(entry);
  CHECK(entry.records.connected_atoms.front().second == last - 1);  // one atom in front of it is gone
  const Structure& hydrogens = entry.structure;
  REQUIRE(hydrogens.atoms.size() == before);
  int found = 0;
  for (const Atom& atom : hydrogens.atoms) {
    CHECK_FALSE(atom.element == ElementSymbol("D"));
    found += atom.name == Label("HA2") || atom.name == Label("HA3");
  }
  CHECK(found == 2);
  CHECK(hydrogens.atoms.back().name == Label("D1"));  // a ligand's names are those of its file
  REQUIRE(hydrogens.warnings.size() == 1);
  CHECK(hydrogens.warnings[0] == "note: x.pdb: 3 atoms of deuterium replaced by hydrogens");
}
