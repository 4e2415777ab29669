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

/// Threads of a brick, and its samples: those of its points and the next ones.
template <int Edge>
struct BrickShape {
  static constexpr int edge = Edge, points = Edge * Edge * Edge, samples_edge = Edge + 1;
  static constexpr int samples = samples_edge * samples_edge * samples_edge;
  static constexpr int threads = Edge == 8 ? 256 : 128, warps = threads / 32;
  static constexpr int samples_a_thread = (samples + threads - 1) / threads;
};

constexpr int staged_parts = 64;  // that a thread block has in shared memory at a time

struct StagedParts {
  Vec3<float> centre_A[staged_parts];
  float radius_A[staged_parts];
  CapRange caps[staged_parts];
  LocalArc arcs[staged_parts];
};

/// Sets values[n] to the signed distance at sample n (its index in samples_edge by axis): to where probes can
/// be, up to reach_A() and infinite beyond; where no ball is it is negative, -infinite farther than depth_A
/// less the probe. `shift`: of the samples, in spacings.
template <typename Shape>
__device__ void fill_distances(const BricksView& bricks, std::int64_t brick, const SurfaceView& surface,
                               const Vec3<float>& shift, StagedParts& staged, float* values) {
  const BrickPlace place = bricks.at(brick);
  const Vec3<double> origin_A = bricks.origin_of(place);
  const Vec3<float> h = as_fp32(bricks.spacing_A);
  const float reach = surface.reach_A(), outer = surface.depth_A - surface.probe_A;
  constexpr int count = Shape::samples_a_thread, edge = Shape::samples_edge;
  const int thread = int(threadIdx.x);
  Vec3<float> at_A[count];
  float nearest[count], outside[count];
  bool is_inside[count];
#pragma unroll
  for (int s = 0; s < count; ++s) {
    const int n = thread + s * Shape::threads;
    at_A[s] = {h.x * (float(n % edge) + shift.x), h.y * (float(n / edge % edge) + shift.y),
               h.z * (float(n / (edge * edge)) + shift.z)};
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
    for (int b = 0; b < here; ++b) {
      const Vec3<float> centre = staged.centre_A[b];
      const float radius = staged.radius_A[b];
      const CapRange caps = staged.caps[b];
#pragma unroll
      for (int s = 0; s < count; ++s) {
        const Vec3<float> away = at_A[s] - centre;
        const float r2 = dot(away, away);
        is_inside[s] |= r2 < radius * radius;
        if (caps.count < 0) continue;
        const float r = std::sqrt(r2), to = radius - r;
        if (to < 0.0f && -to < outer) outside[s] = fmaxf(outside[s], to);
        if (to >= 0.0f && to <= reach && to < nearest[s] &&
            is_open(away, r, surface.parts.caps + caps.first, caps.count))
          nearest[s] = to;
      }
    }
  }
  bool has_inside = false;
#pragma unroll
  for (int s = 0; s < count; ++s) has_inside |= is_inside[s];
  if (__syncthreads_or(int(has_inside))) {
    float nearest2[count];
#pragma unroll
    for (int s = 0; s < count; ++s) nearest2[s] = no_distance;
    const std::uint32_t first_arc = surface.arcs.begin[brick], last_arc = surface.arcs.begin[brick + 1];
    for (std::uint32_t first = first_arc; first < last_arc; first += staged_parts) {
      const int here = min(int(last_arc - first), staged_parts);
      __syncthreads();
      if (thread < here)
        staged.arcs[thread] =
            surface.parts.arcs[surface.arcs.places[first + std::uint32_t(thread)]].local(origin_A);
      __syncthreads();
      for (int a = 0; a < here && has_inside; ++a) {
        const LocalArc& arc = staged.arcs[a];
#pragma unroll
        for (int s = 0; s < count; ++s) nearest2[s] = fminf(nearest2[s], arc_distance2(arc, at_A[s]));
      }
    }
#pragma unroll
    for (int s = 0; s < count; ++s) {
      const float d = std::sqrt(nearest2[s]);
      if (d < reach) nearest[s] = fminf(nearest[s], d);
    }
  }
#pragma unroll
  for (int s = 0; s < count; ++s) {
    const int n = thread + s * Shape::threads;
    if (n < Shape::samples) values[n] = is_inside[s] ? nearest[s] : outside[s];
  }
  __syncthreads();
}

}  // namespace ionwell::gpu
