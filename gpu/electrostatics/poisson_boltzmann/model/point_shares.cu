// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/point_shares.hpp"

#include <cmath>

#include "electrostatics/poisson_boltzmann/model/accessible_terms.hpp"
#include "electrostatics/poisson_boltzmann/model/half_space_share.hpp"

namespace ionwell::gpu {
namespace {

constexpr int share_threads = 128;
constexpr int staged_balls = share_threads;

/// Calls work(n, p, position) for the points of a brick, relative to its first one, `shift` spacings away;
/// and before, for each of them, of_ball(slot, away, radius, number) for the balls near the brick. A thread
/// has up to `Slots` points.
template <int Slots, typename OfBall, typename Work>
__device__ void over_points_with_balls(const BricksView& bricks, const BallView& balls, const NearView& near,
                                       const Vec3<float>& shift, const OfBall& of_ball, const Work& work) {
  __shared__ float x[staged_balls], y[staged_balls], z[staged_balls], radius[staged_balls];
  __shared__ std::uint32_t number[staged_balls];
  const std::int64_t brick = blockIdx.x;
  const BrickPlace place = bricks.at(brick);
  const Vec3<double> origin_A = bricks.origin_of(place);
  const Vec3<float> h = as_fp32(bricks.spacing_A);
  const int edge = bricks.edge, points = edge * edge * edge, thread = int(threadIdx.x);
  Vec3<float> at_A[Slots];
#pragma unroll
  for (int s = 0; s < Slots; ++s) {
    const int n = thread + s * share_threads;
    at_A[s] = {h.x * (float(n % edge) + shift.x), h.y * (float(n / edge % edge) + shift.y),
               h.z * (float(n / (edge * edge)) + shift.z)};
  }
  const auto [first_ball, last_ball] = near.ranges[brick];
  for (std::uint32_t first = first_ball; first < last_ball; first += staged_balls) {
    const int here = min(int(last_ball - first), staged_balls);
    __syncthreads();
    if (thread < here) {
      const std::uint32_t n = near.places[first + std::uint32_t(thread)];
      const Ball ball = balls.at(n);
      const Vec3<float> centre = as_fp32(ball.centre_A - origin_A);
      x[thread] = centre.x;
      y[thread] = centre.y;
      z[thread] = centre.z;
      radius[thread] = float(ball.radius_A);
      number[thread] = balls.numbers[n];
    }
    __syncthreads();
    for (int b = 0; b < here; ++b) {
      const Vec3<float> centre{x[b], y[b], z[b]};
#pragma unroll
      for (int s = 0; s < Slots; ++s) of_ball(s, at_A[s] - centre, radius[b], number[b]);
    }
  }
#pragma unroll
  for (int s = 0; s < Slots; ++s) {
    const int n = thread + s * share_threads;
    const int i = place.first[0] + n % edge, j = place.first[1] + n / edge % edge,
              k = place.first[2] + n / (edge * edge);
    if (n < points && place.has(i, j, k)) work(s, i, j, k);
  }
}

/// The depth in the ball that holds a point deepest, and which one that is; of equal ones the first.
template <int Slots>
__global__ void __launch_bounds__(share_threads)
    open_shares_kernel(BricksView bricks, BallView balls, NearView near, float depth_limit_A,
                       float* accessibility) {
  float depth[Slots];
  Vec3<float> away[Slots];
  std::uint32_t deepest[Slots];
#pragma unroll
  for (int s = 0; s < Slots; ++s) {
    depth[s] = -INFINITY;
    deepest[s] = 0xffffffffu;
  }
  const Vec3<double> h = bricks.spacing_A;
  over_points_with_balls<Slots>(
      bricks, balls, near, {0.0f, 0.0f, 0.0f},
      [&](int s, const Vec3<float>& from, float radius, std::uint32_t number) {
        const float here = radius - std::sqrt(dot(from, from));
        if (here > depth[s] || (here == depth[s] && number < deepest[s])) {
          depth[s] = here;
          away[s] = from;
          deepest[s] = number;
        }
      },
      [&](int s, int i, int j, int k) {
        float share = depth[s] > 0.0f ? 0.0f : 1.0f;
        if (std::fabs(depth[s]) < depth_limit_A) {
          const Vec3<double> from{double(away[s].x), double(away[s].y), double(away[s].z)};
          const double r = std::sqrt(dot(from, from));
          const Vec3<double> normal = r > 0.0 ? 1.0 / r * from : Vec3<double>{1.0, 0.0, 0.0};
          const double inside =
              half_space_share(double(depth[s]), {normal.x * h.x, normal.y * h.y, normal.z * h.z});
          share = float(1.0 - inside);
        }
        accessibility[bricks.index(i, j, k)] = share;
      });
}

/// values = inside + (outside - inside) * the product of all balls' shares of solvent; `axis`: of the faces
/// whose middles are asked for, -1 for the points themselves. The lattice's last faces are outside.
template <int Slots>
__global__ void __launch_bounds__(share_threads)
    smooth_shares_kernel(BricksView bricks, BallView balls, NearView near, SurfaceStep step, int axis,
                         float inside, float outside, float* values) {
  float share[Slots];
#pragma unroll
  for (int s = 0; s < Slots; ++s) share[s] = 1.0f;
  const Vec3<float> shift{axis == 0 ? 0.5f : 0.0f, axis == 1 ? 0.5f : 0.0f, axis == 2 ? 0.5f : 0.0f};
  over_points_with_balls<Slots>(
      bricks, balls, near, shift,
      [&](int s, const Vec3<float>& from, float radius, std::uint32_t) {
        const float reach = step_reach_A(step, radius), d2 = dot(from, from);
        if (d2 < reach * reach && share[s] != 0.0f) share[s] *= solvent_share(step, std::sqrt(d2), radius);
      },
      [&](int s, int i, int j, int k) {
        const bool is_last =
            axis == 0 ? i + 1 >= bricks.nx : (axis == 1 ? j + 1 >= bricks.ny : k + 1 >= bricks.nz);
        values[bricks.index(i, j, k)] =
            axis >= 0 && is_last ? outside : inside + (outside - inside) * share[s];
      });
}

/// Calls launch(Slots) with the points that a thread has of a brick, as a constant.
template <typename Launch>
void with_slots(const BricksView& bricks, const Launch& launch) {
  if (bricks.edge == 8)
    launch(std::integral_constant<int, 8 * 8 * 8 / share_threads>{});
  else
    launch(std::integral_constant<int, 1>{});
}

}  // namespace

void PointShares::set_accessibility(const BricksView& bricks, const BallCells& balls,
                                    const AccessibilityOptions& options, const FaceArrays& to,
                                    cudaStream_t stream) {
  const BallView larger = balls.larger_by(options.ion_radius_A);
  if (is_spline(options)) {
    const SurfaceStep step = step_of(options);
    const NearView near = near_.balls(bricks, larger, double(step.window_A), stream);
    with_slots(bricks, [&](auto slots) {
      smooth_shares_kernel<slots><<<unsigned(bricks.count), share_threads, 0, stream>>>(
          bricks, larger, near, step, -1, 0.0f, 1.0f, to.accessibility);
    });
  } else {
    const double depth_A = share_depth_A(options, bricks.spacing_A);
    const NearView near = near_.balls(bricks, larger, depth_A, stream);
    with_slots(bricks, [&](auto slots) {
      open_shares_kernel<slots><<<unsigned(bricks.count), share_threads, 0, stream>>>(
          bricks, larger, near, float(depth_A), to.accessibility);
    });
  }
  check_launch("the accessibility of points");
}

void PointShares::set_smooth_faces(const BricksView& bricks, const BallCells& balls,
                                   const DielectricOptions& options, const FaceArrays& to,
                                   cudaStream_t stream) {
  const SurfaceStep step{options.surface, float(options.window_A), float(options.gaussian_variance)};
  const BallView as_they_are = balls.larger_by(0.0);
  const double largest_A = as_they_are.largest_A;
  const double beyond_A = double(step_reach_A(step, float(largest_A))) - largest_A;
  const NearView near = near_.balls(bricks, as_they_are, beyond_A, stream);
  const float inside = float(options.solute_dielectric), outside = float(options.solvent_dielectric);
  with_slots(bricks, [&](auto slots) {
    for (int axis = 0; axis < 3; ++axis)
      smooth_shares_kernel<slots><<<unsigned(bricks.count), share_threads, 0, stream>>>(
          bricks, as_they_are, near, step, axis, inside, outside,
          axis == 0 ? to.eps_x : (axis == 1 ? to.eps_y : to.eps_z));
  });
  check_launch("the dielectric of faces");
}

}  // namespace ionwell::gpu
