// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/side_faces.hpp"

#include <algorithm>

#include "gpu/electrostatics/poisson_boltzmann/model/surface_samples.cuh"

namespace ionwell::gpu {
namespace {

/// A brick and a layer of points around it.
template <int Edge>
struct WiderShape : BrickShape<Edge> {
  static constexpr int samples_edge = Edge + 2, samples = samples_edge * samples_edge * samples_edge;
  static constexpr int low_half = Edge / 2 + 1, high_half = low_half;
};

struct SideValues {
  float inside, outside;
  bool averages, closes_inside;
  FaceArrays to;

  __device__ float* faces(int axis) const { return axis == 0 ? to.eps_x : (axis == 1 ? to.eps_y : to.eps_z); }
};

/// For each axis, on which side the middles of the faces are of a brick's points and of the layer around it.
template <typename Shape>
struct BrickSides {
  bool is_inside[3][Shape::samples];
};

/// A point of the lattice, and the index of its sample.
struct SidePoint {
  int at[3], sample;
};

/// The harmonic mean of a face and the eight of the other directions that are half a cell away; of those that
/// the lattice has. In the order of lib's sums.
template <typename Shape>
__device__ float averaged_face(const BrickSides<Shape>& sides, const SidePoint& p, int axis,
                               const int* counts, const SideValues& values) {
  constexpr int across = Shape::samples_edge;
  const int away[3] = {1, across, across * across};
  const float over_inside = 1.0f / values.inside, over_outside = 1.0f / values.outside;
  const auto over = [&](int of, int sample) {
    return sides.is_inside[of][sample] ? over_inside : over_outside;
  };
  float sum = over(axis, p.sample);
  int count = 1;
  for (int other = 0; other < 3; ++other) {
    if (other == axis) continue;
    const bool has_low = p.at[other] > 0, has_high = p.at[other] + 1 < counts[other];
    const int here = p.sample, next = p.sample + away[axis];
    const float a = has_high ? over(other, here) : 0.0f, b = has_low ? over(other, here - away[other]) : 0.0f,
                c = has_high ? over(other, next) : 0.0f, d = has_low ? over(other, next - away[other]) : 0.0f;
    sum = (((sum + a) + b) + c) + d;
    count += 2 * (int(has_low) + int(has_high));
  }
  return float(count) / sum;
}

template <typename Shape>
__global__ void __launch_bounds__(Shape::threads)
    faces_by_sides_kernel(BricksView bricks, SurfaceView surface, SideValues faces) {
  __shared__ float values[Shape::samples];
  __shared__ StagedRoom<Shape> staged;
  __shared__ NotedParts<Shape> noted_of_warps[Shape::warps];
  __shared__ BrickSides<Shape> sides;
  const BrickPlace place = bricks.at(blockIdx.x);
  const BrickParts<Shape> parts(surface, blockIdx.x, bricks.origin_of(place), staged);
  const Vec3<float> h = as_fp32(bricks.spacing_A);
  NotedParts<Shape>& noted = noted_of_warps[threadIdx.x / 32];
  constexpr int edge = Shape::edge, across = Shape::samples_edge;
  const int counts[3] = {bricks.nx, bricks.ny, bricks.nz};
  const auto over_points = [&](const auto& work) {
    for (int n = int(threadIdx.x); n < Shape::points; n += Shape::threads) {
      const int a = n % edge, b = n / edge % edge, c = n / (edge * edge);
      const SidePoint p{{place.first[0] + a, place.first[1] + b, place.first[2] + c},
                        (a + 1) + across * ((b + 1) + across * (c + 1))};
      if (place.has(p.at[0], p.at[1], p.at[2])) work(p, bricks.index(p.at[0], p.at[1], p.at[2]));
    }
  };
  // Samples begin one point before the brick.
  if (faces.closes_inside) {
    fill_distances<Shape>(parts, surface, h, {-1.0f, -1.0f, -1.0f}, noted, values);
    over_points([&](const SidePoint& p, std::int64_t at) {
      if (values[p.sample] > surface.probe_A) faces.to.accessibility[at] = 0.0f;
    });
    __syncthreads();
  }
  for (int axis = 0; axis < 3; ++axis) {
    fill_distances<Shape>(parts, surface, h,
                          {axis == 0 ? -0.5f : -1.0f, axis == 1 ? -0.5f : -1.0f, axis == 2 ? -0.5f : -1.0f},
                          noted, values);
    for (int n = int(threadIdx.x); n < Shape::samples; n += Shape::threads)
      sides.is_inside[axis][n] = values[n] > surface.probe_A;
    __syncthreads();
  }
  over_points([&](const SidePoint& p, std::int64_t at) {
    for (int axis = 0; axis < 3; ++axis) {
      const bool is_last = p.at[axis] + 1 >= counts[axis];
      float value = !is_last && sides.is_inside[axis][p.sample] ? faces.inside : faces.outside;
      if (faces.averages && !is_last) value = averaged_face(sides, p, axis, counts, faces);
      faces.faces(axis)[at] = value;
    }
  });
}

}  // namespace

void SideFaces::set(const BricksView& bricks, const PartsView& parts, const DielectricOptions& options,
                    double probe_A, bool closes_inside, const FaceArrays& to, cudaStream_t stream) {
  constexpr double side_depth_A = 0.01;  // more than decides on which side of the surface a place is
  constexpr double diagonal = 1.75;  // of a cube, in its edges, or more: lists end at a brick's own points
  SurfaceView surface{parts, {}, {}, float(probe_A), float(side_depth_A)};
  const double beyond_A = diagonal * std::max({bricks.spacing_A.x, bricks.spacing_A.y, bricks.spacing_A.z});
  surface.balls = balls_.balls(bricks, parts.balls, std::max(side_depth_A - probe_A, 0.0) + beyond_A, stream);
  surface.arcs = arcs_.arcs(bricks, parts, probe_A + side_depth_A + beyond_A, stream);
  const SideValues values{float(options.solute_dielectric), float(options.solvent_dielectric),
                          options.faces == FaceRule::averaged_midpoint, closes_inside, to};
  const auto launch = [&](auto shape) {
    using Shape = decltype(shape);
    faces_by_sides_kernel<Shape>
        <<<unsigned(bricks.count), Shape::threads, 0, stream>>>(bricks, surface, values);
  };
  if (bricks.edge == 8)
    launch(WiderShape<8>{});
  else
    launch(WiderShape<4>{});
  check_launch("the dielectric of faces");
}

}  // namespace ionwell::gpu
