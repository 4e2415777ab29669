// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

/// Sides of a lattice that are far from all charges have sums at fewer places than points, and interpolation
/// between.
namespace ionwell {

/// Places along one axis of a face where a potential is summed: as many as points, or fewer.
inline std::vector<double> places_along(std::int64_t points, double spacing_A, double distance_A) {
  constexpr double steps_per_distance = 5.0;  // cubic interpolation of 1/r: off by 0.56 (step / r)^4
  constexpr double worth_it = 0.67;
  const double extent = double(points - 1);
  const double steps = std::ceil(extent * spacing_A * steps_per_distance / std::max(distance_A, 1e-3));
  const std::int64_t fewer = std::max<std::int64_t>(4, std::int64_t(std::min(steps, extent)) + 1);
  const std::int64_t count = double(fewer) < worth_it * double(points) ? fewer : points;
  std::vector<double> places;
  for (std::int64_t n = 0; n < count; ++n)
    places.push_back(count > 1 ? extent * double(n) / double(count - 1) : 0.0);
  return places;
}

/// For a point along an axis: the four places nearest to it, from `first`, and their weights in the cubic
/// polynomial through them.
struct CubicWeights {
  std::int64_t first = 0;
  double weight[4] = {};
};

inline CubicWeights cubic_weights(double point, const std::vector<double>& places) {
  const auto count = std::ssize(places);
  const double step = places[1] - places[0];
  CubicWeights result;
  result.first = std::clamp<std::int64_t>(std::int64_t(std::floor(point / step)) - 1, 0, count - 4);
  for (std::size_t a = 0; a < 4; ++a) {
    result.weight[a] = 1.0;
    for (std::size_t b = 0; b < 4; ++b) {
      if (a == b) continue;
      const double from = places[std::size_t(result.first) + b];
      result.weight[a] *= (point - from) / (places[std::size_t(result.first) + a] - from);
    }
  }
  return result;
}

}  // namespace ionwell
