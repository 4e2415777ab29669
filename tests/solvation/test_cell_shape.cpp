// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/periodic_cell.hpp"
#include "solvation/cell_shape.hpp"
#include "solvation/orientation.hpp"
#include "solvation/solute_extent.hpp"

using namespace ionwell;

namespace {

constexpr CellShape shapes[] = {CellShape::cube, CellShape::rectangular, CellShape::dodecahedron,
                                CellShape::octahedron, CellShape::hexagonal};

/// Points in an ellipsoid that lies askew.
std::vector<Vec3<double>> ellipsoid(int count, const Vec3<double>& axes, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Rotation askew = rotation_of(spread_rotation(7, 20));
  std::vector<Vec3<double>> points;
  while (int(points.size()) < count) {
    const Vec3<double> p{uniform(random), uniform(random), uniform(random)};
    if (dot(p, p) <= 1.0) points.push_back(askew({axes.x * p.x, axes.y * p.y, axes.z * p.z}));
  }
  return points;
}

/// All pairs with all images near the origin.
double plain_image_distance_A(const std::vector<Vec3<double>>& points, const CellVectors& v) {
  double best_A2 = 1e300;
  for (int k = -2; k <= 2; ++k)
    for (int j = -2; j <= 2; ++j)
      for (int i = -2; i <= 2; ++i) {
        if (i == 0 && j == 0 && k == 0) continue;
        const Vec3<double> shift = double(i) * v.a + double(j) * v.b + double(k) * v.c;
        for (const Vec3<double>& p : points)
          for (const Vec3<double>& q : points) best_A2 = std::min(best_A2, distance_squared(p, q + shift));
      }
  return std::sqrt(best_A2);
}

}  // namespace

TEST_CASE("cell shapes: vectors as GROMACS takes them, and the volumes of textbooks") {
  const double volumes[] = {1.0, 1.0, std::sqrt(0.5), 4.0 * std::sqrt(3.0) / 9.0, std::sqrt(3.0) / 2.0};
  for (const CellShape shape : shapes) {
    CAPTURE(std::string(to_string(shape)));
    const CellVectors v = cell_of(shape, {{10, 10, 10}});
    CHECK(v.a.y == 0.0);
    CHECK(v.a.z == 0.0);
    CHECK(v.b.z == 0.0);
    CHECK(std::abs(v.b.x) <= 0.5 * v.a.x + 1e-9);
    CHECK(std::abs(v.c.x) <= 0.5 * v.a.x + 1e-9);
    CHECK(std::abs(v.c.y) <= 0.5 * v.b.y + 1e-9);
    CHECK(volume_A3(shape, {{10, 10, 10}}) == doctest::Approx(1000 * volumes[int(shape)]));
    CHECK(PeriodicCell(v).volume_A3() == doctest::Approx(1000 * volumes[int(shape)]));
    // The nearest image of a point is one size away.
    CHECK(2 * PeriodicCell(v).inscribed_radius_A() == doctest::Approx(10.0));
  }
}

TEST_CASE("cell shapes: face pairs are the faces of the space nearer to the middle than to any image") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-9, 9);
  for (const CellShape shape : shapes) {
    CAPTURE(std::string(to_string(shape)));
    const PeriodicCell cell(cell_of(shape, {{10, 12, 14}}));
    const double sizes[] = {10, 12, 14};
    int inside = 0;
    for (int n = 0; n < 20000; ++n) {
      const Vec3<double> p{uniform(random), uniform(random), uniform(random)};
      const Vec3<double> s = cell.shortest(p);
      const bool is_nearest = dot(p, p) <= dot(s, s) + 1e-9;
      bool is_between = true;
      for (const FacePair& face : face_pairs(shape)) {
        CHECK(dot(face.normal, face.normal) == doctest::Approx(1.0));
        is_between &= std::abs(dot(face.normal, p)) <= 0.5 * face.distance * sizes[face.size];
      }
      inside += is_between;
      REQUIRE(is_between == is_nearest);
    }
    CHECK(inside > 1000);
  }
}

TEST_CASE("cell shapes: a solute keeps twice the padding from its images, turned or not") {
  for (const auto& axes : {Vec3<double>{20, 20, 20}, Vec3<double>{30, 12, 9}, Vec3<double>{25, 22, 4}})
    for (const CellShape shape : shapes) {
      CAPTURE(std::string(to_string(shape)));
      CAPTURE(axes.x);
      std::vector<Vec3<double>> points = ellipsoid(300, axes, 11);
      const double padding_A = 6.0;
      const auto sizes = [&] { return sizes_around(shape, extents_A(points, face_pairs(shape)), padding_A); };
      const double plain_A3 = volume_A3(shape, sizes());
      const CellVectors straight = cell_of(shape, sizes());
      const double distance_A = distance_to_own_image_A(points, PeriodicCell(straight));
      CHECK(distance_A >= 2 * padding_A - 1e-9);
      CHECK(distance_A == doctest::Approx(plain_image_distance_A(points, straight)).epsilon(1e-12));

      const Rotation turn = rotation_of_least_volume(points, shape, padding_A);
      for (Vec3<double>& p : points) p = turn(p);
      CHECK(dot(turn.x, turn.x) == doctest::Approx(1.0));
      CHECK(dot(turn.x, turn.y) == doctest::Approx(0.0));
      CHECK(volume_A3(shape, sizes()) <= plain_A3);
      CHECK(distance_to_own_image_A(points, PeriodicCell(cell_of(shape, sizes()))) >= 2 * padding_A - 1e-9);
      if (axes.x == 30 && shape == CellShape::rectangular) {
        // Lying along its axes the ellipsoid's box is known.
        const double known_A3 = (2 * 30 + 12) * (2 * 12 + 12) * (2 * 9 + 12);
        CHECK(volume_A3(shape, sizes()) < known_A3);
        CHECK(volume_A3(shape, sizes()) > 0.6 * known_A3);  // 300 points do not fill it
      }
    }
}

TEST_CASE("distance to the own image: where images reach into each other, and for one atom") {
  // Two arms of an L: the image lies in the angle between them.
  std::vector<Vec3<double>> points;
  for (int n = 0; n <= 20; ++n) points.push_back({double(n), 0, 0}), points.push_back({0, double(n), 0});
  const CellVectors skew{{30, 0, 0}, {7, 7, 0}, {0, 0, 40}};
  CHECK(distance_to_own_image_A(points, PeriodicCell(skew)) ==
        doctest::Approx(plain_image_distance_A(points, skew)).epsilon(1e-12));
  const std::vector<Vec3<double>> one = {{3, 4, 5}};
  CHECK(distance_to_own_image_A(one, PeriodicCell(CellVectors{{9, 0, 0}, {0, 12, 0}, {0, 0, 13}})) ==
        doctest::Approx(9.0));
}

TEST_CASE("extreme points: widths of their hull are those of all points") {
  const std::vector<Vec3<double>> points = ellipsoid(20'000, {40, 30, 20}, 5);
  const std::vector<Vec3<double>> extreme = extreme_points(points);
  CHECK(extreme.size() < 2'000);
  for (int n = 0; n < 50; ++n) {
    const FacePair face{rotation_of(spread_rotation(n, 50)).x, 0, 1};
    const std::span<const FacePair> faces(&face, 1);
    const double all_A = extents_A(points, faces)[0], few_A = extents_A(extreme, faces)[0];
    CHECK(few_A <= all_A);
    CHECK(few_A > all_A * (1 - 1e-3));
  }
}
