// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/geometry/cross_product.hpp"
#include "electrostatics/poisson_boltzmann/kernel_numbers.hpp"
#include "electrostatics/poisson_boltzmann/model/simd/sphere_kernels.hpp"
#include "support/cases.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("PB sphere kernels: caps in other ones are left out, of equal caps all but the first") {
  Numbers random(4);
  std::vector<Vec3<double>> axes;
  std::vector<double> angles;
  for (int n = 0; n < count; ++n) {
    axes.push_back(random.direction());
    angles.push_back(random(0.1, 1.6));
  }
  std::sort(angles.rbegin(), angles.rend());
  axes[8] = axes[7];
  angles[8] = angles[7];
  std::vector<std::vector<double>> rows;
  for (std::size_t n = 0; n < axes.size(); ++n)
    rows.push_back({axes[n].x, axes[n].y, axes[n].z, std::cos(angles[n]), std::sin(angles[n])});
  const std::vector<double> numbers = columns_of(rows);
  std::vector<int> expected;
  for (int n = 0; n < count; ++n) {
    bool is_inside = n == 8;
    for (int m = 0; m < count; ++m) {
      if (m == n || (n == 7 && m == 8)) continue;
      const double between =
          std::acos(std::clamp(dot(axes[std::size_t(n)], axes[std::size_t(m)]), -1.0, 1.0));
      is_inside = is_inside || between + angles[std::size_t(n)] < angles[std::size_t(m)];
    }
    if (!is_inside) expected.push_back(n);
  }
  CHECK(expected.size() < count - 5);
  CHECK(std::find(expected.begin(), expected.end(), 7) != expected.end());
  for (const SimdLevel level : simd_levels()) {
    CAPTURE(int(level));
    std::vector<double> in_front = numbers;
    std::vector<int> kept(count + room);
    kept.resize(std::size_t(
        sphere_kernels(level).caps_in_no_other({in_front.data(), count + room}, count, kept.data())));
    CHECK(kept == expected);
    int wrong = 0;
    for (std::size_t k = 0; k < kept.size(); ++k)
      for (std::size_t c = 0; c < cap_columns; ++c)
        wrong += in_front[c * (count + room) + k] != numbers[c * (count + room) + std::size_t(kept[k])];
    CHECK(wrong == 0);
  }
}

TEST_CASE("PB sphere kernels: spheres that meet, hold or only touch one are told apart, with their caps") {
  constexpr double radius_A = 2.5;
  const Vec3<double> centre{1.0, -2.0, 0.5};
  Numbers random(6);
  std::vector<std::vector<double>> rows;
  for (int n = 0; n < count; ++n) {
    const Vec3<double> at = centre + random(0.0, 5.5) * random.direction();
    rows.push_back({at.x, at.y, at.z, random(0.5, 4.0)});
  }
  rows[5] = {centre.x, centre.y, centre.z, radius_A};      // itself
  rows[6] = {centre.x + 4.5, centre.y, centre.z, 2.0};     // touches from outside
  rows[7] = {centre.x, centre.y - 1.0, centre.z, 1.5};     // touches from within
  rows[30] = {centre.x, centre.y, centre.z + 0.25, 2.75};  // holds it, and touches
  constexpr int first = 3;
  const std::vector<double> numbers = columns_of(rows);
  const double sphere[] = {centre.x, centre.y, centre.z, radius_A};
  for (const SimdLevel level : simd_levels()) {
    CAPTURE(int(level));
    const SphereKernels& kernels = sphere_kernels(level);
    constexpr int stride = count + room;
    std::vector<double> away(sphere_columns * stride), caps(cap_columns * stride);
    std::vector<int> found(stride), held(stride);
    const int met =
        kernels.meeting({numbers.data(), stride}, first, count, sphere, found.data(), {away.data(), stride});
    const MetSpheres kinds =
        kernels.caps({away.data(), stride}, met, radius_A, {caps.data(), stride}, held.data());
    std::vector<int> holding;
    for (int h = 0; h < kinds.hold; ++h) holding.push_back(found[std::size_t(held[std::size_t(h)])]);
    int circles = 0, wrong = 0, at = 0;
    for (int n = first; n < count; ++n) {
      const std::vector<double>& row = rows[std::size_t(n)];
      const Vec3<double> to = Vec3<double>{row[0], row[1], row[2]} - centre;
      const double d = std::sqrt(dot(to, to)), other = row[3];
      if (d >= radius_A + other) continue;
      REQUIRE(at < met);
      CHECK(found[std::size_t(at)] == n);
      const bool holds = d + radius_A <= other, meets = !holds && d + other > radius_A;
      CHECK((std::find(holding.begin(), holding.end(), n) != holding.end()) == holds);
      circles += meets;
      const double cosine = caps[std::size_t(cap_cosine * stride + at)];
      if (meets) {
        // A point of the circle is as far from both centres as they say.
        const double expected = (d * d + radius_A * radius_A - other * other) / (2 * d * radius_A);
        const Vec3<double> axis{caps[std::size_t(at)], caps[std::size_t(stride + at)],
                                caps[std::size_t(2 * stride + at)]};
        wrong +=
            std::abs(cosine - expected) > 1e-14 || distance_squared(d * axis, to) > 1e-26 ||
            std::abs(caps[std::size_t(cap_sine * stride + at)] - std::sqrt(1 - expected * expected)) > 1e-7;
      } else {
        wrong += cosine != 2.0;
      }
      ++at;
    }
    CHECK(at == met);
    CHECK(circles == kinds.meet);
    CHECK(circles > 10);
    CHECK(holding.size() >= 2);
    CHECK(wrong == 0);
  }
}

TEST_CASE("PB sphere kernels: places are those of a stable sort") {
  Numbers random(8);
  std::vector<double> numbers;
  for (int n = 0; n < count; ++n) numbers.push_back(std::floor(random(0.0, 12.0)));
  numbers.resize(count + room, -99.0);
  std::vector<int> order(count);
  for (int n = 0; n < count; ++n) order[std::size_t(n)] = n;
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return numbers[std::size_t(a)] < numbers[std::size_t(b)]; });
  for (const SimdLevel level : simd_levels()) {
    CAPTURE(int(level));
    std::vector<int> places(count, -1);
    sphere_kernels(level).places(numbers.data(), count, places.data());
    int wrong = 0;
    for (int p = 0; p < count; ++p) wrong += places[std::size_t(order[std::size_t(p)])] != p;
    CHECK(wrong == 0);
  }
}

TEST_CASE(
    "PB sphere kernels: a circle is covered when each of its points is in some sphere, or ends where it is "
    "not") {
  constexpr double radius_A = 3.0;
  for (const SimdLevel level : simd_levels()) {
    CAPTURE(int(level));
    Numbers random(5);
    int covered = 0, ends_in_all = 0, wrong = 0;
    for (int trial = 0; trial < 300; ++trial) {
      const int others = 2 + trial % 21;
      std::vector<Vec3<double>> away;
      std::vector<double> radii;
      std::vector<std::vector<double>> rows;
      for (int n = 0; n < others; ++n) {
        away.push_back(random(1.5, 4.5) * random.direction());
        radii.push_back(random(2.6, 3.2));
        rows.push_back({away.back().x, away.back().y, away.back().z,
                        dot(away.back(), away.back()) - radii.back() * radii.back() + radius_A * radius_A});
      }
      const std::vector<double> numbers = columns_of(rows);
      const int own = trial % others;
      const double d = std::sqrt(dot(away[std::size_t(own)], away[std::size_t(own)]));
      const Vec3<double> axis = 1.0 / d * away[std::size_t(own)];
      Vec3<double> e1 = cross(axis, std::abs(axis.x) < 0.5 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0});
      e1 = 1.0 / std::sqrt(dot(e1, e1)) * e1;
      const Vec3<double> e2 = cross(axis, e1);
      const double plane_A = rows[std::size_t(own)][neighbour_q] / (2 * d),
                   radius2_A2 = radius_A * radius_A - plane_A * plane_A;
      if (radius2_A2 <= 0.0) continue;
      const MeetingCircle circle{
          {axis.x, axis.y, axis.z}, {e1.x, e1.y, e1.z}, {e2.x, e2.y, e2.z}, plane_A, radius2_A2};
      std::vector<double> workspace(std::size_t(covering_columns) * std::size_t(others + room));
      std::vector<CoveredEnd> ends(2 * std::size_t(others));
      const int open = sphere_kernels(level).open_ends({numbers.data(), others + room}, others, own, circle,
                                                       workspace.data(), ends.data());
      const bool found = open < 0;
      // How far a point of the circle lies in the sphere where it is deepest.
      const auto deepest_A = [&](double u, double v) {
        const Vec3<double> at = plane_A * axis + std::sqrt(radius2_A2) * (u * e1 + v * e2);
        double depth_A = -9.0;
        for (int n = 0; n < others; ++n)
          if (n != own)
            depth_A = std::max(depth_A,
                               radii[std::size_t(n)] - std::sqrt(distance_squared(at, away[std::size_t(n)])));
        return depth_A;
      };
      int begins = 0;
      for (int e = 0; e < open; ++e) {
        const CoveredEnd& end = ends[std::size_t(e)];
        begins += end.begins;
        // On a sphere and in none; a little on, in one or in none, as the end says.
        constexpr double step = 1e-6;
        const auto beside = [&](double turn) {
          return deepest_A(end.first - turn * end.second, end.second + turn * end.first);
        };
        wrong += std::abs(deepest_A(end.first, end.second)) > 1e-9;
        wrong += (beside(end.begins ? step : -step) > 0.0) != true;
        wrong += (beside(end.begins ? -step : step) > 0.0) != false;
      }
      wrong += open > 0 && 2 * begins != open;
      ends_in_all += std::max(open, 0);
      // How far the point that is covered least lies in some sphere.
      double least_A = 9.0;
      constexpr int points = 2000;
      for (int p = 0; p < points; ++p) {
        const double angle = 2 * 3.141592653589793 * p / points;
        least_A = std::min(least_A, deepest_A(std::cos(angle), std::sin(angle)));
      }
      constexpr double between_points_A = 0.005;
      covered += found;
      wrong += found ? least_A < -1e-9 : least_A > between_points_A;
    }
    CHECK(covered > 40);
    CHECK(covered < 260);
    CHECK(ends_in_all > 100);
    CHECK(wrong == 0);
  }
}
