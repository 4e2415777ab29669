// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "electrostatics/multilevel/axis_weights.hpp"
#include "gpu/electrostatics/multilevel_kernels.hpp"

namespace ionwell::gpu {
namespace {

constexpr int most_warps = 4;       // of a thread block, each with a block of the lattice
constexpr int longest_staged = 24;  // grid points along an axis of a block that the fast kernel takes: 27 kB

/// A kernel's view of DeviceAxisWeights.
struct AxisView {
  const float* weights;
  const int2* reach;
  int longest;
};

struct GridView {
  const float* values;
  Vec3<int> counts;
  double constant_kT_e;
  const double* total_charge;
};

/// Floats that a warp works in.
__host__ __device__ inline std::size_t interpolation_space(const AxisView& x, const AxisView& y,
                                                           const AxisView& z) {
  return std::size_t(block_edge) *
         (x.longest + y.longest + z.longest + x.longest * y.longest + block_edge * x.longest);
}

/// sum[k] += w[k] value.
__device__ inline void add_row(const float* weights, float value, float (&sum)[block_edge]) {
  const float4* w = reinterpret_cast<const float4*>(weights);
  const float4 low = w[0], high = w[1];
  sum[0] += low.x * value;
  sum[1] += low.y * value;
  sum[2] += low.z * value;
  sum[3] += low.w * value;
  sum[4] += high.x * value;
  sum[5] += high.y * value;
  sum[6] += high.z * value;
  sum[7] += high.w * value;
}

/// One warp for each block of the lattice: contracts the grid points that it is made of with the weights, z
/// first, then y, then x.
__global__ void __launch_bounds__(32 * most_warps)
    interpolate_kernel(DeviceBlocks blocks, AxisView ax, AxisView ay, AxisView az, GridView grid) {
  extern __shared__ float4 dynamic_shared[];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const std::int64_t slot = std::int64_t(blockIdx.x) * blockDim.y + warp;
  if (slot >= blocks.count) return;
  // [reach][block_edge], and so are the others
  float* wx = reinterpret_cast<float*>(dynamic_shared) + warp * interpolation_space(ax, ay, az);
  float* wy = wx + block_edge * ax.longest;
  float* wz = wy + block_edge * ay.longest;
  float* planes = wz + block_edge * az.longest;                 // [block_edge][ny][nx], after z
  float* rows = planes + block_edge * ax.longest * ay.longest;  // [block_edge][block_edge][nx], after z and y
  const Vec3<int> b = block_in_slot(blocks, slot);
  const int2 rx = ax.reach[b.x], ry = ay.reach[b.y], rz = az.reach[b.z];
  for (int i = lane; i < block_edge * rx.y; i += 32)
    wx[i] = ax.weights[std::int64_t(block_edge) * ax.longest * b.x + i];
  for (int i = lane; i < block_edge * ry.y; i += 32)
    wy[i] = ay.weights[std::int64_t(block_edge) * ay.longest * b.y + i];
  for (int i = lane; i < block_edge * rz.y; i += 32)
    wz[i] = az.weights[std::int64_t(block_edge) * az.longest * b.z + i];
  __syncwarp();

  const std::int64_t plane_step = std::int64_t(grid.counts.x) * grid.counts.y;
  const float* corner = grid.values + rx.x + std::int64_t(grid.counts.x) * ry.x + plane_step * rz.x;
  for (int column = lane; column < rx.y * ry.y; column += 32) {
    const int y = column / rx.y, x = column - y * rx.y;
    const float* from = corner + x + std::int64_t(grid.counts.x) * y;
    float sum[block_edge] = {};
#pragma unroll 6
    for (int t = 0; t < rz.y; ++t) {
      add_row(wz + block_edge * t, *from, sum);
      from += plane_step;
    }
#pragma unroll
    for (int k = 0; k < block_edge; ++k) planes[k * rx.y * ry.y + column] = sum[k];
  }
  __syncwarp();
  for (int i = lane; i < block_edge * rx.y; i += 32) {
    const int k = i / rx.y, x = i - k * rx.y;
    const float* from = planes + k * rx.y * ry.y + x;
    float sum[block_edge] = {};
#pragma unroll 4
    for (int t = 0; t < ry.y; ++t) add_row(wy + block_edge * t, from[rx.y * t], sum);
#pragma unroll
    for (int j = 0; j < block_edge; ++j) rows[(block_edge * k + j) * rx.y + x] = sum[j];
  }
  __syncwarp();
  const float constant = float(grid.constant_kT_e * *grid.total_charge);
#pragma unroll
  for (int part = 0; part < block_points / 4; part += 32) {
    const int four = part + lane;
    const float* from = rows + four / 2 * rx.y;
    float4* out = reinterpret_cast<float4*>(blocks.values + block_points * slot) + four;
    float4 sum = *out;
    sum = make_float4(sum.x + constant, sum.y + constant, sum.z + constant, sum.w + constant);
#pragma unroll 4
    for (int t = 0; t < rx.y; ++t) {
      const float4 w = reinterpret_cast<const float4*>(wx + block_edge * t)[four % 2];
      const float value = from[t];
      sum.x += w.x * value;
      sum.y += w.y * value;
      sum.z += w.z * value;
      sum.w += w.w * value;
    }
    *out = sum;
  }
}

/// The same for blocks that reach over many grid points: each thread has one point.
__global__ void interpolate_wide_kernel(DeviceBlocks blocks, AxisView ax, AxisView ay, AxisView az,
                                        GridView grid) {
  const std::int64_t slot = blockIdx.x;
  const Vec3<int> b = block_in_slot(blocks, slot);
  const int2 rx = ax.reach[b.x], ry = ay.reach[b.y], rz = az.reach[b.z];
  const float constant = float(grid.constant_kT_e * *grid.total_charge);
  for (int p = threadIdx.x; p < block_points; p += blockDim.x) {
    const float* wx = ax.weights + std::int64_t(block_edge) * ax.longest * b.x + p % block_edge;
    const float* wy = ay.weights + std::int64_t(block_edge) * ay.longest * b.y + p / block_edge % block_edge;
    const float* wz =
        az.weights + std::int64_t(block_edge) * az.longest * b.z + p / (block_edge * block_edge);
    float sum = constant;
    for (int k = 0; k < rz.y; ++k) {
      const float z = wz[block_edge * k];
      if (z == 0.0f) continue;
      for (int j = 0; j < ry.y; ++j) {
        const float yz = wy[block_edge * j] * z;
        if (yz == 0.0f) continue;
        const float* row =
            grid.values + rx.x +
            std::int64_t(grid.counts.x) * (ry.x + j + std::int64_t(grid.counts.y) * (rz.x + k));
        for (int i = 0; i < rx.y; ++i) {
          const float x = wx[block_edge * i];
          if (x != 0.0f) sum += x * yz * row[i];
        }
      }
    }
    blocks.values[block_points * slot + p] += sum;
  }
}

AxisView view(const DeviceAxisWeights& axis) {
  return {axis.weights.data(), axis.reach.data(), axis.longest};
}

}  // namespace

DeviceAxisWeights axis_weights_to_device(const MultilevelPlan& plan, const LatticeGeometry& lattice, int axis,
                                         cudaStream_t stream) {
  const std::vector<AxisWeights> all = axis_weights(plan, lattice, Axis(axis));
  int longest = 0;
  for (const AxisWeights& w : all) longest = std::max(longest, w.reach);
  std::vector<float> weights(all.size() * block_edge * std::size_t(longest), 0.0f);
  std::vector<int2> reach;
  for (std::size_t b = 0; b < all.size(); ++b) {
    reach.push_back(make_int2(int(all[b].first), all[b].reach));
    std::copy(all[b].weights.begin(), all[b].weights.end(), weights.data() + block_edge * longest * b);
  }
  return {DeviceBuffer<float>(weights, stream), DeviceBuffer<int2>(reach, stream), longest};
}

void interpolate(const DeviceBlocks& blocks, const DeviceAxisWeights (&axes)[3], Vec3<std::int64_t> counts,
                 const float* grid, double constant_kT_e, const double* total_charge_d, cudaStream_t stream) {
  if (blocks.count == 0) return;
  const GridView values{grid, {int(counts.x), int(counts.y), int(counts.z)}, constant_kT_e, total_charge_d};
  const AxisView x = view(axes[0]), y = view(axes[1]), z = view(axes[2]);
  if (std::max({x.longest, y.longest, z.longest}) > longest_staged) {
    interpolate_wide_kernel<<<unsigned(blocks.count), 256, 0, stream>>>(blocks, x, y, z, values);
  } else {
    const std::size_t bytes = sizeof(float) * interpolation_space(x, y, z);
    constexpr std::size_t most_bytes = 48 * 1024;  // without asking for more
    const unsigned warps = unsigned(std::min<std::size_t>(most_warps, most_bytes / bytes));
    const unsigned thread_blocks = unsigned((blocks.count + warps - 1) / warps);
    interpolate_kernel<<<thread_blocks, dim3(32, warps), warps * bytes, stream>>>(blocks, x, y, z, values);
  }
  check_launch("interpolation");
}

}  // namespace ionwell::gpu
