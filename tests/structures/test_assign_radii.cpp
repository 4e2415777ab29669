// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/chemistry/bondi_radius.hpp"
#include "core/chemistry/elements.hpp"
#include "structures/assign_radii.hpp"

using namespace ionwell;

TEST_CASE("elements: by number and by symbol") {
  CHECK(element_of_number(1) == "H");
  CHECK(element_of_number(30) == "ZN");
  CHECK(element_of_number(103) == "LR");
  for (const int none : {-1, 0, 104}) CHECK(element_of_number(none).empty());
  CHECK(element_of_symbol("Zn") == "ZN");
  CHECK(element_of_symbol("c") == "C");
  for (const char* const none : {"", "Z", "Znn", "EP", "1"}) CHECK(element_of_symbol(none).empty());
}

TEST_CASE("radii: AMBER's bondi by element, nothing for a name that is none") {
  CHECK(bondi_radius_A("H") == 1.2);
  CHECK(bondi_radius_A("O") == 1.5);
  CHECK(bondi_radius_A("P") == 1.85);
  CHECK(bondi_radius_A("SE") == 1.9);
  for (const char* const none : {"", "h", "X", "FE"}) CHECK_FALSE(bondi_radius_A(none));
}

TEST_CASE("radii: by the element that the file tells, or by the name, ions have ionic radii") {
  std::vector<Atom> atoms = {
      {.charge_e = 0.1, .name = "CA", .residue = "ALA", .residue_number = 1},
      {.charge_e = 0.1, .name = "HB1", .residue = "ALA", .residue_number = 1},
      {.charge_e = 0.1, .name = "X1", .residue = "LIG", .residue_number = 2, .element = "S"},
      {.charge_e = 0.1, .name = "X2", .residue = "LIG", .residue_number = 2},
      {.charge_e = 2.0, .radius_A = 9.0, .name = "MG", .residue = "MG", .residue_number = 3},
      {.charge_e = 1.0, .name = "SOD", .residue = "SOD", .residue_number = 4},
  };
  CHECK(assign_radii(atoms) == 1);
  const double expected[] = {1.7, 1.2, 1.8, 0.0, 0.72, 1.02};
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    CAPTURE(i);
    CHECK(atoms[i].radius_A == expected[i]);
  }
  CHECK(assign_radii({}) == 0);
}

TEST_CASE("radii: a structure that has some keeps them, another gets all, with a warning") {
  Structure structure{.path = "x.psf",
                      .atoms = {{.name = "C1'", .residue = "DA"}, {.name = "XX", .residue = "LP"}}};
  Structure own = structure;
  own.atoms[0].radius_A = 3.0;
  complete_radii(own);
  CHECK(own.atoms[0].radius_A == 3.0);
  CHECK(own.warnings.empty());
  complete_radii(structure);
  CHECK(structure.atoms[0].radius_A == 1.7);
  REQUIRE(structure.warnings.size() == 1);
  CHECK(structure.warnings[0] ==
        "note: x.psf: has no radii; the solver uses those of the AMBER bondi set, by element, and 0 for 1 "
        "atom of unknown elements");
}
