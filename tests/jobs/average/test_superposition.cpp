// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "jobs/average/superposition.hpp"

using namespace ionwell;

namespace {

using Points = std::vector<Vec3<double>>;

Points random_points(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> along(0.0, 5.0);
  Points points(static_cast<std::size_t>(count));
  for (Vec3<double>& p : points) p = {along(random), along(random), along(random)};
  return points;
}

Points shifted(const Points& points, const Vec3<double>& by) {
  Points result;
  for (const Vec3<double>& p : points) result.push_back(p + by);
  return result;
}

Points turned_about(const Points& points, int axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Points result;
  for (const auto& [x, y, z] : points) {
    if (axis == 0) result.push_back({x, c * y - s * z, s * y + c * z});
    if (axis == 1) result.push_back({c * x + s * z, y, c * z - s * x});
    if (axis == 2) result.push_back({c * x - s * y, s * x + c * y, z});
  }
  return result;
}

double rmsd(const Points& a, const Points& b) {
  double sum = 0.0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += distance_squared(a[n], b[n]);
  return std::sqrt(sum / double(a.size()));
}

Points centred(const Points& points) {
  Vec3<double> sum;
  for (const Vec3<double>& p : points) sum = sum + p;
  return shifted(points, (-1.0 / double(points.size())) * sum);
}

/// The least root mean square distance by turning about x, y and z in turn, each by the angle that is best
/// for it, until nothing changes; from many starts, since one may end in a saddle.
double plain_least_rmsd(const Points& moving, const Points& fixed) {
  const Points target = centred(fixed);
  double least = rmsd(centred(moving), target);
  for (int start = 0; start < 24; ++start) {
    Points at =
        turned_about(turned_about(centred(moving), start % 3, 1.1 * start), (start + 1) % 3, 0.7 * start);
    for (int round = 0; round < 3000; ++round) {
      const int axis = round % 3;
      double same = 0.0, across = 0.0;
      for (std::size_t n = 0; n < at.size(); ++n) {
        const auto& [x, y, z] = at[n];
        const auto& [u, v, w] = target[n];
        if (axis == 0) same += y * v + z * w, across += y * w - z * v;
        if (axis == 1) same += z * w + x * u, across += z * u - x * w;
        if (axis == 2) same += x * u + y * v, across += x * v - y * u;
      }
      at = turned_about(at, axis, std::atan2(across, same));
    }
    least = std::min(least, rmsd(at, target));
  }
  return least;
}

double determinant(const Rotation& r) {
  return r.x.x * (r.y.y * r.z.z - r.y.z * r.z.y) - r.x.y * (r.y.x * r.z.z - r.y.z * r.z.x) +
         r.x.z * (r.y.x * r.z.y - r.y.y * r.z.x);
}

Points moved(const Superposition& fit, const Points& points) {
  Points result;
  for (const Vec3<double>& p : points) result.push_back(fit(p));
  return result;
}

}  // namespace

TEST_CASE("superposition: what was turned and shifted comes back") {
  const Points fixed = random_points(7, 1);
  for (const double angle : {0.0, 0.3, std::numbers::pi, -2.0, 1e-9}) {
    CAPTURE(angle);
    const Points moving = shifted(turned_about(turned_about(fixed, 2, angle), 0, 1.7 * angle), {100, -20, 3});
    const Superposition fit = superpose(moving, fixed);
    CHECK(fit.is_determined);
    CHECK(rmsd(moved(fit, moving), fixed) < 1e-12);
    CHECK(fit.rmsd_A < 1e-12);
    CHECK(determinant(fit.rotation) == doctest::Approx(1.0).epsilon(1e-14));
  }
}

TEST_CASE("superposition: no other rotation leaves less, by plain code") {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    CAPTURE(seed);
    const int count = seed == 1 ? 3 : int(4 * seed);
    const Points moving = random_points(count, seed), fixed = random_points(count, seed + 100);
    const Superposition fit = superpose(moving, fixed);
    CHECK(fit.is_determined);
    CHECK(fit.rmsd_A == doctest::Approx(rmsd(moved(fit, moving), fixed)).epsilon(1e-12));
    CHECK(fit.rmsd_A == doctest::Approx(plain_least_rmsd(moving, fixed)).epsilon(1e-9));
    CHECK(fit.rmsd_A > 0.1);  // sets that are not the same
  }
}

TEST_CASE("superposition: a mirrored set is turned, never mirrored") {
  const Points fixed = random_points(9, 5);
  Points moving = fixed;
  for (Vec3<double>& p : moving) p.x = -p.x;
  const Superposition fit = superpose(moving, fixed);
  CHECK(determinant(fit.rotation) == doctest::Approx(1.0).epsilon(1e-14));
  CHECK(fit.rmsd_A > 1.0);
  CHECK(fit.rmsd_A == doctest::Approx(plain_least_rmsd(moving, fixed)).epsilon(1e-9));
}

TEST_CASE("superposition: sets that leave the rotation open say so, and are still shifted") {
  const Points one = {{1, 2, 3}}, two = {{1, 2, 3}, {4, 5, 6}};
  Points line, nearly;
  for (int n = 0; n < 6; ++n) {
    line.push_back({1.0 * n, 2.0 * n, -0.5 * n});
    nearly.push_back({10.0 * n, n % 2 == 0 ? 0.0 : 0.0005, 0.0});
  }
  const Points same(4, Vec3<double>{1, 1, 1});
  for (const Points& set : {one, two, line, nearly, same}) {
    const Superposition fit = superpose(shifted(set, {10, 0, 0}), set);
    CHECK_FALSE(fit.is_determined);
    CHECK(fit.rmsd_A < 1e-3);
    CHECK(determinant(fit.rotation) == doctest::Approx(1.0));
  }
  const Points plane = {{0, 0, 0}, {3, 0, 0}, {0, 2, 0}};
  CHECK(superpose(shifted(plane, {10, 0, 0}), plane).is_determined);
}
