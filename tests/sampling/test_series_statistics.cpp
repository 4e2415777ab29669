// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "sampling/random_stream.hpp"
#include "sampling/series_statistics.hpp"

using namespace ionwell;

namespace {

/// x' = a x + sqrt(1 - a^2) xi: variance 1, integrated autocorrelation time (1 + a) / (2 (1 - a)).
std::vector<double> correlated(double a, int count, std::uint64_t stream) {
  RandomStream random(11, stream);
  std::vector<double> series(static_cast<std::size_t>(count));
  double x = random.normal();
  for (double& value : series) value = x = a * x + std::sqrt(1.0 - a * a) * random.normal();
  return series;
}

}  // namespace

TEST_CASE("series: mean, error by blocks and autocorrelation of a process that is known") {
  constexpr double a = 0.9;
  constexpr int count = 20'000;
  std::vector<std::vector<double>> series;
  for (std::uint64_t n = 0; n < 4; ++n) series.push_back(correlated(a, count, n));
  const SeriesMean mean = series_mean(series, 20);
  const double time = (1.0 + a) / (2.0 * (1.0 - a)), error = std::sqrt(2.0 * time / (4.0 * count));
  CHECK(std::abs(mean.mean) < 5.0 * error);
  // Of 80 blocks: its own relative error is 1/sqrt(160).
  CHECK(mean.error == doctest::Approx(error).epsilon(0.4));
  // Madras and Sokal, eq. 3.19: a relative variance of 2 (2 M + 1) / N, M = 5 tau.
  CHECK(mean.samples_apart == doctest::Approx(time).epsilon(0.2));
  const SeriesMean plain = series_mean(std::vector<std::vector<double>>{correlated(0.0, count, 9)}, 20);
  CHECK(plain.samples_apart == doctest::Approx(0.5).epsilon(0.2));
}

TEST_CASE("series: too few samples have no error, and what is constant has none to tell of") {
  const std::vector<std::vector<double>> one = {{3.0}}, none = {{}}, flat = {{2.0, 2.0, 2.0, 2.0, 2.0}};
  CHECK(series_mean(one, 2).mean == 3.0);
  CHECK(std::isnan(series_mean(one, 2).error));
  CHECK(std::isnan(series_mean(none, 2).mean));
  CHECK(series_mean(flat, 2).mean == 2.0);
  CHECK(series_mean(flat, 2).error == 0.0);
  CHECK(series_mean(flat, 2).samples_apart == 0.5);
}
