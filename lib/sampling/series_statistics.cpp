// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/series_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ionwell {

SeriesMean mean_of(std::span<const double> numbers) {
  SeriesMean result;
  const auto count = double(numbers.size());
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (numbers.empty()) return {unknown, unknown, 0.0};
  result.mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  double squares = 0.0;
  for (const double x : numbers) squares += (x - result.mean) * (x - result.mean);
  result.error = numbers.size() > 1 ? std::sqrt(squares / (count * (count - 1.0))) : unknown;
  return result;
}

double autocorrelation_time(std::span<const double> series) {
  constexpr double windows = 5.0;
  const auto count = std::ssize(series);
  if (count < 2) return 0.5;
  const double mean = mean_of(series).mean;
  const auto covariance = [&](std::ptrdiff_t lag) {
    double sum = 0.0;
    for (std::ptrdiff_t n = 0; n + lag < count; ++n)
      sum += (series[std::size_t(n)] - mean) * (series[std::size_t(n + lag)] - mean);
    return sum / double(count - lag);
  };
  const double variance = covariance(0);
  if (!(variance > 0.0)) return 0.5;
  double time = 0.5;
  for (std::ptrdiff_t lag = 1; lag < count / 2 && double(lag) < windows * time; ++lag)
    time += covariance(lag) / variance;
  return std::max(time, 0.5);
}

SeriesMean series_mean(std::span<const std::vector<double>> series, int blocks) {
  std::vector<double> means;
  double sum = 0.0, count = 0.0, times = 0.0, timed = 0.0;
  for (const std::vector<double>& one : series) {
    const std::size_t length = one.size() / std::size_t(blocks);
    for (int b = 0; b < blocks && length > 0; ++b)
      means.push_back(mean_of(std::span(one).subspan(std::size_t(b) * length, length)).mean);
    sum = std::accumulate(one.begin(), one.end(), sum);
    count += double(one.size());
    if (one.size() < 2) continue;
    times += autocorrelation_time(one);
    timed += 1.0;
  }
  return {count > 0.0 ? sum / count : std::numeric_limits<double>::quiet_NaN(), mean_of(means).error,
          timed > 0.0 ? times / timed : 0.5};
}

}  // namespace ionwell
