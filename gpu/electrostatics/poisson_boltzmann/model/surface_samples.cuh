// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "electrostatics/poisson_boltzmann/model/accessible_terms.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/bricks.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/near_walk.cuh"

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

constexpr int brick_cubes = 8;  // halves along each axis: one after the other is a warp's

/// A brick, its samples (those of its points and the next ones), and what shared memory has room for.
template <int Edge>
struct BrickShape {
  static constexpr int edge = Edge, points = Edge * Edge * Edge, samples_edge = Edge + 1;
  static constexpr int samples = samples_edge * samples_edge * samples_edge;
  static constexpr int warps = Edge == 8 ? 4 : 8, threads = 32 * warps;           // of a block
  static constexpr int low_half = Edge / 2, high_half = samples_edge - low_half;  // samples along an edge
  // Coarse bricks have more parts near them.
  static constexpr int staged_arcs = Edge == 8 ? 128 : 384, staged_balls = Edge == 8 ? 64 : 192;
  static constexpr int noted_arcs = staged_arcs / 2, noted_balls = staged_balls / 2;
};

/// A ball as seen from a brick's first point, and the caps on it.
struct LocalBall {
  Vec3<float> centre_A;
  float radius_A;
  CapRange caps;

  __device__ bool is_on_surface() const { return caps.count >= 0; }
};

/// So aligned, one is read in few instructions.
struct alignas(16) StagedArc {
  LocalArc arc;
};

template <typename Shape>
struct StagedParts {
  StagedArc arcs[Shape::staged_arcs];
  LocalBall balls[Shape::staged_balls];
};

/// Shared memory for the parts near a brick, which has no values at first.
template <typename Shape>
struct StagedRoom {
  alignas(StagedParts<Shape>) unsigned char bytes[sizeof(StagedParts<Shape>)];
};

/// The parts near a brick, as seen from its first point; those beyond what is staged are read from where they
/// lie each time.
template <typename Shape>
class BrickParts {
 public:
  /// For all threads of a block.
  __device__ BrickParts(const SurfaceView& surface, std::int64_t brick, const Vec3<double>& origin_A,
                        StagedRoom<Shape>& room)
      : surface_(surface),
        origin_A_(origin_A),
        staged_(*reinterpret_cast<StagedParts<Shape>*>(room.bytes)),
        ball_places_(surface.balls.places + surface.balls.ranges[brick].begin),
        arc_places_(surface.arcs.places + surface.arcs.ranges[brick].begin),
        balls_(surface.balls.ranges[brick].count()),
        arcs_(surface.arcs.ranges[brick].count()) {
    for (int n = int(threadIdx.x); n < min(balls_, Shape::staged_balls); n += Shape::threads)
      staged_.balls[n] = local_ball(n);
    for (int n = int(threadIdx.x); n < min(arcs_, Shape::staged_arcs); n += Shape::threads)
      staged_.arcs[n] = {local_arc(n)};
    __syncthreads();
  }

  __device__ int balls() const { return balls_; }
  __device__ int arcs() const { return arcs_; }
  __device__ LocalBall ball(int n) const {
    return n < Shape::staged_balls ? staged_.balls[n] : local_ball(n);
  }
  __device__ LocalArc arc(int n) const { return n < Shape::staged_arcs ? staged_.arcs[n].arc : local_arc(n); }

  /// Whether a direction from a ball's centre leads to where no cap is.
  __device__ bool is_open(const LocalBall& ball, const Vec3<float>& direction, float length) const {
    return ionwell::is_open(direction, length, surface_.parts.caps + ball.caps.first, ball.caps.count);
  }

 private:
  __device__ LocalBall local_ball(int n) const {
    const std::uint32_t place = ball_places_[n];
    const Ball ball = surface_.parts.balls.at(place);
    return {as_fp32(ball.centre_A - origin_A_), float(ball.radius_A), surface_.parts.caps_of[place]};
  }
  __device__ LocalArc local_arc(int n) const { return surface_.parts.arcs[arc_places_[n]].local(origin_A_); }

  const SurfaceView& surface_;
  const Vec3<double> origin_A_;
  StagedParts<Shape>& staged_;
  const std::uint32_t *ball_places_, *arc_places_;
  int balls_, arcs_;
};

struct LocalBox {
  Vec3<float> low_A, high_A;

  /// The least squared distance of a position.
  __device__ float distance2(const Vec3<float>& at_A) const {
    const auto beyond = [](float low, float high, float x) { return fmaxf(fmaxf(low - x, x - high), 0.0f); };
    const Vec3<float> away{beyond(low_A.x, high_A.x, at_A.x), beyond(low_A.y, high_A.y, at_A.y),
                           beyond(low_A.z, high_A.z, at_A.z)};
    return dot(away, away);
  }
};

/// Shared memory of a warp: numbers among a brick's parts.
template <typename Shape>
struct NotedParts {
  std::uint16_t arcs[Shape::noted_arcs], balls[Shape::noted_balls];
};

/// The parts of a brick that are near a box; all of them where there are more than can be noted.
template <typename Shape>
class PartsNearBox {
 public:
  /// Arcs within `arcs_A` of the box, and balls within `balls_A`. For all lanes of a warp.
  __device__ PartsNearBox(const BrickParts<Shape>& parts, const LocalBox& box, float arcs_A, float balls_A,
                          NotedParts<Shape>& noted)
      : parts_(parts), noted_(noted) {
    __syncwarp();
    arcs_ = note<Shape::noted_arcs>(parts.arcs(), noted.arcs, [&](int n) {
      const LocalArc arc = parts.arc(n);
      // A ball around the arc.
      const float cosine = fmaxf(arc.cos_half, 0.0f), sine2 = fmaxf(1.0f - cosine * cosine, 0.0f);
      const float within_A = arcs_A + rounding_A + arc.radius_A * close_root(sine2);
      return box.distance2(arc.centre_A + (arc.radius_A * cosine) * arc.middle) <= within_A * within_A;
    });
    balls_ = note<Shape::noted_balls>(parts.balls(), noted.balls, [&](int n) {
      const LocalBall ball = parts.ball(n);
      const float within_A = balls_A + rounding_A + ball.radius_A;
      return box.distance2(ball.centre_A) <= within_A * within_A;
    });
    __syncwarp();
  }

  template <typename Work>
  __device__ void over_arcs(const Work& work) const {
    const int count = arcs_ < 0 ? parts_.arcs() : arcs_;
    for (int n = 0; n < count; ++n) work(parts_.arc(arcs_ < 0 ? n : int(noted_.arcs[n])));
  }
  template <typename Work>
  __device__ void over_balls(const Work& work) const {
    const int count = balls_ < 0 ? parts_.balls() : balls_;
    for (int n = 0; n < count; ++n) work(parts_.ball(balls_ < 0 ? n : int(noted_.balls[n])));
  }

 private:
  static constexpr float rounding_A = 0.01f;

  /// Returns how many of `count` parts are near, or -1.
  template <int room, typename IsNear>
  __device__ static int note(int count, std::uint16_t* noted, const IsNear& is_near) {
    int found = 0;
    for (int first = 0; first < count; first += 32) {
      const int n = first + int(threadIdx.x % 32);
      const bool is_one = n < count && is_near(n);
      const unsigned bits = __ballot_sync(0xffffffffu, is_one);
      const int to = found + bits_before_lane(bits);
      if (is_one && to < room) noted[to] = std::uint16_t(n);
      found += __popc(bits);
    }
    return found <= room ? found : -1;
  }

  const BrickParts<Shape>& parts_;
  const NotedParts<Shape>& noted_;
  int arcs_, balls_;
};

/// The samples along an axis of one of the two halves of a brick.
template <typename Shape>
struct SampleHalf {
  int first, count;

  __device__ explicit SampleHalf(bool is_high)
      : first(is_high ? Shape::low_half : 0), count(is_high ? Shape::high_half : Shape::low_half) {}

  /// A number's quotient by the count.
  __device__ int over_count(int n) const {
    return count == Shape::low_half ? n / Shape::low_half : n / Shape::high_half;
  }
};

/// Of the samples of one cube, by a warp: see fill_distances.
template <typename Shape>
__device__ void fill_cube(const BrickParts<Shape>& parts, const SurfaceView& surface, const Vec3<float>& h,
                          const Vec3<float>& shift, int cube, NotedParts<Shape>& noted, float* values) {
  const float reach = surface.reach_A(), outer = surface.depth_A - surface.probe_A;
  constexpr int edge = Shape::samples_edge,
                slots = (Shape::high_half * Shape::high_half * Shape::high_half + 31) / 32;
  const SampleHalf<Shape> x(cube & 1), y(cube & 2), z(cube & 4);
  const Vec3<float> first_A{h.x * (float(x.first) + shift.x), h.y * (float(y.first) + shift.y),
                            h.z * (float(z.first) + shift.z)};
  const LocalBox box{first_A, first_A + Vec3<float>{h.x * float(x.count - 1), h.y * float(y.count - 1),
                                                    h.z * float(z.count - 1)}};
  const PartsNearBox<Shape> near(parts, box, reach, fmaxf(outer, 0.0f), noted);
  Vec3<float> at_A[slots];
  float nearest[slots], outside[slots];
  bool is_inside[slots], has_inside = false;
  int sample[slots];
#pragma unroll
  for (int s = 0; s < slots; ++s) {
    const int n = int(threadIdx.x % 32) + 32 * s, row = x.over_count(n), plane = y.over_count(row);
    const int i = x.first + n - row * x.count, j = y.first + row - plane * y.count, k = z.first + plane;
    at_A[s] = {h.x * (float(i) + shift.x), h.y * (float(j) + shift.y), h.z * (float(k) + shift.z)};
    sample[s] = plane < z.count ? i + edge * (j + edge * k) : -1;
    nearest[s] = no_distance;
    outside[s] = -no_distance;
    is_inside[s] = false;
  }
  near.over_balls([&](const LocalBall& ball) {
#pragma unroll
    for (int s = 0; s < slots; ++s) {
      const Vec3<float> away = at_A[s] - ball.centre_A;
      const float r2 = dot(away, away);
      is_inside[s] |= r2 < ball.radius_A * ball.radius_A;
      if (outer > 0.0f && ball.is_on_surface()) {
        const float to = ball.radius_A - close_root(r2);
        if (to < 0.0f && -to < outer) outside[s] = fmaxf(outside[s], to);
      }
    }
  });
#pragma unroll
  for (int s = 0; s < slots; ++s) has_inside |= is_inside[s];
  if (__any_sync(0xffffffffu, has_inside)) {
    // Arcs first: fewer directions are asked for then.
    near.over_arcs([&](const LocalArc& arc) {
#pragma unroll
      for (int s = 0; s < slots; ++s) nearest[s] = fminf(nearest[s], arc_distance2(arc, at_A[s]));
    });
#pragma unroll
    for (int s = 0; s < slots; ++s) {
      nearest[s] = close_root(nearest[s]);
      if (!(nearest[s] < reach)) nearest[s] = no_distance;
    }
    near.over_balls([&](const LocalBall& ball) {
      if (!ball.is_on_surface()) return;
#pragma unroll
      for (int s = 0; s < slots; ++s) {
        const Vec3<float> away = at_A[s] - ball.centre_A;
        const float r = close_root(dot(away, away)), to = ball.radius_A - r;
        if (is_inside[s] && to >= 0.0f && to <= reach && to < nearest[s] && parts.is_open(ball, away, r))
          nearest[s] = to;
      }
    });
  }
#pragma unroll
  for (int s = 0; s < slots; ++s)
    if (sample[s] >= 0) values[sample[s]] = is_inside[s] ? nearest[s] : outside[s];
}

/// Sets values[n] to the signed distance at sample n (its index in samples_edge by axis): to where probes can
/// be, up to reach_A() and infinite beyond; where no ball is it is negative, -infinite farther than depth_A
/// less the probe. `shift`: of the samples, in spacings. `noted`: of the warp. All threads of a block have
/// the values after it.
template <typename Shape>
__device__ void fill_distances(const BrickParts<Shape>& parts, const SurfaceView& surface,
                               const Vec3<float>& h, const Vec3<float>& shift, NotedParts<Shape>& noted,
                               float* values) {
  for (int cube = int(threadIdx.x / 32); cube < brick_cubes; cube += Shape::warps)
    fill_cube<Shape>(parts, surface, h, shift, cube, noted, values);
  __syncthreads();
}

}  // namespace ionwell::gpu
