// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "electrostatics/charge_table.hpp"
#include "placement/cube_bounds.hpp"
#include "support/cases.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr std::int64_t cube_edge = 8;

/// A cube of 8 x 8 x 8 points with values, and the ions that its bounds are to feel.
struct Cube {
  LatticeGeometry points;
  std::vector<double> potential;  // of the solute and of all ions so far, in fp64
  std::vector<bool> excluded;

  Vec3<double> centre_A() const {
    const Box box = box_of(points);
    return 0.5 * (box.lowest_A + box.highest_A);
  }
};

Cube make_cube(Vec3<double> first_A, double spacing_A) {
  Cube cube{{first_A, {spacing_A, spacing_A, spacing_A}, {cube_edge, cube_edge, cube_edge}}, {}, {}};
  cube.potential.assign(cube.points.size(), 0.0);
  cube.excluded.assign(cube.points.size(), false);
  return cube;
}

void add(Cube& cube, const PairPotential& pair, const PointCharge& charge) {
  const std::vector<double> more = reference_potential(cube.points, pair, std::vector{charge});
  for (std::size_t p = 0; p < more.size(); ++p) cube.potential[p] += more[p];
}

Bounds range_of(const Cube& cube) {
  Bounds range;
  for (std::size_t p = 0; p < cube.potential.size(); ++p)
    if (!cube.excluded[p]) range.include({cube.potential[p], cube.potential[p]});
  return range;
}

/// As a block's own values give them: a plane from corner to corner, which need not be the best.
BoundsOfValues bounds_of_values(const Cube& cube) {
  const double across_A = double(cube_edge - 1) * cube.points.spacing_A.x;
  const auto value = [&](int i, int j, int k) { return cube.potential[cube.points.index(i, j, k)]; };
  BoundsOfValues of_values{range_of(cube), {}, {}};
  of_values.slope_kT_eA = {(value(7, 3, 3) - value(0, 3, 3)) / across_A,
                           (value(3, 7, 3) - value(3, 0, 3)) / across_A,
                           (value(3, 3, 7) - value(3, 3, 0)) / across_A};
  for (std::int64_t p = 0; p < cube.points.size(); ++p) {
    const double rest =
        cube.potential[p] - dot(of_values.slope_kT_eA, cube.points.position_A(p) - cube.centre_A());
    if (!cube.excluded[p]) of_values.above_plane.include({rest, rest});
  }
  return of_values;
}

struct Scene {
  std::vector<Cube> cubes;
  std::vector<PointCharge> ions;
  double ion_distance_A;
};

/// Cubes here and there with a solute's potential, and ions of both signs in and around them. Positions
/// relative to `origin_A`.
Scene random_scene(const PairPotential& pair, double spacing_A, double extent_A, double ion_distance_A,
                   Vec3<double> origin_A, std::uint64_t seed) {
  Random random(seed);
  Scene scene{{}, {}, ion_distance_A};
  const Box box{origin_A, origin_A + Vec3<double>{extent_A, extent_A, extent_A}};
  const std::vector<PointCharge> solute = random_charges(random, box, 40);
  for (int n = 0; n < 37; ++n) {  // not a multiple of any vector
    scene.cubes.push_back(make_cube(random.position_A(box), spacing_A));
    Cube& cube = scene.cubes.back();
    for (const PointCharge& q : solute) add(cube, pair, q);
    const std::vector<double> distance_A = nearest_distance(cube.points, centres_of(solute));
    for (std::size_t p = 0; p < distance_A.size(); ++p) cube.excluded[p] = distance_A[p] <= 1.0;
  }
  for (int n = 0; n < 24; ++n) {
    const double charge_e = std::vector{1.0, 2.0, -1.0, 3.0, -0.3}[n % 5];
    if (n % 3 == 0)  // near one of the cubes
      scene.ions.push_back({scene.cubes[n].points.position_A(random.below(512)), charge_e});
    else
      scene.ions.push_back({random.position_A(box), charge_e});
  }
  return scene;
}

/// Adds the scene's ions, a few at a time, and counts points outside of their cube's bounds.
void check_bounds(Scene scene, const PairPotential& pair, SimdLevel level, Vec3<double> origin_A) {
  const double half = 0.5 * double(cube_edge - 1) * scene.cubes[0].points.spacing_A.x;
  CubeBounds bounds(origin_A, {half, half, half}, pair, bound_kernels(level));
  for (std::size_t c = 0; c < scene.cubes.size(); ++c) {
    bounds.add_cube(scene.cubes[c].centre_A());
    bounds.set(c, bounds_of_values(scene.cubes[c]));
  }
  ChargeTable table(pair);
  for (const PointCharge& ion : scene.ions) table.append({&ion, 1});
  REQUIRE(table.size() == scene.ions.size());
  const std::vector<double> clearance_A(table.size(), scene.ion_distance_A);
  std::int64_t compared = 0, outside = 0, cubes_left = 0;
  for (std::size_t done = 0; done < scene.ions.size();) {
    const std::size_t next = std::min(scene.ions.size(), done + 1 + done % 5);
    bounds.add_ions(0, scene.cubes.size(), table.arrays(done, next), clearance_A.data() + done);
    for (std::size_t c = 0; c < scene.cubes.size(); ++c) {
      Cube& cube = scene.cubes[c];
      for (std::size_t i = done; i < next; ++i) {
        add(cube, pair, scene.ions[i]);
        exclude_around_ion(cube.points, scene.ions[i].position_A, scene.ion_distance_A, cube.excluded);
      }
      const Bounds range = range_of(cube), claimed = bounds[c];
      cubes_left += !range.empty();
      for (std::size_t p = 0; p < cube.potential.size(); ++p)
        if (!cube.excluded[p]) {
          ++compared;
          outside += !(claimed.lowest <= cube.potential[p] && cube.potential[p] <= claimed.highest);
        }
      if (!range.empty()) {
        CHECK(claimed.energy_kT(2.0) <= 2.0 * range.lowest);
        CHECK(claimed.energy_kT(-1.0) <= -range.highest);
      }
    }
    done = next;
  }
  CHECK(outside == 0);
  CHECK(compared > 10000);
  CHECK(cubes_left > 50);
}

double width(const Bounds& bounds) {
  return bounds.highest - bounds.lowest;
}

}  // namespace

TEST_CASE("cube bounds: no available point lies outside, near and far from ions of both signs") {
  std::uint64_t seed = 100;
  for (const auto& [name, pair] : pairs())
    for (const double spacing_A : {0.2, 0.5, 1.0})
      for (const double ion_distance_A : {0.0, 0.5, 5.0})
        for (const double extent_A : {12.0, 60.0, 400.0}) {
          CAPTURE(name);
          CAPTURE(spacing_A);
          CAPTURE(ion_distance_A);
          CAPTURE(extent_A);
          const Vec3<double> origin_A{-500.0, 3.25, 812.5};
          const Scene scene = random_scene(pair, spacing_A, extent_A, ion_distance_A, origin_A, ++seed);
          for (const SimdLevel level : simd_levels()) {
            CAPTURE(std::string(to_string(level)));
            check_bounds(scene, pair, level, origin_A);
          }
        }
}

TEST_CASE("cube bounds: hold where fp32 coordinates are coarse, near one ion") {
  const Vec3<double> lattice_A{-500.0, 3.25, 812.5};
  constexpr double spacing_A = 0.2, half_A = 0.5 * double(cube_edge - 1) * spacing_A;
  Random random(7);
  for (const auto& [name, pair] : pairs())
    for (const double ion_distance_A : {0.2, 1.0})
      for (int n = 0; n < 1000; ++n) {
        const Box around{{7900.0, 6000.0, 100.0}, {8000.0, 8000.0, 7000.0}};  // 0.0005 A from one to the next
        Cube cube = make_cube(lattice_A + random.position_A(around), spacing_A);
        const Box near{cube.points.origin_A, cube.points.position_A(cube.points.size() - 1)};
        const Vec3<double> margin{1.5, 1.5, 1.5};
        const PointCharge ion{random.position_A({near.lowest_A - margin, near.highest_A + margin}), 2.0};
        CubeBounds bounds(lattice_A, {half_A, half_A, half_A}, pair, bound_kernels(SimdLevel::automatic));
        bounds.add_cube(cube.centre_A());
        bounds.set(0, {{0.0, 0.0}, {0.0, 0.0}, {}});
        ChargeTable table(pair);
        table.append({&ion, 1});
        bounds.add_ions(0, 1, table.arrays(), &ion_distance_A);
        add(cube, pair, ion);
        exclude_around_ion(cube.points, ion.position_A, ion_distance_A, cube.excluded);
        const Bounds range = range_of(cube);
        if (range.empty()) continue;
        CAPTURE(name);
        CAPTURE(ion_distance_A);
        CAPTURE(n);
        CHECK(bounds[0].lowest <= range.lowest);
        CHECK(bounds[0].highest >= range.highest);
      }
}

TEST_CASE("cube bounds: tight for ions that are not near, and slopes cancel before they are bounded") {
  for (const auto& [name, pair] : pairs())
    for (const SimdLevel level : simd_levels()) {
      CAPTURE(name);
      CAPTURE(std::string(to_string(level)));
      Cube cube = make_cube({0, 0, 0}, 0.5);
      const Vec3<double> centre = cube.centre_A();
      CubeBounds bounds({0, 0, 0}, {1.75, 1.75, 1.75}, pair, bound_kernels(level));
      bounds.add_cube(centre);
      add(cube, pair, {{-9.0, 1.0, 2.0}, -4.0});
      bounds.set(0, bounds_of_values(cube));
      CHECK(width(bounds[0]) <= 1.001 * width(range_of(cube)));

      ChargeTable table(pair);
      double one_by_one = 0.0;  // the width if each ion were bounded alone
      const std::vector<double> clearance_A(6, 5.0);
      for (const Vec3<double> direction :
           {Vec3<double>{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}) {
        const PointCharge ion{centre + 20.0 * direction, 2.0};
        table.append({&ion, 1});
        add(cube, pair, ion);
        one_by_one += 2.0 * (reference_pair(pair, 18.25) - reference_pair(pair, 21.75));
      }
      bounds.add_ions(0, 1, table.arrays(), clearance_A.data());
      CHECK(width(bounds[0]) <= 1.5 * width(range_of(cube)) + 0.35 * one_by_one);
      CHECK(width(bounds[0]) >= width(range_of(cube)));

      bounds.set(0, bounds_of_values(cube));  // forgets them
      CHECK(width(bounds[0]) <= 1.001 * width(range_of(cube)));
    }
}

TEST_CASE("cube bounds: nothing available stays so, and only the cubes asked for change") {
  const PairPotential pair = pair_potential({});
  for (const SimdLevel level : simd_levels()) {
    CubeBounds bounds({0, 0, 0}, {1.75, 1.75, 1.75}, pair, bound_kernels(level));
    for (int c = 0; c < 40; ++c) {
      bounds.add_cube({4.0 * c, 0, 0});
      if (c != 20) bounds.set(c, {{-1.0, 1.0}, {-1.0, 1.0}, {}});
    }
    ChargeTable table(pair);
    const PointCharge ion{{80.0, 9.0, 0.0}, 1.0};
    table.append({&ion, 1});
    const double clearance_A = 5.0;
    bounds.add_ions(3, 38, table.arrays(), &clearance_A);
    for (int c = 0; c < 40; ++c) {
      CAPTURE(c);
      CHECK(bounds[c].empty() == (c == 20));
      if (c == 20) continue;
      const bool asked = c >= 3 && c < 38;
      CHECK((bounds[c].lowest > -0.999) == asked);
      CHECK((bounds[c].highest > 1.001) == asked);
    }
    CHECK(bounds[20].energy_kT(1.0) == std::numeric_limits<double>::infinity());
    CHECK(bounds[20].energy_kT(-1.0) == std::numeric_limits<double>::infinity());
  }
}
