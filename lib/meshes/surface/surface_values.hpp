// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "electrostatics/poisson_boltzmann/model/solvent_excluded.hpp"
#include "meshes/surface/marching_tetrahedra.hpp"
#include "meshes/surface/molecular_surface.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

/// The signed distance [A] to a surface, positive inside, at the points of a lattice and between them. Exact
/// within a spacing of the surface, farther away of the right sign only; for SurfaceKind::gaussian what is
/// zero with it and nearly as even.
struct SurfaceValues {
  BodyCentredValues distances_A;
  std::unique_ptr<const SolventExcluded> surface;  // null for SurfaceKind::gaussian
};
SurfaceValues surface_values(std::span<const Atom> atoms, const SurfaceOptions& options,
                             const LatticeGeometry& lattice, const Progress& progress);

}  // namespace ionwell
