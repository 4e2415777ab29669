// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/block_nodes.hpp"
#include "gpu/electrostatics/staged_charges.cuh"

/// Sums of charges that are far from a block at its nodes, and what they come to at its points: 64 or 125
/// terms for a charge instead of 512.
namespace ionwell::gpu {

/// Two floats whose sum has 48 bits.
struct TwoFloat {
  float high, low;

  __device__ void add(float x) {
    const float sum = __fadd_rn(high, x), part = __fsub_rn(sum, high);
    low = __fadd_rn(low, __fadd_rn(__fsub_rn(high, __fsub_rn(sum, part)), __fsub_rn(x, part)));
    high = sum;
  }

  __device__ double value() const { return double(high) + double(low); }
};

/// A block's sums at n x n x n nodes.
template <int n>
struct NodeTotals {
  TwoFloat at[n][n * n];  // along the columns of points; across them, first b

  __device__ void clear(int lane) {
    for (int i = lane; i < n * n * n; i += warp_size) (&at[0][0])[i] = {0.0f, 0.0f};
  }

  __device__ void add(int along, int column, float x) {
    TwoFloat total = at[along][column];
    total.add(x);
    at[along][column] = total;
  }
};

/// Fewer than in the sums of points, for polynomials enlarge their rounding.
constexpr int node_terms_between_carries = 16;

/// The term of a charge at the squared distance s, added to a sum.
template <Kind kind>
__device__ inline float add_node_term(float sum, float s, float weight, float exponent) {
  if constexpr (kind == Kind::distance_dependent) return fmaf(weight, fast_inverse(s), sum);
  const float inverse = fast_inverse_sqrt(s);
  if constexpr (kind == Kind::coulomb) return fmaf(weight, inverse, sum);
  return fmaf(weight * inverse, fast_exp2(exponent * (s * inverse)), sum);
}

/// Adds staged charges [begin, end) at 4 x 4 x 4 nodes: a lane takes every fourth charge at two columns of
/// nodes, and in the end lanes add up what they have of the same node.
template <Kind kind>
__device__ inline void add_at_nodes(const StagedCharge* staged, int begin, int end, float ha, float hb,
                                    float hc, float exponent, NodeTotals<4>& totals) {
  using Nodes = BlockNodes<4>;
  const int lane = int(threadIdx.x) % warp_size, of_b = lane % 4, of_c = lane / 4 % 2, share = lane / 8;
  const float b = hb * float(Nodes::position(of_b)), c = hc * float(Nodes::position(of_c)),
              c_second = hc * float(Nodes::position(of_c + 2));
  constexpr int shares = 4, at_once = shares * node_terms_between_carries;
  for (int from = begin; from < end; from += at_once) {
    const int to = min(from + at_once, end);
    float sum[2][4] = {};
#pragma unroll 4
    for (int i = from + share; i < to; i += shares) {
      const float4 charge = staged[i].head;
      const float db = b - charge.x, dc = c - charge.y, dc_second = c_second - charge.y;
      const float across[2] = {fmaf(dc, dc, db * db), fmaf(dc_second, dc_second, db * db)};
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const float da = ha * float(Nodes::position(k)) - charge.w;
#pragma unroll
        for (int m = 0; m < 2; ++m) {
          const float s = fmaf(da, da, across[m]);
          sum[m][k] = add_node_term<kind>(sum[m][k], s, charge.z, exponent);
        }
      }
    }
    // Of two lanes each keeps a column, of the two with the same one half of its nodes.
    const int kept_column = lane / 16, kept_half = lane / 8 % 2;
    float of_column[4], of_half[2];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      of_column[k] = (kept_column ? sum[1][k] : sum[0][k]) +
                     __shfl_xor_sync(full_warp, kept_column ? sum[0][k] : sum[1][k], 16);
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      of_half[k] = (kept_half ? of_column[2 + k] : of_column[k]) +
                   __shfl_xor_sync(full_warp, kept_half ? of_column[k] : of_column[2 + k], 8);
      totals.add(2 * kept_half + k, of_b + 4 * (of_c + 2 * kept_column), of_half[k]);
    }
  }
}

/// The same at 5 x 5 x 5 nodes: 25 lanes have a column each.
template <Kind kind>
__device__ inline void add_at_nodes(const StagedCharge* staged, int begin, int end, float ha, float hb,
                                    float hc, float exponent, NodeTotals<5>& totals) {
  using Nodes = BlockNodes<5>;
  const int lane = int(threadIdx.x) % warp_size, column = min(lane, 24);
  const float b = hb * float(Nodes::position(column % 5)), c = hc * float(Nodes::position(column / 5));
  for (int from = begin; from < end; from += node_terms_between_carries) {
    const int to = min(from + node_terms_between_carries, end);
    float sum[5] = {};
#pragma unroll 4
    for (int i = from; i < to; ++i) {
      const float4 charge = staged[i].head;
      const float db = b - charge.x, dc = c - charge.y, across = fmaf(dc, dc, db * db);
#pragma unroll
      for (int k = 0; k < 5; ++k) {
        const float da = ha * float(Nodes::position(k)) - charge.w, s = fmaf(da, da, across);
        sum[k] = add_node_term<kind>(sum[k], s, charge.z, exponent);
      }
    }
    if (lane == column) {
#pragma unroll
      for (int k = 0; k < 5; ++k) totals.add(k, column, sum[k]);
    }
  }
}

/// Adds the polynomials' values at a lane's points to the block's totals.
template <int n>
__device__ inline void add_interpolated(const NodeTotals<n>& nodes, int lane, TwoFloat* totals) {
  using Nodes = BlockNodes<n>;
  constexpr int next_column = block_edge / columns;
  double of_b[n], of_c[columns][n];
#pragma unroll
  for (int j = 0; j < n; ++j) {
    of_b[j] = Nodes::weight(j, double(lane % block_edge));
#pragma unroll
    for (int m = 0; m < columns; ++m)
      of_c[m][j] = Nodes::weight(j, double(lane / block_edge + next_column * m));
  }
  double along[columns][n] = {};
#pragma unroll
  for (int a = 0; a < n; ++a)
#pragma unroll
    for (int c = 0; c < n; ++c) {
      double line = 0.0;
#pragma unroll
      for (int b = 0; b < n; ++b) line = fma(of_b[b], nodes.at[a][b + n * c].value(), line);
#pragma unroll
      for (int m = 0; m < columns; ++m) along[m][a] = fma(of_c[m][c], line, along[m][a]);
    }
#pragma unroll
  for (int m = 0; m < columns; ++m)
#pragma unroll
    for (int k = 0; k < block_edge; ++k) {
      double value = 0.0;
#pragma unroll
      for (int a = 0; a < n; ++a) value = fma(Nodes::weight(a, double(k)), along[m][a], value);
      TwoFloat& total = totals[warp_size * (m * block_edge + k) + lane];
      TwoFloat with = total;
      with.add(float(value));
      total = with;
    }
}

}  // namespace ionwell::gpu
