// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"

namespace ionwell::test {

/// The nonlinear Poisson-Boltzmann equation around a charged sphere in a 1:1 salt: radially, in fp64, with
/// nothing of a lattice in it.
class PlainSphere {
 public:
  struct Given {
    double radius_A, ion_radius_A;  // of the dielectric, and of the solution's ions
    double charge_e;                // at the centre
    double inside, outside;         // dielectrics
    double bjerrum_A;               // in vacuum
    double kappa_per_A;
  };

  explicit PlainSphere(const Given& given);

  /// [kT/e], at any distance from the centre but 0.
  double at_radius(double r_A) const;

 private:
  double ions_from_A() const { return given_.radius_A + given_.ion_radius_A; }

  Given given_;
  double step_ = 0.0;                   // of the logarithm of the distance
  std::vector<double> potential_kT_e_;  // from where ions can be
};

/// A sphere of 6 A with a charge in a 0.1 M salt, on a lattice whose outermost points have the exact
/// potential.
class SphereInSalt {
 public:
  SphereInSalt(double charge_e, double ion_radius_A);

  PbModel model(double spacing_A) const;

  /// Accessibility of the points inside.
  double largest_share_inside(const PbSystem& system) const;

  /// Of a solution at the points outside: root mean square over that of the potential.
  double error_outside(const PbSystem& solved) const;

 private:
  double distance_A(const LatticeGeometry& lattice, std::int64_t point) const;

  Atom atom_;
  PbModelOptions options_;
  PlainSphere exact_;
};

}  // namespace ionwell::test
