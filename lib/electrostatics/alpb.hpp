// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/structure.hpp"
#include "core/units.hpp"

namespace ionwell {

/// The analytic linearised Poisson-Boltzmann approximation (ALPB) of the potential outside a solute of one
/// dielectric in a solvent of another.
struct AlpbOptions {
  double solute_dielectric = 4.0;  // as of the own solver of the equation
  double solvent_dielectric = water_dielectric;
  double ionic_strength_M = 0.0;  // of a 1:1 salt
  double ion_radius_A = 2.0;      // no ion's centre is nearer to the solute: Stern's layer
  double temperature_K = room_temperature_K;
};

/// Throws UsageError for values out of range.
void validate(const AlpbOptions& options);

/// Gordon, Fenley and Onufriev, J. Chem. Phys. 129:075102 (2008). A charge q at distance d, where the solvent
/// begins p below the point and r = A + p, has outside of the solute the potential
///
///   q / (eps_out (1 + alpha beta)) [(1 + alpha)/d - alpha (1 - beta)/r],    beta = eps_in/eps_out.
///
/// That is Kirkwood's series for a sphere of radius A, with l/(l + 1) replaced by alpha in all terms but the
/// first: l = 0 (net charge) is exact, l = 1 (dipoles) 5 % too large at eps_out >> eps_in, and high l up to
/// 21 % too small. So 1.4 A above a sphere whose charges are 2 A and more below its surface the error is at
/// most 10 % of the largest potential there. Salt, for which the paper is not followed: the net charge's part
/// q/(eps_out r) is screened as a sphere's net charge is, and what is left as a sphere's dipole, both exactly
/// by the linearised equation, with no ion nearer than A + ion_radius_A to the middle; at 0.15 M around a
/// sphere with charges 4 A and more below its surface the error is 20 % (root mean square).
class Alpb {
 public:
  /// A is the radius of the sphere with the solute's moments of inertia, atoms being balls of one density:
  /// A^2 = 5/2 det(I)^(1/3) / M (Sigalov, Fenley and Onufriev, J. Chem. Phys. 124:124902, 2006). Throws
  /// UsageError as validate, and Error for a solute whose atoms have no radii.
  Alpb(std::span<const Atom> atoms, const AlpbOptions& options);

  /// A [A].
  double size_A() const { return size_A_; }

  /// The potential [kT/e] at a point, from the Coulomb potential of the solute there in a vacuum and the
  /// distance to the solute's surface, which is 0 inside: there the equation does not hold.
  double potential_kT_e(double coulomb_kT_e, double surface_distance_A) const;

 private:
  double net_charge_screening(double r_A) const;
  double dipole_screening(double r_A) const;

  double size_A_, of_net_charge_kT_A_e_, net_charge_kT_A_e_, of_rest_, kappa_per_A_, ions_from_A_;
  double dipole_inside_, dipole_slope_per_A3_;  // screening of a dipole where no ions are: a + b r^3
};

}  // namespace ionwell
