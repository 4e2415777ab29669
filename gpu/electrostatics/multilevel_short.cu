#include <algorithm>
#include <cmath>

#include "electrostatics/simd/grid_kernels.hpp"
#include "gpu/electrostatics/direct_sum.cuh"
#include "gpu/electrostatics/multilevel_kernels.hpp"

namespace ionwell::gpu {
namespace {

using Kind = PairPotential::Kind;

constexpr int short_threads = 256;         // of a thread block, which has one block of points
constexpr int warps = short_threads / 32;  // each with a cube of 4 x 4 x 4 of them
constexpr int cube_edge = 4;
constexpr int points_x = 1, points_y = 2;  // of a thread, and all four along z; measured, ionwell-bench gpu
constexpr int lanes_x = cube_edge / points_x;
constexpr int lanes = lanes_x * cube_edge / points_y;  // that have all points of a cube
constexpr int charges_at_once = 32 / lanes;            // other lanes take other charges for the same points
constexpr int list_size = 256;  // candidates that a warp looks at before it adds those that it chose

/// Coefficients of the Gaussians' long-range part that are left when those are dropped that are smaller than
/// what the cutoff leaves out, which is 1.5e-4 of the pair potential there: they make 1.6e-5, or 7e-6 of
/// 1/r^2.
constexpr int shortened_coefficients(Kind kind) {
  return kind == Kind::distance_dependent ? 9 : 8;
}

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

template <Kind kind>
__device__ inline float pair_term(float s, float kappa) {
  if constexpr (kind == Kind::distance_dependent) return fast_inverse(s);
  const float inverse_r = fast_inverse_sqrt(s);
  if constexpr (kind == Kind::coulomb) return inverse_r;
  constexpr float log2_e = 1.44269504f;
  return inverse_r * fast_exp2(-log2_e * kappa * (s * inverse_r));
}

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

struct Staging {
  RowList<short_threads> rows;
  __align__(16) float4 charges[2][short_threads];  // candidates, relative to the block's centre
  __align__(16) float4 lists[warps][list_size];    // those that reach a warp's cube
  int centre[3];                                   // of the block, in ChargeCells' units
  float offset[3];                                 // of the true centre from that [cutoffs]
};

__device__ inline void find_centre(const DeviceBlocks& blocks, const ShortRangeTerms& terms,
                                   Staging& shared) {
  const Vec3<int> block = block_in_slot(blocks, blockIdx.x);
  const double middle = 0.5 * (block_edge - 1);
  const double x = double(block_edge * block.x), y = double(block_edge * block.y),
               z = double(block_edge * block.z);
  const LatticeGeometry& l = blocks.lattice;
  const double centre[3] = {l.origin_A.x + l.spacing_A.x * (x + middle) - terms.grid_origin_A.x,
                            l.origin_A.y + l.spacing_A.y * (y + middle) - terms.grid_origin_A.y,
                            l.origin_A.z + l.spacing_A.z * (z + middle) - terms.grid_origin_A.z};
  for (int a = 0; a < 3; ++a) {
    const double exact = centre[a] * terms.units_per_A, rounded = rint(exact);
    shared.centre[a] = int(rounded);
    shared.offset[a] = float(exact - rounded) * terms.unit_length;
  }
}

/// The sorted charges of one row of cells that may be within the cutoff of the block.
struct Range {
  std::uint32_t first = 0, last = 0;
};

__device__ inline Range near_charges(const ChargeCells& cells, const ShortRangeTerms& terms,
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

template <Kind kind, int coefficients>
__global__ void __launch_bounds__(short_threads)
    short_range_kernel(DeviceBlocks blocks, ChargeCells cells, ShortRangeTerms terms) {
  __shared__ Staging shared;
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  if (thread == 0) find_centre(blocks, terms, shared);
  __syncthreads();
  const int* centre = shared.centre;
  const int reach = terms.half_block + terms.reach;
  const int y0 = max((centre[1] - reach) >> cells.cell_bits, 0);
  const int y1 = min((centre[1] + reach) >> cells.cell_bits, cells.counts.y - 1);
  const int z0 = max((centre[2] - reach) >> cells.cell_bits, 0);
  const int z1 = min((centre[2] + reach) >> cells.cell_bits, cells.counts.z - 1);
  const int ny = max(y1 - y0 + 1, 0), rows_count = ny * max(z1 - z0 + 1, 0);

  // The warp's cube, from its first to its last point, and the thread's points.
  const int cube[3] = {warp % 2, warp / 2 % 2, warp / 4};
  const float half = 0.5f * (cube_edge - 1) * terms.spacing;
  const auto point = [&](int axis, int p) {
    return (float(cube_edge * cube[axis] + p) - 0.5f * (block_edge - 1)) * terms.spacing +
           shared.offset[axis];
  };
  const float middle[3] = {point(0, 0) + half, point(1, 0) + half, point(2, 0) + half};
  ThreadPoints points;
#pragma unroll
  for (int i = 0; i < points_x; ++i) points.x[i] = point(0, lane % lanes_x + lanes_x * i);
#pragma unroll
  for (int j = 0; j < points_y; ++j)
    points.y[j] = point(1, lane % lanes / lanes_x + cube_edge / points_y * j);
#pragma unroll
  for (int k = 0; k < cube_edge; ++k) points.z[k] = point(2, k);
  ThreadSums sums;

  float4* list = shared.lists[warp];
  int buffer = 0;
  for (int batch = 0; batch < rows_count; batch += short_threads) {
    Range range;
    const int r = batch + thread;
    if (r < rows_count) range = near_charges(cells, terms, centre, y0 + r % ny, z0 + r / ny);
    const int candidates = int(list_rows(shared.rows, range.first, range.last));
    int4 next = make_int4(0, 0, 0, 0);
    if (thread < candidates) next = cells.charges[charge_of(shared.rows, std::uint32_t(thread))];
    for (int chunk = 0; chunk < candidates; chunk += short_threads) {
      constexpr float far = 1e4f;  // from every point
      float4 q = make_float4(far, far, far, 0.0f);
      if (chunk + thread < candidates)
        q = make_float4(
            float(next.x - centre[0]) * terms.unit_length, float(next.y - centre[1]) * terms.unit_length,
            float(next.z - centre[2]) * terms.unit_length, __int_as_float(next.w) * terms.unit_kT_e);
      shared.charges[buffer][thread] = q;
      const int ahead = chunk + short_threads + thread;
      if (ahead < candidates) next = cells.charges[charge_of(shared.rows, std::uint32_t(ahead))];
      __syncthreads();
      const int staged = min(candidates - chunk, short_threads);
      for (int from = 0; from < staged; from += list_size) {
        int count = 0;
        bool near = false;
#pragma unroll
        for (int part = 0; part < list_size; part += 32) {
          const float4 c = shared.charges[buffer][from + part + lane];
          const float gx = fmaxf(fabsf(c.x - middle[0]) - half, 0.0f),
                      gy = fmaxf(fabsf(c.y - middle[1]) - half, 0.0f),
                      gz = fmaxf(fabsf(c.z - middle[2]) - half, 0.0f);
          const float gap2 = gx * gx + gy * gy + gz * gz;
          const bool reaches = gap2 < 1.0f;
          near = near || gap2 <= 2.0f * terms.smallest2;
          const unsigned reaching = __ballot_sync(0xffffffffu, reaches);
          const int place = count + __popc(reaching & ((1u << lane) - 1u));
          if (reaches) list[place] = c;
          count = __shfl_sync(0xffffffffu, place + reaches,
                              31);  // a count of bits costs as much as a square root
        }
        // The last group's charges that are missing act as none.
        const int padded = (count + charges_at_once - 1) / charges_at_once * charges_at_once;
        if (count + lane < padded) list[count + lane] = make_float4(far, far, far, 0.0f);
        const bool on_top = __any_sync(0xffffffffu, near);
        __syncwarp();
        if (on_top)
          add_listed<kind, coefficients, true>(list, padded, points, terms, sums);
        else
          add_listed<kind, coefficients, false>(list, padded, points, terms, sums);
        __syncwarp();
      }
      buffer = 1 - buffer;
    }
  }

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
      const int x = cube_edge * cube[0] + lane % lanes_x + lanes_x * i,
                y = cube_edge * cube[1] + lane % lanes / lanes_x + cube_edge / points_y * j,
                z = cube_edge * cube[2] + k;
      blocks.values[block_points * std::int64_t(blockIdx.x) + x + block_edge * (y + block_edge * z)] += sum;
    }
}

/// The same function, to less accuracy, with fewer coefficients: the highest Chebyshev polynomials are left
/// out.
std::vector<double> shortened(const std::vector<float>& polynomial, std::size_t coefficients) {
  std::vector<double> c(polynomial.begin(), polynomial.end());
  for (; c.size() > coefficients; c.pop_back()) {
    const std::size_t n = c.size() - 1;
    std::vector<double> before{1.0}, now{0.0, 1.0};  // T_0, T_1
    for (std::size_t k = 1; k < n; ++k) {
      std::vector<double> next(k + 2, 0.0);
      for (std::size_t i = 0; i < now.size(); ++i) next[i + 1] += 2.0 * now[i];
      for (std::size_t i = 0; i < before.size(); ++i) next[i] -= before[i];
      before = std::move(now);
      now = std::move(next);
    }
    const double scale = c[n] / now[n];
    for (std::size_t i = 0; i < n; ++i) c[i] -= scale * now[i];
  }
  return c;
}

template <Kind kind>
void launch(const DeviceBlocks& blocks, const ChargeCells& cells, const ShortRangeTerms& terms,
            bool is_taylor, cudaStream_t stream) {
  const unsigned count = unsigned(blocks.count);
  if (is_taylor)
    short_range_kernel<kind, taylor_coefficients><<<count, short_threads, 0, stream>>>(blocks, cells, terms);
  else
    short_range_kernel<kind, shortened_coefficients(kind)>
        <<<count, short_threads, 0, stream>>>(blocks, cells, terms);
  check_launch("the short-range part");
}

}  // namespace

void add_short_range(const DeviceBlocks& blocks, const ChargeCells& cells, const MultilevelPlan& plan,
                     cudaStream_t stream) {
  if (blocks.count == 0) return;
  const double a = plan.options.cutoff_A, h = blocks.lattice.spacing_A.x;
  const LatticeGeometry& grid = plan.levels.front().grid;
  const bool squared = plan.pair.kind == Kind::distance_dependent,
             taylor = plan.long_range_polynomial.size() == 3;
  const double unit_kT_e = plan.pair.prefactor / (squared ? a * a : a);
  const double units_per_A = std::ldexp(1.0 / grid.spacing_A.x, cells.unit_bits);
  ShortRangeTerms terms{};
  std::vector<double> c = shortened(plan.long_range_polynomial,
                                    taylor ? taylor_coefficients : shortened_coefficients(plan.pair.kind));
  if (taylor) c = {c[0] - c[1] + c[2], 2.0 * c[1] - 4.0 * c[2], 4.0 * c[2]};  // of r^2
  for (std::size_t n = 0; n < c.size(); ++n) terms.polynomial[n] = float(c[n] / unit_kT_e);
  terms.unit_kT_e = float(unit_kT_e);
  terms.kappa = float(plan.pair.kappa_per_A * a);
  terms.smallest2 = float(smallest_distance_A / a * smallest_distance_A / a);
  terms.units_per_A = units_per_A;
  terms.grid_origin_A = grid.origin_A;
  terms.unit_length = float(1.0 / (units_per_A * a));
  terms.spacing = float(h / a);
  terms.half_block = int(std::ceil(0.5 * (block_edge - 1) * h * units_per_A)) + 1;
  terms.reach = int(std::ceil(a * units_per_A)) + 1;
  switch (plan.pair.kind) {
    case Kind::coulomb:
      return launch<Kind::coulomb>(blocks, cells, terms, taylor, stream);
    case Kind::distance_dependent:
      return launch<Kind::distance_dependent>(blocks, cells, terms, taylor, stream);
    case Kind::debye_hueckel:
      return launch<Kind::debye_hueckel>(blocks, cells, terms, taylor, stream);
  }
}

}  // namespace ionwell::gpu
