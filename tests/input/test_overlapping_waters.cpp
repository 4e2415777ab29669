// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "input/overlapping_waters.hpp"

using namespace ionwell;

namespace {

Atom atom(const char* name, const char* residue, int number, Vec3<double> position_A) {
  Atom made;
  made.name = name;
  made.residue = residue;
  made.residue_number = number;
  made.chain = "A";
  made.position_A = position_A;
  return made;
}

/// The numbers of those that stay.
std::vector<int> kept(const std::vector<Atom>& waters) {
  std::vector<int> numbers;
  for (const Atom& water : waters)
    if (water.name == Label("O")) numbers.push_back(water.residue_number);
  return numbers;
}

}  // namespace

TEST_CASE("overlapping waters: the first of them stays, and none on the solute") {
  const std::vector<Atom> others = {atom("NZ", "LYS", 6, {0, 0, 0}), atom("HZ1", "LYS", 6, {1.01, 0, 0}),
                                    atom("MG", "MG", 7, {20, 0, 0})};
  std::vector<Atom> waters = {atom("O", "HOH", 11, {0.5, 0, 0}),     // on the nitrogen
                              atom("O", "HOH", 12, {2.6, 0, 0}),     // bound by a hydrogen bond
                              atom("O", "HOH", 13, {2.6, 1.12, 0}),  // on that water
                              atom("O", "HOH", 14, {2.6, 2.4, 0}),   // on one that does not stay
                              atom("H1", "HOH", 14, {2.6, 1.5, 0}),
                              atom("O", "HOH", 15, {22.05, 0, 0})};  // a ligand
  std::vector<ChemistryRow> rows;
  leave_out_overlapping(waters, others, rows);
  CHECK(kept(waters) == std::vector<int>{12, 14, 15});
  CHECK(waters.size() == 4);  // with its hydrogen
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].residue == "2 waters");
  CHECK(rows[0].what == "left out");
  CHECK(rows[0].why == "HOH 11 A is 0.50 A from LYS 6 A NZ, the first of them");

  rows.clear();
  leave_out_overlapping(waters, others, rows);
  CHECK(kept(waters).size() == 3);
  CHECK(rows.empty());
  std::vector<Atom> none;
  leave_out_overlapping(none, others, rows);
  CHECK(rows.empty());
}
