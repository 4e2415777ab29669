// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "electrostatics/simd/grid_kernels.hpp"
#include "gpu/electrostatics/direct_sum.cuh"
#include "gpu/electrostatics/multilevel_kernels.hpp"
#include "gpu/electrostatics/row_list.cuh"

/// The short-range part of multilevel summation at the points of one block, by a thread block: each warp has
/// a cube of 4 x 4 x 4 of them and lists the charges that reach it. The work goes with the charges within
/// the cutoff of a warp's cube.
namespace ionwell::gpu {

constexpr int short_threads = 256;         // of a thread block, which has one block of points
constexpr int warps = short_threads / 32;  // each with a cube of 4 x 4 x 4 of them
constexpr int cube_edge = 4;
constexpr int points_x = 1, points_y = 2;  // of a thread, and all four along z; measured, ionwell-bench gpu
constexpr int lanes_x = cube_edge / points_x;
constexpr int lanes = lanes_x * cube_edge / points_y;  // that have all points of a cube
constexpr int charges_at_once = 32 / lanes;            // other lanes take other charges for the same points
constexpr int list_size = 256;  // candidates that a warp looks at before it adds those that it chose

/// Lengths are in cutoffs, and potentials in units of a pair's at the cutoff.
struct ShortRangeTerms {
  float polynomial[gaussian_coefficients];  // of r^2 (Taylor splitting) or 2 r^2 - 1
  float unit_kT_e;                          // of a unit charge's potential
  float kappa;
  float smallest2;
  double units_per_A;  // of ChargeCells' positions
  Vec3<double> grid_origin_A;
  float unit_length;      // of ChargeCells' positions [cutoffs]
  float spacing;          // of the lattice [cutoffs]
  int half_block, reach;  // half of a block's edge and the cutoff, rounded up, in ChargeCells' units
};

/// Coordinates of the points of one thread in its warp's cube.
struct ThreadPoints {
  float x[points_x], y[points_y], z[cube_edge];
};

/// Sums of a thread. With Taylor splitting the polynomial's constant is left out of `sum`, and counts for all
/// of `charge`: pairs beyond the cutoff are taken at it, where the rest is just that constant.
struct ThreadSums {
  float sum[points_y][points_x][cube_edge] = {};
  float charge = 0.0f;
};

template <Kind kind, int coefficients, bool on_top>
__device__ inline void add_listed(const float4* list, int count, const ThreadPoints& points,
                                  const ShortRangeTerms& terms, ThreadSums& sums) {
#pragma unroll(coefficients == taylor_coefficients ? 2 : 1)
  for (int n = threadIdx.x % 32 / lanes; n < count; n += charges_at_once) {
    const float4 q = list[n];
    float x2[points_x], xy[points_y][points_x], z2[cube_edge];
#pragma unroll
    for (int i = 0; i < points_x; ++i) {
      const float dx = points.x[i] - q.x;
      x2[i] = dx * dx;
    }
#pragma unroll
    for (int j = 0; j < points_y; ++j) {
      const float dy = points.y[j] - q.y;
#pragma unroll
      for (int i = 0; i < points_x; ++i) xy[j][i] = x2[i] + dy * dy;
    }
#pragma unroll
    for (int k = 0; k < cube_edge; ++k) {
      const float dz = points.z[k] - q.z;
      z2[k] = dz * dz;
    }
    if constexpr (coefficients == taylor_coefficients) sums.charge += q.w;
#pragma unroll
    for (int ji = 0; ji < points_y * points_x; ++ji)
#pragma unroll
      for (int k = 0; k < cube_edge; ++k) {
        const int j = ji / points_x, i = ji % points_x;
        float s = xy[j][i] + z2[k];
        if constexpr (on_top) s = fmaxf(s, terms.smallest2);
        const float* c = terms.polynomial;
        if constexpr (coefficients == taylor_coefficients) {
          s = fminf(s, 1.0f);
          sums.sum[j][i][k] += q.w * (pair_term<kind>(s, terms.kappa) - s * (c[1] + c[2] * s));
        } else {
          const float z = 2.0f * s - 1.0f;
          float smooth = c[coefficients - 1];
#pragma unroll
          for (int m = coefficients - 2; m >= 0; --m) smooth = smooth * z + c[m];
          const float term = pair_term<kind>(s, terms.kappa) - smooth;
          if (s < 1.0f) sums.sum[j][i][k] += q.w * term;
        }
      }
  }
}

/// What a thread block shares.
struct Staging {
  RowList<short_threads> rows;
  __align__(16) float4 charges[2][short_threads];  // candidates, relative to the block's centre
  __align__(16) float4 lists[warps][list_size];    // those that reach a warp's cube
  int centre[3];                                   // of the block, in ChargeCells' units
  float offset[3];                                 // of the true centre from that [cutoffs]
};

/// Sets centre and offset of `shared`; by one thread.
__device__ inline void find_centre(const DeviceBlocks& blocks, const ShortRangeTerms& terms,
                                   Staging& shared) {
  const Vec3<int> block = block_in_slot(blocks, blockIdx.x);
  const double middle = 0.5 * (block_edge - 1);
  const double x = double(block_edge * block.x), y = double(block_edge * block.y),
               z = double(block_edge * block.z);
  const LatticeGeometry& l = blocks.lattice;
  const double z_whole = double(l.first_plane) + z;
  const double centre[3] = {l.origin_A.x + l.spacing_A.x * (x + middle) - terms.grid_origin_A.x,
                            l.origin_A.y + l.spacing_A.y * (y + middle) - terms.grid_origin_A.y,
                            l.origin_A.z + l.spacing_A.z * (z_whole + middle) - terms.grid_origin_A.z};
  for (int a = 0; a < 3; ++a) {
    const double exact = centre[a] * terms.units_per_A, rounded = rint(exact);
    shared.centre[a] = int(rounded);
    shared.offset[a] = float(exact - rounded) * terms.unit_length;
  }
}

/// A warp's cube of points, relative to the block's centre [cutoffs].
struct WarpCube {
  int at[3];        // 0 or 1 along each axis
  float middle[3];  // midway between its first and last point
  float half;       // from there to its faces

  __device__ WarpCube(const ShortRangeTerms& terms, const Staging& shared)
      : half(0.5f * (cube_edge - 1) * terms.spacing) {
    const int warp = threadIdx.x / 32;
    at[0] = warp % 2, at[1] = warp / 2 % 2, at[2] = warp / 4;
    for (int axis = 0; axis < 3; ++axis) middle[axis] = point(terms, shared, axis, 0) + half;
  }

  /// Coordinate of the cube's point `p` of an axis.
  __device__ float point(const ShortRangeTerms& terms, const Staging& shared, int axis, int p) const {
    return (float(cube_edge * at[axis] + p) - 0.5f * (block_edge - 1)) * terms.spacing + shared.offset[axis];
  }
};

__device__ inline ThreadPoints points_of_thread(const WarpCube& cube, const ShortRangeTerms& terms,
                                                const Staging& shared) {
  const int lane = threadIdx.x % 32;
  ThreadPoints points;
#pragma unroll
  for (int i = 0; i < points_x; ++i) points.x[i] = cube.point(terms, shared, 0, lane % lanes_x + lanes_x * i);
#pragma unroll
  for (int j = 0; j < points_y; ++j)
    points.y[j] = cube.point(terms, shared, 1, lane % lanes / lanes_x + cube_edge / points_y * j);
#pragma unroll
  for (int k = 0; k < cube_edge; ++k) points.z[k] = cube.point(terms, shared, 2, k);
  return points;
}

/// The rows of cells along x that may hold a charge within the cutoff of the block.
struct CellRows {
  int y0, z0;     // of the first row
  int ny, count;  // rows along y, and all of them

  __device__ CellRows(const ChargeCells& cells, const ShortRangeTerms& terms, const int* centre) {
    const int reach = terms.half_block + terms.reach;
    y0 = max((centre[1] - reach) >> cells.cell_bits, 0);
    const int y1 = min((centre[1] + reach) >> cells.cell_bits, cells.counts.y - 1);
    z0 = max((centre[2] - reach) >> cells.cell_bits, 0);
    const int z1 = min((centre[2] + reach) >> cells.cell_bits, cells.counts.z - 1);
    ny = max(y1 - y0 + 1, 0);
    count = ny * max(z1 - z0 + 1, 0);
  }
};

/// The sorted charges of one row of cells that may be within the cutoff of the block.
struct ChargeRange {
  std::uint32_t first = 0, last = 0;
};

__device__ inline ChargeRange near_charges(const ChargeCells& cells, const ShortRangeTerms& terms,
                                           const int* centre, int y, int z) {
  const auto gap = [&](int cell, int middle) {
    const int low = cell << cells.cell_bits, high = (cell + 1) << cells.cell_bits;
    return float(max(max(low - (middle + terms.half_block), middle - terms.half_block - high), 0)) *
           terms.unit_length;
  };
  const float gap_y = gap(y, centre[1]), gap_z = gap(z, centre[2]),
              left = 1.0001f - gap_y * gap_y - gap_z * gap_z;
  if (!(left > 0.0f)) return {};
  const int reach = terms.half_block + min(int(float(terms.reach) * sqrtf(left)) + 2, terms.reach);
  const int first = max((centre[0] - reach) >> cells.cell_bits, 0);
  const int last = min((centre[0] + reach) >> cells.cell_bits, cells.counts.x - 1);
  if (first > last) return {};
  const std::uint32_t row =
      std::uint32_t(cells.counts.x) * (std::uint32_t(y) + std::uint32_t(cells.counts.y) * std::uint32_t(z));
  return {cells.start[row + first], cells.start[row + last + 1]};
}

constexpr float far = 1e4f;  // from every point [cutoffs]: where a charge of 0 does no harm

/// A charge of ChargeCells relative to the block's centre, in units of the short-range terms.
__device__ inline float4 relative_charge(const int4& charge, const int* centre,
                                         const ShortRangeTerms& terms) {
  return make_float4(
      float(charge.x - centre[0]) * terms.unit_length, float(charge.y - centre[1]) * terms.unit_length,
      float(charge.z - centre[2]) * terms.unit_length, __int_as_float(charge.w) * terms.unit_kT_e);
}

/// What a warp chose from the staged charges.
struct ChosenCharges {
  int count;    // with charges of 0 up to a multiple of charges_at_once
  bool on_top;  // one may be nearer to a point than the smallest distance
};

/// Puts those of list_size staged charges on the warp's list that reach its cube.
__device__ inline ChosenCharges choose_charges(const float4* staged, const WarpCube& cube,
                                               const ShortRangeTerms& terms, float4* list) {
  const int lane = threadIdx.x % 32;
  const float half = cube.half;
  int count = 0;
  bool near = false;
#pragma unroll
  for (int part = 0; part < list_size; part += 32) {
    const float4 c = staged[part + lane];
    const float gx = fmaxf(fabsf(c.x - cube.middle[0]) - half, 0.0f),
                gy = fmaxf(fabsf(c.y - cube.middle[1]) - half, 0.0f),
                gz = fmaxf(fabsf(c.z - cube.middle[2]) - half, 0.0f);
    const float gap2 = gx * gx + gy * gy + gz * gz;
    const bool reaches = gap2 < 1.0f;
    near = near || gap2 <= 2.0f * terms.smallest2;
    const unsigned reaching = __ballot_sync(0xffffffffu, reaches);
    const int place = count + __popc(reaching & ((1u << lane) - 1u));
    if (reaches) list[place] = c;
    count = __shfl_sync(0xffffffffu, place + reaches, 31);  // a count of bits costs as much as a square root
  }
  const int padded = (count + charges_at_once - 1) / charges_at_once * charges_at_once;
  if (count + lane < padded) list[count + lane] = make_float4(far, far, far, 0.0f);
  return {padded, bool(__any_sync(0xffffffffu, near))};
}

/// Adds those of `staged` charges to the sums of a warp's points that reach its cube.
template <Kind kind, int coefficients>
__device__ inline void add_staged_charges(const float4* charges, int staged, const WarpCube& cube,
                                          const ThreadPoints& points, const ShortRangeTerms& terms,
                                          float4* list, ThreadSums& sums) {
  for (int from = 0; from < staged; from += list_size) {
    const ChosenCharges chosen = choose_charges(charges + from, cube, terms, list);
    __syncwarp();
    if (chosen.on_top)
      add_listed<kind, coefficients, true>(list, chosen.count, points, terms, sums);
    else
      add_listed<kind, coefficients, false>(list, chosen.count, points, terms, sums);
    __syncwarp();
  }
}

/// Adds the lanes' sums up, each having had other charges, and the total to the block's values.
template <int coefficients>
__device__ inline void add_to_values(const DeviceBlocks& blocks, const WarpCube& cube,
                                     const ShortRangeTerms& terms, const ThreadSums& sums) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int ji = 0; ji < points_y * points_x; ++ji)
#pragma unroll
    for (int k = 0; k < cube_edge; ++k) {
      const int j = ji / points_x, i = ji % points_x;
      float sum = sums.sum[j][i][k];
      if constexpr (coefficients == taylor_coefficients) sum -= terms.polynomial[0] * sums.charge;
#pragma unroll
      for (int distance = lanes; distance < 32; distance *= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
      if (lane / lanes != k + cube_edge * i) continue;
      const int x = cube_edge * cube.at[0] + lane % lanes_x + lanes_x * i,
                y = cube_edge * cube.at[1] + lane % lanes / lanes_x + cube_edge / points_y * j,
                z = cube_edge * cube.at[2] + k;
      blocks.values[block_points * std::int64_t(blockIdx.x) + x + block_edge * (y + block_edge * z)] += sum;
    }
}

}  // namespace ionwell::gpu
