// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "chemistry/made_structure.hpp"
#include "input/entry_part.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("entry part: what is left has its own numbers, and a chain ends where its last atom now is") {
  MadeStructure made;
  made.add_atoms("AAA", {"A1", "A2", "A3"}).chain("B").add_atoms("BBB", {"B1", "B2"});
  EntryPart part{{"x.pdb", made.atoms(), {}, {}, {}}, {}, {1, 0, 1, 0, 1}};
  for (Atom& atom : part.structure.atoms) atom.ends_chain = false;
  part.structure.atoms[2].ends_chain = true;
  part.records.connected_atoms = {{0, 1}, {1, 2}, {3, 4}};
  std::vector<std::uint8_t> taken = {0, 0, 1, 0, 0};
  take_out(part, taken);
  REQUIRE(part.structure.atoms.size() == 4);
  CHECK(part.structure.atoms[1].ends_chain);
  CHECK_FALSE(part.structure.atoms[3].ends_chain);
  CHECK(part.acts == std::vector<std::uint8_t>{1, 0, 0, 1});
  CHECK(part.records.connected_atoms == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {2, 3}});
}

TEST_CASE("entry part: waters are taken out, and bonds by number still join the same atoms") {
  EntryPart part;
  for (const char* const residue : {"LIG", "HOH", "LIG", "SOL", "QQQ"}) {
    Atom atom;
    atom.residue = residue;
    atom.name = std::string_view(residue) == "LIG" ? "C1" : "O";
    atom.residue_number = int(part.structure.atoms.size());
    part.structure.atoms.push_back(atom);
  }
  part.records.connected_atoms = {{0, 2}, {2, 4}, {1, 4}};
  const std::vector<Atom> waters = take_waters_out(part);
  REQUIRE(waters.size() == 2);
  CHECK(waters[1].residue == Label("SOL"));
  REQUIRE(part.structure.atoms.size() == 3);
  CHECK(part.structure.atoms[2].residue == Label("QQQ"));
  CHECK(part.records.connected_atoms == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {1, 2}});
}
