// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/pair_potential.hpp"
#include "gpu/electrostatics/device_blocks.hpp"
#include "gpu/electrostatics/pair_term.cuh"

/// The direct sum of one block of 8 x 8 x 8 points by one warp. Each lane has two columns of eight points
/// along one axis, so that a pair takes an addition, a reciprocal root and a multiply-add: what is left of
/// the squared distance is shared by the column or, along it, by the warp.
namespace ionwell::gpu {

constexpr unsigned full_warp = 0xffffffffu;
constexpr int warp_size = 32;
constexpr int columns = 2;                   // of points that a lane has
constexpr int charges_between_carries = 64;  // summed in fp32 before anything else, as on the CPU

/// Of the 16 points of a lane, how many take their reciprocal root in plain arithmetic and not from the
/// special function units, which are what the Coulomb sum waits for (measured by `ionwell-bench gpu` on an
/// H200).
#ifndef IONWELL_ARITHMETIC_ROOTS
#define IONWELL_ARITHMETIC_ROOTS 4
#endif
constexpr int arithmetic_roots = IONWELL_ARITHMETIC_ROOTS;

/// a + 16 charge / sqrt(s), by a shifted exponent and two of Newton's steps whose constants halve the largest
/// error of either (searched for numerically: 6.9e-7 at most). `charge` comes with the factor 1/16.
__device__ inline float add_arithmetic_root(float a, float s, float charge) {
  float y = __int_as_float(0x5f376900 - (__float_as_int(s) >> 1));
  y *= fmaf(-s, y * y, 3.00175f);
  return fmaf(charge * y, fmaf(-s, y * y, 12.0000046f), a);
}

/// A charge as a warp reads it: position across the columns relative to the block's first point, its weight,
/// and its squared distances along the columns.
struct StagedCharge {
  float4 head;  // x, y, weight, weight / 16
  float along2[block_edge];
};

/// How a block lies in a warp: axis `a` along the columns, `b` and `c` across. Where the lattice ends inside
/// the block, the shortest axis goes along, and only as many points are summed as there are.
struct BlockLayout {
  int a, b, c;
  int along;  // points along the columns that lie in the lattice

  __device__ static BlockLayout of(const LatticeGeometry& lattice, const Vec3<std::int64_t>& first) {
    const auto left = [](std::int64_t count, std::int64_t from) {
      return count - from < block_edge ? int(count - from) : block_edge;
    };
    const int x = left(lattice.counts.x, first.x), y = left(lattice.counts.y, first.y),
              z = left(lattice.counts.z, first.z);
    if (z <= x && z <= y) return {2, 0, 1, z};
    if (y <= x) return {1, 0, 2, y};
    return {0, 1, 2, x};
  }

  /// Number within the block of the point at (along, across b, across c).
  __device__ int point(int along_a, int along_b, int along_c) const {
    return (along_a << (3 * a)) + (along_b << (3 * b)) + (along_c << (3 * c));
  }
};

__device__ inline double component(const Vec3<double>& v, int axis) {
  return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

/// Two floats whose sum has 48 bits.
struct TwoFloat {
  float high, low;

  __device__ void add(float x) {
    const float sum = __fadd_rn(high, x), part = __fsub_rn(sum, high);
    low = __fadd_rn(low, __fadd_rn(__fsub_rn(high, __fsub_rn(sum, part)), __fsub_rn(x, part)));
    high = sum;
  }
};

/// What a warp needs in shared memory.
struct WarpWorkspace {
  StagedCharge staged[warp_size];
  TwoFloat total[block_points];
};

template <Kind kind, int length>
__device__ inline void add_staged(const StagedCharge* staged, float fb, float fc0, float fc1, float exponent,
                                  float (&sum)[columns][length]) {
  constexpr int step = kind == Kind::distance_dependent ? 2 : 1;
#pragma unroll 2
  for (int n = 0; n < warp_size; n += step) {
    const float4 head = staged[n].head;
    float along2[length];
#pragma unroll
    for (int k = 0; k < length; ++k) along2[k] = staged[n].along2[k];
    const float db = fb - head.x, dc0 = fc0 - head.y, dc1 = fc1 - head.y;
    const float across[columns] = {fmaf(dc0, dc0, db * db), fmaf(dc1, dc1, db * db)};
    if constexpr (kind == Kind::coulomb) {
#pragma unroll
      for (int m = 0; m < columns; ++m)
#pragma unroll
        for (int k = 0; k < length; ++k) {
          const float s = across[m] + along2[k];
          constexpr int every = arithmetic_roots > 0 ? 16 / arithmetic_roots : 1000;
          if (length == block_edge && arithmetic_roots > 0 && (m * length + k) % every == every - 1 &&
              (m * length + k) / every < arithmetic_roots)
            sum[m][k] = add_arithmetic_root(sum[m][k], s, head.w);
          else
            sum[m][k] = fmaf(head.z, fast_inverse_sqrt(s), sum[m][k]);
        }
    } else if constexpr (kind == Kind::distance_dependent) {
      // Two charges share a reciprocal: p/s + q/t = (p t + q s) / (s t).
      const float4 other = staged[n + 1].head;
      const float eb = fb - other.x, ec0 = fc0 - other.y, ec1 = fc1 - other.y;
      const float other_across[columns] = {fmaf(ec0, ec0, eb * eb), fmaf(ec1, ec1, eb * eb)};
#pragma unroll
      for (int m = 0; m < columns; ++m)
#pragma unroll
        for (int k = 0; k < length; ++k) {
          const float s = across[m] + along2[k], t = other_across[m] + staged[n + 1].along2[k];
          sum[m][k] = fmaf(fmaf(head.z, t, other.z * s), fast_inverse(s * t), sum[m][k]);
        }
    } else {
#pragma unroll
      for (int m = 0; m < columns; ++m)
#pragma unroll
        for (int k = 0; k < length; ++k) {
          const float s = across[m] + along2[k];
          const float inverse = fast_inverse_sqrt(s);
          sum[m][k] = fmaf(head.z * inverse, fast_exp2(exponent * (s * inverse)), sum[m][k]);
        }
    }
  }
}

/// A charge as a block sees it: relative to its first point, with the axes in the layout's order.
struct SeenCharge {
  float a, b, c, weight;
  bool near;  // in the block or within half a spacing of it
};

__device__ inline SeenCharge see(const PointCharge& charge, const BlockFrameD& frame,
                                 const BlockLayout& layout, float ha, float hb, float hc, double prefactor) {
  SeenCharge seen;
  seen.a = float(component(charge.position_A, layout.a) - component(frame.first_A, layout.a));
  seen.b = float(component(charge.position_A, layout.b) - component(frame.first_A, layout.b));
  seen.c = float(component(charge.position_A, layout.c) - component(frame.first_A, layout.c));
  seen.weight = float(prefactor * charge.charge_e);
  constexpr float middle = 0.5f * (block_edge - 1), reach = 0.5f * block_edge;
  seen.near = fabsf(seen.a - middle * ha) < reach * ha && fabsf(seen.b - middle * hb) < reach * hb &&
              fabsf(seen.c - middle * hc) < reach * hc;
  return seen;
}

/// Adds to the workspace's totals the charges that are near the block. There the smallest distance counts,
/// and fp32 coordinates would leave few digits.
__device__ inline void add_near_charges(const BlockFrameD& frame, const BlockLayout& layout,
                                        const Vec3<double>& spacing_A, const PointCharge* charges,
                                        std::int64_t first, std::int64_t last, std::int64_t stride,
                                        const PairPotential& pair, int length, TwoFloat* totals) {
  const int lane = int(threadIdx.x) % warp_size;
  const float ha = float(component(spacing_A, layout.a)), hb = float(component(spacing_A, layout.b)),
              hc = float(component(spacing_A, layout.c));
  for (std::int64_t begin = first; begin < last; begin += stride) {
    const PointCharge charge = begin + lane < last ? charges[begin + lane] : PointCharge{};
    const bool near = begin + lane < last && see(charge, frame, layout, ha, hb, hc, 1.0).near;
    for (unsigned left = __ballot_sync(full_warp, near); left != 0; left &= left - 1) {
      const PointCharge& q = charges[begin + __ffs(int(left)) - 1];
      for (int n = 0; n < columns * length; ++n) {
        const int ia = n % length, ib = lane % block_edge,
                  ic = lane / block_edge + block_edge / columns * (n / length);
        const auto along = [&](int axis, int i) {
          return component(frame.first_A, axis) + component(spacing_A, axis) * i -
                 component(q.position_A, axis);
        };
        const double da = along(layout.a, ia), db = along(layout.b, ib), dc = along(layout.c, ic);
        totals[warp_size * n + lane].add(float(q.charge_e * pair.at(da * da + db * db + dc * dc)));
      }
    }
  }
}

/// The sum of charges [first, last), every `stride`-th chunk of a warp's width of them, at the points of a
/// block: calls take(point, value) for each of a lane's points, with the sum in fp64. `workspace` is for this
/// warp alone.
template <Kind kind, int length, typename Take>
__device__ inline void sum_block(const BlockFrameD& frame, const BlockLayout& layout,
                                 const Vec3<double>& spacing_A, const PointCharge* charges,
                                 std::int64_t first, std::int64_t last, std::int64_t stride,
                                 const PairPotential& pair, WarpWorkspace& workspace, const Take& take) {
  const int lane = int(threadIdx.x) % warp_size;
  const int ib = lane % block_edge, ic = lane / block_edge;
  constexpr int next_column = block_edge / columns;
  const float ha = float(component(spacing_A, layout.a)), hb = float(component(spacing_A, layout.b)),
              hc = float(component(spacing_A, layout.c));
  const float fb = hb * float(ib), fc0 = hc * float(ic), fc1 = hc * float(ic + next_column);
  constexpr double log2_e = 1.4426950408889634;
  const float exponent = float(-pair.kappa_per_A * log2_e);
  constexpr float far_away = 1e4f;  // in spacings: where a charge of weight 0 does no harm
  TwoFloat* totals = workspace.total;
#pragma unroll
  for (int n = 0; n < columns * length; ++n) totals[warp_size * n + lane] = {0.0f, 0.0f};
  float sum[columns][length] = {};
  bool any_near = false;
  const auto carry = [&] {
#pragma unroll
    for (int m = 0; m < columns; ++m)
#pragma unroll
      for (int k = 0; k < length; ++k) {
        TwoFloat total = totals[warp_size * (m * length + k) + lane];
        total.add(sum[m][k]);
        totals[warp_size * (m * length + k) + lane] = total;
        sum[m][k] = 0.0f;
      }
  };
  int chunks = 0;
  for (std::int64_t begin = first; begin < last; begin += stride) {
    const bool valid = begin + lane < last;
    SeenCharge seen =
        see(valid ? charges[begin + lane] : PointCharge{}, frame, layout, ha, hb, hc, pair.prefactor);
    if (seen.near || !valid) {
      any_near |= valid;
      seen.weight = 0.0f;
      seen.a = far_away * ha;
    }
    __syncwarp();
    workspace.staged[lane].head = {seen.b, seen.c, seen.weight, seen.weight / 16.0f};
#pragma unroll
    for (int k = 0; k < block_edge; ++k) {
      const float along = ha * float(k) - seen.a;
      workspace.staged[lane].along2[k] = along * along;
    }
    __syncwarp();
    add_staged<kind, length>(workspace.staged, fb, fc0, fc1, exponent, sum);
    if (++chunks % (charges_between_carries / warp_size) == 0) carry();
  }
  carry();
  if (__any_sync(full_warp, any_near))
    add_near_charges(frame, layout, spacing_A, charges, first, last, stride, pair, length, totals);
#pragma unroll
  for (int m = 0; m < columns; ++m)
#pragma unroll
    for (int k = 0; k < length; ++k) {
      const TwoFloat total = totals[warp_size * (m * length + k) + lane];
      take(layout.point(k, ib, ic + next_column * m), double(total.high) + double(total.low));
    }
}

/// The same for a block of any extent.
template <Kind kind, typename Take>
__device__ inline void sum_any_block(const LatticeGeometry& lattice, std::int64_t number,
                                     const PointCharge* charges, std::int64_t first, std::int64_t last,
                                     std::int64_t stride, const PairPotential& pair, WarpWorkspace& workspace,
                                     const Take& take) {
  const BlockFrameD frame = frame_of_block(lattice, number);
  const BlockLayout layout = BlockLayout::of(lattice, frame.first_point);
  const auto sum = [&]<int length>() {
    sum_block<kind, length>(frame, layout, lattice.spacing_A, charges, first, last, stride, pair, workspace,
                            take);
  };
  if (layout.along > 4)
    sum.template operator()<8>();
  else if (layout.along > 2)
    sum.template operator()<4>();
  else if (layout.along > 1)
    sum.template operator()<2>();
  else
    sum.template operator()<1>();
}

}  // namespace ionwell::gpu
