// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "electrostatics/periodic/fourier_grid.hpp"
#include "electrostatics/periodic/fourier_plan.hpp"
#include "electrostatics/periodic/periodic_kernels.hpp"
#include "support/cases.hpp"

using namespace ionwell;

namespace {

constexpr double pi = 3.14159265358979323846;

using Values = std::vector<std::complex<double>>;

/// Sums over one axis of `points`, by their definition; x is fastest.
Values plain_transform(const Values& values, const Vec3<int>& points, int axis, double sign) {
  const int n = axis == 0 ? points.x : axis == 1 ? points.y : points.z;
  const std::size_t stride = axis == 0   ? 1
                             : axis == 1 ? std::size_t(points.x)
                                         : std::size_t(points.x) * std::size_t(points.y);
  Values sums(values.size());
  for (std::size_t at = 0; at < values.size(); ++at) {
    const auto h = std::int64_t(at / stride % std::size_t(n));
    const std::size_t first = at - std::size_t(h) * stride;
    for (std::int64_t m = 0; m < n; ++m)
      sums[at] +=
          values[first + std::size_t(m) * stride] * std::polar(1.0, sign * 2 * pi * double(h * m % n) / n);
  }
  return sums;
}

/// A factor that is real, that of -h equal to that of h, and different along each axis.
double factor_of(int h_x, int h_y, int h_z) {
  return 1.0 / (1.0 + h_x * h_x + 2.0 * h_y * h_y + 0.5 * h_z * h_z);
}

std::vector<double> random_values(const Vec3<int>& points) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::vector<double> values(std::size_t(points.x) * std::size_t(points.y) * std::size_t(points.z));
  for (double& v : values) v = value(random);
  return values;
}

std::vector<double> filtered(const Vec3<int>& points, int threads, SimdLevel level) {
  FourierGrid grid({points, 6}, threads, *periodic_kernels(level).fourier);
  const std::vector<double> values = random_values(points);
  const auto each = [&](const auto& action) {
    std::size_t n = 0;
    for (int z = 0; z < points.z; ++z)
      for (int y = 0; y < points.y; ++y)
        for (int x = 0; x < points.x; ++x)
          action(grid.values()[z * grid.layout().plane() + y * grid.layout().row() + x], n++);
  };
  each([&](double& value, std::size_t n) { value = values[n]; });
  grid.filter([&](double* row, int h_y, int h_z) {
    for (int x = 0; x <= points.x / 2; ++x) row[x] = factor_of(x, h_y, h_z);
  });
  std::vector<double> result(values.size());
  each([&](double& value, std::size_t n) { result[n] = value; });
  return result;
}

}  // namespace

TEST_CASE("Fourier grid: a filter is that of the sums over all points, on every instruction set") {
  const auto signed_wave = [](int h, int n) { return h < (n + 1) / 2 ? h : h - n; };
  // All radices, along each axis; fewer and more lines than are transformed together.
  for (const Vec3<int>& points :
       {Vec3<int>{2, 2, 2}, {4, 6, 10}, {14, 4, 8}, {16, 14, 6}, {18, 20, 12}, {10, 28, 30}, {42, 2, 70}}) {
    CAPTURE(points.x);
    CAPTURE(points.y);
    CAPTURE(points.z);
    const std::vector<double> values = random_values(points);
    Values waves(values.begin(), values.end());
    for (int axis = 0; axis < 3; ++axis) waves = plain_transform(waves, points, axis, -1.0);
    std::size_t n = 0;
    for (int z = 0; z < points.z; ++z)
      for (int y = 0; y < points.y; ++y)
        for (int x = 0; x < points.x; ++x)
          waves[n++] *=
              factor_of(std::min(x, points.x - x), signed_wave(y, points.y), signed_wave(z, points.z));
    for (int axis = 0; axis < 3; ++axis) waves = plain_transform(waves, points, axis, 1.0);
    double largest = 0.0;
    for (const auto& value : waves) largest = std::max(largest, std::abs(value.real()));
    CHECK(largest > 0.1);
    for (const SimdLevel level : test::simd_levels()) {
      CAPTURE(std::string(to_string(level)));
      const std::vector<double> result = filtered(points, 2, level);
      double error = 0.0;
      for (std::size_t at = 0; at < result.size(); ++at)
        error = std::max(error, std::abs(result[at] - waves[at].real()));
      CHECK(error < 2e-14 * largest);  // of the plain sums, mostly; of filters there and back 2e-15
    }
  }
}

TEST_CASE("Fourier grid: threads change no bit") {
  const Vec3<int> points{30, 28, 36};
  const std::vector<double> alone = filtered(points, 1, SimdLevel::automatic);
  for (const int threads : {2, 3, 8}) CHECK(filtered(points, threads, SimdLevel::automatic) == alone);
}

TEST_CASE("Fourier plan: numbers of points without fast transforms are refused") {
  for (const int points : {11, 26, 0, 97})
    CHECK_THROWS_WITH_AS(FourierPlan{points}, doctest::Contains("product of 2, 3, 5 and 7"), Error);
  for (int least = 1; least < 3000; least += 7)
    CHECK_NOTHROW(FourierPlan{fast_fourier_points(double(least))});
}
