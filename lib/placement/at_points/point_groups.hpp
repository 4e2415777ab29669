// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/vec3.hpp"
#include "placement/simd/group_kernels.hpp"

namespace ionwell {

/// No group reaches farther from its centre; where points are sparse, groups have fewer of them. 32 waters of
/// a liquid reach 9 A.
constexpr double largest_group_radius_A = 9.0;

/// Scattered points as groups of up to group_points neighbours, so that what is alike for all of a group has
/// to be done once.
class PointGroups {
 public:
  /// O(points log points); the same for any number of threads.
  explicit PointGroups(std::span<const Vec3<double>> positions_A, int threads = 1);

  std::size_t size() const { return groups_.size(); }

  struct Ball {
    Vec3<double> centre_A;
    double radius_A = 0.0;
  };

  /// Holds all points of a group.
  const Ball& ball(std::size_t group) const { return groups_[group].ball; }

  /// Numbers of a group's points; place p of the group has the p-th.
  std::span<const std::uint32_t> points(std::size_t group) const {
    return {&order_[groups_[group].first], groups_[group].count};
  }

  /// All points, group by group.
  std::span<const std::uint32_t> order() const { return order_; }

  /// Relative to the group's centre, [x, y, z][place] in fp32; places without a point have the first one's.
  const float* places_A(std::size_t group) const { return &places_A_[3 * group_points * group]; }

  /// In which group and place a point is: group * group_points + place.
  std::size_t place(std::size_t point) const { return place_of_[point]; }

  /// Runs of groups that follow each other and are neighbours: [first, last) and what holds them all.
  struct Run {
    std::size_t first, last;
    Ball ball;
  };
  const std::vector<Run>& runs() const { return runs_; }

 private:
  struct Group {
    std::size_t first;
    std::size_t count;
    Ball ball;
  };

  void divide(std::span<const Vec3<double>> positions_A, std::size_t first, std::size_t last,
              std::vector<Group>& groups);
  std::optional<std::size_t> halve(std::span<const Vec3<double>> positions_A, std::size_t first,
                                   std::size_t last, std::vector<Group>* groups);
  void place_group(std::span<const Vec3<double>> positions_A, std::size_t number);
  void make_runs();

  std::vector<Group> groups_;
  std::vector<std::uint32_t> order_;  // points, group by group
  std::vector<std::size_t> place_of_;
  std::vector<float> places_A_;
  std::vector<Run> runs_;
};

}  // namespace ionwell
