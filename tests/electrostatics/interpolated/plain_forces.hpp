// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/geometry/rotation.hpp"
#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/interpolated/interpolated_forces.hpp"

/// Interpolated potentials and forces by plain code in fp64, which calls nothing of the library's; and what
/// tests of the library's share.
namespace ionwell::test {

/// A potential and its gradient.
struct ValueAndGradient {
  double value = 0.0;
  Vec3<double> gradient;
};

class PlainInterpolation {
 public:
  PlainInterpolation(const LatticeGeometry& lattice, const std::vector<double>& values,
                     ForceInterpolation interpolation);

  /// For a position on the lattice, not beyond its faces.
  ValueAndGradient at(const Vec3<double>& position_A) const;

 private:
  LatticeGeometry lattice_;
  ForceInterpolation interpolation_;
  Vec3<std::int64_t> counts_;
  std::vector<double> nodes_;
};

/// Charges of both signs anywhere in a lattice, none of them within 1e-4 spacings of one of its planes, where
/// a trilinear force jumps.
std::vector<PointCharge> charges_in_cells(const LatticeGeometry& lattice, std::size_t count, unsigned seed);

/// Numbers from -1 to 1 at every point.
std::vector<double> random_potential(const LatticeGeometry& lattice, unsigned seed);

/// Turns about `axis`, of any length, by an angle.
struct Turn {
  Vec3<double> axis;
  double radians;
};
Rotation rotation_by(const Turn& turn);

inline constexpr std::array both_interpolations = {ForceInterpolation::trilinear,
                                                   ForceInterpolation::cubic_spline};

inline PotentialOnLattice potential_of(const LatticeGeometry& lattice, const std::vector<double>& values) {
  return {lattice, std::span<const double>(values)};
}

/// Of charges of which so many are outside.
std::vector<ChargeForce> forces_of(const InterpolatedForces& forces, const std::vector<PointCharge>& charges,
                                   std::int64_t outside = 0);

/// Values of function(position) at the points of a lattice.
template <typename Function>
std::vector<double> values_of(const LatticeGeometry& lattice, const Function& function) {
  std::vector<double> values;
  for (std::int64_t p = 0; p < lattice.size(); ++p) values.push_back(function(lattice.position_A(p)));
  return values;
}

inline double largest_component(const Vec3<double>& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

inline Vec3<double> in_fp64(const Vec3<float>& v) {
  return {double(v.x), double(v.y), double(v.z)};
}

}  // namespace ionwell::test
