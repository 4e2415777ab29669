// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Poisson-Boltzmann for solutes that are spheres, as series in fp64.
namespace ionwell::test {

/// Potential of the surface and the salt [kT/e] at a place inside of a sphere, of charges in it; ions of the
/// solution stay outside of a larger one (Kirkwood, J. Chem. Phys. 2:351, 1934). All along the z axis, from
/// the sphere's centre.
struct KirkwoodSphere {
  double radius_A, ion_radius_A;  // of the dielectric sphere, and of the one that holds no ions
  double inside, outside;         // dielectrics
  double kappa_per_A, bjerrum_A;

  struct Potential {
    double reaction_kT_e;  // inside, without the charge's own
    double total_kT_e;     // outside
  };
  /// Of a unit charge at `charge_z_A`, at distance r and cosine from the axis.
  Potential at(double charge_z_A, double r_A, double cosine) const;
};

/// Reaction potentials [kT/e] at the centres of two spheres with charges there, without salt: multipoles of
/// each in the field of the other.
struct TwoSpheres {
  double radius_1_A, radius_2_A, distance_A;
  double charge_1_e, charge_2_e;
  double inside, outside, bjerrum_A;

  struct Reaction {
    double at_1_kT_e, at_2_kT_e;
  };
  Reaction solve() const;
};

}  // namespace ionwell::test
