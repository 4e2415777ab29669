// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "structures/molecules/beads.hpp"
#include "structures/molecules/residue_bonds.hpp"

using namespace ionwell;

namespace {

Atom atom(const char* name, const char* residue, int number, const Vec3<double>& at,
          const char* chain = "A") {
  return {.position_A = at,
          .name = std::string_view(name),
          .residue = std::string_view(residue),
          .chain = std::string_view(chain),
          .residue_number = number};
}

/// Beads 3.3 A apart, `names` again and again, each residue with all of them.
std::vector<Atom> beads(const char* residue, const std::vector<const char*>& names, int residues) {
  std::vector<Atom> atoms;
  for (int r = 0; r < residues; ++r)
    for (const char* name : names)
      atoms.push_back(atom(name, residue, r + 1, {3.3 * double(atoms.size()), 0, 0}));
  return atoms;
}

}  // namespace

TEST_CASE("residue bonds: within a residue, along a chain, and never between molecules") {
  std::vector<Atom> atoms = {atom("C", "GLY", 1, {}),      atom("H", "GLY", 1, {}),
                             atom("N", "GLY", 2, {}),      atom("CA", "GLY", 2, {}),
                             atom("N", "GLY", 1, {}, "B"), atom("O3'", "DA", 1, {}, "C"),
                             atom("P", "DA", 2, {}, "C"),  atom("NA", "NA", 3, {}, "C")};
  const auto bonded = [&](std::uint32_t a, std::uint32_t b, double d) {
    const ResidueBonds bonds(atoms);
    CHECK(bonds.are_bonded(a, b, d * d) == bonds.are_bonded(b, a, d * d));
    return bonds.are_bonded(a, b, d * d);
  };
  CHECK(bonded(0, 2, 1.33));   // peptide bond
  CHECK(!bonded(0, 2, 2.0));   // too long for one
  CHECK(!bonded(0, 3, 1.33));  // C of one residue and CA of the next are not bonded
  CHECK(bonded(2, 3, 1.46));
  CHECK(bonded(0, 1, 1.1));
  CHECK(!bonded(0, 1, 1.6));   // a hydrogen bond
  CHECK(!bonded(3, 4, 1.46));  // another chain
  CHECK(bonded(5, 6, 1.61));
  CHECK(!bonded(6, 7, 2.0));  // an ion
  atoms[1].ends_chain = true;
  CHECK(!bonded(0, 2, 1.33));
}

TEST_CASE("molecules: atoms that bonds join, whatever lies near") {
  const std::vector<Atom> atoms = {atom("C1", "LIG", 1, {0, 0, 0}), atom("C2", "LIG", 1, {1.5, 0, 0}),
                                   atom("C1", "LIG", 9, {3.0, 0, 0}, "B")};
  const std::vector<AtomsOfMolecule> molecules = molecules_of(atoms);
  REQUIRE(molecules.size() == 2);
  CHECK(molecules[0] == AtomsOfMolecule{0, 1});
  CHECK(molecules[1] == AtomsOfMolecule{2});
}

TEST_CASE("beads: coarse-grained models are told from atoms") {
  CHECK(are_beads(beads("DPPC", {"NC3", "PO4", "GL1", "GL2", "C1A", "C2A"}, 3)));
  CHECK(are_beads(beads("TRP", {"BB", "SC1", "SC2", "SC3", "SC4"}, 1)));  // by names
  CHECK(are_beads(beads("GLY", {"CA"}, 5)));
  CHECK(are_beads(beads("W", {"W"}, 5)));  // water alone
  CHECK(are_beads(beads("U", {"P"}, 24)));
  CHECK(are_beads(beads("POLY", {"A1", "A2"}, 12)));  // by distances alone
  std::vector<Atom> in_water = beads("LYS", {"BB", "SC1", "SC2"}, 4);
  for (int n = 0; n < 500; ++n) in_water.push_back(atom("W", "W", n + 100, {4.7 * n, 9, 9}));
  CHECK(are_beads(in_water));
}

TEST_CASE("beads: atoms are none, few and lone ones either") {
  std::vector<Atom> united;  // without hydrogens
  for (int n = 0; n < 40; ++n) united.push_back(atom("C1", "LIG", 1, {1.5 * n, 0, 0}));
  CHECK(!are_beads(united));
  for (int n = 0; n < 40; ++n) united[std::size_t(n)].position_A.x = 1.5 * (7 * n % 40);
  CHECK(!are_beads(united));  // neighbours in the file are not bonded
  std::vector<Atom> ions;
  for (int n = 0; n < 40; ++n) ions.push_back(atom("MG", "MG", n + 1, {5.0 * n, 0, 0}));
  CHECK(!are_beads(ions));
  std::vector<Atom> waters;
  for (int n = 0; n < 40; ++n) waters.push_back(atom("O", "HOH", n + 1, {3.0 * n, 0, 0}));
  CHECK(!are_beads(waters));
  CHECK(!are_beads(beads("XE", {"XE"}, 1)));
  CHECK(!are_beads(beads("LIG", {"C1"}, 9)));  // so few may be what they are
  CHECK(!are_beads(beads("U", {"P"}, 12)));
  CHECK(!are_beads({}));
}

TEST_CASE("links: a topology's bonds join what residues alone do not") {
  const std::vector<Atom> atoms = {atom("SG", "CYS", 1, {0, 0, 0}, "A"),
                                   atom("SG", "CYS", 9, {2.05, 0, 0}, "B"),
                                   atom("CB", "CYS", 9, {3.8, 0, 0}, "B")};
  CHECK(molecules_of(atoms).size() == 2);
  const std::vector<AtomLink> bonds = {{1, 0}, {1, 2}}, links = links_between_residues(atoms, bonds);
  CHECK(links == std::vector<AtomLink>{{1, 0}});
  CHECK(molecules_of(atoms, links).size() == 1);
  CHECK(links_of_kept(links, {}) == links);
  CHECK(links_of_kept(links, std::vector<std::uint8_t>{0, 1, 1}).empty());
  const std::vector<AtomLink> others = {{2, 0}};
  CHECK(links_of_kept(others, std::vector<std::uint8_t>{1, 0, 1}) == std::vector<AtomLink>{{1, 0}});
}
