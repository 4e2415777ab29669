// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/poisson_boltzmann/model/segment_share.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/surface_samples.cuh"

/// The shares of segments that are inside of a surface, one for each lane of a warp: cut_share of
/// SolventExcluded::Samples (lib's), with the same steps along each segment.
namespace ionwell::gpu {

__device__ inline float least_of_warp(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value = fminf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}
__device__ inline float most_of_warp(float value) {
  return -least_of_warp(-value);
}

/// A lane's segment from a sample along an axis, and the distances of its ends to where probes can be. Those
/// that have none take another's.
struct CutSegment {
  Vec3<float> start_A;
  int axis;
  float length_A, from_A, to_A;
};

/// The segments of a warp's lanes, which lie near each other.
template <typename Shape>
class CutSegments {
 public:
  __device__ CutSegments(const BrickParts<Shape>& parts, float probe_A, const CutSegment& segment,
                         NotedParts<Shape>& noted)
      : parts_(parts),
        probe_A_(probe_A),
        segment_(segment),
        along_{segment.axis == 0 ? 1.0f : 0.0f, segment.axis == 1 ? 1.0f : 0.0f,
               segment.axis == 2 ? 1.0f : 0.0f},
        near_(parts, box_around(segment.start_A, segment.start_A + segment.length_A * along_),
              probe_A + beyond_probe * most_of_warp(segment.length_A),
              fmaxf(beyond_probe * most_of_warp(segment.length_A) - probe_A, 0.0f), noted) {}

  /// Of the lane's segment.
  __device__ float inside_share() const {
    const float length = segment_.length_A;
    const auto bounded = [](float value, float low, float high) { return fminf(fmaxf(value, low), high); };
    ShareSearch search(length, bounded(segment_.from_A - probe_A_, -length, length),
                       bounded(segment_.to_A - probe_A_, -length, length));
    while (__any_sync(0xffffffffu, !search.is_done())) {
      const float to = distance_A(segment_.start_A + search.position() * along_);
      if (!search.is_done())
        search.take(bounded(to - probe_A_, -beyond_probe * length, beyond_probe * length));
    }
    return search.share();
  }

 private:
  static constexpr float beyond_probe =
      0.25f;  // in lengths of a segment: so far on either side of the surface distances on it are exact

  __device__ static LocalBox box_around(const Vec3<float>& start_A, const Vec3<float>& end_A) {
    return {{least_of_warp(start_A.x), least_of_warp(start_A.y), least_of_warp(start_A.z)},
            {most_of_warp(end_A.x), most_of_warp(end_A.y), most_of_warp(end_A.z)}};
  }

  /// To where probes can be, from a position on the segment; negative where no ball is.
  __device__ float distance_A(const Vec3<float>& at_A) const {
    float nearest2 = no_distance, outside = -no_distance;
    near_.over_arcs([&](const LocalArc& arc) { nearest2 = fminf(nearest2, arc_distance2(arc, at_A)); });
    float inside = close_root(nearest2);
    bool is_in_union = false;
    near_.over_balls([&](const LocalBall& ball) {
      const Vec3<float> away = at_A - ball.centre_A;
      const float r = close_root(dot(away, away)), depth = ball.radius_A - r;
      is_in_union |= depth >= 0.0f;
      if (!ball.is_on_surface()) return;
      if (depth < 0.0f)
        outside = fmaxf(outside, depth);
      else if (depth < inside && parts_.is_open(ball, away, r))
        inside = depth;
    });
    return is_in_union ? inside : outside;
  }

  const BrickParts<Shape>& parts_;
  float probe_A_;
  CutSegment segment_;
  Vec3<float> along_;
  PartsNearBox<Shape> near_;
};

}  // namespace ionwell::gpu
