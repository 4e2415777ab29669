// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "gpu/electrostatics/at_points/point_kernels.hpp"
#include "gpu/electrostatics/by_kind.hpp"
#include "gpu/electrostatics/pair_term.cuh"
#include "gpu/runtime/launch.hpp"

/// A warp has points that are neighbours, four to a lane, and lets all charges pass, 32 at a time, as
/// positions relative to the middle of its points. A pair takes eight instructions.
namespace ionwell::gpu {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;
constexpr int staged = 32;       // charges, one of each lane
constexpr int direct_warps = 4;  // of a thread block; they have nothing to do with each other
constexpr int lane_points = 4;
constexpr int warp_points = 32 * lane_points;
constexpr int chunks_in_fp32 = 2;  // 64 charges are summed in fp32 before their sum goes to fp64
constexpr float pad_A = 1e4f;      // from the points: where a charge of 0 does no harm

/// Where the points of a warp reach farther from their middle, positions are taken in two parts: one fp32
/// number would be good to 4e-6 A or less.
constexpr float one_number_reaches_A = 32.0f;

/// Positions of a lane's points.
struct LanePoints {
  float x[lane_points], y[lane_points], z[lane_points];
};

/// What positions relative to the middle are rounded to, and what is left of them.
struct TwoParts {
  LanePoints high, low;
};

/// A position x relative to `middle` in two fp32 numbers.
struct SplitNumber {
  float high, low;
  __device__ SplitNumber(double x, double middle) {
    const double from = x - middle;
    high = float(from);
    low = float(from - double(high));
  }
};

/// `low` is used where `is_split` alone; `on_top`: a charge may be nearer to a point than the smallest
/// distance.
template <Kind kind, bool is_split, bool on_top>
__device__ inline void add_pairs(const float4* high, const float4* low, const TwoParts& at, float kappa,
                                 float (&sum)[lane_points]) {
  constexpr float smallest2 = float(smallest_distance_A * smallest_distance_A);
#pragma unroll 8
  for (int c = 0; c < staged; ++c) {
    const float4 q = high[c], left = is_split ? low[c] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
    for (int m = 0; m < lane_points; ++m) {
      float dx = at.high.x[m] - q.x, dy = at.high.y[m] - q.y, dz = at.high.z[m] - q.z;
      if constexpr (is_split) {
        dx = (dx + at.low.x[m]) - left.x;
        dy = (dy + at.low.y[m]) - left.y;
        dz = (dz + at.low.z[m]) - left.z;
      }
      float r2 = dx * dx + dy * dy + dz * dz;
      if constexpr (on_top) r2 = fmaxf(r2, smallest2);
      sum[m] += q.w * pair_term<kind>(r2, kappa);
    }
  }
}

/// A warp's points.
struct WarpPoints {
  Vec3<double> middle_A;
  float half_x, half_y, half_z;  // from there to the farthest point, by axis [A]
  TwoParts at;

  __device__ float reach_A() const { return fmaxf(fmaxf(half_x, half_y), half_z); }

  /// Whether a charge there may be on top of a point; with room for rounding.
  __device__ bool are_near(const float4& q) const {
    constexpr float near2 = 1e-4f;
    const float x = fmaxf(fabsf(q.x) - half_x, 0.0f), y = fmaxf(fabsf(q.y) - half_y, 0.0f),
                z = fmaxf(fabsf(q.z) - half_z, 0.0f);
    return x * x + y * y + z * z < near2;
  }
};

/// choose(choose(a, b), ...) of all lanes' values.
template <typename Choose>
__device__ inline double over_lanes(double x, const Choose& choose) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) x = choose(x, __shfl_xor_sync(all_lanes, x, distance));
  return x;
}

/// The points from `begin` on; places without one have the last point.
__device__ inline WarpPoints points_of_warp(const Vec3<double>* points_A, std::int64_t begin,
                                            std::int64_t count) {
  const int lane = threadIdx.x % 32;
  const auto point = [&](int m) { return points_A[min(begin + 32 * m + lane, count - 1)]; };
  Vec3<double> lowest = point(0), highest = lowest;
#pragma unroll
  for (int m = 1; m < lane_points; ++m) {
    const Vec3<double> p = point(m);
    lowest = {fmin(lowest.x, p.x), fmin(lowest.y, p.y), fmin(lowest.z, p.z)};
    highest = {fmax(highest.x, p.x), fmax(highest.y, p.y), fmax(highest.z, p.z)};
  }
  const auto least = [](double a, double b) { return fmin(a, b); };
  const auto most = [](double a, double b) { return fmax(a, b); };
  lowest = {over_lanes(lowest.x, least), over_lanes(lowest.y, least), over_lanes(lowest.z, least)};
  highest = {over_lanes(highest.x, most), over_lanes(highest.y, most), over_lanes(highest.z, most)};
  WarpPoints result;
  result.middle_A = 0.5 * (lowest + highest);
  const Vec3<double> half = 0.5 * (highest - lowest);
  result.half_x = float(half.x);
  result.half_y = float(half.y);
  result.half_z = float(half.z);
#pragma unroll
  for (int m = 0; m < lane_points; ++m) {
    const Vec3<double> p = point(m);
    const SplitNumber x(p.x, result.middle_A.x), y(p.y, result.middle_A.y), z(p.z, result.middle_A.z);
    result.at.high.x[m] = x.high;
    result.at.high.y[m] = y.high;
    result.at.high.z[m] = z.high;
    result.at.low.x[m] = x.low;
    result.at.low.y[m] = y.low;
    result.at.low.z[m] = z.low;
  }
  return result;
}

/// total[m] += the sums of charges [first, last) at a lane's points; `high` and `low` are for this warp
/// alone.
template <Kind kind, bool is_split>
__device__ inline void sum_charges(const WarpPoints& points, const PointCharge* charges, std::int64_t first,
                                   std::int64_t last, float kappa, float4* high, float4* low,
                                   double (&total)[lane_points]) {
  const int lane = threadIdx.x % 32;
  float sum[lane_points] = {};
  int chunks = 0;
  PointCharge next = first + lane < last ? charges[first + lane] : PointCharge{};
  for (std::int64_t begin = first; begin < last; begin += staged) {
    float4 q = make_float4(pad_A, pad_A, pad_A, 0.0f), left = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    bool is_near = false;
    if (begin + lane < last) {
      const SplitNumber x(next.position_A.x, points.middle_A.x), y(next.position_A.y, points.middle_A.y),
          z(next.position_A.z, points.middle_A.z);
      q = make_float4(x.high, y.high, z.high, float(next.charge_e));
      left = make_float4(x.low, y.low, z.low, 0.0f);
      is_near = points.are_near(q);
    }
    if (begin + staged + lane < last) next = charges[begin + staged + lane];
    __syncwarp();
    high[lane] = q;
    if constexpr (is_split) low[lane] = left;
    __syncwarp();
    if (__any_sync(all_lanes, is_near))
      add_pairs<kind, is_split, true>(high, low, points.at, kappa, sum);
    else
      add_pairs<kind, is_split, false>(high, low, points.at, kappa, sum);
    if (++chunks % chunks_in_fp32 != 0 && begin + staged < last) continue;
#pragma unroll
    for (int m = 0; m < lane_points; ++m) {
      total[m] += double(sum[m]);
      sum[m] = 0.0f;
    }
  }
}

/// partial[part][n] = the sum of a part of the charges at the n-th point, less the prefactor.
template <Kind kind>
__global__ void __launch_bounds__(32 * direct_warps, 5)
    direct_at_points_kernel(const Vec3<double>* points_A, std::int64_t count, const PointCharge* charges,
                            std::int64_t charge_count, float kappa, double* partial) {
  __shared__ float4 high[direct_warps][staged], low[direct_warps][staged];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::int64_t begin = (std::int64_t(blockIdx.x) * direct_warps + warp) * warp_points;
  if (begin >= count) return;
  const WarpPoints points = points_of_warp(points_A, begin, count);
  const std::int64_t first = charge_count * blockIdx.y / gridDim.y,
                     last = charge_count * (blockIdx.y + 1) / gridDim.y;
  double total[lane_points] = {};
  if (points.reach_A() > one_number_reaches_A)
    sum_charges<kind, true>(points, charges, first, last, kappa, high[warp], low[warp], total);
  else
    sum_charges<kind, false>(points, charges, first, last, kappa, high[warp], low[warp], total);
#pragma unroll
  for (int m = 0; m < lane_points; ++m) {
    const std::int64_t n = begin + 32 * m + lane;
    if (n < count) partial[std::int64_t(blockIdx.y) * count + n] = total[m];
  }
}

/// values[order[n]] = prefactor times the sum of the parts, in their order.
__global__ void add_parts_at_points_kernel(const double* partial, int parts, std::int64_t count,
                                           double prefactor, const std::uint32_t* order, double* values) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  double sum = 0.0;
  for (int part = 0; part < parts; ++part) sum += partial[part * count + n];
  values[order[n]] = prefactor * sum;
}

constexpr std::int64_t enough_warps = 32768;  // to keep any device busy to the end
constexpr std::int64_t least_charges = 1024;  // of a part

/// Of the charges, that are summed side by side.
int direct_parts_at_points(std::int64_t points, std::int64_t charges) {
  const std::int64_t warps_of_points = (points + warp_points - 1) / warp_points;
  return int(std::clamp<std::int64_t>(
      std::min(enough_warps / std::max<std::int64_t>(warps_of_points, 1), charges / least_charges), 1, 1024));
}

}  // namespace

std::int64_t most_partial_sums(std::int64_t points, std::int64_t charges) {
  const std::int64_t parts = std::max<std::int64_t>(charges / least_charges, 1);
  return std::max(points, std::min(points * std::min<std::int64_t>(parts, 1024), enough_warps * warp_points));
}

void direct_at_points(const SortedPoints& points, const PointCharge* charges, std::int64_t count,
                      const PairPotential& pair, double* partial, double* values_kT_e, cudaStream_t stream) {
  if (points.size() == 0) return;
  const int parts = direct_parts_at_points(points.size(), count);
  constexpr std::int64_t block_points_count = std::int64_t(direct_warps) * warp_points;
  const dim3 grid(unsigned((points.size() + block_points_count - 1) / block_points_count), unsigned(parts));
  const auto kernel = of_kind(pair.kind, direct_at_points_kernel<Kind::coulomb>,
                              direct_at_points_kernel<Kind::distance_dependent>,
                              direct_at_points_kernel<Kind::debye_hueckel>);
  kernel<<<grid, 32 * direct_warps, 0, stream>>>(points.points_A(), points.size(), charges, count,
                                                 float(pair.kappa_per_A), partial);
  check_launch("the direct sum at points");
  add_parts_at_points_kernel<<<blocks_for(points.size()), usual_threads, 0, stream>>>(
      partial, parts, points.size(), pair.prefactor, points.order(), values_kT_e);
  check_launch("the direct sum at points");
}

}  // namespace ionwell::gpu
