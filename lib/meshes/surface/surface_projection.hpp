// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/cell_list.hpp"
#include "electrostatics/poisson_boltzmann/model/accessible_surface.hpp"
#include "meshes/surface/molecular_surface.hpp"

namespace ionwell {

/// A place on a surface.
struct SurfacePlace {
  Vec3<double> position_A;
  Vec3<double> normal;  // unit, outwards; 0 where it is not known
};

/// Moves points near a surface onto it: along the line to the nearest place of a probe's centre, or of the
/// union of balls, which is exact; for SurfaceKind::gaussian by two of Newton's steps.
class SurfaceProjection {
 public:
  /// For points at most `farthest_A` from the surface. `accessible` is where a probe's centre can be (of vdw
  /// and sas the surface itself), not copied, and empty for SurfaceKind::gaussian.
  SurfaceProjection(std::span<const Atom> atoms, const SurfaceOptions& options,
                    const AccessibleSurface& accessible, double farthest_A);

  /// The point itself when the surface is farther away. Normals are those of ses and gaussian: the others
  /// have creases. Safe to use from several threads.
  SurfacePlace operator()(const Vec3<double>& point_A) const;

 private:
  SurfacePlace onto_balls(const Vec3<double>& point_A) const;
  SurfacePlace onto_gaussians(const Vec3<double>& point_A) const;

  SurfaceKind kind_;
  double probe_A_, farthest_A_;
  std::vector<Ball> balls_;
  double largest_ball_A_, largest_arc_A_ = 0.0;
  CellList list_;
  const AccessibleSurface& surface_;
  CellList patch_list_, arc_list_;
};

}  // namespace ionwell
