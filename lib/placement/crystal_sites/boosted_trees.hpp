// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {

/// Decision trees whose leaves add up (gradient boosting). A tree's branches are in an order in which a
/// branch comes before those below it; branch 0 is the root.
class BoostedTrees {
 public:
  struct Node {
    std::int32_t feature = -1;  // a leaf has none
    float threshold = 0.0f;     // to the left when the feature is not above it
    std::uint32_t left = 0, right = 0;
    double value = 0.0;  // of a leaf
  };
  static constexpr int most_leaves = 32;

  BoostedTrees() = default;

  /// Throws Error for a node that no tree can have: one that is reached twice or never, a feature out of
  /// [0, features), more than most_leaves leaves, values that are not finite.
  BoostedTrees(double baseline, const std::vector<std::vector<Node>>& trees, int features);

  /// How the trees are kept, for who evaluates them elsewhere; see the members.
  struct Arrays {
    double baseline;
    std::span<const std::uint32_t> first_branch, first_leaf;
    std::span<const std::int32_t> features;
    std::span<const float> thresholds;
    std::span<const std::uint32_t> right;
    std::span<const double> leaves;
  };
  Arrays arrays() const {
    return {baseline_, first_branch_, first_leaf_, features_, thresholds_, right_, leaves_};
  }

  bool empty() const { return first_branch_.empty(); }

  /// baseline + the leaf of each tree that a point comes to: feature f of point p is features[f * points +
  /// p].
  void sum(const float* features, std::size_t points, SimdLevel simd, double* sums) const;

 private:
  double baseline_ = 0.0;
  std::vector<std::uint32_t> first_branch_, first_leaf_;  // by tree, and one past the last
  // By branch: where the feature is above the threshold, the leaves to its left are out.
  std::vector<std::int32_t> features_;
  std::vector<float> thresholds_;
  std::vector<std::uint32_t> right_;  // the leaves that are left then, as bits from the left of the tree
  std::vector<double> leaves_;
};

}  // namespace ionwell
