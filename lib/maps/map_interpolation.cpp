// SPDX-License-Identifier: BSD-3-Clause
#include "maps/map_interpolation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/lattice_extents.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
// Positions this near to a point of a map, in its steps, are that point: files give coordinates with six
// digits.
constexpr double same_point = 1e-6;

/// Weights of up to four neighbouring map points along one axis.
struct AxisWeights {
  std::int64_t first = 0;
  int count = 0;  // 0: outside
  std::array<double, 4> weight{};
};

/// Keys's kernel between points 0 and 1, for the points -1, 0, 1, 2.
std::array<double, 4> cubic_weights(double t) {
  const double t2 = t * t, t3 = t2 * t;
  return {0.5 * (-t + 2 * t2 - t3), 0.5 * (2 - 5 * t2 + 3 * t3), 0.5 * (t + 4 * t2 - 3 * t3),
          0.5 * (t3 - t2)};
}

AxisWeights axis_weights(double position_A, double origin_A, double spacing_A, std::int64_t count,
                         MapInterpolation method) {
  const double u = (position_A - origin_A) / spacing_A, last = double(count - 1), nearest = std::round(u);
  if (!(u >= -same_point && u <= last + same_point)) return {};
  if (std::abs(u - nearest) <= same_point) return {std::int64_t(nearest), 1, {1.0}};
  const std::int64_t cell = std::int64_t(std::floor(u));
  const double t = u - double(cell);
  if (method == MapInterpolation::trilinear || count < 3) return {cell, 2, {1.0 - t, t}};
  const std::array<double, 4> w = cubic_weights(t);
  // At a face the point beyond is the parabola's through the last three (Keys, eqs. 19 and 25).
  if (cell == 0) return {0, 3, {w[1] + 3 * w[0], w[2] - 3 * w[0], w[3] + w[0]}};
  if (cell == count - 2) return {cell - 1, 3, {w[0] + w[3], w[1] - 3 * w[3], w[2] + 3 * w[3]}};
  return {cell - 1, 4, w};
}

double weighted(const MapGrid& map, const AxisWeights& x, const AxisWeights& y, const AxisWeights& z) {
  double sum = 0.0;
  for (int c = 0; c < z.count; ++c)
    for (int b = 0; b < y.count; ++b) {
      const double* const row = map.values.data() + map.lattice.index(x.first, y.first + b, z.first + c);
      double along_x = 0.0;
      for (int a = 0; a < x.count; ++a) along_x += x.weight[std::size_t(a)] * row[a];
      sum += z.weight[std::size_t(c)] * (y.weight[std::size_t(b)] * along_x);
    }
  return sum;
}

double cell_volume(const MapGrid& map) {
  return map.lattice.spacing_A.x * map.lattice.spacing_A.y * map.lattice.spacing_A.z;
}

/// Numbers of the maps, the finest first.
std::vector<std::size_t> finest_first(std::span<const MapGrid> maps) {
  std::vector<std::size_t> order(maps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return cell_volume(maps[a]) < cell_volume(maps[b]); });
  return order;
}

/// Weights of one map at each point of a lattice, axis by axis.
struct MapWeights {
  std::vector<AxisWeights> x, y, z;

  MapWeights(const MapGrid& map, const LatticeGeometry& to, MapInterpolation method) {
    const LatticeGeometry& from = map.lattice;
    for (std::int64_t i = 0; i < to.counts.x; ++i)
      x.push_back(
          axis_weights(to.position_A(i, 0, 0).x, from.origin_A.x, from.spacing_A.x, from.counts.x, method));
    for (std::int64_t j = 0; j < to.counts.y; ++j)
      y.push_back(
          axis_weights(to.position_A(0, j, 0).y, from.origin_A.y, from.spacing_A.y, from.counts.y, method));
    for (std::int64_t k = 0; k < to.counts.z; ++k)
      z.push_back(
          axis_weights(to.position_A(0, 0, k).z, from.origin_A.z, from.spacing_A.z, from.counts.z, method));
  }
};

/// Whole steps from `from` to the first point that is not short of `to`.
std::int64_t steps(double from_A, double to_A, double spacing_A) {
  return std::int64_t(std::max(0.0, std::ceil((to_A - from_A) / spacing_A - same_point)));
}

}  // namespace

double interpolate(const MapGrid& map, const Vec3<double>& position_A, MapInterpolation method) {
  const Vec3<double>&origin = map.lattice.origin_A, &spacing = map.lattice.spacing_A;
  const Vec3<std::int64_t>& counts = map.lattice.counts;
  const AxisWeights x = axis_weights(position_A.x, origin.x, spacing.x, counts.x, method),
                    y = axis_weights(position_A.y, origin.y, spacing.y, counts.y, method),
                    z = axis_weights(position_A.z, origin.z, spacing.z, counts.z, method);
  return x.count > 0 && y.count > 0 && z.count > 0 ? weighted(map, x, y, z) : nowhere;
}

LargeArray<double> sample_maps(std::span<const MapGrid> maps, const LatticeGeometry& lattice,
                               MapInterpolation method, int threads) {
  const std::vector<std::size_t> order = finest_first(maps);
  std::vector<MapWeights> weights;
  weights.reserve(order.size());
  for (const std::size_t m : order) weights.emplace_back(maps[m], lattice, method);
  LargeArray<double> values(std::size_t(lattice.size()));
  double* const to = values.data();
  parallel_for({thread_count(threads)}, lattice.counts.y * lattice.counts.z, [&](std::int64_t row) {
    const std::int64_t j = row % lattice.counts.y, k = row / lattice.counts.y;
    for (std::int64_t i = 0; i < lattice.counts.x; ++i) {
      double value = nowhere;
      for (std::size_t n = 0; n < order.size() && std::isnan(value); ++n) {
        const AxisWeights &x = weights[n].x[std::size_t(i)], &y = weights[n].y[std::size_t(j)],
                          &z = weights[n].z[std::size_t(k)];
        if (x.count > 0 && y.count > 0 && z.count > 0) value = weighted(maps[order[n]], x, y, z);
      }
      to[lattice.index(i, j, k)] = value;
    }
  });
  return values;
}

LatticeGeometry lattice_of_maps(std::span<const MapGrid> maps) {
  LatticeGeometry lattice = maps[finest_first(maps).front()].lattice;
  Box all = extents(lattice);
  for (const MapGrid& map : maps) {
    const auto& [low, high] = extents(map.lattice);
    all.lowest_A = {std::min(all.lowest_A.x, low.x), std::min(all.lowest_A.y, low.y),
                    std::min(all.lowest_A.z, low.z)};
    all.highest_A = {std::max(all.highest_A.x, high.x), std::max(all.highest_A.y, high.y),
                     std::max(all.highest_A.z, high.z)};
  }
  const auto extend = [](double& origin, double h, std::int64_t& count, double low, double high) {
    const std::int64_t before = steps(low, origin, h), after = steps(origin + h * double(count - 1), high, h);
    if (before > 0) origin -= h * double(before);
    count += before + after;
  };
  const auto& [low, high] = all;
  extend(lattice.origin_A.x, lattice.spacing_A.x, lattice.counts.x, low.x, high.x);
  extend(lattice.origin_A.y, lattice.spacing_A.y, lattice.counts.y, low.y, high.y);
  extend(lattice.origin_A.z, lattice.spacing_A.z, lattice.counts.z, low.z, high.z);
  return lattice;
}

}  // namespace ionwell
