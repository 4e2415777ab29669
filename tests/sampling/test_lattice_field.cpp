// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/error.hpp"
#include "sampling/lattice_field.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const LatticeGeometry uneven{{-1.0, 2.0, 0.5}, {0.5, 0.25, 0.4}, {13, 22, 9}};

template <typename Function>
std::vector<float> values_on(const LatticeGeometry& lattice, const Function& function) {
  std::vector<float> values(std::size_t(lattice.size()));
  for (std::int64_t p = 0; p < lattice.size(); ++p)
    values[std::size_t(p)] = float(function(lattice.position_A(p)));
  return values;
}

struct AtPoint {
  double potential;
  Vec3<double> gradient;
};

AtPoint at(const LatticeField& field, const Vec3<double>& point_A) {
  AtPoint found{};
  field.gradient({&point_A, 1}, {&found.potential, 1}, {&found.gradient, 1});
  double alone = 0.0;
  field.potential({&point_A, 1}, {&alone, 1});
  CHECK(alone == found.potential);
  return found;
}

}  // namespace

TEST_CASE("lattice field: trilinear interpolation of what is linear is exact, with its gradient") {
  const auto linear = [](const Vec3<double>& p) { return 1.0 + 2.0 * p.x - 3.0 * p.y + 0.5 * p.z; };
  const LatticeField field(uneven, values_on(uneven, linear), ForceInterpolation::trilinear, 1);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int n = 0; n < 200; ++n) {
    const Vec3<double> p{-1.0 + 6.0 * share(random), 2.0 + 5.25 * share(random), 0.5 + 3.2 * share(random)};
    const AtPoint found = at(field, p);
    CHECK(std::abs(found.potential - linear(p)) < 1e-5);  // fp32 of numbers up to 20
    CHECK(std::abs(found.gradient.x - 2.0) < 3e-5);       // over 0.25 A
    CHECK(std::abs(found.gradient.y + 3.0) < 3e-5);
    CHECK(std::abs(found.gradient.z - 0.5) < 3e-5);
  }
}

TEST_CASE("lattice field: both interpolations go through the values, and their gradients are their slopes") {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  std::vector<float> values(std::size_t(uneven.size()));
  for (float& v : values) v = value(random);
  for (const ForceInterpolation interpolation :
       {ForceInterpolation::trilinear, ForceInterpolation::cubic_spline}) {
    const std::string name(to_string(interpolation));
    CAPTURE(name);
    const LatticeField field(uneven, values, interpolation, 2);
    for (std::int64_t p = 0; p < uneven.size(); ++p)
      REQUIRE(std::abs(at(field, uneven.position_A(p)).potential - double(values[std::size_t(p)])) < 2e-6);
    std::uniform_real_distribution<double> share(0.01, 0.99);
    for (int n = 0; n < 200; ++n) {
      // In the middle of a cell, so that the difference does not span two.
      const Vec3<double> p = uneven.position_A(n % 12, n * 7 % 21, n * 5 % 8) +
                             Vec3<double>{0.5 * share(random), 0.25 * share(random), 0.4 * share(random)};
      constexpr double h = 1e-4;
      const AtPoint found = at(field, p);
      const auto slope = [&](Vec3<double> step) {
        return (at(field, p + step).potential - at(field, p - step).potential) / (2 * h);
      };
      // A cubic's third derivative over h^2, at most 12 values over 0.25^3 A^3.
      CHECK(std::abs(found.gradient.x - slope({h, 0, 0})) < 1e-4);
      CHECK(std::abs(found.gradient.y - slope({0, h, 0})) < 1e-4);
      CHECK(std::abs(found.gradient.z - slope({0, 0, h})) < 1e-4);
    }
  }
}

TEST_CASE("lattice field: cubic splines come nearer to a smooth potential than straight lines") {
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {41, 41, 41}};
  const auto wave = [](const Vec3<double>& p) {
    return std::sin(0.8 * p.x) * std::cos(0.6 * p.y) + 0.1 * p.z;
  };
  const std::vector<float> values = values_on(lattice, wave);
  const auto worst = [&](ForceInterpolation interpolation) {
    const LatticeField field(lattice, values, interpolation, 1);
    double error = 0.0;
    for (int n = 0; n < 500; ++n) {
      const Vec3<double> p{5.0 + 0.0199 * n, 6.0 + 0.0151 * n, 5.0 + 0.0173 * n};
      error = std::max(error,
                       std::abs(at(field, p).gradient.x - 0.8 * std::cos(0.8 * p.x) * std::cos(0.6 * p.y)));
    }
    return error;
  };
  // Of a wave of k = 0.8/A, h = 0.5 A: straight lines (k h)/2 of its slope 0.8, splines (k h)^3/24 or so.
  CHECK(worst(ForceInterpolation::trilinear) > 0.05);
  CHECK(worst(ForceInterpolation::cubic_spline) < 0.003);
}

TEST_CASE("lattice field: beyond the lattice it is as on its face, and one point along an axis is refused") {
  const LatticeField field(uneven, values_on(uneven, [](const Vec3<double>& p) { return p.x; }),
                           ForceInterpolation::trilinear, 1);
  CHECK(at(field, {-9.0, 3.0, 1.0}).potential == doctest::Approx(-1.0));
  CHECK(at(field, {50.0, 3.0, 1.0}).potential == doctest::Approx(5.0));
  const LatticeGeometry flat{{0, 0, 0}, {1, 1, 1}, {4, 4, 1}};
  const std::vector<float> values(16);
  CHECK(error_of([&] { LatticeField(flat, values, ForceInterpolation::trilinear, 1); }).find("4 x 4 x 1") !=
        std::string::npos);
}
