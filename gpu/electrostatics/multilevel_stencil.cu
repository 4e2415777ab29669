// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "core/error.hpp"
#include "gpu/electrostatics/multilevel_kernels.hpp"

namespace ionwell::gpu {
namespace {

constexpr int outputs = 8;  // of a thread, along x
constexpr int tile_x = 64, tile_y = 16;
constexpr int stencil_threads = tile_x / outputs * tile_y;
constexpr int enough_blocks = 1056;  // eight for each multiprocessor of a large GPU
constexpr int most_parts = 8;

/// Where vector `v` of a staged row lies: a gap after every eighth keeps the threads of a row out of each
/// other's banks.
__host__ __device__ constexpr int staged_at(int v) {
  return v + v / 8;
}

/// A thread block stages, plane by plane, what its tile needs; each thread adds rows of weights to 8 outputs
/// that move along its window of inputs. Small grids give work to more thread blocks when each takes a part
/// of the planes; `part_size` is from one part's sums to the next one's.
__global__ void __launch_bounds__(stencil_threads)
    stencil_kernel(const float* charges, Vec3<int> counts, const float* weights, const int2* used, int radius,
                   int weights_row, int staged_row, int parts, std::int64_t part_size, float* potential) {
  extern __shared__ float4 dynamic_shared[];
  float* staged = reinterpret_cast<float*>(dynamic_shared);
  const int thread_x = threadIdx.x % (tile_x / outputs), thread_y = threadIdx.x / (tile_x / outputs);
  const int first_x = blockIdx.x * tile_x, first_y = blockIdx.y * tile_y;
  const int low_y = max(first_y - radius, 0), high_y = min(first_y + tile_y + radius, counts.y);
  const int y = first_y + thread_y, taps = 2 * radius + 1;
  const int vectors = tile_x / 4 + weights_row / 4 + 1;
  for (int plane = blockIdx.z; plane < counts.z * parts; plane += gridDim.z) {
    const int z = plane / parts, part = plane - z * parts;
    float sum[outputs] = {};
    for (int zz = max(z - radius, 0) + part; zz < min(z + radius + 1, counts.z); zz += parts) {
      __syncthreads();
      for (int yy = low_y + int(threadIdx.x) / 32; yy < high_y; yy += stencil_threads / 32) {
        const float* from = charges + counts.x * (yy + std::int64_t(counts.y) * zz);
        float* to = staged + 4 * staged_row * (yy - low_y);
        for (int s = threadIdx.x % 32; s < 4 * vectors; s += 32) {
          const int x = first_x - radius + s;
          to[4 * staged_at(s / 4) + s % 4] = x >= 0 && x < counts.x ? from[x] : 0.0f;
        }
      }
      __syncthreads();
      if (y >= counts.y) continue;
      for (int yy = max(y - radius, 0); yy < min(y + radius + 1, counts.y); ++yy) {
        const int row = yy - y + radius + taps * (zz - z + radius);
        const int2 range = used[row];
        const float4* w4 = reinterpret_cast<const float4*>(weights + std::int64_t(weights_row) * row);
        const float4* in = dynamic_shared + staged_row * (yy - low_y);
        int v = outputs / 4 * thread_x + range.x / 4;
        float4 a = in[staged_at(v)], b = in[staged_at(v + 1)];
#pragma unroll 3
        for (int t = range.x / 4; t < range.y / 4; ++t, ++v) {
          const float4 c = in[staged_at(v + 2)], w = __ldg(w4 + t);
          const float x[12] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w};
#pragma unroll
          for (int o = 0; o < outputs; ++o)
            sum[o] += w.x * x[o] + w.y * x[o + 1] + w.z * x[o + 2] + w.w * x[o + 3];
          a = b;
          b = c;
        }
      }
    }
    if (y >= counts.y) continue;
    const int x = first_x + outputs * thread_x;
    float* out = potential + part_size * part + x + counts.x * (y + std::int64_t(counts.y) * z);
#pragma unroll
    for (int o = 0; o < outputs; ++o)
      if (x + o < counts.x) out[o] = sum[o];
  }
}

__global__ void add_parts_kernel(const float* sums, int parts, std::int64_t size, float* potential) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float sum = 0.0f;
  for (int part = 0; part < parts; ++part) sum += sums[size * part + i];
  potential[i] = sum;
}

}  // namespace

DeviceStencil to_device(const Stencil& stencil, cudaStream_t stream) {
  const int taps = 2 * stencil.radius + 1, row = (taps + 3) / 4 * 4;
  std::vector<float> weights(std::size_t(taps) * taps * row, 0.0f);
  std::vector<int2> used;
  for (std::size_t r = 0; r < std::size_t(taps) * taps; ++r) {
    const float* from = stencil.weights.data() + taps * r;
    std::copy_n(from, taps, weights.data() + row * r);
    int first = 0, last = taps;
    while (first < taps && from[first] == 0.0f) ++first;
    while (last > first && from[last - 1] == 0.0f) --last;
    used.push_back(first < last ? make_int2(first / 4 * 4, (last + 3) / 4 * 4) : make_int2(0, 0));
  }
  return {DeviceBuffer<float>(weights, stream), DeviceBuffer<int2>(used, stream), stencil.radius, row};
}

void convolve(Vec3<std::int64_t> counts, const float* charges, const DeviceStencil& stencil, GridWork work,
              float* potential, cudaStream_t stream) {
  const Vec3<int> n{int(counts.x), int(counts.y), int(counts.z)};
  const int vectors = tile_x / 4 + stencil.row / 4 + 1, staged_row = staged_at(vectors) + 1;
  const int rows = std::min(tile_y + 2 * stencil.radius, n.y);
  const std::size_t bytes = sizeof(float4) * std::size_t(staged_row) * std::size_t(rows);
  int device = 0, most = 0;
  check(cudaGetDevice(&device), "finding the GPU");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "asking the GPU");
  if (bytes > std::size_t(most))
    fail("the stencil of this --tune msm-cutoff needs ", bytes, " bytes of shared memory, but this GPU has ",
         most, "; use a smaller --tune msm-cutoff, a larger --tune msm-spacing or --backend cpu");
  check(cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)),
        "reserving shared memory for a stencil");
  dim3 blocks((n.x + tile_x - 1) / tile_x, (n.y + tile_y - 1) / tile_y);
  const std::int64_t size = counts.x * counts.y * counts.z, planes = std::int64_t(blocks.x) * blocks.y * n.z;
  const int parts =
      int(std::clamp<std::int64_t>(std::min(enough_blocks / planes, work.size / size), 1, most_parts));
  blocks.z = unsigned(std::min(n.z * parts, 65535));
  float* sums = parts > 1 ? work.first : potential;
  stencil_kernel<<<blocks, stencil_threads, bytes, stream>>>(charges, n, stencil.weights.data(),
                                                             stencil.used.data(), stencil.radius, stencil.row,
                                                             staged_row, parts, size, sums);
  check_launch("the convolution of a level");
  if (parts == 1) return;
  add_parts_kernel<<<unsigned((size + 255) / 256), 256, 0, stream>>>(sums, parts, size, potential);
  check_launch("adding up the convolution of a level");
}

}  // namespace ionwell::gpu
