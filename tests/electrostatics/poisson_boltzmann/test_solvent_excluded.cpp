// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "electrostatics/poisson_boltzmann/model/solvent_excluded.hpp"
#include "electrostatics/poisson_boltzmann/plain_surface.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

struct SurfaceCase {
  std::string name;
  std::vector<Ball> balls;
  double probe_A;
};

std::vector<SurfaceCase> surface_cases() {
  const Ball unit{{0, 0, 0}, 1.0};
  return {
      {"nothing", {}, 1.4},
      {"one atom", {{{0.1, 0.2, 0.3}, 2.0}}, 1.4},
      {"the same atom twice", {{{0.1, 0.2, 0.3}, 2.0}, {{0.1, 0.2, 0.3}, 2.0}}, 1.4},
      {"one inside another, touching", {{{0, 0, 0}, 2.0}, {{1, 0, 0}, 1.0}}, 1.4},
      {"two apart", {unit, {{9, 0, 0}, 1.5}}, 1.4},
      {"two that a probe bridges", {unit, {{3, 0, 0}, 1.0}}, 1.4},
      {"two that touch", {unit, {{2, 0, 0}, 1.0}}, 1.4},
      {"two that overlap", {unit, {{1.2, 0.3, 0}, 1.3}}, 1.4},
      {"three, a probe between", {unit, {{3, 0, 0}, 1.0}, {{1.5, 2.6, 0}, 1.0}}, 1.4},
      {"a square, all meeting in a point", {unit, {{3, 0, 0}, 1.0}, {{0, 3, 0}, 1.0}, {{3, 3, 0}, 1.0}}, 1.4},
      {"a row", {unit, {{1.5, 0, 0}, 1.0}, {{3, 0, 0}, 1.0}}, 1.4},
      {"a heap", heap_of_balls(25, 6.0, 1), 1.4},
      {"a loose heap", heap_of_balls(25, 11.0, 2), 1.4},
      {"a heap and a small probe", heap_of_balls(20, 6.0, 3), 0.3},
      {"a heap and a large probe", heap_of_balls(20, 9.0, 4), 3.0},
      {"a heap and no probe", heap_of_balls(20, 6.0, 5), 0.0}};
}

std::vector<Ball> larger(std::vector<Ball> balls, double by_A) {
  for (Ball& ball : balls) ball.radius_A += by_A;
  return balls;
}

}  // namespace

TEST_CASE("solvent-excluded surface: distances are those of all pairs and triples of atoms") {
  for (const SurfaceCase& c : surface_cases()) {
    CAPTURE(c.name);
    const LatticeGeometry lattice{{-4.03, -4.01, -3.98}, {0.63, 0.7, 0.81}, {33, 27, 21}};
    const double depth_A = 0.81;
    const SampleTile tile(lattice, all_points(lattice), {0, 0, 0});
    const SolventExcluded surface(larger(c.balls, c.probe_A), c.probe_A, tile.box(), depth_A, 2);
    SolventExcluded::Samples samples;
    samples.fill(surface, tile);
    const PlainProbe plain(c.balls, c.probe_A);
    double worst_A = 0.0;
    int wrong_sides = 0, near_surface = 0;
    for (int n = 0; n < tile.size(); ++n) {
      const double expected_A = plain.distance_A(lattice.position_A(n));
      const double found_A = samples.distance_A(n);
      constexpr double rounding_A = 2e-5;  // of fp32, where distances are small differences of some A
      if (std::abs(expected_A) > rounding_A) wrong_sides += (expected_A > 0) != (found_A > 0) ? 1 : 0;
      // Outside, a probe's radius is all that is known unless the depth is more.
      if (expected_A > depth_A || expected_A < -std::max(depth_A, c.probe_A)) continue;
      ++near_surface;
      worst_A = std::max(worst_A, std::abs(expected_A - found_A));
    }
    CHECK(wrong_sides == 0);
    CHECK(worst_A < 2e-5);
    if (!c.balls.empty()) CHECK(near_surface > 30);
  }
}

namespace {

/// Segments that the surface cuts, and those whose share is off by more than 1 %.
struct CutSegments {
  int cut = 0, wrong = 0;

  /// Adds those of a lattice around a heap of balls, against samples along each segment.
  void add(double probe_A, unsigned seed);
};

void CutSegments::add(double probe_A, unsigned seed) {
  // As long as atoms are large: several parts of the surface are nearest, one after the other.
  const double spacing_A = 1.5;
  const int fine = 200;
  const LatticeGeometry lattice{{-4.03, -4.01, -3.98}, {spacing_A, spacing_A, spacing_A}, {16, 16, 16}};
  const SampleTile tile(lattice, all_points(lattice), {0, 0, 0});
  const SolventExcluded surface(larger(heap_of_balls(60, 11.0, seed), probe_A), probe_A, tile.box(),
                                spacing_A, 2);
  SolventExcluded::Samples samples, along;
  samples.fill(surface, tile);
  for (const std::int64_t p : {0, 1, 2})
    for (int n = 0; n < tile.size(); ++n) {
      const Vec3<std::int64_t> at = lattice.point(n);
      if (std::max({at.x, at.y, at.z}) == 15) continue;
      const float found = samples.inside_share({int(at.x), int(at.y), int(at.z)}, int(p));
      if (found == 0.0f || found == 1.0f) continue;
      ++cut;
      LatticeGeometry segment{lattice.position_A(n), {spacing_A, spacing_A, spacing_A}, {1, 1, 1}};
      (p == 0 ? segment.spacing_A.x : (p == 1 ? segment.spacing_A.y : segment.spacing_A.z)) /= fine;
      (p == 0 ? segment.counts.x : (p == 1 ? segment.counts.y : segment.counts.z)) = fine;
      const SampleTile line(segment, all_points(segment),
                            0.5 * Vec3<double>{1.0 * (p == 0), 1.0 * (p == 1), 1.0 * (p == 2)});
      along.fill(surface, line);
      int inside = 0;
      for (int s = 0; s < fine; ++s) inside += along.distance_A(s) > 0.0f ? 1 : 0;
      wrong += std::abs(double(inside) / fine - double(found)) > 0.01 ? 1 : 0;
    }
}

}  // namespace

TEST_CASE(
    "solvent-excluded surface: sides in boxes that are looked around one by one are those by distances") {
  for (const SurfaceCase& c : surface_cases()) {
    CAPTURE(c.name);
    const LatticeGeometry lattice{{-4.03, -4.01, -3.98}, {0.63, 0.7, 0.81}, {33, 27, 21}};
    const SampleTile all(lattice, all_points(lattice), {0, 0, 0});
    const SolventExcluded surface(larger(c.balls, c.probe_A), c.probe_A, all.box(), 0.81, 2);
    const PlainProbe plain(c.balls, c.probe_A);
    SolventExcluded::Samples samples;
    int wrong = 0, decided = 0;
    const Vec3<std::int64_t> edge{5, 4, 3};
    for (std::int64_t z = 0; z < 21; z += edge.z)
      for (std::int64_t y = 0; y < 27; y += edge.y)
        for (std::int64_t x = 0; x < 33; x += edge.x) {
          const PointBox part = common_points(all_points(lattice),
                                              {{x, y, z}, {x + edge.x - 1, y + edge.y - 1, z + edge.z - 1}});
          const SampleTile tile(lattice, part, {0, 0, 0});
          samples.look_around(surface, tile.box());
          samples.fill_sides(tile);
          for (int n = 0; n < tile.size(); ++n) {
            const Vec3<std::int64_t> counts = counts_of(part);
            const double expected_A = plain.distance_A(lattice.position_A(
                x + n % counts.x, y + n / counts.x % counts.y, z + n / counts.x / counts.y));
            constexpr double rounding_A = 2e-5;  // of fp32, where distances are small differences of some A
            if (std::abs(expected_A) <= rounding_A) continue;
            ++decided;
            wrong += (expected_A > 0) != samples.is_inside(n) ? 1 : 0;
          }
        }
    CHECK(decided > 18000);
    CHECK(wrong == 0);
  }
}

TEST_CASE("solvent-excluded surface: shares of long segments are those of many samples along them") {
  for (const double probe_A : {0.0, 0.3, 1.4, 3.0}) {
    CAPTURE(probe_A);
    CutSegments segments;
    for (unsigned seed = 1; seed <= 6; ++seed) segments.add(probe_A, seed);
    CHECK(segments.cut > 1500);
    // A segment that enters three times has as many ends as nobody looks for.
    CHECK(segments.wrong <= segments.cut / 100);
  }
}

TEST_CASE("solvent-excluded surface: an end of a segment that lies in the union begins there") {
  CutSegments segments;  // of heaps where 19 are wrong when such ends are left out
  for (const unsigned seed : {22u, 26u, 29u, 30u}) segments.add(0.3, seed);
  CHECK(segments.wrong <= 12);
}

TEST_CASE("solvent-excluded surface: of a segment that no ball reaches nothing is inside") {
  int far = 0, wrong = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const std::vector<Ball> balls = heap_of_balls(40, 9.0, seed);
    const double spacing_A = 0.8;
    const LatticeGeometry lattice{{-1.03, -1.01, -0.98}, {spacing_A, spacing_A, spacing_A}, {15, 15, 15}};
    const SampleTile tile(lattice, all_points(lattice), {0, 0, 0});
    SolventExcluded::Samples samples;
    const SolventExcluded surface(balls, 0.0, tile.box(), spacing_A, 2);
    samples.fill(surface, tile);
    for (int n = 0; n < tile.size(); ++n) {
      const Vec3<std::int64_t> at = lattice.point(n);
      if (std::max({at.x, at.y, at.z}) == 14) continue;
      for (const int axis : {0, 1, 2}) {
        const Vec3<double> start = lattice.position_A(n),
                           end = start + spacing_A * Vec3<double>{1.0 * (axis == 0), 1.0 * (axis == 1),
                                                                  1.0 * (axis == 2)};
        const bool is_reached = std::any_of(balls.begin(), balls.end(), [&](const Ball& ball) {
          const Vec3<double> nearest{std::clamp(ball.centre_A.x, start.x, end.x),
                                     std::clamp(ball.centre_A.y, start.y, end.y),
                                     std::clamp(ball.centre_A.z, start.z, end.z)};
          return distance_squared(nearest, ball.centre_A) < ball.radius_A * ball.radius_A;
        });
        if (is_reached) continue;
        ++far;
        wrong += samples.inside_share({int(at.x), int(at.y), int(at.z)}, axis) != 0.0f ? 1 : 0;
      }
    }
  }
  CHECK(far > 10000);
  CHECK(wrong == 0);
}

TEST_CASE("solvent-excluded surface: the inside of a ball that others cover is inside") {
  std::vector<Ball> balls{{{0, 0, 0}, 0.3}};
  const int around = 120;
  for (int n = 0; n < around; ++n) {  // on a spiral, so that none is far from its neighbours
    const double z = 1.0 - (2.0 * n + 1.0) / around, across = std::sqrt(1.0 - z * z), angle = 2.39996 * n;
    balls.push_back({0.3 * Vec3<double>{across * std::cos(angle), across * std::sin(angle), z}, 0.15});
  }
  const LatticeGeometry lattice{{-0.5, 0.0, 0.0}, {1.0, 1.0, 1.0}, {3, 3, 3}};
  const SampleTile tile(lattice, all_points(lattice), {0, 0, 0});
  const SolventExcluded surface(balls, 0.0, tile.box(), 1.0, 1);
  SolventExcluded::Samples samples;
  samples.fill(surface, tile);
  // From one side of it to the other, and no ball but the covered one has its middle.
  const float share = samples.inside_share({0, 0, 0}, 0);
  CHECK(share > 0.85f);
  CHECK(share < 0.91f);
}
