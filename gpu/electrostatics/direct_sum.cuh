// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/pair_potential.hpp"
#include "gpu/electrostatics/device_blocks.hpp"
#include "gpu/electrostatics/node_sums.cuh"
#include "gpu/electrostatics/staged_charges.cuh"

/// The direct sum of one block of 8 x 8 x 8 points by one warp. Each lane has two columns of eight points
/// along one axis, so that a pair takes an addition, a reciprocal root and a multiply-add: what is left of
/// the squared distance is shared by the column or, along it, by the warp.
namespace ionwell::gpu {

constexpr int charges_between_carries = 64;  // summed in fp32 before anything else, as on the CPU

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

/// What a warp needs in shared memory. With `by_distance`, for long sums, it takes twice as many charges at
/// once and sums those that are far from a block at its nodes.
template <bool by_distance>
struct WarpWorkspace {
  static constexpr int chunks = 1;
  StagedCharge staged[warp_size];
  TwoFloat total[block_points];
};

template <>
struct WarpWorkspace<true> {
  static constexpr int chunks = 2;
  StagedCharge staged[chunks * warp_size];
  TwoFloat total[block_points];
  NodeTotals<4> four;
  NodeTotals<5> five;
};

/// A charge in two loads of 16 bytes: an array in device memory begins at 256 bytes.
__device__ inline PointCharge load_charge(const PointCharge* charge) {
  static_assert(sizeof(PointCharge) == 2 * sizeof(double2));
  const auto* halves = reinterpret_cast<const double2*>(charge);
  const double2 a = halves[0], b = halves[1];
  return {{a.x, a.y, b.x}, b.y};
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

/// How far a charge is at the least from a block that has all its points, squared.
__device__ inline float least_distance2(const SeenCharge& charge, float ha, float hb, float hc) {
  constexpr float half = 0.5f * (block_edge - 1);
  const auto beyond = [](float x, float h) { return fmaxf(fabsf(x - half * h) - half * h, 0.0f); };
  const float a = beyond(charge.a, ha), b = beyond(charge.b, hb), c = beyond(charge.c, hc);
  return a * a + b * b + c * c;
}

/// How far a charge is from a block's points, at the least: whether nodes of the block give all points'
/// terms.
enum class Distance {
  any,
  far,     // five nodes along each axis
  distant  // four nodes
};

/// The order in which the charges of a warp are staged: those that are farthest away first.
template <int chunks>
struct DistanceOrder {
  int place[chunks];             // of this lane's charges
  int distant = 0, and_far = 0;  // how many are distant, and far or distant

  __device__ void find(const Distance (&distance)[chunks]) {
    const unsigned lanes_before = (1u << (threadIdx.x % warp_size)) - 1;
    unsigned is[chunks][3];
#pragma unroll
    for (int n = 0; n < chunks; ++n) {
      is[n][0] = __ballot_sync(full_warp, distance[n] == Distance::distant);
      is[n][1] = __ballot_sync(full_warp, distance[n] == Distance::far);
      is[n][2] = ~(is[n][0] | is[n][1]);
      distant += __popc(is[n][0]);
      and_far += __popc(is[n][0] | is[n][1]);
    }
    int first[3] = {0, distant, and_far};
#pragma unroll
    for (int n = 0; n < chunks; ++n) {
      const int kind = distance[n] == Distance::distant ? 0 : (distance[n] == Distance::far ? 1 : 2);
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        if (kind == k) place[n] = first[k] + __popc(is[n][k] & lanes_before);
        first[k] += __popc(is[n][k]);
      }
    }
  }
};

/// The sum of charges [first, last), every `stride`-th chunk of a warp's width of them, at the points of a
/// block: calls take(point, value) for each of a lane's points, with the sum in fp64. `workspace` is for this
/// warp alone; `nodes` is for sums by distance.
template <Kind kind, int length, bool by_distance, typename Take>
__device__ inline void sum_block(const BlockFrameD& frame, const BlockLayout& layout,
                                 const Vec3<double>& spacing_A, const PointCharge* charges,
                                 std::int64_t first, std::int64_t last, std::int64_t stride,
                                 const PairPotential& pair, const NodeDistances& nodes,
                                 WarpWorkspace<by_distance>& workspace, const Take& take) {
  // Short columns, at an end of the lattice, take all charges alike.
  constexpr bool ordered = by_distance && length == block_edge;
  constexpr int chunks = WarpWorkspace<by_distance>::chunks;
  constexpr float far_away = 1e4f;  // in spacings: where a charge of weight 0 does no harm
  const int lane = int(threadIdx.x) % warp_size;
  const int ib = lane % block_edge, ic = lane / block_edge;
  constexpr int next_column = block_edge / columns;
  const float ha = float(component(spacing_A, layout.a)), hb = float(component(spacing_A, layout.b)),
              hc = float(component(spacing_A, layout.c));
  const ColumnPlaces places{hb * float(ib), hc * float(ic), hc * float(ic + next_column)};
  const Screening screening(pair.kappa_per_A, ha);
  TwoFloat* totals = workspace.total;
#pragma unroll
  for (int n = 0; n < columns * length; ++n) totals[warp_size * n + lane] = {0.0f, 0.0f};
  float sum[columns][length] = {};
  bool any_near = false, any_far = false, any_distant = false;
  if constexpr (ordered) {
    workspace.four.clear(lane);
    workspace.five.clear(lane);
  }
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
  int in_sum = 0;  // charges since the last carry
  for (std::int64_t begin = first; begin < last; begin += chunks * stride) {
    SeenCharge seen[chunks];
    Distance distance[chunks] = {};
#pragma unroll
    for (int n = 0; n < chunks; ++n) {
      const std::int64_t i = begin + n * stride + lane;
      seen[n] =
          see(i < last ? load_charge(charges + i) : PointCharge{}, frame, layout, ha, hb, hc, pair.prefactor);
      if (seen[n].near || i >= last) {
        any_near |= i < last;
        seen[n].weight = 0.0f;
        seen[n].a = far_away * ha;
      }
      if constexpr (ordered) {
        const float d2 = least_distance2(seen[n], ha, hb, hc);
        if (d2 > nodes.five_A2) distance[n] = Distance::far;
        if (d2 > nodes.four_A2) distance[n] = Distance::distant;
        any_far |= i < last && distance[n] == Distance::far;
        any_distant |= i < last && distance[n] == Distance::distant;
      }
    }
    DistanceOrder<chunks> order;
    if constexpr (ordered) order.find(distance);
    __syncwarp();
#pragma unroll
    for (int n = 0; n < chunks; ++n) {
      StagedCharge& staged = workspace.staged[ordered ? order.place[n] : n * warp_size + lane];
      const bool at_nodes = ordered && distance[n] != Distance::any;
      staged.head = {seen[n].b, seen[n].c, seen[n].weight, at_nodes ? seen[n].a : seen[n].weight / 16.0f};
      if (!at_nodes) {
#pragma unroll
        for (int k = 0; k < block_edge; ++k) {
          const float along = ha * float(k) - seen[n].a;
          staged.along2[k] = along * along;
        }
      }
    }
    __syncwarp();
    const int end = ordered || last - begin > stride ? chunks * warp_size : warp_size;
    const int at_points = ordered ? end - order.and_far : end;
    if (in_sum + at_points > charges_between_carries) {
      carry();
      in_sum = 0;
    }
    in_sum += at_points;
    if constexpr (!ordered) {
      add_staged<kind, length>(workspace.staged, 0, end, places, screening.exponent, sum);
    } else {
      add_at_nodes<kind>(workspace.staged, 0, order.distant, ha, hb, hc, screening.exponent, workspace.four);
      add_at_nodes<kind>(workspace.staged, order.distant, order.and_far, ha, hb, hc, screening.exponent,
                         workspace.five);
      if (kind == Kind::debye_hueckel && screening.is_slow)
        add_slowly_screened(workspace.staged, order.and_far, end, places, screening, sum);
      else
        add_staged<kind, length>(workspace.staged, order.and_far, end, places, screening.exponent, sum);
    }
  }
  carry();
  if constexpr (ordered) {
    __syncwarp();
    if (__any_sync(full_warp, any_distant)) add_interpolated(workspace.four, lane, totals);
    if (__any_sync(full_warp, any_far)) add_interpolated(workspace.five, lane, totals);
  }
  if (__any_sync(full_warp, any_near))
    add_near_charges(frame, layout, spacing_A, charges, first, last, stride, pair, length, totals);
#pragma unroll
  for (int m = 0; m < columns; ++m)
#pragma unroll
    for (int k = 0; k < length; ++k) {
      const TwoFloat total = totals[warp_size * (m * length + k) + lane];
      take(layout.point(k, ib, ic + next_column * m), total.value());
    }
}

/// The same for a block of any extent.
template <Kind kind, bool by_distance, typename Take>
__device__ inline void sum_any_block(const LatticeGeometry& lattice, std::int64_t number,
                                     const PointCharge* charges, std::int64_t first, std::int64_t last,
                                     std::int64_t stride, const PairPotential& pair,
                                     const NodeDistances& nodes, WarpWorkspace<by_distance>& workspace,
                                     const Take& take) {
  const BlockFrameD frame = frame_of_block(lattice, number);
  const BlockLayout layout = BlockLayout::of(lattice, frame.first_point);
  const auto sum = [&]<int length>() {
    sum_block<kind, length, by_distance>(frame, layout, lattice.spacing_A, charges, first, last, stride, pair,
                                         nodes, workspace, take);
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

/// Calls take(point, value) for the points of a block of which all `warps` of a thread block have summed
/// a share: their totals, added in order. Its threads must have waited for each other.
template <int warps, bool by_distance, typename Take>
__device__ inline void over_sums_of_warps(const LatticeGeometry& lattice, std::int64_t number,
                                          const WarpWorkspace<by_distance>* workspaces, const Take& take) {
  const BlockLayout layout = BlockLayout::of(lattice, frame_of_block(lattice, number).first_point);
  const int length = layout.along > 4 ? 8 : (layout.along > 2 ? 4 : layout.along);
  for (int n = int(threadIdx.x); n < columns * length * warp_size; n += warps * warp_size) {
    double sum = 0.0;
    for (int w = 0; w < warps; ++w) sum += workspaces[w].total[n].value();
    const int of_lane = n % warp_size, column = n / warp_size / length;
    take(layout.point(n / warp_size % length, of_lane % block_edge,
                      of_lane / block_edge + block_edge / columns * column),
         sum);
  }
}

}  // namespace ionwell::gpu
