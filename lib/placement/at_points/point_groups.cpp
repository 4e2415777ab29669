// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/point_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/box.hpp"

namespace ionwell {
namespace {

double along(const Vec3<double>& v, int axis) {
  return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

int longest_axis(const Box& box) {
  const Vec3<double> extent = box.highest_A - box.lowest_A;
  if (extent.x >= extent.y && extent.x >= extent.z) return 0;
  return extent.y >= extent.z ? 1 : 2;
}

}  // namespace

PointGroups::PointGroups(std::span<const Vec3<double>> positions_A)
    : order_(positions_A.size()), place_of_(positions_A.size()) {
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  if (order_.empty()) return;
  divide(positions_A, 0, order_.size());
  places_A_.resize(3 * group_points * groups_.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) place_group(positions_A, g);
  make_runs();
}

/// Halves along the longest axis, with full groups in the one half, until the rest is a group.
void PointGroups::divide(std::span<const Vec3<double>> positions_A, std::size_t first, std::size_t last) {
  const auto position = [&](std::uint32_t point) { return positions_A[point]; };
  Box box{position(order_[first]), position(order_[first])};
  for (std::size_t at = first; at < last; ++at) box = extended(box, position(order_[at]));
  const Vec3<double> centre_A = 0.5 * (box.lowest_A + box.highest_A);
  const std::size_t count = last - first;
  if (count <= group_points) {
    double radius_A2 = 0.0;
    for (std::size_t at = first; at < last; ++at)
      radius_A2 = std::max(radius_A2, distance_squared(position(order_[at]), centre_A));
    constexpr double rounding = 1e-12;
    const double radius_A = std::sqrt(radius_A2) * (1 + rounding);
    if (count == 1 || radius_A <= largest_group_radius_A) {
      groups_.push_back({first, count, {centre_A, radius_A}});
      return;
    }
  }
  const std::size_t groups = (count + group_points - 1) / group_points;
  const std::size_t middle = first + (groups > 1 ? groups / 2 * group_points : count / 2);
  const int axis = longest_axis(box);
  std::nth_element(order_.begin() + std::ptrdiff_t(first), order_.begin() + std::ptrdiff_t(middle),
                   order_.begin() + std::ptrdiff_t(last), [&](std::uint32_t a, std::uint32_t b) {
                     const double of_a = along(position(a), axis), of_b = along(position(b), axis);
                     return of_a != of_b ? of_a < of_b : a < b;
                   });
  divide(positions_A, first, middle);
  divide(positions_A, middle, last);
}

void PointGroups::place_group(std::span<const Vec3<double>> positions_A, std::size_t number) {
  const Group& group = groups_[number];
  float* const places_A = &places_A_[3 * group_points * number];
  for (std::size_t p = 0; p < group_points; ++p) {
    const std::uint32_t point = order_[group.first + (p < group.count ? p : 0)];
    if (p < group.count) place_of_[point] = group_points * number + p;
    const Vec3<double> place_A = positions_A[point] - group.ball.centre_A;
    places_A[p] = float(place_A.x);
    places_A[group_points + p] = float(place_A.y);
    places_A[2 * group_points + p] = float(place_A.z);
  }
}

void PointGroups::make_runs() {
  constexpr std::size_t groups_of_run = 32;
  for (std::size_t first = 0; first < groups_.size(); first += groups_of_run) {
    Run& run = runs_.emplace_back(Run{first, std::min(groups_.size(), first + groups_of_run), {}});
    Box box{groups_[first].ball.centre_A, groups_[first].ball.centre_A};
    for (std::size_t g = run.first; g < run.last; ++g) box = extended(box, groups_[g].ball.centre_A);
    run.ball.centre_A = 0.5 * (box.lowest_A + box.highest_A);
    for (std::size_t g = run.first; g < run.last; ++g)
      run.ball.radius_A = std::max(
          run.ball.radius_A, groups_[g].ball.radius_A +
                                 std::sqrt(distance_squared(groups_[g].ball.centre_A, run.ball.centre_A)));
  }
}

}  // namespace ionwell
