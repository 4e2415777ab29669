// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/structure.hpp"
#include "electrostatics/poisson_boltzmann/model/dielectric_faces.hpp"
#include "electrostatics/poisson_boltzmann/model/points_around.hpp"
#include "electrostatics/poisson_boltzmann/model/solute_surface.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"

namespace ionwell {

/// Where the centres of the solution's ions can be.
struct AccessibilityOptions {
  double ion_radius_A = 2.0;  // width of the layer around the solute's atoms that holds no ion's centre
  SoluteSurface surface = SoluteSurface::solvent_excluded;  // a smooth one is smooth here too
  double window_A = 0.3;                                    // splines: half the width of the step
  /// The share of the box around a point outside the solute that ions can enter; else 1 or 0, by the point
  /// itself.
  bool by_share = true;
};

/// The surface of atoms made larger by the ions' radius.
inline SurfaceStep step_of(const AccessibilityOptions& options) {
  // A Gaussian density says nothing of ions: they keep away as from a sharp surface.
  return {options.surface, float(options.window_A), 1.0f};
}

/// Whether accessibility goes from 0 to 1 by steps.
inline bool is_spline(const AccessibilityOptions& options) {
  return is_smooth(options.surface) && options.surface != SoluteSurface::gaussian;
}

/// Of the box of one spacing around a point [A].
inline double half_diagonal_A(const Vec3<double>& spacing_A) {
  return 0.5 * std::sqrt(dot(spacing_A, spacing_A));
}

/// How far [A] on either side of the surface of larger atoms a point gets a share instead of 1 or 0. Never as
/// far as the atoms themselves: a share of a point in the solute would respond to the potential there, which
/// no ion meets. As far on the outer side, so that both sides lose and gain the same volume.
inline double share_depth_A(const AccessibilityOptions& options, const Vec3<double>& spacing_A) {
  return options.by_share ? std::min(half_diagonal_A(spacing_A), options.ion_radius_A) : 0.0;
}

/// Whether ions are smaller than the probe: places where no probe fits may then be far enough from all atoms,
/// and they are inside the solute.
inline bool fit_where_no_probe_does(const AccessibilityOptions& options, const DielectricOptions& solute) {
  return solute.surface == SoluteSurface::solvent_excluded && options.ion_radius_A < solute.probe_A;
}

/// Throws UsageError for a radius that is negative or not finite.
void validate(const AccessibilityOptions& options);

/// The points whose accessibility an atom can change.
PointBox accessibility_points(const AccessibilityOptions& options, const DielectricOptions& solute,
                              const Atom& atom, const LatticeGeometry& lattice);

/// Sets `accessibility` of the points in `range`, of a slab as set_dielectric does: a point is open when it
/// is farther from every atom than its radius and the ions' together. For the share, the surface is taken as
/// its tangent plane. A point inside a sharp surface of the solute (an atom, or where no probe fits) is never
/// open in part: at large potentials its ions would respond to a potential that they do not meet. `surface`
/// is that of set_dielectric, where it is there already. O(points + atoms), and as set_dielectric where the
/// ions are smaller than the probe.
void set_accessibility(const AccessibilityOptions& options, const DielectricOptions& solute,
                       std::span<const Atom> atoms, const PointBox& range, int threads, PbSystem* system,
                       const SolventExcluded* surface = nullptr);

/// The same for some of the tiles of the range (tiles_of), as far as `to` has their planes: the same bits.
void set_accessibility(const AccessibilityOptions& options, const DielectricOptions& solute,
                       std::span<const Atom> atoms, const PointBox& range, std::span<const PointBox> tiles,
                       int threads, const PbCoefficients& to, const SolventExcluded* surface = nullptr);

}  // namespace ionwell
