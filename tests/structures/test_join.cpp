// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "structures/join.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::vector<Atom> atoms(std::size_t count) {
  std::vector<Atom> made(count, Atom{.name = "CA", .residue = "ALA", .residue_number = 7});
  made[0].name = "HT1";
  return made;
}

Coordinates coordinates(std::size_t count) {
  Coordinates made;
  for (std::size_t i = 0; i < count; ++i) {
    made.positions_A.push_back({double(i), 0.5, -1.0});
    made.labels.push_back({i == 0 ? "HT1" : "CA", "ALA", 7});
  }
  return made;
}

}  // namespace

TEST_CASE("topology and coordinates: atoms go where the coordinates are, with or without names") {
  for (const bool named : {true, false}) {
    std::vector<Atom> placed = atoms(3);
    Coordinates where = coordinates(3);
    if (!named) where.labels.clear();
    std::vector<std::string> warnings;
    place_atoms(placed, where, "t.psf", "c.pdb", warnings);
    CHECK(placed[2].position_A == Vec3<double>{2.0, 0.5, -1.0});
    CHECK(placed[2].name == Label("CA"));
    CHECK(warnings.empty());
  }
}

TEST_CASE("topology and coordinates: other numbers of atoms are refused, with the place where names part") {
  std::vector<std::string> warnings;
  std::vector<Atom> placed = atoms(3);
  CHECK(error_of([&] { place_atoms(placed, coordinates(4), "t.psf", "c.pdb", warnings); }) ==
        "c.pdb: has 4 atoms, and t.psf has 3; give the coordinates that belong to this topology");
  Coordinates other = coordinates(4);
  other.labels[1].name = "OW";
  CHECK(error_of([&] { place_atoms(placed, other, "t.psf", "c.pdb", warnings); }) ==
        "c.pdb: has 4 atoms, and t.psf has 3; the first difference is at atom 2, ALA 7 CA in t.psf and ALA 7 "
        "OW in c.pdb; give the coordinates that belong to this topology");
}

TEST_CASE("topology and coordinates: other elements are refused, other spellings are not") {
  std::vector<std::string> warnings;
  std::vector<Atom> placed = atoms(50);
  Coordinates spelled = coordinates(50);
  spelled.labels[0].name = "1HT";  // the same, digits in front
  place_atoms(placed, spelled, "t.psf", "c.pdb", warnings);
  CHECK(warnings.empty());
  for (AtomLabels& labels : spelled.labels) labels.name = labels.name == Label("CA") ? "CX" : "H";
  place_atoms(placed, spelled, "t.psf", "c.pdb", warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(
      warnings[0].find(
          "c.pdb: 50 atoms have a different name from that in t.psf; the first difference is at atom 1, ") ==
      0);
  spelled.labels[20].name = "N";
  CHECK(error_of([&] { place_atoms(placed, spelled, "t.psf", "c.pdb", warnings); })
            .find("c.pdb: its atoms differ from those of t.psf; the first difference is at atom 21, ALA 7 CA "
                  "in t.psf and ALA 7 N in c.pdb") == 0);
}
