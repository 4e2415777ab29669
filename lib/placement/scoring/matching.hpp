// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ionwell {

/// For each node of one side, those of the other that it may be matched with.
using Neighbours = std::vector<std::vector<std::size_t>>;

/// A maximum matching of two sides, grown by a node of the left one at a time: after each it is as large as
/// the nodes so far allow. The set that is matched is the one of largest weight when they come by falling
/// weight (of a transversal matroid the greedy choice is the best).
class Matching {
 public:
  /// `near` has the left nodes, which must outlive the matching, with numbers below `right`.
  Matching(const Neighbours& near, std::size_t right);

  /// Whether `left` can be matched as well; each is to be added once. Breadth-first search for an augmenting
  /// path (Kuhn's algorithm): O(edges).
  bool add(std::size_t left);

 private:
  const Neighbours& near_;
  std::vector<std::size_t> left_of_, right_of_;          // matched with
  std::vector<std::size_t> reached_from_, reached_for_;  // by right node, in the search for reached_for_
};

}  // namespace ionwell
