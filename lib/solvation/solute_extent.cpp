// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/solute_extent.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

#include "core/cell_list.hpp"

namespace ionwell {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Interval {
  double lowest = infinity, highest = -infinity;
};

Interval along(std::span<const Vec3<double>> positions_A, const Vec3<double>& direction) {
  Interval interval;
  for (const Vec3<double>& p : positions_A) {
    const double x = dot(direction, p);
    interval.lowest = std::min(interval.lowest, x);
    interval.highest = std::max(interval.highest, x);
  }
  return interval;
}

/// Half of a sphere's directions, evenly spread: a Fibonacci lattice.
std::vector<Vec3<float>> half_sphere(int count) {
  std::vector<Vec3<float>> directions;
  constexpr double golden_angle = std::numbers::pi * (3.0 - 2.2360679774997896964);
  for (int n = 0; n < count; ++n) {
    const double z = (n + 0.5) / count, r = std::sqrt(1.0 - z * z), turn = golden_angle * n;
    directions.push_back({float(r * std::cos(turn)), float(r * std::sin(turn)), float(z)});
  }
  return directions;
}

/// A lattice vector and how far the points are from their image there at least.
struct Image {
  Vec3<double> vector_A;
  double least_A = 0.0;
};

/// The vectors that may bring an image within `limit_A`, one of each pair v and -v, nearest image first.
std::vector<Image> images_within(std::span<const Vec3<double>> positions_A, const PeriodicCell& cell,
                                 double limit_A) {
  const Vec3<double> extent = {along(positions_A, {1, 0, 0}).highest - along(positions_A, {1, 0, 0}).lowest,
                               along(positions_A, {0, 1, 0}).highest - along(positions_A, {0, 1, 0}).lowest,
                               along(positions_A, {0, 0, 1}).highest - along(positions_A, {0, 0, 1}).lowest};
  const double reach_A = std::sqrt(dot(extent, extent)) + limit_A;
  const CellVectors& v = cell.reduced();
  const Vec3<double> widths = PeriodicCell(v).widths_A();
  const auto most = [reach_A](double width) { return std::int64_t(reach_A / width); };
  std::vector<Image> images;
  for (std::int64_t k = 0; k <= most(widths.z); ++k)
    for (std::int64_t j = -most(widths.y); j <= most(widths.y); ++j)
      for (std::int64_t i = -most(widths.x); i <= most(widths.x); ++i) {
        if (k == 0 && (j < 0 || (j == 0 && i <= 0))) continue;
        const Vec3<double> vector_A = double(i) * v.a + double(j) * v.b + double(k) * v.c;
        const double length_A = std::sqrt(dot(vector_A, vector_A));
        if (length_A > reach_A) continue;
        const Interval interval = along(positions_A, (1.0 / length_A) * vector_A);
        const double least_A = std::max(0.0, length_A - (interval.highest - interval.lowest));
        if (least_A < limit_A) images.push_back({vector_A, least_A});
      }
  std::stable_sort(images.begin(), images.end(),
                   [](const Image& a, const Image& b) { return a.least_A < b.least_A; });
  return images;
}

/// The distance between the points and their image there, or `limit_A` when that is less.
double distance_to_image_A(std::span<const Vec3<double>> positions_A, const Image& image, double limit_A) {
  const double length_A = std::sqrt(dot(image.vector_A, image.vector_A));
  const Vec3<double> direction = (1.0 / length_A) * image.vector_A;
  const Interval interval = along(positions_A, direction);
  const double deepest_A = limit_A - (length_A - (interval.highest - interval.lowest));
  std::vector<Vec3<double>> near_side, far_side;  // of the image, and of the points
  for (const Vec3<double>& p : positions_A) {
    const double x = dot(direction, p);
    if (x - interval.lowest <= deepest_A) near_side.push_back(p + image.vector_A);
    if (interval.highest - x <= deepest_A) far_side.push_back(p);
  }
  if (near_side.empty() || far_side.empty()) return limit_A;
  constexpr double cell_A = 4.0;
  const CellList list(far_side, cell_A);
  double best_A2 = limit_A * limit_A;
  for (const Vec3<double>& p : near_side)
    list.near({p, p}, std::sqrt(best_A2),
              [&](std::uint32_t n) { best_A2 = std::min(best_A2, distance_squared(p, far_side[n])); });
  return std::sqrt(best_A2);
}

}  // namespace

std::vector<double> extents_A(std::span<const Vec3<double>> positions_A, std::span<const FacePair> faces) {
  std::vector<double> extents;
  for (const FacePair& face : faces) {
    const Interval interval = along(positions_A, face.normal);
    extents.push_back(interval.highest - interval.lowest);
  }
  return extents;
}

std::vector<Vec3<double>> extreme_points(std::span<const Vec3<double>> positions_A) {
  constexpr int directions_of_half = 1000;
  constexpr std::size_t lanes = 8, block = 512 * lanes;
  const std::vector<Vec3<float>> directions = half_sphere(directions_of_half);
  struct Farthest {
    float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
    std::size_t lowest_at = 0, highest_at = 0;
  };
  std::vector<Farthest> farthest(directions.size());
  const Vec3<double> middle = positions_A.front();
  std::vector<float> x(block), y(block), z(block), along(block);
  for (std::size_t first = 0; first < positions_A.size(); first += block) {
    // The last block is filled up with its last point.
    const std::size_t count = std::min(block, positions_A.size() - first);
    const std::size_t filled = (count + lanes - 1) / lanes * lanes;
    for (std::size_t n = 0; n < filled; ++n) {
      const Vec3<double> p = positions_A[first + std::min(n, count - 1)] - middle;
      x[n] = float(p.x), y[n] = float(p.y), z[n] = float(p.z);
    }
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const Vec3<float> u = directions[d];
      float low[lanes], high[lanes];  // in lanes of their own, which a compiler can put into one register
      std::fill(low, low + lanes, std::numeric_limits<float>::infinity());
      std::fill(high, high + lanes, -std::numeric_limits<float>::infinity());
      for (std::size_t n = 0; n < filled; n += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const float r = u.x * x[n + lane] + u.y * y[n + lane] + u.z * z[n + lane];
          along[n + lane] = r;
          low[lane] = r < low[lane] ? r : low[lane];
          high[lane] = r > high[lane] ? r : high[lane];
        }
      const float lowest = *std::min_element(low, low + lanes);
      const float highest = *std::max_element(high, high + lanes);
      const auto find = [&](float value) {
        return first +
               std::min(count - 1, std::size_t(std::find(along.begin(), along.end(), value) - along.begin()));
      };
      if (lowest < farthest[d].lowest) farthest[d].lowest = lowest, farthest[d].lowest_at = find(lowest);
      if (highest > farthest[d].highest)
        farthest[d].highest = highest, farthest[d].highest_at = find(highest);
    }
  }
  std::vector<std::size_t> found;
  for (const Farthest& one : farthest) found.push_back(one.lowest_at), found.push_back(one.highest_at);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<Vec3<double>> points;
  points.reserve(found.size());
  for (const std::size_t n : found) points.push_back(positions_A[n]);
  return points;
}

double distance_to_own_image_A(std::span<const Vec3<double>> positions_A, const PeriodicCell& cell) {
  // An atom and its own image are never farther apart.
  double best_A = 2 * cell.inscribed_radius_A();
  for (const Image& image : images_within(positions_A, cell, best_A)) {
    if (image.least_A >= best_A) break;
    best_A = distance_to_image_A(positions_A, image, best_A);
  }
  return best_A;
}

}  // namespace ionwell
