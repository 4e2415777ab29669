// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "gpu/electrostatics/poisson_boltzmann/march.cuh"

/// Traverses the arrays of a level linearly, where no point needs its neighbours: a thread block has
/// a stretch of a plane, so that its sum is the same whoever has the plane, and a thread four points at once.
namespace ionwell::gpu {

constexpr int points_of_line = 32;  // fp32, of what a device reads and writes best: whole and aligned
constexpr int points_of_four = 4;
constexpr int stretch_points = 8 * points_of_four * march_threads;

/// The stretches of a device's planes.
struct Stretches {
  std::int64_t plane_points;
  int first_plane, planes, in_plane;

  Stretches(const PbLevel& level, const PlaneBorders& borders, const Share& share)
      : plane_points(level.plane_stride()),
        first_plane(borders.begin(share)),
        planes(borders.end(share) - first_plane),
        in_plane(of_plane(level)) {}

  /// Number of stretches of a plane, which starts unaligned.
  static int of_plane(const PbLevel& level) {
    return int((level.plane_stride() + points_of_line - 1 + stretch_points - 1) / stretch_points);
  }

  unsigned blocks() const { return unsigned(planes) * unsigned(in_plane); }

  /// Of this thread block, counted from plane 0's first.
  __device__ std::int64_t number() const { return std::int64_t(first_plane) * in_plane + blockIdx.x; }
};

/// Calls `four(n)` for the points from n to n + 3 that are this thread's, and `one(n)` where not all of them
/// are in its plane, or `array` does not have them at an address for four.
template <typename Four, typename One>
__device__ void over_stretch(const Stretches& stretches, const float* array, const Four& four,
                             const One& one) {
  const std::int64_t number = stretches.number();
  const std::int64_t first = number / stretches.in_plane * stretches.plane_points,
                     last = first + stretches.plane_points;
  const std::int64_t begin =
      first / points_of_line * points_of_line + number % stretches.in_plane * stretch_points;
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(array) % sizeof(float4) == 0;
  const int thread = int(threadIdx.y * march_x + threadIdx.x);
#pragma unroll 2
  for (std::int64_t n = begin + points_of_four * thread; n < min(begin + stretch_points, last);
       n += points_of_four * march_threads) {
    if (is_aligned && n >= first && n + points_of_four <= last)
      four(n);
    else
      for (std::int64_t m = max(n, first); m < min(n + points_of_four, last); ++m) one(m);
  }
}

__device__ inline float4 four_at(const float* array, std::int64_t n) {
  return *reinterpret_cast<const float4*>(array + n);
}
__device__ inline float4& four_at(float* array, std::int64_t n) {
  return *reinterpret_cast<float4*>(array + n);
}

/// a + factor b
__device__ inline float4 plus_scaled(const float4& a, float factor, const float4& b) {
  return {a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z, a.w + factor * b.w};
}

/// The point of a thread from `first` up to `last`, or -1, where each thread has one: they begin at a line
/// before the first.
__device__ inline std::int64_t point_of_thread(std::int64_t first, std::int64_t last) {
  const std::int64_t n =
      first / points_of_line * points_of_line + std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  return n >= first && n < last ? n : -1;
}

/// Launches a kernel over the stretches of a level, on all devices that share it: its arguments are
/// `arguments` and the Stretches.
template <typename Kernel, typename... Arguments>
void over_stretches(const Team& team, const PbLevel& level, const PlaneBorders& borders, const char* what,
                    const Kernel& kernel, const Arguments&... arguments) {
  team.share(level.size(), [&](const Share& share, cudaStream_t stream) {
    const Stretches stretches(level, borders, share);
    if (stretches.planes == 0) return;
    kernel<<<stretches.blocks(), March::block(), 0, stream>>>(arguments..., stretches);
    check_launch(what);
  });
}

}  // namespace ionwell::gpu
