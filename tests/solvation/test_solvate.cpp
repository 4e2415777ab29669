// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "solvation/solute_extent.hpp"
#include "solvation/solvate.hpp"

using namespace ionwell;

namespace {

/// A rod of carbons that lies askew, far from the origin, and an ion.
Structure rod() {
  Structure structure{.path = "rod.pdb"};
  const Rotation askew = rotation_of(spread_rotation(11, 40));
  for (int n = 0; n < 60; ++n)
    structure.atoms.push_back({.position_A = Vec3<double>{300, -200, 100} +
                                             askew({0.6 * n, 3 * std::sin(0.5 * n), 2 * std::cos(0.5 * n)}),
                               .name = "C1",
                               .residue = "LIG",
                               .residue_number = n + 1,
                               .element = "C"});
  structure.atoms.push_back(
      {.position_A = {310, -195, 100}, .name = "NA", .residue = "NA", .residue_number = 99, .element = "NA"});
  return structure;
}

std::string message_of(const Structure& structure, const SolvationOptions& options) {
  try {
    solvate(structure, options);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void add_waters(Structure& structure, int count) {
  for (int n = 0; n < count; ++n)
    structure.atoms.push_back(
        {.position_A = {300.0 + 3 * (n % 10), -200.0 + 3 * (n / 10 % 10), 90.0 - 3 * (n / 100)},
         .name = "O",
         .residue = "HOH",
         .residue_number = n + 1,
         .element = "O"});
}

constexpr std::size_t tail_atoms = 14;
constexpr double thickness_A = 2 * (1.0 + 1.4 * (tail_atoms - 1));

/// Lipids of one tail each, a phosphorus with carbons below or above it, 4 A apart in two leaflets.
Structure bilayer(const Vec3<double>& edges_A, double middle_A) {
  Structure structure{.path = "membrane.gro"};
  structure.cell = unit_cell({edges_A}, CellKind::simulation);
  int number = 0;
  for (const double side : {-1.0, 1.0})
    for (double x = 2; x < edges_A.x; x += 4)
      for (double y = 2; y < edges_A.y; y += 4) {
        ++number;
        for (std::size_t n = 0; n < tail_atoms; ++n) {
          const bool is_head = n + 1 == tail_atoms;
          structure.atoms.push_back({.position_A = {x, y, middle_A + side * (1.0 + 1.4 * double(n))},
                                     .name = is_head ? "P" : "C1",
                                     .residue = "POPC",
                                     .residue_number = number,
                                     .element = is_head ? "P" : "C"});
        }
      }
  return structure;
}

}  // namespace

TEST_CASE("solvate: the solute is in the middle, moved as a whole, with the padding asked for") {
  const Structure structure = rod();
  for (const bool orient : {false, true})
    for (const CellShape shape : {CellShape::cube, CellShape::rectangular, CellShape::octahedron}) {
      CAPTURE(std::string(to_string(shape)));
      CAPTURE(orient);
      const Solvation result = solvate(structure, {.shape = shape, .padding_A = 10, .orient = orient});
      REQUIRE(result.solute.size() == structure.atoms.size());
      std::vector<Vec3<double>> positions;
      for (std::size_t n = 0; n < result.solute.size(); ++n) {
        const Vec3<double> expected = result.rotation(structure.atoms[n].position_A) + result.translation_A;
        CHECK(std::sqrt(distance_squared(result.solute[n].position_A, expected)) < 1e-9);
        positions.push_back(result.solute[n].position_A);
      }
      CHECK(result.own_image_A >= 20.0 - 1e-9);
      CHECK(result.own_image_A ==
            doctest::Approx(distance_to_own_image_A(positions, PeriodicCell(result.cell))));
      const Vec3<double> middle = 0.5 * (result.cell.a + result.cell.b + result.cell.c);
      const Box box = bounding_box(result.solute);
      CHECK(std::sqrt(distance_squared(0.5 * (box.lowest_A + box.highest_A), middle)) < 1e-9);
      CHECK(result.volume_A3 == doctest::Approx(PeriodicCell(result.cell).volume_A3()));
      CHECK(result.density_g_cm3 == doctest::Approx(0.9862).epsilon(4e-3));
      CHECK(result.atoms() == std::ssize(result.solute) + 3 * result.waters.size());
      CHECK(result.warnings.empty());
    }
}

TEST_CASE("solvate: no solute is larger than the cell that was chosen for it") {
  // A rod along z in a dodecahedron, whose vectors' own faces are nearer to each other than the rod is long.
  Structure structure{.path = "rod.pdb"};
  for (int n = 0; n < 80; ++n)
    structure.atoms.push_back({.position_A = {0.2 * (n % 3), 0.3 * (n % 5), 0.65 * n},
                               .name = "C1",
                               .residue = "LIG",
                               .residue_number = n + 1,
                               .element = "C"});
  for (const CellShape shape : {CellShape::dodecahedron, CellShape::octahedron, CellShape::hexagonal}) {
    CAPTURE(std::string(to_string(shape)));
    const Solvation result = solvate(structure, {.shape = shape, .padding_A = 6});
    CHECK(result.own_image_A >= 12.0 - 1e-9);
    CHECK(result.waters.size() > 200);
  }
}

TEST_CASE("solvate: every water model has its box, and the density that is published for it") {
  for (const WaterModel& model : water_models()) {
    CAPTURE(std::string(model.name));
    const Solvation result = solvate(rod(), {.water_model = std::string(model.name)});
    // Published with cutoffs of their time, without long-range forces: 2 % more or less.
    CHECK(result.density_g_cm3 == doctest::Approx(model.density_g_cm3).epsilon(0.02));
    CHECK(result.waters.atoms_each() == model.sites);
  }
}

TEST_CASE("solvate: a cell that is given is taken as it is") {
  const Solvation result = solvate(rod(), {.cell = CellParameters{{70, 60, 65}, {80, 100, 95}}});
  CHECK(lengths_A(result.cell) == Vec3<double>{70, 60, 65});
  CHECK(angles_deg(result.cell) == Vec3<double>{80, 100, 95});
  CHECK(result.volume_A3 ==
        doctest::Approx(PeriodicCell(cell_vectors({{70, 60, 65}, {80, 100, 95}})).volume_A3()));
}

TEST_CASE("solvate: what is broken by its own cell is made whole, and told of") {
  const Structure whole = rod();
  Structure broken = whole;
  broken.cell = unit_cell({{48, 48, 48}}, CellKind::simulation);
  const PeriodicCell cell(*broken.cell);
  for (Atom& atom : broken.atoms)
    atom.position_A = cell.wrapped(atom.position_A - Vec3<double>{300, -200, 100});
  const Solvation a = solvate(whole), b = solvate(broken);
  CHECK(b.made_whole > 0);
  REQUIRE(b.warnings.size() == 1);
  CHECK(b.warnings[0].find("was broken across the boundary") != std::string::npos);
  CHECK(b.volume_A3 == doctest::Approx(a.volume_A3));
  Structure dummy = whole;
  dummy.cell = unit_cell({{1, 1, 1}}, CellKind::simulation);  // CRYST1 of programs that have none
  CHECK(solvate(dummy).made_whole == 0);
}

TEST_CASE("solvate: a cell that is no simulation's moves no atom") {
  Structure dimer{.path = "dimer.pdb"};  // whole, and 1.5 A apart through a face of the cell
  for (const char* chain : {"A", "B"})
    for (int n = 0; n < 6; ++n)
      dimer.atoms.push_back({.position_A = {(*chain == 'A' ? 0.0 : 15.0) + 1.5 * n, 1.0 * (n % 2), 0},
                             .name = "C1",
                             .residue = "LIG",
                             .chain = std::string_view(chain),
                             .residue_number = 1,
                             .element = "C"});
  const Vec3<double> apart = dimer.atoms[6].position_A - dimer.atoms[0].position_A;
  for (const CellKind kind : {CellKind::crystal, CellKind::undecided, CellKind::simulation}) {
    dimer.cell = unit_cell({{24, 30, 30}}, kind);  // no bond is torn, so a simulation's moves none either
    const Solvation result = solvate(dimer, {.padding_A = 8});
    CHECK(result.made_whole == 0);
    CHECK(result.warnings.empty());
    const Vec3<double> off = result.solute[6].position_A - result.solute[0].position_A - apart;
    CHECK(std::sqrt(dot(off, off)) < 1e-9);
  }
  dimer.atoms[0].position_A.x += 24.0;  // a part of chain A at the other face
  dimer.cell->kind = CellKind::crystal;
  CHECK(solvate(dimer, {.padding_A = 8}).made_whole == 0);
  dimer.cell->kind = CellKind::undecided;
  const Solvation undecided = solvate(dimer, {.padding_A = 8});
  CHECK(undecided.made_whole == 0);
  REQUIRE(undecided.warnings.size() == 1);
  CHECK(undecided.warnings[0].find("no atom was moved") != std::string::npos);
  dimer.cell->kind = CellKind::simulation;
  CHECK(solvate(dimer, {.padding_A = 8}).made_whole > 0);
}

TEST_CASE("solvate: beads are refused") {
  Structure structure{.path = "coarse.gro"};
  for (int n = 0; n < 12; ++n)
    structure.atoms.push_back({.position_A = {4.7 * n, 0, 0},
                               .name = n % 2 == 0 ? "BB" : "SC1",
                               .residue = "LYS",
                               .residue_number = n / 2 + 1});
  CHECK(message_of(structure, {}).starts_with("coarse.gro: contains beads of a coarse-grained model"));
}

TEST_CASE("solvate: the smallest box around the molecules is no cell, also when ions came later") {
  // Two chains, the end of one as high as the start of the other: across such a box they would be bonded.
  Structure structure{.path = "conf.gro"};
  for (const double x : {0.0, 1.4, 2.8, 14.0, 15.4, 16.8})
    structure.atoms.push_back({.position_A = {x, x == 2.8 ? 9.0 : 0.0, x == 14.0 ? 9.0 : 0.0},
                               .name = "C1",
                               .residue = "LIG",
                               .element = "C"});
  structure.cell = unit_cell({{16.8, 9, 9}}, CellKind::simulation);
  CHECK(solvate(structure).made_whole == 0);
  structure.atoms.push_back(
      {.position_A = {8, -5, 4}, .name = "NA", .residue = "NA", .residue_number = 9, .element = "NA"});
  const Solvation result = solvate(structure);
  CHECK(result.made_whole == 0);
  CHECK(result.warnings.empty());
  structure.cell = unit_cell({{18.2, 12, 12}}, CellKind::simulation);  // a cell of its own
  CHECK(solvate(structure).made_whole > 0);
}

TEST_CASE("solvate: a bilayer keeps its cell in its plane, wherever it lies along the normal") {
  const Structure whole = bilayer({44, 36, 70}, 35);
  for (const double middle_A : {35.0, 2.0, 69.0}) {  // also with a leaflet at each face
    CAPTURE(middle_A);
    Structure membrane = whole;
    const PeriodicCell cell(*membrane.cell);
    for (std::size_t n = 0; n < membrane.atoms.size(); n += tail_atoms) {  // lipids stay whole
      const double up_A = middle_A - 35.0;
      const double z = membrane.atoms[n + tail_atoms / 2].position_A.z + up_A;
      for (std::size_t i = n; i < n + tail_atoms; ++i)
        membrane.atoms[i].position_A.z += up_A - 70.0 * std::floor(z / 70.0);
    }
    const Solvation result = solvate(membrane, {.padding_A = 15, .cutoff_A = 20});
    CHECK(result.keeps_membrane);
    CHECK(result.warnings.empty());
    CHECK(result.cell.a == membrane.cell->a);
    CHECK(result.cell.b == membrane.cell->b);
    CHECK(result.cell.c.z == doctest::Approx(thickness_A + 30.0).epsilon(1e-9));
    CHECK(result.waters.size() > 0);
  }
}

TEST_CASE("solvate: a bilayer whose cell is not known is told of, with the option that gives it") {
  Structure membrane = bilayer({44, 36, 70}, 35);
  membrane.cell.reset();
  const Solvation open = solvate(membrane, {.padding_A = 5, .cutoff_A = 0});
  CHECK(!open.keeps_membrane);
  REQUIRE(open.warnings.size() == 1);
  CHECK(open.warnings[0].find("--cell A,B,C") != std::string::npos);
  CHECK(solvate(membrane, {.cell = CellParameters{{44, 36, 70}}, .cutoff_A = 0}).warnings.empty());
  membrane.cell = unit_cell({{44, 36, 70}}, CellKind::simulation);
  CHECK(message_of(membrane, {.orient = true}).starts_with("--orient rotates the solute"));
}

TEST_CASE("solvate: what makes no sense gets one message") {
  const Structure structure = rod();
  CHECK(message_of(structure, {.water_model = "tip7p"}).starts_with("there is no water model 'tip7p'"));
  CHECK(message_of(structure, {.padding_A = -1}).starts_with("--padding is -1 A"));
  CHECK(message_of(structure, {.padding_A = std::nan("")}).starts_with("--padding is nan A"));
  CHECK(message_of(structure, {.cell = CellParameters{{60, 60, 60}, {60, 60, 150}}})
            .starts_with("a cell cannot have angles of 60, 60 and 150"));
  CHECK(message_of(structure, {.cell = CellParameters{{60, -5, 60}, {90, 90, 90}}})
            .find("three lengths greater than 0") != std::string::npos);
  CHECK(message_of(structure, {.cell = CellParameters{{60, 60, 60}, {90, 90, 90}}, .orient = true})
            .starts_with("--orient finds"));
  Structure block{.path = "block.pdb"};
  for (int n = 0; n < 343; ++n)
    block.atoms.push_back({.position_A = {3.0 * (n % 7), 3.0 * (n / 7 % 7), 3.0 * (n / 49)},
                           .name = "C1",
                           .residue = "LIG",
                           .element = "C"});
  CHECK(message_of(block, {.cell = CellParameters{{17.5, 40, 40}, {90, 90, 90}}})
            .find("larger than the cell") != std::string::npos);
  // What reaches past its image without touching it may be a membrane.
  CHECK(message_of(structure, {.cell = CellParameters{{20, 20, 20}, {90, 90, 90}}}) == "");
  CHECK(message_of(structure, {.cell = CellParameters{{60, 60, 8}, {90, 90, 90}}})
            .find("water needs at least 12 A") != std::string::npos);
  CHECK(message_of({.path = "empty.pdb"}, {}).starts_with("empty.pdb: has no atoms"));
  const std::string vast = message_of(structure, {.padding_A = 9'000});
  CHECK(vast.find("waters, which need") != std::string::npos);
  CHECK(vast.find("give a smaller --padding or --cell") != std::string::npos);
  Structure one{.path = "one.pdb", .atoms = {structure.atoms[0]}};
  CHECK(message_of(one, {.padding_A = 0}).find("give --padding") != std::string::npos);
  CHECK(solvate(one, {.padding_A = 10}).waters.size() > 200);
}

TEST_CASE("solvate: bulk water of the input is refused, crystal water stays") {
  Structure crystal = rod(), bulk = rod();
  add_waters(crystal, 20);
  add_waters(bulk, 200);
  const Solvation kept = solvate(crystal);
  CHECK(kept.solute.size() == crystal.atoms.size());
  const std::string message = message_of(bulk, {});
  CHECK(message.find("has 200 waters and 61 other heavy atoms") != std::string::npos);
  CHECK(message.find("--input-water ignore") != std::string::npos);
  CHECK(solvate(bulk, {.accept_bulk_water = true}).solute.size() == bulk.atoms.size());
}

TEST_CASE("solvate: a solute near its own image is told of") {
  const Solvation result = solvate(rod(), {.shape = CellShape::rectangular, .padding_A = 4, .orient = true});
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].find("from its own image") != std::string::npos);
}
