// SPDX-License-Identifier: BSD-3-Clause
#include "placement/crystal_sites/boosted_trees.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "placement/crystal_sites/simd/site_kernels.hpp"

namespace ionwell {
namespace {

struct Walk {
  const std::vector<BoostedTrees::Node>& nodes;
  int features;
  std::size_t tree;
  std::vector<bool> seen;
  std::vector<double> leaves;

  struct Branch {
    std::int32_t feature;
    float threshold;
    std::uint32_t left_leaves;
  };
  std::vector<Branch> branches;

  /// Returns the node's leaves as bits.
  std::uint32_t visit(std::uint32_t number) {
    if (number >= nodes.size() || seen[number])
      fail("tree ", tree + 1, " has no node ", number, ", or has it twice");
    seen[number] = true;
    const BoostedTrees::Node& node = nodes[number];
    if (node.feature < 0) {
      if (leaves.size() == BoostedTrees::most_leaves)
        fail("tree ", tree + 1, " has more than ", BoostedTrees::most_leaves, " leaves");
      if (!std::isfinite(node.value)) fail("a leaf of tree ", tree + 1, " is not a number");
      leaves.push_back(node.value);
      return std::uint32_t(1) << (leaves.size() - 1);
    }
    if (node.feature >= features || !std::isfinite(node.threshold))
      fail("node ", number, " of tree ", tree + 1, " compares feature ", node.feature, " of ", features,
           " with ", node.threshold);
    const std::size_t branch = branches.size();
    branches.push_back({node.feature, node.threshold, 0});
    const std::uint32_t left = visit(node.left);
    branches[branch].left_leaves = left;
    return left | visit(node.right);
  }
};

}  // namespace

BoostedTrees::BoostedTrees(double baseline, const std::vector<std::vector<Node>>& trees, int features)
    : baseline_(baseline) {
  if (!std::isfinite(baseline)) fail("the trees' baseline is not a number");
  for (std::size_t t = 0; t < trees.size(); ++t) {
    Walk walk{trees[t], features, t, std::vector<bool>(trees[t].size()), {}, {}};
    walk.visit(0);
    if (std::find(walk.seen.begin(), walk.seen.end(), false) != walk.seen.end())
      fail("tree ", t + 1, " has nodes that cannot be reached");
    first_branch_.push_back(std::uint32_t(features_.size()));
    first_leaf_.push_back(std::uint32_t(leaves_.size()));
    for (const Walk::Branch& branch : walk.branches) {
      features_.push_back(branch.feature);
      thresholds_.push_back(branch.threshold);
      right_.push_back(~branch.left_leaves);
    }
    leaves_.insert(leaves_.end(), walk.leaves.begin(), walk.leaves.end());
  }
  if (trees.empty()) return;
  first_branch_.push_back(std::uint32_t(features_.size()));
  first_leaf_.push_back(std::uint32_t(leaves_.size()));
}

void BoostedTrees::sum(const float* features, std::size_t points, SimdLevel simd, double* sums) const {
  std::fill(sums, sums + points, baseline_);
  if (empty()) return;
  site_kernels(simd).sum_trees({first_branch_.data(), first_leaf_.data(), int(first_branch_.size()) - 1,
                                features_.data(), thresholds_.data(), right_.data(), leaves_.data()},
                               features, points, sums);
}

}  // namespace ionwell
