// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "core/structure.hpp"
#include "electrostatics/poisson_boltzmann/model/points_around.hpp"
#include "electrostatics/poisson_boltzmann/model/solute_surface.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"

namespace ionwell {

class SolventExcluded;

/// How the dielectric of a face follows from a sharp surface.
enum class FaceRule {
  inside_share,       // both media in series, by their shares of the segment between the two points
  midpoint,           // that of the medium at the middle of the segment
  averaged_midpoint,  // the harmonic mean of nine such: this face's, and the eight nearest of other
                      // directions (Bruccoleri et al., J. Comput. Chem. 18:268, 1997)
};

struct DielectricOptions {
  SoluteSurface surface = SoluteSurface::solvent_excluded;
  FaceRule faces = FaceRule::inside_share;  // smooth surfaces have the value at the middle in any case
  double probe_A = 1.4;                     // radius of a solvent molecule: solvent_excluded
  double window_A = 0.3;                    // splines: half the width of the step
  double gaussian_variance = 0.93;          // gaussian: of an atom's radius
  double solute_dielectric = 4.0, solvent_dielectric = 78.54;
};

/// Throws UsageError for what is negative, not finite, or no dielectric.
void validate(const DielectricOptions& options);

/// The points whose faces an atom can give another dielectric.
PointBox dielectric_points(const DielectricOptions& options, const Atom& atom,
                           const LatticeGeometry& lattice);

/// All places that the faces of some points need.
Box box_of_faces(const DielectricOptions& options, const LatticeGeometry& lattice, const PointBox& range);

/// The surface that all of these lattices' faces have in common, so that it is made once for all of them;
/// null where they need no sharp one. Throws as set_dielectric does, and UsageError as validate.
std::shared_ptr<const SolventExcluded> common_surface(const DielectricOptions& options,
                                                      std::span<const Atom> atoms,
                                                      std::span<const LatticeGeometry> lattices, int threads);

/// A sharp surface that says on which side of it the points of some tiles of a range are
/// (Samples::fill_sides): the same for any division into tiles.
std::shared_ptr<const SolventExcluded> surface_at_points(const DielectricOptions& options,
                                                         std::span<const Atom> atoms,
                                                         const LatticeGeometry& lattice,
                                                         const PointBox& range,
                                                         std::span<const PointBox> tiles, int threads);

/// Sets eps_x, eps_y and eps_z of the points in `range` to the dielectric of the faces between them and the
/// next; of a slab those that it has, `range` being of the whole lattice, as in all of the lattice. Those
/// after the last points are the solvent's. `surface` is that of the atoms, where it is there already; the
/// faces are the same bits with it. The same for any number of threads, and, but for rounding, for any
/// division into ranges. O(atoms + points + parts of the surface there).
void set_dielectric(const DielectricOptions& options, std::span<const Atom> atoms, const PointBox& range,
                    int threads, PbSystem* system, const SolventExcluded* surface = nullptr);

/// The same for some of the tiles of the range (tiles_of), as far as `to` has their planes: the same bits.
void set_dielectric(const DielectricOptions& options, std::span<const Atom> atoms, const PointBox& range,
                    std::span<const PointBox> tiles, int threads, const PbCoefficients& to,
                    const SolventExcluded* surface = nullptr);

}  // namespace ionwell
