// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "solvation/simulation_cell.hpp"

using namespace ionwell;

namespace {

UnitCell cube(double edge_A, CellKind kind = CellKind::undecided) {
  return unit_cell({{edge_A, edge_A, edge_A}}, kind);
}

/// `count` molecules of the same three atoms, on a grid 4 A apart.
Structure box_of(const char* residue, const std::vector<const char*>& names, int count) {
  Structure structure{.path = "box.pdb"};
  for (int n = 0; n < count; ++n) {
    const Vec3<double> at{4.0 * (n % 5), 4.0 * (n / 5 % 5), 4.0 * (n / 25)};
    for (std::size_t i = 0; i < names.size(); ++i)
      structure.atoms.push_back({.position_A = at + Vec3<double>{1.2 * double(i), 0, 0},
                                 .name = std::string_view(names[i]),
                                 .residue = std::string_view(residue),
                                 .residue_number = n + 1});
  }
  return structure;
}

CellKind decided(Structure structure, const UnitCell& cell) {
  structure.cell = cell;
  decide_cell(structure, structure.atoms);
  return structure.cell->kind;
}

}  // namespace

TEST_CASE("cell: a simulation's where a solvent of any kind fills it") {
  CHECK(decided(box_of("HOH", {"O", "H1", "H2"}, 125), cube(20)) == CellKind::simulation);
  CHECK(decided(box_of("MOH", {"C", "OA", "HO"}, 125), cube(20)) == CellKind::simulation);
  CHECK(decided(box_of("CL3", {"C", "CL1", "CL2"}, 125), cube(20)) == CellKind::simulation);
  CHECK(decided(box_of("POPC", {"C1", "C2", "P"}, 125), cube(20)) == CellKind::simulation);
  // Too few of them, as a crystal's waters, or none at all.
  CHECK(decided(box_of("HOH", {"O"}, 25), cube(25)) == CellKind::undecided);
  CHECK(decided(box_of("GOL", {"C1", "C2", "C3"}, 10), cube(20)) == CellKind::undecided);
  CHECK(decided(box_of("GLY", {"N", "CA", "C"}, 125), cube(20)) == CellKind::undecided);
  // What the file says is not asked again.
  CHECK(decided(box_of("MOH", {"C", "OA", "HO"}, 125), cube(20, CellKind::crystal)) == CellKind::crystal);
  CHECK(decided(box_of("GLY", {"N", "CA", "C"}, 2), cube(20, CellKind::simulation)) == CellKind::simulation);
}

TEST_CASE("cell: only a simulation's has images, and only that is written") {
  Structure structure = box_of("MOH", {"C", "OA", "HO"}, 125);
  CHECK(!simulation_cell(structure));
  CHECK(why_not_periodic(structure).starts_with("box.pdb: has no cell"));
  structure.cell = cube(20);
  CHECK(!simulation_cell(structure));
  CHECK(!written_cell(structure));
  CHECK(why_not_periodic(structure).find("the file does not state which") != std::string::npos);
  structure.cell->kind = CellKind::crystal;
  CHECK(!simulation_cell(structure));
  CHECK(!written_cell(structure));
  CHECK(why_not_periodic(structure).find("of a crystal") != std::string::npos);
  structure.cell->kind = CellKind::simulation;
  CHECK(simulation_cell(structure));
  CHECK(written_cell(structure));
  structure.cell = unit_cell({{18.4, 16, 16}}, CellKind::simulation);  // no larger than the molecules
  CHECK(!simulation_cell(structure));
  // Decided by all atoms of the file, so that it does not come back when some of them do not act.
  decide_cell(structure, structure.atoms);
  CHECK(!written_cell(structure));
  CHECK(why_not_periodic(structure).find("no larger than its contents") != std::string::npos);
  structure.atoms.resize(structure.atoms.size() / 2);
  CHECK(!simulation_cell(structure));
}

TEST_CASE("cell: a molecule that an undecided cell may have torn is told of") {
  Structure structure{.path = "torn.pdb"};
  for (const double x : {1.0, 19.5})
    structure.atoms.push_back(
        {.position_A = {x, 5, 5}, .name = "C1", .residue = "LIG", .residue_number = 1, .element = "C"});
  structure.cell = cube(20);
  const std::vector<std::string> warnings = torn_molecule_warnings(structure);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("no atom was moved") != std::string::npos);
  for (const CellKind kind : {CellKind::simulation, CellKind::crystal}) {
    structure.cell->kind = kind;
    CHECK(torn_molecule_warnings(structure).empty());
  }
  structure.cell->kind = CellKind::undecided;
  structure.atoms[1].position_A.x = 2.5;
  CHECK(torn_molecule_warnings(structure).empty());
}
