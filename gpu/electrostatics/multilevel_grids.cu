// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "gpu/electrostatics/multilevel_kernels.hpp"

namespace ionwell::gpu {
namespace {

constexpr int warps = 8;  // of a thread block; lanes are neighbours along x
constexpr unsigned most_blocks = 65535;

/// A grid as lines along one axis: value i of line (a, b) is at a * step_a + b * step_b + i * step.
struct Lines {
  std::int64_t step, step_a, step_b;
};
Lines lines_of(Vec3<std::int64_t> counts, int axis) {
  if (axis == 0) return {1, counts.x, counts.x * counts.y};
  if (axis == 1) return {counts.x, 1, counts.x * counts.y};
  return {counts.x * counts.y, 1, counts.x};
}

std::int64_t along(Vec3<std::int64_t> counts, int axis) {
  return axis == 0 ? counts.x : axis == 1 ? counts.y : counts.z;
}

constexpr int most_transfer_taps = 9;
struct TransferTaps {
  float weight[most_transfer_taps + 1];
  int count;
};

__device__ inline int point_along(int axis, int x, int y, int z) {
  return axis == 0 ? x : axis == 1 ? y : z;
}

/// to[i] = Sum_t w[t] from[2 i + start + t] along one axis.
template <int axis>
__global__ void restrict_kernel(const float* from, int from_count, Lines from_lines, float* to,
                                Vec3<int> to_counts, TransferTaps taps, int start) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const std::int64_t rows = std::int64_t(to_counts.y) * to_counts.z;
  if (x >= to_counts.x) return;
  for (std::int64_t r = std::int64_t(blockIdx.y) * warps + threadIdx.y; r < rows;
       r += std::int64_t(gridDim.y) * warps) {
    const int z = int(r / to_counts.y), y = int(r - std::int64_t(z) * to_counts.y);
    const int i = point_along(axis, x, y, z);
    const int a = axis == 0 ? y : x, b = axis == 2 ? y : z;
    const float* line = from + a * from_lines.step_a + b * from_lines.step_b;
    float sum = 0.0f;
#pragma unroll
    for (int t = 0; t < most_transfer_taps; ++t) {
      const int at = 2 * i + start + t;
      if (t < taps.count && at >= 0 && at < from_count) sum += taps.weight[t] * line[at * from_lines.step];
    }
    to[x + to_counts.x * r] = sum;
  }
}

/// to[m] (+)= Sum_i w[m - 2 i - start] from[i] along one axis.
template <int axis, bool accumulate>
__global__ void prolong_kernel(const float* from, int from_count, Lines from_lines, float* to,
                               Vec3<int> to_counts, TransferTaps taps, int start) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const std::int64_t rows = std::int64_t(to_counts.y) * to_counts.z;
  if (x >= to_counts.x) return;
  for (std::int64_t r = std::int64_t(blockIdx.y) * warps + threadIdx.y; r < rows;
       r += std::int64_t(gridDim.y) * warps) {
    const int z = int(r / to_counts.y), y = int(r - std::int64_t(z) * to_counts.y);
    const int a = axis == 0 ? y : x, b = axis == 2 ? y : z;
    const float* line = from + a * from_lines.step_a + b * from_lines.step_b;
    const int distance = point_along(axis, x, y, z) - start;
    float sum = 0.0f;
    // Taps of the same parity as the distance, from the last source to the first.
    const bool odd = (distance & 1) != 0;
#pragma unroll
    for (int s = 0; s <= most_transfer_taps / 2; ++s) {
      const int t = 2 * s + odd, i = (distance >> 1) - s;
      const float weight = odd ? taps.weight[2 * s + 1] : taps.weight[2 * s];
      if (t < taps.count && i >= 0 && i < from_count) sum += weight * line[i * from_lines.step];
    }
    float* out = to + x + to_counts.x * r;
    *out = accumulate ? *out + sum : sum;
  }
}

constexpr int row_outputs = 4;   // of a thread, along x
constexpr int line_outputs = 8;  // of a thread, along y or z
constexpr int line_step = 8;     // taps at a time

/// to = taps * from along x: a warp takes 128 points of a row, which it stages with what the taps reach.
__global__ void convolve_rows_kernel(const float* from, Vec3<int> counts, const float* taps, int taps_count,
                                     int radius, float* to) {
  extern __shared__ float4 dynamic_shared[];
  float* weights = reinterpret_cast<float*>(dynamic_shared);
  const int lane = threadIdx.x, staged = 32 * row_outputs + taps_count;
  float* row = weights + taps_count + threadIdx.y * staged;
  for (int t = threadIdx.y * 32 + lane; t < taps_count; t += 32 * warps) weights[t] = taps[t];
  __syncthreads();
  const int first = blockIdx.x * 32 * row_outputs;
  const std::int64_t rows = std::int64_t(counts.y) * counts.z;
  for (std::int64_t r = std::int64_t(blockIdx.y) * warps + threadIdx.y; r < rows;
       r += std::int64_t(gridDim.y) * warps) {
    const float* line = from + r * counts.x;
    for (int s = lane; s < staged; s += 32) {
      const int x = first - radius + s;
      row[s] = x >= 0 && x < counts.x ? line[x] : 0.0f;
    }
    __syncwarp();
    const float4* in = reinterpret_cast<const float4*>(row) + lane;
    const float4* w4 = reinterpret_cast<const float4*>(weights);
    float4 a = in[0], sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int t = 0; t < taps_count / 4; ++t) {
      const float4 b = in[t + 1], w = w4[t];
      sum.x += w.x * a.x + w.y * a.y + w.z * a.z + w.w * a.w;
      sum.y += w.x * a.y + w.y * a.z + w.z * a.w + w.w * b.x;
      sum.z += w.x * a.z + w.y * a.w + w.z * b.x + w.w * b.y;
      sum.w += w.x * a.w + w.y * b.x + w.z * b.y + w.w * b.z;
      a = b;
    }
    __syncwarp();
    const int x = first + row_outputs * lane;
    float* out = to + r * counts.x + x;
    if (x < counts.x) out[0] = sum.x;
    if (x + 1 < counts.x) out[1] = sum.y;
    if (x + 2 < counts.x) out[2] = sum.z;
    if (x + 3 < counts.x) out[3] = sum.w;
  }
}

/// to (+)= weight taps * from along y or z; `others` is the number of points along the third axis. Each
/// thread has a column of outputs, and a window of inputs that moves on with the taps.
template <bool accumulate>
__global__ void __launch_bounds__(32 * warps)
    convolve_lines_kernel(const float* from, int nx, int count, int others, Lines lines, const float* taps,
                          int taps_count, int radius, float weight, float* to) {
  extern __shared__ float4 dynamic_shared[];
  float* weights = reinterpret_cast<float*>(dynamic_shared);
  for (int t = threadIdx.y * 32 + threadIdx.x; t < taps_count; t += 32 * warps) weights[t] = taps[t];
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x;
  if (x >= nx) return;
  const int first = (blockIdx.y * warps + threadIdx.y) * line_outputs;
  if (first >= count) return;
  for (int b = blockIdx.z; b < others; b += gridDim.z) {
    const float* line = from + x + b * lines.step_b;
    const float* next = line + (first - radius) * lines.step;
    int place = first - radius;
    const auto take = [&] {
      const float value = place >= 0 && place < count ? *next : 0.0f;
      next += lines.step;
      ++place;
      return value;
    };
    float sum[line_outputs] = {}, window[line_outputs + line_step - 1];
#pragma unroll
    for (int i = 0; i < line_outputs - 1; ++i) window[i] = take();
    for (int t = 0; t < taps_count; t += line_step) {
#pragma unroll
      for (int i = 0; i < line_step; ++i) window[line_outputs - 1 + i] = take();
#pragma unroll
      for (int s = 0; s < line_step; ++s) {
        const float w = weights[t + s];
#pragma unroll
        for (int i = 0; i < line_outputs; ++i) sum[i] += w * window[i + s];
      }
#pragma unroll
      for (int i = 0; i < line_outputs - 1; ++i) window[i] = window[i + line_step];
    }
    float* out = to + x + b * lines.step_b + first * lines.step;
#pragma unroll
    for (int i = 0; i < line_outputs; ++i) {  // all reads before the first write
      sum[i] *= weight;
      if (accumulate && first + i < count) sum[i] += out[i * lines.step];
    }
#pragma unroll
    for (int i = 0; i < line_outputs; ++i)
      if (first + i < count) out[i * lines.step] = sum[i];
  }
}

unsigned thread_blocks(std::int64_t count, std::int64_t size) {
  return unsigned(std::min<std::int64_t>((count + size - 1) / size, most_blocks));
}

Vec3<int> small(Vec3<std::int64_t> counts) {
  return {int(counts.x), int(counts.y), int(counts.z)};
}

TransferTaps transfer_taps(const std::vector<float>& weights) {
  TransferTaps taps{};
  if (weights.size() > most_transfer_taps)
    fail("a basis with ", weights.size(), " transfer weights is unknown here");
  taps.count = int(weights.size());
  std::copy(weights.begin(), weights.end(), taps.weight);
  return taps;
}

template <int axis>
void restrict_axis(const float* from, Vec3<std::int64_t> from_counts, float* to, Vec3<std::int64_t> to_counts,
                   const TransferTaps& taps, int start, cudaStream_t stream) {
  const dim3 blocks((unsigned(to_counts.x) + 31) / 32, thread_blocks(to_counts.y * to_counts.z, warps));
  restrict_kernel<axis><<<blocks, dim3(32, warps), 0, stream>>>(
      from, int(along(from_counts, axis)), lines_of(from_counts, axis), to, small(to_counts), taps, start);
  check_launch("restriction");
}

template <int axis, bool accumulate>
void prolong_axis(const float* from, Vec3<std::int64_t> from_counts, float* to, Vec3<std::int64_t> to_counts,
                  const TransferTaps& taps, int start, cudaStream_t stream) {
  const dim3 blocks((unsigned(to_counts.x) + 31) / 32, thread_blocks(to_counts.y * to_counts.z, warps));
  prolong_kernel<axis, accumulate><<<blocks, dim3(32, warps), 0, stream>>>(
      from, int(along(from_counts, axis)), lines_of(from_counts, axis), to, small(to_counts), taps, start);
  check_launch("prolongation");
}

std::int64_t size_of(Vec3<std::int64_t> n) {
  return n.x * n.y * n.z;
}

}  // namespace

std::int64_t grid_work_size(const MultilevelPlan& plan) {
  std::int64_t size = 0;
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const Vec3<std::int64_t> n = plan.levels[l].grid.counts;
    if (!plan.levels[l].gaussians.empty()) size = std::max(size, size_of(n));
    if (l + 1 == plan.levels.size()) continue;
    const Vec3<std::int64_t> c = plan.levels[l + 1].grid.counts;
    size = std::max({size, n.x * n.y * c.z, n.x * c.y * c.z});
  }
  return size;
}

void restrict_to(const LatticeGeometry& coarse, const LatticeGeometry& fine, const float* fine_values,
                 const std::vector<float>& weights, GridWork work, float* coarse_values,
                 cudaStream_t stream) {
  const TransferTaps taps = transfer_taps(weights);
  const int start = int(first_fine_point(fine, coarse)) - taps.count / 2;
  const Vec3<std::int64_t> n = fine.counts, c = coarse.counts;
  restrict_axis<2>(fine_values, n, work.first, {n.x, n.y, c.z}, taps, start, stream);
  restrict_axis<1>(work.first, {n.x, n.y, c.z}, work.second, {n.x, c.y, c.z}, taps, start, stream);
  restrict_axis<0>(work.second, {n.x, c.y, c.z}, coarse_values, c, taps, start, stream);
}

void prolong(const LatticeGeometry& coarse, const float* coarse_values, const LatticeGeometry& fine,
             const std::vector<float>& weights, GridWork work, float* fine_values, cudaStream_t stream) {
  const TransferTaps taps = transfer_taps(weights);
  const int start = int(first_fine_point(fine, coarse)) - taps.count / 2;
  const Vec3<std::int64_t> n = fine.counts, c = coarse.counts;
  prolong_axis<0, false>(coarse_values, c, work.first, {n.x, c.y, c.z}, taps, start, stream);
  prolong_axis<1, false>(work.first, {n.x, c.y, c.z}, work.second, {n.x, n.y, c.z}, taps, start, stream);
  prolong_axis<2, true>(work.second, {n.x, n.y, c.z}, fine_values, n, taps, start, stream);
}

DeviceGaussian to_device(const GaussianTerm& term, cudaStream_t stream) {
  std::vector<float> taps(term.taps);
  taps.resize((taps.size() + line_step - 1) / line_step * line_step, 0.0f);
  return {DeviceBuffer<float>(taps, stream), int(term.taps.size()) / 2, float(term.weight_kT_e)};
}

void convolve(Vec3<std::int64_t> counts, const float* charges, const DeviceGaussian& term, bool accumulate,
              GridWork work, float* potential, cudaStream_t stream) {
  const Vec3<int> n = small(counts);
  const int taps = int(term.taps.size());
  const float* w = term.taps.data();
  const dim3 block(32, warps);
  const std::size_t row_bytes = sizeof(float) * std::size_t(taps + warps * (32 * row_outputs + taps));
  const dim3 row_blocks((n.x + 32 * row_outputs - 1) / (32 * row_outputs),
                        thread_blocks(counts.y * counts.z, warps));
  convolve_rows_kernel<<<row_blocks, block, row_bytes, stream>>>(charges, n, w, taps, term.radius,
                                                                 work.first);
  check_launch("convolution along x");
  const unsigned columns = (unsigned(n.x) + 31) / 32;
  const std::size_t bytes = sizeof(float) * std::size_t(taps);
  const dim3 y_blocks(columns, thread_blocks(n.y, line_outputs * warps), thread_blocks(n.z, 1));
  convolve_lines_kernel<false><<<y_blocks, block, bytes, stream>>>(
      work.first, n.x, n.y, n.z, lines_of(counts, 1), w, taps, term.radius, 1.0f, work.second);
  check_launch("convolution along y");
  const dim3 z_blocks(columns, thread_blocks(n.z, line_outputs * warps), thread_blocks(n.y, 1));
  if (accumulate)
    convolve_lines_kernel<true><<<z_blocks, block, bytes, stream>>>(
        work.second, n.x, n.z, n.y, lines_of(counts, 2), w, taps, term.radius, term.weight, potential);
  else
    convolve_lines_kernel<false><<<z_blocks, block, bytes, stream>>>(
        work.second, n.x, n.z, n.y, lines_of(counts, 2), w, taps, term.radius, term.weight, potential);
  check_launch("convolution along z");
}

}  // namespace ionwell::gpu
