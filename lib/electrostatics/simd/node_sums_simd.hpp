// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sums of charges that are far from a block at its nodes, and what they come to at its points, in vectors; a
// part of direct_kernels_simd.cpp.
#include "core/block_nodes.hpp"
#include "electrostatics/simd/charge_chunk_simd.hpp"

namespace ionwell {
namespace {

/// What the points of an edge take from each node.
template <int n>
struct NodeWeights {
  double at[n][edge];

  constexpr NodeWeights() : at{} {
    for (int node = 0; node < n; ++node)
      for (int x = 0; x < edge; ++x) at[node][x] = BlockNodes<n>::weight(node, x);
  }
};

/// The number of nodes along each axis that are enough for all charges of a chunk: 4 or 5, or `edge` where
/// they are not.
inline int enough_nodes(const ScaledCharges& scaled, const BlockOffsets& offsets,
                        const NodeDistances& nodes) {
  const auto gap = [](FloatVector x, FloatVector scale, float half_A) {
    return larger(absolute(x) - scale * half_A, FloatVector{});
  };
  IntVector too_close_for_five{}, too_close_for_four{};
  for (int c = 0; c < chunk; c += width) {
    const FloatVector s = load(scaled.scale + c);
    const FloatVector x = gap(load(scaled.x + c), s, offsets.x[edge - 1]),
                      y = gap(load(scaled.y + c), s, offsets.y[edge - 1]),
                      z = gap(load(scaled.z + c), s, offsets.z[edge - 1]);
    const FloatVector d2 = x * x + y * y + z * z, s2 = s * s;
    too_close_for_five |= d2 < nodes.five_A2 * s2;
    too_close_for_four |= d2 < nodes.four_A2 * s2;
  }
  if (any_lane(too_close_for_five)) return edge;
  return any_lane(too_close_for_four) ? 5 : 4;
}

/// The sum of far charges at the n x n x n nodes of a block, plane by plane.
template <int n>
class NodeSums {
 public:
  /// Adds a chunk of charges.
  template <Kind kind>
  void add(const ScaledCharges& scaled, const Chunk& charges, const BlockOffsets& offsets, float kappa) {
    constexpr int between_carries = 16;  // polynomials enlarge the rounding of sums in fp32
    if (!any_)
      for (auto& plane : at_)
        for (double& sum : plane) sum = 0.0;
    any_ = true;
    // Where the nodes of a plane are; lanes that are left over are at the last one.
    alignas(64) float node_x[vectors * width], node_y[vectors * width];
    for (int i = 0; i < vectors * width; ++i) {
      const int node = i < n * n ? i : n * n - 1;
      node_x[i] = place(offsets.x, node % n);
      node_y[i] = place(offsets.y, node / n);
    }
    alignas(64) float dz2[n][chunk];
    for (int k = 0; k < n; ++k)
      for (int c = 0; c < chunk; c += width) {
        const FloatVector dz = load(scaled.scale + c) * place(offsets.z, k) - load(scaled.z + c);
        store(dz2[k] + c, dz * dz);
      }
    for (int from = 0; from < charges.count; from += between_carries) {
      const int to = from + between_carries < charges.count ? from + between_carries : charges.count;
      const int positive = charges.positive < from ? from : (charges.positive < to ? charges.positive : to);
      for (int v = 0; v < vectors; ++v) {
        FloatVector sum[n] = {};
        const FloatVector x = load(node_x + v * width), y = load(node_y + v * width);
        const auto add_range = [&]<bool negative>(int begin, int end) {
          for (int c = begin; c < end; ++c) {
            const FloatVector dx = scaled.scale[c] * x - scaled.x[c], dy = scaled.scale[c] * y - scaled.y[c];
            const FloatVector xy = dx * dx + dy * dy;
#pragma GCC unroll 8
            for (int k = 0; k < n; ++k)
              ionwell::add<negative>(term<kind>(xy + dz2[k][c], charges.weight[c], kappa), sum + k);
          }
        };
        add_range.template operator()<false>(from, positive);
        add_range.template operator()<true>(positive, to);
        for (int k = 0; k < n; ++k)
          for (int l = 0; l < width; ++l) at_[k][v * width + l] += double(sum[k][l]);
      }
    }
  }

  /// totals += the polynomials' values at all points of the block.
  void add_polynomials(double* totals) const {
    if (!any_) return;
    double along_x[n][n][edge] = {}, along_xy[n][edge][edge] = {};
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          for (int x = 0; x < edge; ++x) along_x[k][j][x] += weights.at[i][x] * at_[k][n * j + i];
    for (int k = 0; k < n; ++k)
      for (int y = 0; y < edge; ++y)
        for (int j = 0; j < n; ++j)
          for (int x = 0; x < edge; ++x) along_xy[k][y][x] += weights.at[j][y] * along_x[k][j][x];
    for (int z = 0; z < edge; ++z)
      for (int k = 0; k < n; ++k)
        for (int p = 0; p < edge * edge; ++p)
          totals[edge * edge * z + p] += weights.at[k][z] * along_xy[k][p / edge][p % edge];
  }

 private:
  static constexpr int vectors = (n * n + width - 1) / width;
  static constexpr NodeWeights<n> weights{};

  /// Of a node, from where a block's points are.
  static float place(const Row& points, int node) {
    return points[edge - 1] * place_of_last.at[node];
  }

  /// Of each node, in half edges from the middle.
  struct Places {
    float at[n];
    constexpr Places() : at{} {
      for (int node = 0; node < n; ++node)
        at[node] = float(BlockNodes<n>::position(node) / BlockNodes<n>::middle - 1.0);
    }
  };
  static constexpr Places place_of_last{};

  bool any_ = false;
  alignas(64) double at_[n][vectors * width];  // of use only where there is any charge
};

}  // namespace
}  // namespace ionwell
