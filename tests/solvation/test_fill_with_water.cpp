// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "solvation/fill_with_water.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/example.hpp"

using namespace ionwell;

namespace {

struct Case {
  std::string name;
  CellVectors vectors;
};

/// Edges that no whole number of tiles makes; 64.2 A is 2 tiles and 4 A.
std::vector<Case> cells() {
  return {{"cube", {{50, 0, 0}, {0, 50, 0}, {0, 0, 50}}},
          {"a little more than tiles", {{61.7, 0, 0}, {0, 61.7, 0}, {0, 0, 61.7}}},
          {"rectangular", {{41, 0, 0}, {0, 64.2, 0}, {0, 0, 53}}},
          {"dodecahedron", {{55, 0, 0}, {0, 55, 0}, {27.5, 27.5, 27.5 * std::sqrt(2.0)}}},
          {"triclinic", {{60, 0, 0}, {-21, 52, 0}, {13, -17, 47}}}};
}

FilledCell filled(const std::vector<Atom>& solute, const CellVectors& vectors, FillOptions options = {}) {
  return fill_with_water(solute, PeriodicCell(vectors), water_model("tip3p"), water_box("tip3p"), options);
}

std::vector<Vec3<double>> oxygens(const FilledCell& cell) {
  std::vector<Vec3<double>> positions;
  for (std::int64_t n = 0; n < cell.waters.size(); ++n) positions.push_back(cell.waters.oxygen_A(n));
  return positions;
}

Atom carbon(const Vec3<double>& position_A) {
  return {.position_A = position_A, .name = "C1", .residue = "LIG", .residue_number = 1, .element = "C"};
}

/// Carbons on a sphere, so dense that no water passes between them.
std::vector<Atom> shell(const Vec3<double>& middle_A, double radius_A) {
  std::vector<Atom> atoms;
  const int count = int(4 * 3.1416 * radius_A * radius_A / 0.8);
  for (int n = 0; n < count; ++n) {
    const double z = 1 - (2 * n + 1.0) / count, r = std::sqrt(1 - z * z), turn = 2.399963 * n;
    atoms.push_back(carbon(middle_A + radius_A * Vec3<double>{r * std::cos(turn), r * std::sin(turn), z}));
  }
  return atoms;
}

int within(const FilledCell& cell, const Vec3<double>& middle_A, double radius_A) {
  int count = 0;
  for (const Vec3<double>& p : oxygens(cell)) count += distance_squared(p, middle_A) < radius_A * radius_A;
  return count;
}

}  // namespace

TEST_CASE("fill with water: the density of the box, in the cell and at its faces") {
  double at_faces = 0.0, expected_at_faces = 0.0, deeper = 0.0, expected_deeper = 0.0;
  for (const Case& c : cells()) {
    CAPTURE(c.name);
    const PeriodicCell cell(c.vectors);
    const FilledCell result = filled({}, c.vectors);
    const double per_A3 = result.waters.tiles.waters_per_A3();
    CHECK(per_A3 == doctest::Approx(900 / std::pow(30.111, 3)));
    // One water in 500 is what the choice at the faces leaves open.
    CHECK(double(result.waters.size()) == doctest::Approx(per_A3 * cell.volume_A3()).epsilon(2e-3));
    const Vec3<double> w = cell.widths_A();
    const auto volume_A3 = [&](double depth_A) {
      return cell.volume_A3() * (1 - 2 * depth_A / w.x) * (1 - 2 * depth_A / w.y) * (1 - 2 * depth_A / w.z);
    };
    for (const Vec3<double>& p : oxygens(result)) {
      const Vec3<double> f = cell.fractional(cell.wrapped(p));
      const double depth_A =
          std::min({f.x * w.x, (1 - f.x) * w.x, f.y * w.y, (1 - f.y) * w.y, f.z * w.z, (1 - f.z) * w.z});
      at_faces += depth_A < 1.5;
      deeper += depth_A >= 1.5 && depth_A < 4.5;
    }
    expected_at_faces += per_A3 * (volume_A3(0) - volume_A3(1.5));
    expected_deeper += per_A3 * (volume_A3(1.5) - volume_A3(4.5));
  }
  // Neither a bubble nor a layer too dense: some 7,000 waters, of which chance moves 1 %.
  CHECK(at_faces / expected_at_faces == doctest::Approx(1.0).epsilon(0.06));
  CHECK(deeper / expected_deeper == doctest::Approx(1.0).epsilon(0.06));
}

TEST_CASE("fill with water: no two waters are closer than the rule lets them be") {
  const SeamRule rule;
  for (const Case& c : cells()) {
    CAPTURE(c.name);
    const PeriodicCell cell(c.vectors);
    const FilledCell result = filled({}, c.vectors);
    const std::vector<Vec3<double>> all = oxygens(result);
    double least_A2 = 1e300;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Vec3<double> d = all[i] - all[j];
        // Beyond this no image is near, in the smallest of the cells.
        least_A2 = std::min(least_A2,
                            dot(d, d) < 36 * 36 / 4 ? dot(d, d) : cell.distance_squared_A2(all[i], all[j]));
      }
    CHECK(std::sqrt(least_A2) >= rule.oxygens_A);
    CHECK(std::sqrt(least_A2) < 2.7);
  }
}

TEST_CASE("fill with water: whole tiles are left as they are") {
  const double edge_A = water_box("tip3p").edge_A;
  const FilledCell result = filled({}, {{edge_A, 0, 0}, {0, 2 * edge_A, 0}, {0, 0, edge_A}});
  CHECK(result.waters.size() == 2 * water_box("tip3p").molecules);
  CHECK(result.counts.seam == 0);
}

TEST_CASE("fill with water: nothing within the rule's distance of the solute and of its images") {
  const OverlapRule rule;
  for (const Case& c : cells()) {
    CAPTURE(c.name);
    const PeriodicCell cell(c.vectors);
    std::vector<Atom> solute = shell({2, 3, 40}, 6.0);  // through three faces
    solute.push_back(
        {.position_A = {25, 25, 20}, .name = "MG", .residue = "MG", .residue_number = 2, .element = "MG"});
    const FilledCell result = filled(solute, c.vectors);
    CHECK(result.counts.overlapping > 20);
    double least_A = 1e300, least_of_ion_A = 1e300;
    for (const Vec3<double>& p : oxygens(result)) {
      for (std::size_t n = 0; n + 1 < solute.size(); ++n)
        least_A = std::min(least_A, cell.distance_squared_A2(p, solute[n].position_A));
      least_of_ion_A = std::min(least_of_ion_A, cell.distance_squared_A2(p, solute.back().position_A));
    }
    CHECK(std::sqrt(least_A) >= rule.scale * (1.70 + rule.oxygen_A) - 1e-6);  // Bondi's carbon
    CHECK(std::sqrt(least_A) < rule.scale * (1.70 + rule.oxygen_A) + 1.0);    // and no farther than need be
    CHECK(std::sqrt(least_of_ion_A) >= rule.scale * (0.72 + rule.oxygen_A) - 1e-6);  // Shannon's Mg2+
    CHECK(std::sqrt(least_of_ion_A) < 3.5);
  }
}

TEST_CASE("fill with water: a nucleic acid with its counter-ions leaves out its partial volume") {
  const double edge_A = 2 * water_box("tip3p").edge_A;  // whole tiles, which lose none at the faces
  const CellVectors cube{{edge_A, 0, 0}, {0, edge_A, 0}, {0, 0, edge_A}};
  std::vector<Atom> solute = read_structure(test::duplex).atoms;
  Vec3<double> middle_A;
  for (const Atom& atom : solute) middle_A = middle_A + (1.0 / double(solute.size())) * atom.position_A;
  for (Atom& atom : solute)
    atom.position_A = atom.position_A - middle_A + 0.5 * Vec3<double>{edge_A, edge_A, edge_A};
  const auto missing = [&] {
    return double(filled({}, cube).waters.size() - filled(solute, cube).waters.size());
  };
  // The 22 Na+ replace 22 waters.
  constexpr double ions = 22, water_cm3_mol = 18.015 / 0.986, mass_g_mol = 7270.7 + ions * 22.99;
  const double volume_cm3_g = (missing() + ions) * water_cm3_mol / mass_g_mol;
  CHECK(volume_cm3_g > 0.50);  // sodium salts of DNA in solution: 0.50 to 0.55
  CHECK(volume_cm3_g < 0.55);
  // With the names of another molecule, the same atoms have the rule of all others.
  const double as_it_is = missing();
  for (Atom& atom : solute) atom.residue = "LIG";
  CHECK(missing() > 1.1 * as_it_is);
}

TEST_CASE("fill with water: cavities have water when they have room for it, a way out, or a water already") {
  const CellVectors cube{{60, 0, 0}, {0, 60, 0}, {0, 0, 60}};
  const Vec3<double> middle{30, 30, 30};
  const auto waters_in = [&](std::vector<Atom> solute, int smallest) {
    FillOptions options;
    options.smallest_cavity = smallest;
    return within(filled(solute, cube, options), middle, 7.0);
  };
  // Radius 7: waters have their oxygens within 5.08 of the middle, some 18.
  const std::vector<Atom> closed = shell(middle, 7.0);
  const int many = waters_in(closed, 3);
  CHECK(many >= 10);
  CHECK(many <= 25);
  CHECK(waters_in(closed, many) == many);
  CHECK(waters_in(closed, many + 1) == 0);
  // A door of 4 A makes it a bay.
  std::vector<Atom> open = closed;
  std::erase_if(open, [&](const Atom& atom) {
    const Vec3<double> d = atom.position_A - middle;
    return d.x > 0 && d.y * d.y + d.z * d.z < 5.0 * 5.0;
  });
  CHECK(waters_in(open, 1000) >= many);
  // A crystal water in it says that there is water.
  std::vector<Atom> wet = closed;
  wet.push_back({.position_A = middle, .name = "O", .residue = "HOH", .residue_number = 1, .element = "O"});
  const int beside = waters_in(wet, 1000);
  CHECK(beside >= many - 4);
  CHECK(beside < many);
}

TEST_CASE("fill with water: none among the tails of lipids, but on both sides of them and in a pore") {
  // Tails as carbons 3.6 A apart, which leaves room for waters, over the whole cell, with heads of
  // phosphorus.
  std::vector<Atom> membrane;
  const double spacing_A = 3.6, edge_A = 43.2;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      for (int k = 0; k < 9; ++k) {
        const Vec3<double> p{spacing_A * i, spacing_A * j, 25 + spacing_A * k};
        const bool is_head = k == 0 || k == 8;
        membrane.push_back({.position_A = p,
                            .name = is_head ? "P" : "C22",
                            .residue = "POPC",
                            .residue_number = 12 * i + j + 1,
                            .element = is_head ? "P" : "C"});
      }
  const CellVectors vectors{{edge_A, 0, 0}, {0, edge_A, 0}, {0, 0, 80}};
  const auto in_core = [](const FilledCell& cell) {
    int count = 0;
    for (const Vec3<double>& p : oxygens(cell)) count += p.z > 33 && p.z < 44;
    return count;
  };
  const FilledCell result = filled(membrane, vectors);
  CHECK(in_core(result) == 0);
  CHECK(result.counts.among_tails > 100);
  for (Atom& atom : membrane) atom.residue = "LIG";  // so it is because they are tails
  CHECK(in_core(filled(membrane, vectors)) > 100);
  for (Atom& atom : membrane) atom.residue = "POPC";
  // The same under a name that nobody knows, four of them as one: 28 carbons and 8 polar atoms.
  for (Atom& atom : membrane) {
    atom.residue = "XYZ";
    atom.residue_number = (atom.residue_number - 1) / 4 + 1;
  }
  CHECK(in_core(filled(membrane, vectors)) == 0);
  for (Atom& atom : membrane) atom.residue = "POPC";
  // A pore lined by oxygens.
  std::erase_if(membrane, [](const Atom& atom) {
    const Vec3<double> d = atom.position_A - Vec3<double>{22.5, 22.5, 0};
    return d.x * d.x + d.y * d.y < 8.0 * 8.0;
  });
  for (int k = 0; k < 14; ++k)
    for (int turn = 0; turn < 12; ++turn)
      membrane.push_back({.position_A = {22.5 + 6 * std::cos(0.5236 * turn),
                                         22.5 + 6 * std::sin(0.5236 * turn), 25 + 2.2 * k},
                          .name = "O",
                          .residue = "GLY",
                          .residue_number = 12 * k + turn + 1,
                          .element = "O"});
  CHECK(in_core(filled(membrane, vectors)) > 10);
}

TEST_CASE("fill with water: threads change nothing") {
  const std::vector<Atom> solute = shell({20, 20, 20}, 9.0);
  const CellVectors vectors{{60, 0, 0}, {-21, 52, 0}, {13, -17, 47}};
  FillOptions one, three;
  one.threads = 1;
  three.threads = 3;
  const FilledCell a = filled(solute, vectors, one), b = filled(solute, vectors, three);
  CHECK(a.waters.molecules == b.waters.molecules);
  CHECK(a.waters.size() > 1000);
}

TEST_CASE("waters: atoms are the model's, rigid, whatever the piece they are made in") {
  FilledCell result = filled({}, {{40, 0, 0}, {0, 40, 0}, {0, 0, 40}});
  const WaterModel& four = water_model("opc");
  const Waters waters{WaterTiles(four, water_box("tip3p"),
                                 PeriodicCell(CellVectors{{40, 0, 0}, {0, 40, 0}, {0, 0, 40}}), 6.0),
                      result.waters.molecules};
  REQUIRE(waters.atoms_each() == 4);
  const WaterLabels labels{.names = WaterNames::gromacs, .first_residue = 9'998};
  std::vector<Atom> all(std::size_t(4 * waters.size()));
  waters.make_atoms(0, labels, all);
  std::vector<Atom> part(8);
  waters.make_atoms(17, labels, part);
  for (std::size_t n = 0; n < part.size(); ++n) {
    CHECK(part[n].position_A == all[4 * 17 + n].position_A);
    CHECK(part[n].residue_number == all[4 * 17 + n].residue_number);
  }
  CHECK(all[0].name == "OW");
  CHECK(all[3].name == "MW");
  CHECK(all[3].element.empty());
  CHECK(all[0].segment == "W1");
  CHECK(all[8].residue_number == 10'000);
  CHECK(all[8].segment == "W2");
  CHECK(all[7].segment == "W1");
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::sqrt(distance_squared(all[a].position_A, all[b].position_A));
  };
  for (std::size_t n = 0; n < all.size(); n += 4) {
    CHECK(distance(n, n + 1) == doctest::Approx(0.8724).epsilon(1e-12));
    CHECK(distance(n, n + 2) == doctest::Approx(0.8724).epsilon(1e-12));
    CHECK(distance(n, n + 3) == doctest::Approx(0.1594).epsilon(1e-12));
    CHECK(distance(n + 1, n + 2) ==
          doctest::Approx(2 * 0.8724 * std::sin(51.8 * 3.14159265358979 / 180)).epsilon(1e-12));
  }
}
