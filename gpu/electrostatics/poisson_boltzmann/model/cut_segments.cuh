// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "electrostatics/poisson_boltzmann/model/segment_share.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/near_walk.cuh"
#include "gpu/electrostatics/poisson_boltzmann/model/surface_samples.cuh"

/// The share of a segment that is inside of a surface, by a warp: cut_share of SolventExcluded::Samples
/// (lib's), with the same steps along the segment.
namespace ionwell::gpu {

constexpr int arcs_of_segment = 96,
              balls_of_segment = 64;  // that a warp notes; more are looked for each time

/// Parts that a segment's distances can be to, by their places: shared memory of a warp.
struct SegmentParts {
  std::uint32_t arcs[arcs_of_segment], balls[balls_of_segment];
};

__device__ inline float least_of_warp(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value = fminf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}
__device__ inline float most_of_warp(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

/// A segment from a sample, and the parts near it.
class CutSegment {
 public:
  __device__ CutSegment(const SurfaceView& surface, std::int64_t brick, const Vec3<double>& origin_A,
                        const Vec3<float>& start_A, int axis, float length_A, SegmentParts& room)
      : surface_(surface),
        origin_A_(origin_A),
        start_A_(start_A),
        along_{axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f},
        length_A_(length_A),
        room_(room),
        brick_arcs_(surface.arcs.places + surface.arcs.begin[brick]),
        brick_balls_(surface.balls.places + surface.balls.begin[brick]),
        all_arcs_(int(surface.arcs.begin[brick + 1] - surface.arcs.begin[brick])),
        all_balls_(int(surface.balls.begin[brick + 1] - surface.balls.begin[brick])) {
    middle_A_ = start_A + 0.5f * length_A * along_;
    reach_A_ = surface.probe_A + (0.5f + beyond_probe) * length_A;
    arcs_ = note(brick_arcs_, all_arcs_, room_.arcs, arcs_of_segment,
                 [&](std::uint32_t n) { return is_arc_near(n); });
    balls_ = note(brick_balls_, all_balls_, room_.balls, balls_of_segment,
                  [&](std::uint32_t n) { return is_ball_near(n); });
    __syncwarp();
  }

  /// From the distances of both ends to where probes can be.
  __device__ float inside_share(float from_A, float to_A) const {
    const float probe = surface_.probe_A, length = length_A_;
    const auto bounded = [](float value, float low, float high) { return fminf(fmaxf(value, low), high); };
    const float f_0 = bounded(from_A - probe, -length, length), f_1 = bounded(to_A - probe, -length, length);
    // Within an end's distance from it no end of the union is met.
    const auto distance = [&](float s) {
      const float to = distance_A(start_A_ + s * along_, s < from_A || length - s < to_A);
      return bounded(to - probe, -length, beyond_probe * length);
    };
    return ionwell::inside_share(distance, length, f_0, f_1);
  }

 private:
  static constexpr float beyond_probe =
      0.25f;  // in lengths of a segment: so far beyond the probe distances are exact

  /// How many of `count` places are near; up to `room` of them are noted.
  template <typename IsNear>
  __device__ int note(const std::uint32_t* places, int count, std::uint32_t* noted, int room,
                      const IsNear& is_near) const {
    int found = 0;
    for (int first = 0; first < count; first += 32) {
      const int n = first + int(threadIdx.x % 32);
      const bool is_one = n < count && is_near(places[n]);
      const unsigned bits = __ballot_sync(0xffffffffu, is_one);
      const int to = found + bits_before_lane(bits);
      if (is_one && to < room) noted[to] = places[n];
      found += __popc(bits);
    }
    return found;
  }

  __device__ LocalArc arc(std::uint32_t n) const { return surface_.parts.arcs[n].local(origin_A_); }
  __device__ bool is_arc_near(std::uint32_t n) const {
    return arc_distance2(arc(n), middle_A_) < reach_A_ * reach_A_;
  }
  __device__ bool is_ball_near(std::uint32_t n) const {
    if (surface_.parts.caps_of[n].count < 0) return false;
    const Ball ball = surface_.parts.balls.at(n);
    const Vec3<float> away = middle_A_ - as_fp32(ball.centre_A - origin_A_);
    return std::fabs(std::sqrt(dot(away, away)) - float(ball.radius_A)) <= reach_A_;
  }

  /// Calls work(place) for the parts that are near, each by one lane.
  template <typename IsNear, typename Work>
  __device__ static void over_noted(const std::uint32_t* noted, int found, int room,
                                    const std::uint32_t* places, int count, const IsNear& is_near,
                                    const Work& work) {
    const int lane = int(threadIdx.x % 32);
    if (found <= room) {
      for (int n = lane; n < found; n += 32) work(noted[n]);
    } else {
      for (int n = lane; n < count; n += 32)
        if (is_near(places[n])) work(places[n]);
    }
  }

  /// To where probes can be, from a position on the segment; negative where no ball is.
  __device__ float distance_A(const Vec3<float>& at_A, bool is_in_union) const {
    float nearest2 = no_distance, outside = -no_distance;
    over_noted(
        room_.arcs, arcs_, arcs_of_segment, brick_arcs_, all_arcs_,
        [&](std::uint32_t n) { return is_arc_near(n); },
        [&](std::uint32_t n) { nearest2 = fminf(nearest2, arc_distance2(arc(n), at_A)); });
    float inside = std::sqrt(least_of_warp(nearest2));
    bool is_in_ball = false;
    over_noted(
        room_.balls, balls_, balls_of_segment, brick_balls_, all_balls_,
        [&](std::uint32_t n) { return is_ball_near(n); },
        [&](std::uint32_t n) {
          const Ball ball = surface_.parts.balls.at(n);
          const Vec3<float> away = at_A - as_fp32(ball.centre_A - origin_A_);
          const float radius = float(ball.radius_A), depth = radius - std::sqrt(dot(away, away));
          if (depth < 0.0f) {
            outside = fmaxf(outside, depth);
            return;
          }
          is_in_ball = true;
          if (depth >= inside) return;
          const CapRange caps = surface_.parts.caps_of[n];
          if (is_open(away, radius - depth, surface_.parts.caps + caps.first, caps.count)) inside = depth;
        });
    inside = least_of_warp(inside);
    outside = most_of_warp(outside);
    is_in_union = is_in_union || __any_sync(0xffffffffu, is_in_ball);
    return !is_in_union && outside > -no_distance ? outside : inside;
  }

  const SurfaceView& surface_;
  const Vec3<double>& origin_A_;
  Vec3<float> start_A_, along_, middle_A_;
  float length_A_, reach_A_;
  SegmentParts& room_;
  const std::uint32_t *brick_arcs_, *brick_balls_;
  int all_arcs_, all_balls_, arcs_ = 0, balls_ = 0;
};

}  // namespace ionwell::gpu
