// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/geometry/cross_product.hpp"
#include "electrostatics/poisson_boltzmann/kernel_numbers.hpp"
#include "electrostatics/poisson_boltzmann/model/accessible_terms.hpp"
#include "electrostatics/poisson_boltzmann/model/simd/surface_kernels.hpp"
#include "support/cases.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

Vec3<float> single(const Vec3<double>& v) {
  return {float(v.x), float(v.y), float(v.z)};
}

/// An arc, and many points of it.
struct SampledArc {
  LocalArc arc;
  std::vector<Vec3<double>> points_A;

  double distance_A(const Vec3<float>& from) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3<double>& p : points_A)
      least = std::min(least, distance_squared(p, Vec3<double>{from.x, from.y, from.z}));
    return std::sqrt(least);
  }
};

SampledArc random_arc(Numbers& random, bool is_whole) {
  const Vec3<double> axis = random.direction(), other = random.direction();
  Vec3<double> middle = cross(axis, other);
  middle = 1.0 / std::sqrt(dot(middle, middle)) * middle;
  const Vec3<double> side = cross(axis, middle), centre{random(-3, 3), random(-3, 3), random(-3, 3)};
  const double radius = random(0.3, 2.5), half = is_whole ? 3.14159265 : random(0.05, 3.0);
  const auto at = [&](double angle) {
    return centre + radius * (std::cos(angle) * middle + std::sin(angle) * side);
  };
  SampledArc result;
  result.arc = {single(centre),
                single(axis),
                single(middle),
                single(at(-half)),
                single(at(half)),
                float(radius),
                is_whole ? -2.0f : float(std::cos(half))};
  constexpr int steps = 2000;
  for (int n = 0; n <= steps; ++n) result.points_A.push_back(at(half * (2.0 * n / steps - 1.0)));
  return result;
}

}  // namespace

TEST_CASE("PB surface kernels: distances to arcs are those to the nearest of many points of them") {
  Numbers random(1);
  std::vector<SampledArc> arcs;
  std::vector<std::vector<float>> rows;
  for (int n = 0; n < count; ++n) {
    arcs.push_back(random_arc(random, n % 5 == 0));
    const float* const first = &arcs.back().arc.centre_A.x;
    rows.emplace_back(first, first + arc_columns);
  }
  const std::vector<float> numbers = columns_of(rows);
  const NumberColumns columns{numbers.data(), count + room};
  constexpr double steps_A = 2e-3;  // between the points, near the ends of an arc
  for (const SimdLevel level : simd_levels()) {
    CAPTURE(int(level));
    const SurfaceKernels& kernels = surface_kernels(level);
    for (int n = 0; n < 40; ++n) {
      const Vec3<float> point = single({random(-4, 4), random(-4, 4), random(-4, 4)});
      std::vector<double> expected_A;
      for (const SampledArc& arc : arcs) expected_A.push_back(arc.distance_A(point));
      const double nearest_A = *std::min_element(expected_A.begin() + 0, expected_A.end());
      CHECK(std::sqrt(double(kernels.nearest_arc2(columns, count, &point.x))) ==
            doctest::Approx(nearest_A).epsilon(steps_A));
      CHECK(std::isinf(kernels.nearest_arc2(columns, 0, &point.x)));
      std::size_t wrong_by_itself = 0;  // as GPUs compute them
      for (std::size_t a = 0; a < arcs.size(); ++a)
        wrong_by_itself +=
            std::abs(std::sqrt(double(arc_distance2(arcs[a].arc, point))) - expected_A[a]) > steps_A;
      CHECK(wrong_by_itself == 0);
      std::vector<int> found(count + room);
      constexpr int first = 3;
      found.resize(std::size_t(kernels.arcs_within(columns, first, count, &point.x, 2.0f, found.data())));
      int wrong = 0;
      for (int a = 0; a < count; ++a) {
        const bool is_found = std::find(found.begin(), found.end(), a) != found.end();
        const double off = expected_A[std::size_t(a)] - 2.0;
        if (std::abs(off) > steps_A) wrong += is_found != (a >= first && off < 0.0);
      }
      CHECK(wrong == 0);
    }
    // A tile of 19 x 5 x 4 samples, of which some are not in the union.
    const SampleBox box{0.4f, 0.5f, 0.6f, 1, 18, 0, 4, 1, 3, 19, 95};
    std::vector<float> values(19 * 5 * 4 + room, 9.0f);
    for (std::size_t n = 0; n < values.size(); n += 3) values[n] = -1.0f;
    const std::vector<float> before = values;
    constexpr float reach = 1.7f;
    for (int n = 0; n < 6; ++n)
      kernels.add_arc(box, {0.0f, 0.0f, 0.0f, 50.0f}, reach, 0.0f, &arcs[std::size_t(n)].arc.centre_A.x,
                      values.data());
    int changed = 0, wrong = 0;
    for (int k = 0; k < 4; ++k)
      for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 19; ++i) {
          const auto at = std::size_t(i + 19 * (j + 5 * k));
          double expected = double(before[at]);
          if (before[at] > 0.0f && i > 0 && k > 0)
            for (std::size_t n = 0; n < 6; ++n)
              if (const double d = arcs[n].distance_A({0.4f * float(i), 0.5f * float(j), 0.6f * float(k)});
                  d < double(reach))
                expected = std::min(expected, d);
          changed += values[at] != before[at];
          if (std::abs(expected - double(reach)) > steps_A)
            wrong += std::abs(double(values[at]) - expected) > steps_A;
        }
    CHECK(changed > 20);
    CHECK(wrong == 0);
  }
}

TEST_CASE("PB surface kernels: caps cover what one by one they cover") {
  Numbers random(2);
  std::vector<SphereCap> caps;
  std::vector<std::vector<float>> rows;
  for (int n = 0; n < count; ++n) {
    caps.push_back({single(random.direction()), float(random(0.8, 0.99))});
    rows.push_back({caps.back().axis.x, caps.back().axis.y, caps.back().axis.z, caps.back().cosine});
  }
  const std::vector<float> numbers = columns_of(rows);
  for (const SimdLevel level : simd_levels()) {
    CAPTURE(int(level));
    int open = 0, wrong = 0;
    for (int n = 0; n < 500; ++n) {
      const Vec3<float> way = single(1.7 * random.direction());
      constexpr int first = 2, last = count - 3;
      const bool expected = is_open(way, 1.7f, caps.data() + first, last - first);
      open += expected;
      wrong += expected !=
               surface_kernels(level).is_open({numbers.data(), count + room}, first, last, &way.x, 1.7f);
    }
    CHECK(open > 20);
    CHECK(open < 480);
    CHECK(wrong == 0);
  }
}

TEST_CASE("PB surface kernels: a segment is decided where its ends' distances leave no choice") {
  Numbers random(3);
  constexpr float probe = 1.4f, length = 0.5f;
  std::vector<float> from(count + room), to(count + room);
  for (float& v : from) v = float(random(0.4, 2.4));
  for (float& v : to) v = float(random(0.4, 2.4));
  from[4] = to[4] = -std::numeric_limits<float>::infinity();
  from[5] = to[5] = std::numeric_limits<float>::infinity();
  for (const SimdLevel level : simd_levels()) {
    CAPTURE(int(level));
    std::vector<float> out(count + room, -7.0f);
    std::vector<int> rest(count + room);
    rest.resize(std::size_t(surface_kernels(level).decide_segments(
        from.data(), to.data(), count, probe, length, 2.0f, 80.0f, out.data(), rest.data())));
    std::vector<int> expected;
    int wrong = 0;
    for (int n = 0; n < count; ++n) {
      const float a = from[std::size_t(n)] - probe, b = to[std::size_t(n)] - probe;
      if (a > 0.0f && b > 0.0f && a + b >= length)
        wrong += out[std::size_t(n)] != 2.0f;
      else if (a <= 0.0f && b <= 0.0f && a + b <= -length)
        wrong += out[std::size_t(n)] != 80.0f;
      else
        expected.push_back(n);
    }
    CHECK(expected.size() > 5);
    CHECK(rest == expected);
    CHECK(wrong == 0);
    CHECK(out[count] == -7.0f);
  }
}
