// SPDX-License-Identifier: BSD-3-Clause
#include "meshes/surface/surface_measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/geometry/cross_product.hpp"
#include "electrostatics/poisson_boltzmann/model/accessible_surface.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// What a surface has more than a triangle below it, when its height is quadratic, and 0 at the corners.
/// `edges_A` go round the triangle, edge n from corner n; `heights_A` are those at their middles.
SurfaceMeasure above_triangle(const std::array<Vec3<double>, 3>& edges_A,
                              const std::array<double, 3>& heights_A) {
  const Vec3<double> across = cross(edges_A[0], edges_A[1]);
  const double twice_A2 = std::sqrt(dot(across, across));
  if (!(twice_A2 > 0.0)) return {0.0, 0.0};
  std::array<Vec3<double>, 3> gradients;  // of the barycentric coordinate of each corner
  for (std::size_t n = 0; n < 3; ++n)
    gradients[n] = 1.0 / (twice_A2 * twice_A2) * cross(across, edges_A[(n + 1) % 3]);
  // The height is the sum of 4 h_n a b, with the coordinates a, b of the ends of edge n: a third of the area
  // times the sum of h_n under it. Squared slopes are quadratic, and their mean is that of the edges'
  // middles.
  double mean_A = 0.0, laplacian_per_A = 0.0, mean_slope2 = 0.0;
  for (std::size_t n = 0; n < 3; ++n) {
    mean_A += heights_A[n] / 3.0;
    laplacian_per_A += 8.0 * heights_A[n] * dot(gradients[n], gradients[(n + 1) % 3]);
    // At the middle of edge n both its ends have 1/2, and the third corner 0.
    const std::size_t m = (n + 1) % 3, k = (n + 2) % 3;
    const Vec3<double> slope = 2.0 * heights_A[n] * (gradients[n] + gradients[m]) +
                               2.0 * (heights_A[m] + heights_A[k]) * gradients[k];
    mean_slope2 += dot(slope, slope) / 3.0;
  }
  // Half the squared slope over the triangle, and what lies between it and the triangles beside it, which are
  // tilted: height times slope along the edges. By Green's theorem both are this.
  const double area_A2 = 0.5 * twice_A2;
  return {area_A2 * (-0.5 * mean_slope2 - mean_A * laplacian_per_A), area_A2 * mean_A};
}

}  // namespace

SurfaceMeasure measure_of_triangles(const PointSet& surface) {
  SurfaceMeasure measure;
  if (surface.triangles.empty()) return measure;
  // Volumes of tetrahedra from a place near all triangles.
  const Vec3<double> origin_A = surface.positions_A[surface.triangles[0][0]];
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3<double>&p = surface.positions_A[a], &q = surface.positions_A[b], &r = surface.positions_A[c];
    const Vec3<double> across = cross(q - p, r - p);
    measure.area_A2 += 0.5 * std::sqrt(dot(across, across));
    measure.volume_A3 += dot(p - origin_A, across) / 6.0;
  }
  return measure;
}

SurfaceMeasure measure_of_smooth(const PointSet& surface, std::span<const Vec3<double>> normals) {
  SurfaceMeasure measure = measure_of_triangles(surface);
  for (const Triangle& t : surface.triangles) {
    std::array<Vec3<double>, 3> edges_A;
    std::array<double, 3> heights_A{};  // of a circle through both ends of an edge
    bool has_normals = true;
    for (std::size_t n = 0; n < 3; ++n) {
      const std::uint32_t from = t[n], to = t[(n + 1) % 3];
      edges_A[n] = surface.positions_A[to] - surface.positions_A[from];
      heights_A[n] = dot(normals[to] - normals[from], edges_A[n]) / 8.0;
      has_normals = has_normals && dot(normals[from], normals[from]) > 0.0;
    }
    if (!has_normals) continue;
    const SurfaceMeasure above = above_triangle(edges_A, heights_A);
    measure.area_A2 += above.area_A2;
    measure.volume_A3 += above.volume_A3;
  }
  return measure;
}

SurfaceMeasure measure_of_balls(const AccessibleSurface& surface, int threads) {
  if (surface.patches.empty()) return {};
  constexpr std::int64_t all_directions = 1'000'000, fewest = 100, most = 4000;
  const std::int64_t count = std::clamp(all_directions / std::ssize(surface.patches), fewest, most);
  std::vector<Vec3<double>> directions;  // a spiral with a golden angle from one to the next
  for (std::int64_t n = 0; n < count; ++n) {
    const double z = 1.0 - (2.0 * double(n) + 1.0) / double(count), r = std::sqrt(1.0 - z * z),
                 angle = std::numbers::pi * (3.0 - std::sqrt(5.0)) * double(n);
    directions.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  // A cone from the origin over each open part of a sphere, so that the volume is a sum over the surface.
  const Vec3<double> origin_A = surface.patches.front().centre_A;
  std::vector<SurfaceMeasure> of_patches(surface.patches.size());
  parallel_for({threads, 64}, std::ssize(surface.patches), [&](std::int64_t p) {
    const AccessiblePatch& patch = surface.patches[std::size_t(p)];
    const double area_A2 = 4.0 * std::numbers::pi * patch.radius_A * patch.radius_A / double(count);
    const Vec3<double> from_origin_A = patch.centre_A - origin_A;
    for (const Vec3<double>& direction : directions) {
      if (!is_open({float(direction.x), float(direction.y), float(direction.z)}, 1.0f,
                   surface.caps.data() + patch.first_cap, int(patch.last_cap - patch.first_cap)))
        continue;
      of_patches[std::size_t(p)].area_A2 += area_A2;
      of_patches[std::size_t(p)].volume_A3 +=
          area_A2 / 3.0 * (patch.radius_A + dot(from_origin_A, direction));
    }
  });
  SurfaceMeasure measure;
  for (const SurfaceMeasure& of_patch : of_patches) {
    measure.area_A2 += of_patch.area_A2;
    measure.volume_A3 += of_patch.volume_A3;
  }
  return measure;
}

}  // namespace ionwell
