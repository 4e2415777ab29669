// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/sharp_faces.hpp"

#include <cstddef>
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

/// Whether the distances of both ends leave one choice for a segment: 1 inside, 0 outside, -1 cut, perhaps.
__device__ int side_of_segment(float from_A, float to_A, float probe, float length) {
  const float a = from_A - probe, b = to_A - probe, sum = a + b;
  if (a > 0.0f && b > 0.0f && sum >= length) return 1;
  return a <= 0.0f && b <= 0.0f && sum <= -length ? 0 : -1;
}

template <typename Shape>
__global__ void __launch_bounds__(Shape::threads)
    faces_by_shares_kernel(BricksView bricks, SurfaceView surface, FaceValues faces) {
  __shared__ float values[Shape::samples];
  constexpr std::size_t for_segments = Shape::warps * sizeof(SegmentParts);
  constexpr std::size_t for_both = sizeof(StagedParts) > for_segments ? sizeof(StagedParts) : for_segments;
  __shared__ __align__(16) unsigned char room[for_both];  // of one after the other
  __shared__ std::uint16_t cut[3 * Shape::points];
  __shared__ int cut_count;
  const std::int64_t brick = blockIdx.x;
  if (threadIdx.x == 0) cut_count = 0;
  fill_distances<Shape>(bricks, brick, surface, {0.0f, 0.0f, 0.0f}, *reinterpret_cast<StagedParts*>(room),
                        values);
  const BrickPlace place = bricks.at(brick);
  const Vec3<float> h = as_fp32(bricks.spacing_A);
  constexpr int edge = Shape::edge, across = Shape::samples_edge;
  for (int n = int(threadIdx.x); n < Shape::points; n += Shape::threads) {
    const int a = n % edge, b = n / edge % edge, c = n / (edge * edge);
    const int i = place.first[0] + a, j = place.first[1] + b, k = place.first[2] + c;
    if (!place.has(i, j, k)) continue;
    const std::int64_t p = bricks.index(i, j, k);
    const int at = a + across * (b + across * c);
    for (int axis = 0; axis < 3; ++axis) {
      const int next = at + (axis == 0 ? 1 : (axis == 1 ? across : across * across));
      const bool is_last =
          axis == 0 ? i + 1 >= bricks.nx : (axis == 1 ? j + 1 >= bricks.ny : k + 1 >= bricks.nz);
      const float length = axis == 0 ? h.x : (axis == 1 ? h.y : h.z);
      const int side = is_last ? 0 : side_of_segment(values[at], values[next], surface.probe_A, length);
      if (side < 0)
        cut[atomicAdd(&cut_count, 1)] = std::uint16_t(3 * n + axis);
      else
        faces.faces(axis)[p] = side == 1 ? faces.inside : faces.outside;
    }
    if (faces.closes_inside && values[at] > surface.probe_A) faces.to.accessibility[p] = 0.0f;
  }
  __syncthreads();
  const Vec3<double> origin_A = bricks.origin_of(place);
  for (int n = int(threadIdx.x / 32); n < cut_count; n += Shape::warps) {
    const int axis = cut[n] % 3, point = cut[n] / 3;
    const int a = point % edge, b = point / edge % edge, c = point / (edge * edge);
    const int at = a + across * (b + across * c),
              next = at + (axis == 0 ? 1 : (axis == 1 ? across : across * across));
    const Vec3<float> start_A{h.x * float(a), h.y * float(b), h.z * float(c)};
    __syncwarp();
    const CutSegment segment(surface, brick, origin_A, start_A, axis,
                             axis == 0 ? h.x : (axis == 1 ? h.y : h.z),
                             reinterpret_cast<SegmentParts*>(room)[threadIdx.x / 32]);
    const float share = segment.inside_share(values[at], values[next]);
    if (threadIdx.x % 32 == 0)
      faces.faces(axis)[bricks.index(place.first[0] + a, place.first[1] + b, place.first[2] + c)] =
          series_dielectric(share, faces.inside, faces.outside);
  }
}

}  // namespace

void SharpFaces::set(const BricksView& bricks, const PartsView& parts, const DielectricOptions& options,
                     double probe_A, double depth_A, bool closes_inside, const FaceArrays& to,
                     cudaStream_t stream) {
  SurfaceView surface{parts, {}, {}, float(probe_A), float(depth_A)};
  const double reach_A = probe_A + depth_A;
  surface.balls = balls_.balls(bricks, parts.balls, reach_A, stream);
  surface.arcs = arcs_.arcs(bricks, parts, reach_A, stream);
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
