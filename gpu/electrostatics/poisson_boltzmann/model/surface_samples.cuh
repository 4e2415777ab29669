// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "electrostatics/poisson_boltzmann/model/accessible_terms.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/bricks.hpp"

/// Distances to where probes can be, at the points of a brick: SolventExcluded::Samples (lib's), of which a
/// thread block has all parts that are near, and gathers them point by point.
namespace ionwell::gpu {

/// A surface for kernels, and what of it is near each brick.
struct SurfaceView {
  PartsView parts;
  NearView balls, arcs;
  float probe_A = 0.0f, depth_A = 0.0f;

  __device__ float reach_A() const { return probe_A + depth_A; }
};

constexpr float no_distance = INFINITY;

/// How a warp has samples that are beside each other: a block of so many along each axis, a lane to each.
template <int SamplesEdge>
struct SampleBlocks {
  static constexpr bool is_wide = SamplesEdge == 10;  // for which blocks of three would leave most lanes idle
  static constexpr int x = is_wide ? 5 : 3, y = 3, z = is_wide ? 2 : 3;
  static constexpr int along_x = (SamplesEdge + x - 1) / x, along_y = (SamplesEdge + y - 1) / y,
                       along_z = (SamplesEdge + z - 1) / z;
  static constexpr int count = along_x * along_y * along_z;
  static_assert(x * y * z <= 32);
};

/// Threads of a brick, and its samples: those of its points and the next ones.
template <int Edge>
struct BrickShape {
  static constexpr int edge = Edge, points = Edge * Edge * Edge, samples_edge = Edge + 1;
  static constexpr int samples = samples_edge * samples_edge * samples_edge;
  static constexpr int threads = Edge == 8 ? 256 : 128, warps = threads / 32;
};

constexpr int staged_parts = 64;  // that a thread block has in shared memory at a time

struct StagedParts {
  Vec3<float> centre_A[staged_parts];
  float radius_A[staged_parts];
  CapRange caps[staged_parts];
  LocalArc arcs[staged_parts];
};

__device__ inline float most_of_warp(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

/// Calls work(n) with all lanes of a warp for those of `count` items of which is_near(n), asked by one lane
/// each, is true.
template <typename IsNear, typename Work>
__device__ void over_near_items(int count, const IsNear& is_near, const Work& work) {
  for (int first = 0; first < count; first += 32) {
    const int mine = first + int(threadIdx.x % 32);
    unsigned near = __ballot_sync(0xffffffffu, mine < count && is_near(mine));
    for (; near != 0; near &= near - 1) work(first + __ffs(int(near)) - 1);
  }
}

/// Sets values[n] to the signed distance at sample n (its index in samples_edge by axis): to where probes can
/// be, up to reach_A() and infinite beyond; where no ball is it is negative, -infinite farther than depth_A
/// less the probe. `shift`: of the samples, in spacings.
template <typename Shape>
__device__ void fill_distances(const BricksView& bricks, std::int64_t brick, const SurfaceView& surface,
                               const Vec3<float>& shift, StagedParts& staged, float* values) {
  using Blocks = SampleBlocks<Shape::samples_edge>;
  const BrickPlace place = bricks.at(brick);
  const Vec3<double> origin_A = bricks.origin_of(place);
  const Vec3<float> h = as_fp32(bricks.spacing_A);
  const float reach = surface.reach_A(), outer = surface.depth_A - surface.probe_A;
  constexpr int warps = Shape::threads / 32, count = (Blocks::count + warps - 1) / warps,
                edge = Shape::samples_edge;
  const int thread = int(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int lane_x = lane % Blocks::x, lane_y = lane / Blocks::x % Blocks::y,
            lane_z = lane / (Blocks::x * Blocks::y);
  const auto block_of = [&](int s) { return warp + s * warps; };
  const auto first_sample = [&](int s) {
    const int block = block_of(s);
    return Vec3<int>{Blocks::x * (block % Blocks::along_x),
                     Blocks::y * (block / Blocks::along_x % Blocks::along_y),
                     Blocks::z * (block / (Blocks::along_x * Blocks::along_y))};
  };
  const auto place_of = [&](float x, float y, float z) {
    return Vec3<float>{h.x * (x + shift.x), h.y * (y + shift.y), h.z * (z + shift.z)};
  };
  // A ball around the samples of a block, with something for rounding.
  const auto middle_of = [&](int s) {
    const Vec3<int> first = first_sample(s);
    return place_of(float(first.x) + 0.5f * (Blocks::x - 1), float(first.y) + 0.5f * (Blocks::y - 1),
                    float(first.z) + 0.5f * (Blocks::z - 1));
  };
  const Vec3<float> half{0.5f * (Blocks::x - 1) * h.x, 0.5f * (Blocks::y - 1) * h.y,
                         0.5f * (Blocks::z - 1) * h.z};
  constexpr float rounding_A = 1e-3f;
  const float radius_A = std::sqrt(dot(half, half)) + rounding_A;
  Vec3<float> at_A[count];
  float nearest[count], outside[count];
  bool is_inside[count];
#pragma unroll
  for (int s = 0; s < count; ++s) {
    const Vec3<int> first = first_sample(s);
    at_A[s] = place_of(float(first.x + lane_x), float(first.y + lane_y), float(first.z + lane_z));
    nearest[s] = no_distance;
    outside[s] = -no_distance;
    is_inside[s] = false;
  }
  const std::uint32_t first_ball = surface.balls.begin[brick], last_ball = surface.balls.begin[brick + 1];
  for (std::uint32_t first = first_ball; first < last_ball; first += staged_parts) {
    const int here = min(int(last_ball - first), staged_parts);
    __syncthreads();
    if (thread < here) {
      const std::uint32_t n = surface.balls.places[first + std::uint32_t(thread)];
      const Ball ball = surface.parts.balls.at(n);
      staged.centre_A[thread] = as_fp32(ball.centre_A - origin_A);
      staged.radius_A[thread] = float(ball.radius_A);
      staged.caps[thread] = surface.parts.caps_of[n];
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < count; ++s) {
      if (block_of(s) >= Blocks::count) continue;
      const Vec3<float> middle_A = middle_of(s);
      const auto is_near = [&](int b) {
        const Vec3<float> away = middle_A - staged.centre_A[b];
        const float to = staged.radius_A[b] + fmaxf(outer, 0.0f) + radius_A;
        return dot(away, away) < to * to;
      };
      over_near_items(here, is_near, [&](int b) {
        const float radius = staged.radius_A[b];
        const CapRange caps = staged.caps[b];
        const Vec3<float> away = at_A[s] - staged.centre_A[b];
        const float r2 = dot(away, away);
        is_inside[s] |= r2 < radius * radius;
        if (caps.count < 0) return;
        const float r = std::sqrt(r2), to = radius - r;
        if (to < 0.0f && -to < outer) outside[s] = fmaxf(outside[s], to);
        if (to >= 0.0f && to <= reach && to < nearest[s] &&
            is_open(away, r, surface.parts.caps + caps.first, caps.count))
          nearest[s] = to;
      });
    }
  }
  const auto has_sample = [&](int s) {
    const Vec3<int> first = first_sample(s);
    return block_of(s) < Blocks::count && lane_z < Blocks::z && first.x + lane_x < edge &&
           first.y + lane_y < edge && first.z + lane_z < edge;
  };
  bool has_inside = false;
  float limit_A[count], nearest2[count];  // nothing farther matters to a block
#pragma unroll
  for (int s = 0; s < count; ++s) {
    const bool wants = has_sample(s) && is_inside[s];
    has_inside |= wants;
    limit_A[s] = most_of_warp(wants ? fminf(nearest[s], reach) : -1.0f);
    nearest2[s] = no_distance;
  }
  if (__syncthreads_or(int(has_inside))) {
    const std::uint32_t first_arc = surface.arcs.begin[brick], last_arc = surface.arcs.begin[brick + 1];
    for (std::uint32_t first = first_arc; first < last_arc; first += staged_parts) {
      const int here = min(int(last_arc - first), staged_parts);
      __syncthreads();
      if (thread < here)
        staged.arcs[thread] =
            surface.parts.arcs[surface.arcs.places[first + std::uint32_t(thread)]].local(origin_A);
      __syncthreads();
#pragma unroll
      for (int s = 0; s < count; ++s) {
        if (limit_A[s] < 0.0f) continue;
        const Vec3<float> middle_A = middle_of(s);
        // An arc is a part of a circle: of that no point is nearer than its radius and the way to its centre
        // differ.
        const auto is_near = [&](int a) {
          const Vec3<float> away = middle_A - staged.arcs[a].centre_A;
          return std::fabs(std::sqrt(dot(away, away)) - staged.arcs[a].radius_A) <= limit_A[s] + radius_A;
        };
        over_near_items(here, is_near, [&](int a) {
          nearest2[s] = fminf(nearest2[s], arc_distance2(staged.arcs[a], at_A[s]));
        });
      }
    }
  }
#pragma unroll
  for (int s = 0; s < count; ++s) {
    const float d = std::sqrt(nearest2[s]);
    if (d < reach) nearest[s] = fminf(nearest[s], d);
    const Vec3<int> first = first_sample(s);
    if (has_sample(s))
      values[first.x + lane_x + edge * (first.y + lane_y + edge * (first.z + lane_z))] =
          is_inside[s] ? nearest[s] : outside[s];
  }
  __syncthreads();
}

}  // namespace ionwell::gpu
