// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/structure.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_shares.hpp"

namespace ionwell {

/// What the outermost points of the lattice hold.
enum class BoundaryKind {
  zero,
  single_debye_hueckel,    // one ball with the solute's charge, dipole and quadrupole
  multiple_debye_hueckel,  // each atom a ball of its own, with its charge
  focused,                 // the values of a solution on a larger lattice
};

/// Where and in what the solute lies. Of a slab these functions set the values of its own points, to the bits
/// that they have in the whole lattice.
struct BoundaryOptions {
  double solute_dielectric = 4.0, solvent_dielectric = 78.54;
  double most_terms = 2e7;  // of a sum over all charges at all points: a tenth of a second or so
  int threads = 1;
};

/// Inverse Debye length [1/A] of the system's ions in a solvent: kappa^2 = 4 pi l / eps sum c_i z_i^2.
double inverse_debye_length_per_A(const PbSystem& system, double solvent_dielectric);

/// Adds to the outermost points the potential of a ball with the charge, dipole and quadrupole of all atoms,
/// in the middle of the box around their centres and just large enough to hold them: the solution of the
/// linear equation outside of it (Kirkwood, J. Chem. Phys. 2:351, 1934). O(boundary points).
void add_single_debye_hueckel(std::span<const Atom> atoms, const BoundaryOptions& options, PbSystem* system);

/// Adds the sum over all atoms of l q exp(-kappa (r - a)) / (eps (1 + kappa a) r), a the atom's radius. Where
/// that is more than `most_terms`, distant charges are taken together, and sides that are far from all
/// charges have sums at fewer places than there are points, and cubic interpolation between: off by less than
/// 0.1 % of the nearest charge's part. O(charges * points), or O((charges + places) log charges).
void add_multiple_debye_hueckel(std::span<const Atom> atoms, const BoundaryOptions& options,
                                PbSystem* system);

/// Throws Error when a lattice does not reach around another one, whose boundary is to be focused from it.
void check_lies_around(const LatticeGeometry& coarse, const LatticeGeometry& lattice);

/// Sets them to the trilinear interpolation of a potential [kT/e] on another lattice, or on the slab of it
/// that has planes_to_focus_from. Throws Error when that one does not reach around this one.
void set_focused_boundary(const LatticeGeometry& coarse, std::span<const float> potential_kT_e, int threads,
                          PbSystem* system);

/// The planes of the larger lattice that the values of a slab come from.
PlaneSpan planes_to_focus_from(const LatticeGeometry& coarse, const LatticeGeometry& slab);

}  // namespace ionwell
