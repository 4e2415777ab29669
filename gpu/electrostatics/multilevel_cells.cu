// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "electrostatics/multilevel/basis_function.hpp"
#include "gpu/electrostatics/multilevel_kernels.hpp"
#include "gpu/electrostatics/row_list.cuh"

namespace ionwell::gpu {
namespace {

constexpr int prepare_threads = 256;
constexpr int prepare_charges = 8;  // for each thread
constexpr int tile_edge = 8;        // of the grid points that one thread block gathers charges for
constexpr int assignment_threads = tile_edge * tile_edge;

/// Sum over the thread block, for its first thread; always in the same order.
__device__ double block_sum(double value) {
  __shared__ double of_warp[prepare_threads / 32];
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  double sum = 0.0;
  for (int w = 0; w < prepare_threads / 32; ++w) sum += of_warp[w];
  return sum;
}

__global__ void prepare_charges_kernel(const PointCharge* charges, std::int64_t count, Vec3<double> origin_A,
                                       double units_per_A, ChargeCells cells, int4* prepared,
                                       std::uint32_t* cell_of_charge, double* sums) {
  double sum = 0.0;
  for (int n = 0; n < prepare_charges; ++n) {
    const std::int64_t i = (std::int64_t(blockIdx.x) * prepare_charges + n) * prepare_threads + threadIdx.x;
    if (i >= count) break;
    const PointCharge q = charges[i];
    const Vec3<double> r = units_per_A * (q.position_A - origin_A);
    const int x = int(llrint(r.x)), y = int(llrint(r.y)), z = int(llrint(r.z));
    prepared[i] = make_int4(x, y, z, __float_as_int(float(q.charge_e)));
    cell_of_charge[i] = cells.cell_of(x, y, z);
    sum += q.charge_e;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[1 + blockIdx.x] = sum;
}

__global__ void total_charge_kernel(double* sums, int count) {
  double sum = 0.0;
  for (int i = threadIdx.x; i < count; i += prepare_threads) sum += sums[1 + i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[0] = sum;
}

/// Each thread block gathers one tile of grid points; a thread has a column of it along z.
template <int order, bool is_cubic>
__global__ void __launch_bounds__(assignment_threads)
    assignment_kernel(ChargeCells cells, Vec3<int> counts, float* values) {
  __shared__ RowList<assignment_threads> rows;
  __shared__ float along_x[tile_edge][assignment_threads + 1], along_y[tile_edge][assignment_threads + 1];
  __shared__ __align__(16) float along_z[assignment_threads][tile_edge + 4];
  const int thread = threadIdx.x;
  const Vec3<int> first{tile_edge * int(blockIdx.x), tile_edge * int(blockIdx.y),
                        tile_edge * int(blockIdx.z)};
  // Charges reach a point that begin between order / 2 points before it and order / 2 - 1 points after it.
  const int bits = cells.cell_bits - cells.unit_bits;  // of grid points in a cell
  const auto low = [&](int point) { return max((point - order / 2) >> bits, 0); };
  const auto high = [&](int point, int count) {
    return min((point + tile_edge - 1 + order / 2 - 1) >> bits, count - 1);
  };
  const int x0 = low(first.x), x1 = high(first.x, cells.counts.x);
  const int y0 = low(first.y), y1 = high(first.y, cells.counts.y);
  const int z0 = low(first.z), z1 = high(first.z, cells.counts.z);
  const int ny = max(y1 - y0 + 1, 0), rows_count = x0 <= x1 ? ny * max(z1 - z0 + 1, 0) : 0;

  float sum[tile_edge] = {};
  for (int batch = 0; batch < rows_count; batch += assignment_threads) {
    std::uint32_t begin = 0, end = 0;
    const int r = batch + thread;
    if (r < rows_count) {
      const std::uint32_t row = cells.number({0, y0 + r % ny, z0 + r / ny});
      begin = cells.start[row + x0];
      end = cells.start[row + x1 + 1];
    }
    const int candidates = int(list_rows(rows, begin, end));
    for (int chunk = 0; chunk < candidates; chunk += assignment_threads) {
      const int staged = min(candidates - chunk, assignment_threads);
      if (thread < staged) {
        const int4 q = cells.charges[charge_of(rows, std::uint32_t(chunk + thread))];
        const auto fraction = [&](int x) {
          const int unit = 1 << cells.unit_bits;
          return float(x & (unit - 1)) / float(unit);
        };
        const auto weights = [&](int x, float* w) {
          if constexpr (is_cubic)
            cubic_weights(fraction(x), w);
          else
            bspline_weights(order, fraction(x), w);
        };
        const auto begin_of = [&](int x, int tile) { return (x >> cells.unit_bits) - order / 2 + 1 - tile; };
        float w[order];
#pragma unroll
        for (int i = 0; i < tile_edge; ++i)
          along_x[i][thread] = along_y[i][thread] = along_z[thread][i] = 0.0f;
        weights(q.x, w);
        const int bx = begin_of(q.x, first.x), by = begin_of(q.y, first.y), bz = begin_of(q.z, first.z);
#pragma unroll
        for (int i = 0; i < order; ++i)
          if (bx + i >= 0 && bx + i < tile_edge) along_x[bx + i][thread] = __int_as_float(q.w) * w[i];
        weights(q.y, w);
#pragma unroll
        for (int i = 0; i < order; ++i)
          if (by + i >= 0 && by + i < tile_edge) along_y[by + i][thread] = w[i];
        weights(q.z, w);
#pragma unroll
        for (int i = 0; i < order; ++i)
          if (bz + i >= 0 && bz + i < tile_edge) along_z[thread][bz + i] = w[i];
      }
      __syncthreads();
      for (int c = 0; c < staged; ++c) {
        const float xy = along_x[thread % tile_edge][c] * along_y[thread / tile_edge][c];
        const float4* z = reinterpret_cast<const float4*>(along_z[c]);
        const float4 a = z[0], b = z[1];
        sum[0] += xy * a.x;
        sum[1] += xy * a.y;
        sum[2] += xy * a.z;
        sum[3] += xy * a.w;
        sum[4] += xy * b.x;
        sum[5] += xy * b.y;
        sum[6] += xy * b.z;
        sum[7] += xy * b.w;
      }
      __syncthreads();
    }
  }
  const int x = first.x + thread % tile_edge, y = first.y + thread / tile_edge;
  if (x >= counts.x || y >= counts.y) return;
#pragma unroll
  for (int k = 0; k < tile_edge; ++k)
    if (first.z + k < counts.z)
      values[x + std::int64_t(counts.x) * (y + std::int64_t(counts.y) * (first.z + k))] = sum[k];
}

constexpr int fewest_unit_bits = 14;  // of a position within a grid spacing

unsigned blocks_for(std::int64_t work, std::int64_t per_block) {
  return unsigned((work + per_block - 1) / per_block);
}

}  // namespace

int cell_edge_bits(double spacing_A, double cutoff_A) {
  // Small cells leave few charges to look at in vain, and 2.5 A is as small as holds an atom or two.
  const double cell_A = std::min(0.5 * cutoff_A, 2.5);
  int bits = 0;
  while (spacing_A * double(2 << bits) <= cell_A) ++bits;
  return bits;
}

CellSorter::CellSorter(const LatticeGeometry& grid, double cutoff_A, double reach_A,
                       std::int64_t most_charges)
    : grid_(grid) {
  const double h = grid.spacing_A.x;
  const std::int64_t longest = std::max({grid.counts.x, grid.counts.y, grid.counts.z});
  // Sums and differences of positions as far as `reach_A` outside of the grid stay below 2^31.
  constexpr double largest = 1 << 30;
  cells_.unit_bits = 0;
  while (cells_.unit_bits < 28 &&
         std::ldexp(double(longest) + 2.0 * reach_A / h, cells_.unit_bits + 1) < largest)
    ++cells_.unit_bits;
  if (cells_.unit_bits < fewest_unit_bits)
    fail("the grid of multilevel summation has ", longest, " points along an axis, but a GPU supports ",
         std::int64_t(largest) >> fewest_unit_bits,
         "; use --backend cpu, --method direct or a larger --tune msm-spacing");
  int edge_bits = cell_edge_bits(h, cutoff_A);
  const auto cells_along = [&](std::int64_t points) { return int(((points - 1) >> edge_bits) + 1); };
  const auto all = [&] {
    return std::int64_t(cells_along(grid.counts.x)) * cells_along(grid.counts.y) * cells_along(grid.counts.z);
  };
  while (all() >= (std::int64_t(1) << 31)) ++edge_bits;
  cells_.counts = {cells_along(grid.counts.x), cells_along(grid.counts.y), cells_along(grid.counts.z)};
  cells_.cell_bits = cells_.unit_bits + edge_bits;
  const std::size_t n = std::size_t(most_charges);
  if (most_charges >= (std::int64_t(1) << 31))
    fail("multilevel summation on a GPU supports less than 2^31 charges, not ", most_charges,
         "; use --backend cpu");
  unsorted_ = DeviceBuffer<int4>(n, "charges");
  sorted_ = DeviceBuffer<int4>(n, "charges");
  cell_sort_.emplace(most_charges, all(), "the cells of charges");
  partial_sums_ = DeviceBuffer<double>(1 + blocks_for(most_charges, prepare_threads * prepare_charges));
  cells_.charges = sorted_.data();
  cells_.start = cell_sort_->start();
}

void CellSorter::sort(std::span<const PointCharge> charges_d, cudaStream_t stream) {
  const std::int64_t n = std::int64_t(charges_d.size());
  const unsigned blocks = blocks_for(n, prepare_threads * prepare_charges);
  if (n > 0) {
    const double units_per_A = std::ldexp(1.0 / grid_.spacing_A.x, cells_.unit_bits);
    prepare_charges_kernel<<<blocks, prepare_threads, 0, stream>>>(
        charges_d.data(), n, grid_.origin_A, units_per_A, cells_, unsorted_.data(),
        cell_sort_->cell_of_item(), partial_sums_.data());
    check_launch("preparing charges");
  }
  cell_sort_->sort(n, stream);
  cell_sort_->gather(unsorted_.data(), sorted_.data(), stream);
  total_charge_kernel<<<1, prepare_threads, 0, stream>>>(partial_sums_.data(), int(n > 0 ? blocks : 0));
  check_launch("adding charges up");
}

void assign_charges(const ChargeCells& cells, MultilevelBasis basis, Vec3<std::int64_t> counts, float* values,
                    cudaStream_t stream) {
  const dim3 tiles(blocks_for(counts.x, tile_edge), blocks_for(counts.y, tile_edge),
                   blocks_for(counts.z, tile_edge));
  const Vec3<int> n{int(counts.x), int(counts.y), int(counts.z)};
  switch (basis) {
    case MultilevelBasis::cubic:
      assignment_kernel<4, true><<<tiles, assignment_threads, 0, stream>>>(cells, n, values);
      break;
    case MultilevelBasis::bspline4:
      assignment_kernel<4, false><<<tiles, assignment_threads, 0, stream>>>(cells, n, values);
      break;
    case MultilevelBasis::bspline6:
      assignment_kernel<6, false><<<tiles, assignment_threads, 0, stream>>>(cells, n, values);
      break;
    case MultilevelBasis::bspline8:
      assignment_kernel<8, false><<<tiles, assignment_threads, 0, stream>>>(cells, n, values);
      break;
  }
  check_launch("assigning charges to the grid");
}

}  // namespace ionwell::gpu
