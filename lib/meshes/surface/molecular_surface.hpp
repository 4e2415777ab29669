// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

#include "core/structure.hpp"
#include "meshes/point_set.hpp"
#include "meshes/surface/surface_measure.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

/// Surfaces of a solute whose atoms are balls.
enum class SurfaceKind {
  vdw,       // of the balls themselves
  sas,       // where the centre of a probe can be that touches them (Lee and Richards 1971)
  ses,       // solvent-excluded: of what no probe reaches (Richards 1977), re-entrant parts included
  gaussian,  // where Sum exp(-B (d^2/R^2 - 1)) over the atoms is 1, B = 2: smooth, without cusps
};

/// "vdw", "sas", "ses", "gaussian".
std::string_view to_string(SurfaceKind kind);

struct SurfaceOptions {
  SurfaceKind kind = SurfaceKind::ses;
  double probe_A = 1.4;                  // of sas and ses
  std::optional<double> edge_A;          // mean length of the triangles' edges; 0.5 A where neither is given
  std::optional<double> density_per_A2;  // or points on each square Angstrom
  int threads = 1;
};

/// Throws UsageError for options out of range, and for an edge and a density at once.
void validate(const SurfaceOptions& options);

/// The surface as triangles that close it: each edge belongs to two of them, anticlockwise as seen from
/// outside; cavities have surfaces of their own. By marching tetrahedra on a body-centred cubic lattice with
/// the exact distance to the surface, after which points are moved onto it. Triangles cut off what curves
/// between their corners: with an edge e the area of a ball of radius R is 0.4 (e/R)^2 too small (2.5 % at
/// 0.5 A and 2 A), its volume 0.8 (e/R)^2, the area of creases of vdw and sas more; and what is narrower than
/// two edges may be lost. Atoms without a radius have no surface.
/// Throws Error when no atom has one, and because of lack of memory: 14 bytes for each lattice point, whose
/// distance is 2.4 edges.
PointSet molecular_surface(std::span<const Atom> atoms, const SurfaceOptions& options,
                           const Progress& progress);

/// The same, and what the surface itself measures: of vdw and sas as the balls, of the others as a smooth
/// surface (surface_measure.hpp).
struct MeasuredSurface {
  PointSet points;
  SurfaceMeasure measure;
};
MeasuredSurface measured_surface(std::span<const Atom> atoms, const SurfaceOptions& options,
                                 const Progress& progress);

}  // namespace ionwell
