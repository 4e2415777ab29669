// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/sharp_faces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu/electrostatics/poisson_boltzmann/model/cut_segments.cuh"

namespace ionwell::gpu {
namespace {

/// What faces are set to, and where.
struct FaceValues {
  float inside, outside;
  bool closes_inside;
  FaceArrays to;

  __device__ float* faces(int axis) const { return axis == 0 ? to.eps_x : (axis == 1 ? to.eps_y : to.eps_z); }
};

/// What the distances of both ends say of a segment.
enum class Side { outside, inside, changes, perhaps_between };

/// With `from` and `to` less the probe.
__device__ Side side_of_segment(float from, float to, float length) {
  const bool is_from_inside = from > 0.0f;
  if (is_from_inside != (to > 0.0f)) return Side::changes;
  if (std::fabs(from) + std::fabs(to) < length) return Side::perhaps_between;
  return is_from_inside ? Side::inside : Side::outside;
}

/// The segments of a brick that may be cut, in lists by the cube in which they begin: of each cube those with
/// ends on different sides from the front, others from the back. Warps take them in rounds.
template <typename Shape>
struct CutLists {
  static constexpr int cube_edge = Shape::edge / 2, points = cube_edge * cube_edge * cube_edge,
                       room = 3 * points;
  std::uint8_t segments[brick_cubes][room];  // 3 * point + axis
  int from_front[brick_cubes], from_back[brick_cubes];
  int rounds_taken;

  __device__ void clear() {
    for (int cube = 0; cube < brick_cubes; ++cube) from_front[cube] = from_back[cube] = 0;
    rounds_taken = 0;
  }
  __device__ void add(int cube, int point, int axis, bool is_front) {
    const int at = is_front ? atomicAdd(&from_front[cube], 1) : room - 1 - atomicAdd(&from_back[cube], 1);
    segments[cube][at] = std::uint8_t(3 * point + axis);
  }
  __device__ int count(int cube) const { return from_front[cube] + from_back[cube]; }
  __device__ int segment(int cube, int at) const {
    return segments[cube][at < from_front[cube] ? at : room - 1 - (at - from_front[cube])];
  }
  /// For all lanes of a warp: the cube of the next round, and the first of its segments; false after the
  /// last.
  __device__ bool take_round(int& cube, int& first) {
    int round = threadIdx.x % 32 == 0 ? atomicAdd(&rounds_taken, 1) : 0;
    round = __shfl_sync(0xffffffffu, round, 0);
    for (cube = 0; cube < brick_cubes; ++cube) {
      const int rounds = (count(cube) + 31) / 32;
      if (round < rounds) break;
      round -= rounds;
    }
    first = 32 * round;
    return cube < brick_cubes;
  }
};

/// A point of a brick, and its sample.
template <typename Shape>
struct BrickPoint {
  int a, b, c;

  __device__ BrickPoint(int cube, int point) {
    constexpr int edge = CutLists<Shape>::cube_edge;
    a = (cube & 1 ? edge : 0) + point % edge;
    b = (cube & 2 ? edge : 0) + point / edge % edge;
    c = (cube & 4 ? edge : 0) + point / (edge * edge);
  }
  __device__ int sample() const { return a + Shape::samples_edge * (b + Shape::samples_edge * c); }
  __device__ static int next_sample(int sample, int axis) {
    constexpr int across = Shape::samples_edge;
    return sample + (axis == 0 ? 1 : (axis == 1 ? across : across * across));
  }
};

__device__ float along_axis(const Vec3<float>& v, int axis) {
  return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

template <typename Shape>
__global__ void __launch_bounds__(Shape::threads)
    faces_by_shares_kernel(BricksView bricks, SurfaceView surface, FaceValues faces) {
  __shared__ float values[Shape::samples];
  __shared__ StagedRoom<Shape> staged;
  __shared__ NotedParts<Shape> noted_of_warps[Shape::warps];
  __shared__ CutLists<Shape> cut;
  const std::int64_t brick = blockIdx.x;
  const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
  const BrickPlace place = bricks.at(brick);
  NotedParts<Shape>& noted = noted_of_warps[warp];
  if (threadIdx.x == 0) cut.clear();
  const BrickParts<Shape> parts(surface, brick, bricks.origin_of(place), staged);
  const Vec3<float> h = as_fp32(bricks.spacing_A);
  fill_distances<Shape>(parts, surface, h, {0.0f, 0.0f, 0.0f}, noted, values);
  using Point = BrickPoint<Shape>;
  for (int cube = warp; cube < brick_cubes; cube += Shape::warps)
    for (int n = lane; n < CutLists<Shape>::points; n += 32) {
      const Point point(cube, n);
      const int i = place.first[0] + point.a, j = place.first[1] + point.b, k = place.first[2] + point.c;
      if (!place.has(i, j, k)) continue;
      const std::int64_t p = bricks.index(i, j, k);
      const float here = values[point.sample()];
      for (int axis = 0; axis < 3; ++axis) {
        const bool is_last =
            axis == 0 ? i + 1 >= bricks.nx : (axis == 1 ? j + 1 >= bricks.ny : k + 1 >= bricks.nz);
        const float next = values[Point::next_sample(point.sample(), axis)];
        const Side side =
            is_last ? Side::outside
                    : side_of_segment(here - surface.probe_A, next - surface.probe_A, along_axis(h, axis));
        if (side == Side::inside || side == Side::outside)
          faces.faces(axis)[p] = side == Side::inside ? faces.inside : faces.outside;
        else
          cut.add(cube, n, axis, side == Side::changes);
      }
      if (faces.closes_inside && here > surface.probe_A) faces.to.accessibility[p] = 0.0f;
    }
  __syncthreads();
  int cube, first;
  while (cut.take_round(cube, first)) {
    const int count = cut.count(cube), number = cut.segment(cube, min(first + lane, count - 1)),
              axis = number % 3;
    const Point point(cube, number / 3);
    const CutSegment segment{{h.x * float(point.a), h.y * float(point.b), h.z * float(point.c)},
                             axis,
                             along_axis(h, axis),
                             values[point.sample()],
                             values[Point::next_sample(point.sample(), axis)]};
    const float share = CutSegments<Shape>(parts, surface.probe_A, segment, noted).inside_share();
    if (first + lane < count)
      faces.faces(
          axis)[bricks.index(place.first[0] + point.a, place.first[1] + point.b, place.first[2] + point.c)] =
          series_dielectric(share, faces.inside, faces.outside);
  }
}

}  // namespace

void SharpFaces::set(const BricksView& bricks, const PartsView& parts, const DielectricOptions& options,
                     double probe_A, double depth_A, bool closes_inside, const FaceArrays& to,
                     cudaStream_t stream) {
  SurfaceView surface{parts, {}, {}, float(probe_A), float(depth_A)};
  surface.balls = balls_.balls(bricks, parts.balls, std::max(depth_A - probe_A, 0.0), stream);
  surface.arcs = arcs_.arcs(bricks, parts, probe_A + depth_A, stream);
  const FaceValues values{float(options.solute_dielectric), float(options.solvent_dielectric), closes_inside,
                          to};
  const auto launch = [&](auto shape) {
    using Shape = decltype(shape);
    faces_by_shares_kernel<Shape>
        <<<unsigned(bricks.count), Shape::threads, 0, stream>>>(bricks, surface, values);
  };
  if (bricks.edge == 8)
    launch(BrickShape<8>{});
  else
    launch(BrickShape<4>{});
  check_launch("the dielectric of faces");
}

}  // namespace ionwell::gpu
