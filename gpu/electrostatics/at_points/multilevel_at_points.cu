// SPDX-License-Identifier: BSD-3-Clause
#include <climits>
#include <cmath>

#include "electrostatics/multilevel/basis_function.hpp"
#include "electrostatics/simd/grid_kernels.hpp"
#include "gpu/electrostatics/at_points/point_kernels.hpp"
#include "gpu/electrostatics/by_kind.hpp"
#include "gpu/electrostatics/pair_term.cuh"
#include "gpu/electrostatics/row_list.cuh"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr unsigned warp_mask = 0xffffffffu;
constexpr int near_threads = 32;  // of a thread block: a warp, with a point to each lane

/// The finest grid, as a kernel sees it.
struct FinestGrid {
  const float* values;
  Vec3<int> counts;
  Vec3<double> origin_A;
  double points_per_A;
  double constant_kT_e;
  const double* total_charge_e;
};

/// smooth[n] = the long-range part at the n-th point.
template <int order, bool is_cubic>
__global__ void long_range_at_points_kernel(const Vec3<double>* points_A, std::int64_t count, FinestGrid grid,
                                            double* smooth) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const Vec3<double> r = grid.points_per_A * (points_A[n] - grid.origin_A);
  const auto weights = [](double x, int points, float(&w)[order]) {
    // The plan has room for the basis functions of every point; a grid of another one is not left.
    const int cell = min(max(int(x), order / 2 - 1), points - order / 2 - 1);
    if constexpr (is_cubic)
      cubic_weights(float(x - double(cell)), w);
    else
      bspline_weights(order, float(x - double(cell)), w);
    return cell - order / 2 + 1;
  };
  float wx[order], wy[order], wz[order];
  const int x = weights(r.x, grid.counts.x, wx), y = weights(r.y, grid.counts.y, wy),
            z = weights(r.z, grid.counts.z, wz);
  const std::int64_t nx = grid.counts.x, ny = grid.counts.y;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < order; ++k) {
    float plane = 0.0f;
#pragma unroll
    for (int j = 0; j < order; ++j) {
      const float* row = grid.values + x + nx * (y + j + ny * (z + k));
      float line = 0.0f;
#pragma unroll
      for (int i = 0; i < order; ++i) line += wx[i] * __ldg(row + i);
      plane += wy[j] * line;
    }
    sum += wz[k] * plane;
  }
  smooth[n] = double(sum) + grid.constant_kT_e * *grid.total_charge_e;
}

/// Lengths are in cutoffs, and potentials in units of a pair's at the cutoff.
struct NearTerms {
  float polynomial[gaussian_coefficients];  // of 2 r^2 - 1
  float kappa, smallest2;
  double unit_kT_e;
  double units_per_A;  // of ChargeCells' positions
  Vec3<double> grid_origin_A;
  float unit_length;  // of ChargeCells' positions
  int reach;          // the cutoff, rounded up, in ChargeCells' units
  int group_reach;    // points no farther from the first of a group, by axis, are in it
};

/// A box in ChargeCells' units.
struct UnitBox {
  int x, y, z;                 // its middle
  int half_x, half_y, half_z;  // rounded up
};

template <typename Choose>
__device__ inline int of_all_lanes(int x, const Choose& choose) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) x = choose(x, __shfl_xor_sync(warp_mask, x, distance));
  return x;
}

/// The box of those lanes' positions that are `in` it.
__device__ inline UnitBox box_of_lanes(bool in, int x, int y, int z) {
  const auto least = [](int a, int b) { return min(a, b); };
  const auto most = [](int a, int b) { return max(a, b); };
  const auto low = [&](int p) { return of_all_lanes(in ? p : INT_MAX, least); };
  const auto high = [&](int p) { return of_all_lanes(in ? p : INT_MIN, most); };
  const int x0 = low(x), y0 = low(y), z0 = low(z), dx = high(x) - x0, dy = high(y) - y0, dz = high(z) - z0;
  return {x0 + dx / 2, y0 + dy / 2, z0 + dz / 2, dx - dx / 2, dy - dy / 2, dz - dz / 2};
}

/// The rows of cells along x that may hold a charge within the cutoff of a box.
struct RowsNearBox {
  int y0, z0, ny, count;

  __device__ RowsNearBox(const ChargeCells& cells, const NearTerms& terms, const UnitBox& box) {
    const auto first = [&](int middle, int half) {
      return max((middle - half - terms.reach) >> cells.cell_bits, 0);
    };
    const auto last = [&](int middle, int half, int along) {
      return min((middle + half + terms.reach) >> cells.cell_bits, along - 1);
    };
    y0 = first(box.y, box.half_y);
    z0 = first(box.z, box.half_z);
    ny = max(last(box.y, box.half_y, cells.counts.y) - y0 + 1, 0);
    count = ny * max(last(box.z, box.half_z, cells.counts.z) - z0 + 1, 0);
  }
};

/// Sets [first, last) to the sorted charges of one row of cells that may be within the cutoff of a box.
__device__ inline void charges_of_row(const ChargeCells& cells, const NearTerms& terms, const UnitBox& box,
                                      int y, int z, std::uint32_t& first, std::uint32_t& last) {
  first = last = 0;
  const auto gap = [&](int cell, int middle, int half) {
    const int low = cell << cells.cell_bits, high = (cell + 1) << cells.cell_bits;
    return float(max(max(low - (middle + half), middle - half - high), 0)) * terms.unit_length;
  };
  const float gap_y = gap(y, box.y, box.half_y), gap_z = gap(z, box.z, box.half_z),
              left = 1.0001f - gap_y * gap_y - gap_z * gap_z;
  if (!(left > 0.0f)) return;
  const int reach = box.half_x + min(int(float(terms.reach) * sqrtf(left)) + 2, terms.reach);
  const int x0 = max((box.x - reach) >> cells.cell_bits, 0),
            x1 = min((box.x + reach) >> cells.cell_bits, cells.counts.x - 1);
  if (x0 > x1) return;
  first = cells.start[cells.number({x0, y, z})];
  last = cells.start[cells.number({x1, y, z}) + 1];
}

/// The short-range part of `count` listed charges at a lane's point, which is relative to what they are.
template <Kind kind>
__device__ inline float sum_listed(const float4* list, int count, float x, float y, float z,
                                   const NearTerms& terms) {
  float sum = 0.0f;
  for (int n = 0; n < count; ++n) {
    const float4 q = list[n];
    const float dx = x - q.x, dy = y - q.y, dz = z - q.z;
    const float s = fmaxf(dx * dx + dy * dy + dz * dz, terms.smallest2), t = 2.0f * s - 1.0f;
    float smooth = terms.polynomial[gaussian_coefficients - 1];
#pragma unroll
    for (int m = gaussian_coefficients - 2; m >= 0; --m) smooth = smooth * t + terms.polynomial[m];
    const float term = pair_term<kind>(s, terms.kappa) - smooth;
    if (s < 1.0f) sum += q.w * term;
  }
  return sum;
}

/// values[order[n]] = smooth[n] and the short-range part at the n-th point. A warp's points are taken in
/// groups of neighbours, each with the list of charges that are near the box of its points.
template <Kind kind>
__global__ void __launch_bounds__(near_threads)
    near_charges_at_points_kernel(const Vec3<double>* points_A, std::int64_t count, ChargeCells cells,
                                  NearTerms terms, const double* smooth, const std::uint32_t* order,
                                  double* values) {
  __shared__ RowList<near_threads> rows;
  __shared__ float4 list[2 * near_threads];
  const int lane = threadIdx.x;
  const std::int64_t n = std::int64_t(blockIdx.x) * near_threads + lane;
  const Vec3<double> r = terms.units_per_A * (points_A[n < count ? n : count - 1] - terms.grid_origin_A);
  const int x = int(llrint(r.x)), y = int(llrint(r.y)), z = int(llrint(r.z));
  double near_sum = 0.0;
  for (unsigned left = __ballot_sync(warp_mask, n < count); left != 0;) {
    const int leader = __ffs(int(left)) - 1;
    const auto is_beside = [&](int p) {
      return abs(p - __shfl_sync(warp_mask, p, leader)) <= terms.group_reach;
    };
    const bool beside_x = is_beside(x), beside_y = is_beside(y), beside_z = is_beside(z);
    const bool in_group = ((left >> lane) & 1u) != 0 && beside_x && beside_y && beside_z;
    left &= ~__ballot_sync(warp_mask, in_group);
    const UnitBox box = box_of_lanes(in_group, x, y, z);
    const float half_x = float(box.half_x) * terms.unit_length,
                half_y = float(box.half_y) * terms.unit_length,
                half_z = float(box.half_z) * terms.unit_length;
    const float at_x = float(x - box.x) * terms.unit_length, at_y = float(y - box.y) * terms.unit_length,
                at_z = float(z - box.z) * terms.unit_length;
    const RowsNearBox near_rows(cells, terms, box);
    double sum = 0.0;
    int listed = 0;
    for (int batch = 0; batch < near_rows.count; batch += near_threads) {
      std::uint32_t first = 0, last = 0;
      const int row = batch + lane;
      if (row < near_rows.count)
        charges_of_row(cells, terms, box, near_rows.y0 + row % near_rows.ny,
                       near_rows.z0 + row / near_rows.ny, first, last);
      const std::uint32_t candidates = list_rows(rows, first, last);
      for (std::uint32_t chunk = 0; chunk < candidates; chunk += near_threads) {
        float4 q = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        bool reaches = false;
        if (chunk + std::uint32_t(lane) < candidates) {
          const int4 charge = cells.charges[charge_of(rows, chunk + std::uint32_t(lane))];
          q = make_float4(float(charge.x - box.x) * terms.unit_length,
                          float(charge.y - box.y) * terms.unit_length,
                          float(charge.z - box.z) * terms.unit_length, __int_as_float(charge.w));
          const float gx = fmaxf(fabsf(q.x) - half_x, 0.0f), gy = fmaxf(fabsf(q.y) - half_y, 0.0f),
                      gz = fmaxf(fabsf(q.z) - half_z, 0.0f);
          reaches = gx * gx + gy * gy + gz * gz < 1.0001f;
        }
        const unsigned reaching = __ballot_sync(warp_mask, reaches);
        if (reaches) list[listed + __popc(reaching & ((1u << lane) - 1u))] = q;
        listed += __popc(reaching);
        __syncwarp();
        if (listed < near_threads) continue;
        sum += double(sum_listed<kind>(list, near_threads, at_x, at_y, at_z, terms));
        listed -= near_threads;
        __syncwarp();
        if (lane < listed) q = list[near_threads + lane];
        __syncwarp();
        if (lane < listed) list[lane] = q;
        __syncwarp();
      }
    }
    sum += double(sum_listed<kind>(list, listed, at_x, at_y, at_z, terms));
    __syncwarp();
    if (in_group) near_sum = sum;
  }
  if (n < count) values[order[n]] = smooth[n] + terms.unit_kT_e * near_sum;
}

NearTerms near_terms(const MultilevelPlan& plan, const ChargeCells& cells) {
  const double a = plan.options.cutoff_A;
  const LatticeGeometry& grid = plan.levels.front().grid;
  NearTerms terms{};
  terms.unit_kT_e = plan.pair.prefactor / (plan.pair.kind == Kind::distance_dependent ? a * a : a);
  for (std::size_t n = 0; n < plan.long_range_polynomial.size(); ++n)
    terms.polynomial[n] = float(double(plan.long_range_polynomial[n]) / terms.unit_kT_e);
  terms.kappa = float(plan.pair.kappa_per_A * a);
  terms.smallest2 = float(smallest_distance_A / a * smallest_distance_A / a);
  terms.units_per_A = std::ldexp(1.0 / grid.spacing_A.x, cells.unit_bits);
  terms.grid_origin_A = grid.origin_A;
  terms.unit_length = float(1.0 / (terms.units_per_A * a));
  terms.reach = int(std::ceil(a * terms.units_per_A)) + 1;
  terms.group_reach = terms.reach / 2;
  return terms;
}

}  // namespace

void multilevel_at_points(const SortedPoints& points, const DeviceMultilevel& sum, double* smooth,
                          double* values_kT_e, cudaStream_t stream) {
  if (points.size() == 0) return;
  const DeviceMultilevel::Parts parts = sum.parts();
  const LatticeGeometry& grid = parts.plan.levels.front().grid;
  const FinestGrid finest{parts.long_range_kT_e,
                          {int(grid.counts.x), int(grid.counts.y), int(grid.counts.z)},
                          grid.origin_A,
                          1.0 / grid.spacing_A.x,
                          parts.plan.constant_kT_e,
                          parts.total_charge_e};
  const auto long_range = [&] {
    switch (parts.plan.options.basis) {
      case MultilevelBasis::cubic:
        return long_range_at_points_kernel<4, true>;
      case MultilevelBasis::bspline4:
        return long_range_at_points_kernel<4, false>;
      case MultilevelBasis::bspline6:
        return long_range_at_points_kernel<6, false>;
      default:
        return long_range_at_points_kernel<8, false>;
    }
  }();
  constexpr int interpolating_threads = 128;
  long_range<<<blocks_for(points.size(), interpolating_threads), interpolating_threads, 0, stream>>>(
      points.points_A(), points.size(), finest, smooth);
  check_launch("interpolation at points");
  const auto near = of_kind(parts.plan.pair.kind, near_charges_at_points_kernel<Kind::coulomb>,
                            near_charges_at_points_kernel<Kind::distance_dependent>,
                            near_charges_at_points_kernel<Kind::debye_hueckel>);
  near<<<blocks_for(points.size(), near_threads), near_threads, 0, stream>>>(
      points.points_A(), points.size(), parts.cells, near_terms(parts.plan, parts.cells), smooth,
      points.order(), values_kT_e);
  check_launch("the short-range part at points");
}

}  // namespace ionwell::gpu
