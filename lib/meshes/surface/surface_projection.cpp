// SPDX-License-Identifier: BSD-3-Clause
#include "meshes/surface/surface_projection.hpp"

#include <algorithm>
#include <cmath>

#include "meshes/surface/gaussian_density.hpp"

namespace ionwell {
namespace {

constexpr double projection_cell_A = 3.0;

std::vector<Vec3<double>> patch_centres(const AccessibleSurface& surface) {
  std::vector<Vec3<double>> centres_A;
  for (const AccessiblePatch& patch : surface.patches) centres_A.push_back(patch.centre_A);
  return centres_A;
}

std::vector<Vec3<double>> arc_centres(const AccessibleSurface& surface) {
  std::vector<Vec3<double>> centres_A;
  for (const AccessibleArc& arc : surface.arcs) centres_A.push_back(arc.around().centre_A);
  return centres_A;
}

Vec3<double> in_double(const Vec3<float>& v) {
  return {v.x, v.y, v.z};
}

/// The place of an arc that is nearest to a point.
Vec3<double> nearest_on(const AccessibleArc& arc, const Vec3<double>& point_A) {
  const Vec3<double> from = point_A - arc.centre_A, axis = in_double(arc.axis),
                     across = from - dot(from, axis) * axis;
  const double length_A = std::sqrt(dot(across, across));
  if (length_A > 0.0 && dot(across, in_double(arc.middle)) >= double(arc.cos_half) * length_A)
    return arc.centre_A + (double(arc.radius_A) / length_A) * across;
  const Vec3<double> first = arc.centre_A + in_double(arc.first_A),
                     last = arc.centre_A + in_double(arc.last_A);
  return distance_squared(first, point_A) <= distance_squared(last, point_A) ? first : last;
}

}  // namespace

SurfaceProjection::SurfaceProjection(std::span<const Atom> atoms, const SurfaceOptions& options,
                                     const AccessibleSurface& accessible, double farthest_A)
    : kind_(options.kind),
      probe_A_(options.kind == SurfaceKind::ses ? options.probe_A : 0.0),
      farthest_A_(farthest_A),
      balls_(balls_of(atoms, options.kind == SurfaceKind::sas ? options.probe_A : probe_A_)),
      largest_ball_A_(largest_radius_A(balls_)),
      list_(centres_of(balls_), projection_cell_A),
      surface_(accessible),
      patch_list_(patch_centres(surface_), projection_cell_A),
      arc_list_(arc_centres(surface_), projection_cell_A) {
  for (const AccessibleArc& arc : surface_.arcs)
    largest_arc_A_ = std::max(largest_arc_A_, arc.around().radius_A);
}

SurfacePlace SurfaceProjection::operator()(const Vec3<double>& point_A) const {
  const SurfacePlace moved = kind_ == SurfaceKind::gaussian ? onto_gaussians(point_A) : onto_balls(point_A);
  // false where there is no nearest place
  return distance_squared(moved.position_A, point_A) <= farthest_A_ * farthest_A_ ? moved
                                                                                  : SurfacePlace{point_A, {}};
}

SurfacePlace SurfaceProjection::onto_balls(const Vec3<double>& point_A) const {
  const double reach_A = probe_A_ + farthest_A_;
  double nearest_A = reach_A;
  Vec3<double> nearest = point_A;
  const Box here{point_A, point_A};
  patch_list_.near(here, largest_ball_A_ + reach_A, [&](std::uint32_t n) {
    const AccessiblePatch& patch = surface_.patches[n];
    const Vec3<double> away = point_A - patch.centre_A;
    const double r_A = std::sqrt(dot(away, away)), to_A = std::abs(patch.radius_A - r_A);
    if (!(to_A < nearest_A) || !(r_A > 0.0)) return;
    const Vec3<float> direction{float(away.x), float(away.y), float(away.z)};
    if (!is_open(direction, float(r_A), surface_.caps.data() + patch.first_cap,
                 int(patch.last_cap - patch.first_cap)))
      return;
    nearest_A = to_A;
    nearest = patch.centre_A + (patch.radius_A / r_A) * away;
  });
  arc_list_.near(here, largest_arc_A_ + nearest_A, [&](std::uint32_t n) {
    const Vec3<double> place_A = nearest_on(surface_.arcs[n], point_A);
    const double to_A = std::sqrt(distance_squared(place_A, point_A));
    if (!(to_A < nearest_A)) return;
    nearest_A = to_A;
    nearest = place_A;
  });
  if (probe_A_ == 0.0 || nearest_A == reach_A) return {nearest, {}};
  constexpr double no_direction_A = 1e-6;
  if (nearest_A < no_direction_A) return {point_A, {}};
  const Vec3<double> to_surface = 1.0 / nearest_A * (point_A - nearest);
  return {nearest + (probe_A_ / nearest_A) * (point_A - nearest), -1.0 * to_surface};
}

SurfacePlace SurfaceProjection::onto_gaussians(const Vec3<double>& point_A) const {
  Vec3<double> at_A = point_A, normal;
  for (int step = 0; step < 2; ++step) {
    double sum = 0.0;
    Vec3<double> slope;
    list_.near({at_A, at_A}, gaussian_reach * largest_ball_A_, [&](std::uint32_t n) {
      const Vec3<double> from = at_A - balls_[n].centre_A;
      const double inverse2 = 1.0 / (balls_[n].radius_A * balls_[n].radius_A),
                   term = std::exp(gaussian_blobbiness * (1.0 - dot(from, from) * inverse2));
      sum += term;
      slope = slope + (-2.0 * gaussian_blobbiness * inverse2 * term) * from;
    });
    if (!(sum > 0.0 && dot(slope, slope) > 0.0)) return {point_A, {}};
    // ln(sum) is zero on the surface.
    at_A = at_A - (std::log(sum) * sum / dot(slope, slope)) * slope;
    normal = -1.0 / std::sqrt(dot(slope, slope)) * slope;
  }
  return {at_A, normal};
}

}  // namespace ionwell
