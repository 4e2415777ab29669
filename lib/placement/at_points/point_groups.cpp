// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/point_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/box.hpp"
#include "parallel/parallel_for.hpp"

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

PointGroups::PointGroups(std::span<const Vec3<double>> positions_A, int threads)
    : order_(positions_A.size()), place_of_(positions_A.size()) {
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  if (order_.empty()) return;
  // Parts side by side, as soon as there are enough of them.
  constexpr std::size_t least_parts = 64, least_points = 1 << 12;
  std::vector<std::size_t> ends{0, order_.size()};
  while (ends.size() <= least_parts && order_.size() / (ends.size() - 1) > least_points) {
    std::vector<std::size_t> halves(2 * ends.size() - 1);
    parallel_for({threads, 1}, std::ssize(ends) - 1, [&](std::int64_t n) {
      const auto part = std::size_t(n);
      halves[2 * part] = ends[part];
      halves[2 * part + 1] = *halve(positions_A, ends[part], ends[part + 1], nullptr);
    });
    halves.back() = order_.size();
    ends = std::move(halves);
  }
  std::vector<std::vector<Group>> groups(ends.size() - 1);
  parallel_for({threads, 1}, std::ssize(groups), [&](std::int64_t n) {
    const auto part = std::size_t(n);
    divide(positions_A, ends[part], ends[part + 1], groups[part]);
  });
  for (const std::vector<Group>& some : groups) groups_.insert(groups_.end(), some.begin(), some.end());
  places_A_.resize(3 * group_points * groups_.size());
  parallel_for({threads, 256}, std::ssize(groups_),
               [&](std::int64_t g) { place_group(positions_A, std::size_t(g)); });
  make_runs();
}

/// Halves until the rest is a group.
void PointGroups::divide(std::span<const Vec3<double>> positions_A, std::size_t first, std::size_t last,
                         std::vector<Group>& groups) {
  const std::optional<std::size_t> middle = halve(positions_A, first, last, &groups);
  if (!middle) return;
  divide(positions_A, first, *middle, groups);
  divide(positions_A, *middle, last, groups);
}

/// Halves along the longest axis, with full groups in the one half; gives where the other one begins. What is
/// a group already goes to `groups`, which may be null for more points than one has.
std::optional<std::size_t> PointGroups::halve(std::span<const Vec3<double>> positions_A, std::size_t first,
                                              std::size_t last, std::vector<Group>* groups) {
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
      groups->push_back({first, count, {centre_A, radius_A}});
      return std::nullopt;
    }
  }
  const std::size_t full = (count + group_points - 1) / group_points;
  const std::size_t middle = first + (full > 1 ? full / 2 * group_points : count / 2);
  const int axis = longest_axis(box);
  std::nth_element(order_.begin() + std::ptrdiff_t(first), order_.begin() + std::ptrdiff_t(middle),
                   order_.begin() + std::ptrdiff_t(last), [&](std::uint32_t a, std::uint32_t b) {
                     const double of_a = along(position(a), axis), of_b = along(position(b), axis);
                     return of_a != of_b ? of_a < of_b : a < b;
                   });
  return middle;
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
