// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "core/cell_grid.hpp"
#include "gpu/electrostatics/at_points/point_kernels.hpp"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr int morton_bits = 7;  // of a cell's place along an axis
constexpr std::int64_t morton_cells = std::int64_t(1) << (3 * morton_bits);

/// Bit n of a place goes to bit 3 n.
__device__ inline std::uint32_t spread_bits(int place) {
  std::uint32_t spread = 0;
#pragma unroll
  for (int bit = 0; bit < morton_bits; ++bit) spread |= ((std::uint32_t(place) >> bit) & 1u) << (3 * bit);
  return spread;
}

__global__ void morton_cells_kernel(const Vec3<double>* points_A, std::int64_t count, Vec3<double> lowest_A,
                                    double cells_per_A, std::uint32_t* cells) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const Vec3<double> r = cells_per_A * (points_A[n] - lowest_A);
  constexpr int along = 1 << morton_bits;
  const auto place = [](double x) { return clamped_cell(int(fmin(fmax(x, 0.0), double(along))), along); };
  cells[n] = spread_bits(place(r.x)) | spread_bits(place(r.y)) << 1 | spread_bits(place(r.z)) << 2;
}

}  // namespace

SortedPoints::SortedPoints(std::int64_t most_points)
    : unsorted_(std::size_t(most_points), "the points"),
      sorted_(std::size_t(most_points), "the points"),
      sort_(most_points, morton_cells, "the points") {}

void SortedPoints::upload(std::span<const Vec3<double>> points_A, cudaStream_t stream) {
  count_ = std::ssize(points_A);
  unsorted_.copy_from(points_A, stream);
}

void SortedPoints::sort(const Box& box, cudaStream_t stream) {
  if (count_ == 0) return;
  const Vec3<double> extent_A = box.highest_A - box.lowest_A;
  const double longest_A = std::max({extent_A.x, extent_A.y, extent_A.z});
  const double cells_per_A = longest_A > 0.0 ? double(1 << morton_bits) / longest_A : 0.0;
  morton_cells_kernel<<<blocks_for(count_), usual_threads, 0, stream>>>(
      unsorted_.data(), count_, box.lowest_A, cells_per_A, sort_.cell_of_item());
  check_launch("finding neighbours among points");
  sort_.sort(count_, stream);
  sort_.gather(unsorted_.data(), sorted_.data(), stream);
}

}  // namespace ionwell::gpu
