// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/structure.hpp"
#include "gpu/electrostatics/forces/force_interpolation.cuh"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/launch.hpp"

/// Forces on charges and bodies on the device.
namespace ionwell::gpu {

/// A pose in lattice units, relative to the cell of the body's centre: a charge at p is at turned p + part.
/// That keeps fp32's digits for the body.
struct alignas(16) DevicePose {
  float turned[3][3];  // rows of the rotation, over the spacings
  float part[3];       // where the centre is in its cell
  int cell[3];         // which may be outside
  int unused;
};

constexpr int body_threads = 256;
constexpr int charges_of_thread = 4;
constexpr int charges_of_block = body_threads * charges_of_thread;
constexpr int warps_of_block = body_threads / 32;
constexpr int sums_of_body = 8;  // force, torque, energy, number outside

/// forces[n] = force on charges[n] and its energy, NaN outside.
template <typename Interpolation, typename Quads>
__global__ void force_on_charges(const __grid_constant__ CellFrame frame, const Quads quads,
                                 const PointCharge* charges, std::int64_t count, float4* forces) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const auto* const from = reinterpret_cast<const double2*>(charges + n);
  const double2 xy = __ldcs(from), zq = __ldcs(from + 1);
  const double at_A[3] = {xy.x, xy.y, zq.x};
  CellPlace place;
  const bool is_inside = find_cell(frame, at_A, &place);
  const InterpolatedPotential at = Interpolation::at(quads, place);
  const float charge_e = is_inside ? float(zq.y) : __int_as_float(0x7fc00000);  // NaN
  __stcs(forces + n, make_float4(-charge_e * (frame.slope_per_A[0] * at.by_x),
                                 -charge_e * (frame.slope_per_A[1] * at.by_y),
                                 -charge_e * (frame.slope_per_A[2] * at.by_z), charge_e * at.value));
}

/// Sums 8 numbers over the lanes of a warp: lane 4 v gets the sum of number v.
inline __device__ double sum_over_warp(const float* sums) {
  const int lane = int(threadIdx.x) % 32;
  double kept[4];
#pragma unroll
  for (int v = 0; v < 4; ++v) {
    const bool upper = lane & 16;
    const double mine = double(upper ? sums[v + 4] : sums[v]), other = double(upper ? sums[v] : sums[v + 4]);
    kept[v] = mine + __shfl_xor_sync(0xffffffffu, other, 16);
  }
#pragma unroll
  for (int v = 0; v < 2; ++v) {
    const bool upper = lane & 8;
    const double mine = upper ? kept[v + 2] : kept[v], other = upper ? kept[v] : kept[v + 2];
    kept[v] = mine + __shfl_xor_sync(0xffffffffu, other, 8);
  }
  const bool upper = lane & 4;
  const double mine = upper ? kept[1] : kept[0], other = upper ? kept[0] : kept[1];
  double sum = mine + __shfl_xor_sync(0xffffffffu, other, 4);
  sum += __shfl_xor_sync(0xffffffffu, sum, 2);
  return sum + __shfl_xor_sync(0xffffffffu, sum, 1);
}

/// parts[pose][warp of the body][8] = what the charges of a warp add to a pose's sums. A thread block has
/// `charges_of_block` charges (x, y, z [A], charge [e]; beyond the body's end 0 e) and goes through
/// `poses_of_block` poses with them; block b has part b % chunks of the charges.
template <typename Interpolation, typename Quads>
__global__ void __launch_bounds__(body_threads)
    force_on_body(const __grid_constant__ CellFrame frame, const Quads quads, const float4* charges,
                  int count, int chunks, const DevicePose* poses, int pose_count, int poses_of_block,
                  double* parts) {
  const int chunk = int(blockIdx.x) % chunks, group = int(blockIdx.x) / chunks;
  const int warp = chunk * warps_of_block + int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  float4 own[charges_of_thread];
#pragma unroll
  for (int a = 0; a < charges_of_thread; ++a) {
    const int n = warp * 32 * charges_of_thread + a * 32 + lane;
    own[a] = n < count ? charges[n] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  }
  const float hx = float(1.0 / frame.points_per_A[0]), hy = float(1.0 / frame.points_per_A[1]),
              hz = float(1.0 / frame.points_per_A[2]);
  const int end = min(pose_count, (group + 1) * poses_of_block);
  for (int p = group * poses_of_block; p < end; ++p) {
    const DevicePose pose = poses[p];
    float low[3], high[3];  // of the lattice
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = float(-pose.cell[axis]);
      high[axis] = float(int(frame.last_point[axis]) - pose.cell[axis]);
    }
    float sums[sums_of_body] = {};
#pragma unroll
    for (int a = 0; a < charges_of_thread; ++a) {
      float lever[3], u[3];
      bool is_inside = true;
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        const float* const row = pose.turned[axis];
        lever[axis] = row[0] * own[a].x + row[1] * own[a].y + row[2] * own[a].z;
        u[axis] = lever[axis] + pose.part[axis];
        is_inside = is_inside && u[axis] >= low[axis] && u[axis] <= high[axis];
      }
      int cell[3];
      float t[3];
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        const float at = is_inside ? u[axis] : low[axis];
        cell[axis] = min(__float2int_rd(at) + pose.cell[axis], frame.last_cell[axis]);
        t[axis] = at - float(cell[axis] - pose.cell[axis]);
      }
      const InterpolatedPotential at =
          Interpolation::at(quads, CellPlace{cell[0], cell[1], cell[2], t[0], t[1], t[2]});
      const float charge_e = is_inside ? own[a].w : 0.0f;
      const float fx = -charge_e * (frame.slope_per_A[0] * at.by_x),
                  fy = -charge_e * (frame.slope_per_A[1] * at.by_y),
                  fz = -charge_e * (frame.slope_per_A[2] * at.by_z);
      const float x = hx * lever[0], y = hy * lever[1], z = hz * lever[2];
      sums[0] += fx;
      sums[1] += fy;
      sums[2] += fz;
      sums[3] += y * fz - z * fy;
      sums[4] += z * fx - x * fz;
      sums[5] += x * fy - y * fx;
      sums[6] += charge_e * at.value;
      sums[7] += !is_inside && own[a].w != 0.0f ? 1.0f : 0.0f;
    }
    const double sum = sum_over_warp(sums);
    if (lane % 4 == 0)
      parts[(std::int64_t(p) * (chunks * warps_of_block) + warp) * sums_of_body + lane / 4] = sum;
  }
}

/// sums[pose][8] = the sums of its parts; a warp for each pose.
inline __global__ void add_parts_of_bodies(const double* parts, int parts_of_body, int pose_count,
                                           double* sums) {
  const int pose = int(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
  if (pose >= pose_count) return;
  const int lane = int(threadIdx.x) % 32;
  const double* const from = parts + std::int64_t(pose) * parts_of_body * sums_of_body;
  double sum = 0.0;
  for (int n = lane; n < parts_of_body * sums_of_body; n += 32) sum += from[n];
  sum += __shfl_down_sync(0xffffffffu, sum, 16);
  sum += __shfl_down_sync(0xffffffffu, sum, 8);
  if (lane < sums_of_body) sums[std::int64_t(pose) * sums_of_body + lane] = sum;
}

}  // namespace ionwell::gpu
