// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "core/block.hpp"

/// The potential of a charge far away from a block of 8 x 8 x 8 points is smooth there: from its values at
/// n x n x n nodes, four or five along an axis, a polynomial along each axis gives it at all points.
namespace ionwell {

/// Nodes along an axis of a block, in spacings from its first point, and the polynomials that are 1 at one
/// node and 0 at the others. Nodes are the zeros of a Chebyshev polynomial, stretched so that the outermost
/// ones are points.
template <int n>
struct BlockNodes {
  static_assert(n == 4 || n == 5);
  static constexpr double middle = 0.5 * (block_edge - 1);

  /// Of the inner nodes of four, cos(3 pi / 8) / cos(pi / 8); of five, cos(3 pi / 10) / cos(pi / 10).
  static constexpr double inner = n == 4 ? 0.41421356237309503 : 0.6180339887498949;

  IONWELL_HD static constexpr double position(int node) {
    const int last = n - 1;
    const double side = 2 * node < last ? -1.0 : (2 * node > last ? 1.0 : 0.0);
    return middle * (1.0 + side * (node == 0 || node == last ? 1.0 : inner));
  }

  /// Of node `node` at `x`, in spacings from the first point.
  IONWELL_HD static constexpr double weight(int node, double x) {
    double above = 1.0, below = 1.0;
    for (int other = 0; other < n; ++other)
      if (other != node) {
        above *= x - position(other);
        below *= position(node) - position(other);
      }
    return above * (1.0 / below);
  }
};

/// The squares of the distances [A] from a block on at which five or four nodes along each axis are enough
/// for a charge; infinite where none are. See electrostatics/node_distances.hpp.
struct NodeDistances {
  float five_A2 = std::numeric_limits<float>::infinity(), four_A2 = std::numeric_limits<float>::infinity();
};

}  // namespace ionwell
