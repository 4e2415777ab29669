// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/plain_sphere.hpp"

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "electrostatics/poisson_boltzmann/model/lattice_face.hpp"

namespace ionwell::test {
namespace {

constexpr int points = 20000;
constexpr double debye_lengths = 14.0;  // nothing is left there

constexpr double sphere_A = 6.0, beyond_A = 6.0;  // of SphereInSalt: its radius, and the lattice around it
constexpr double salt_M = 0.1;

std::size_t at(int n) {
  return std::size_t(n);
}

}  // namespace

// With s = log r the equation is (r phi')' = kappa^2 r^3 sinh(phi), where ' is by s. Shells around the
// points: what flows in, less what flows out, is what the salt holds. By Newton, with the charge's field at
// the first.
PlainSphere::PlainSphere(const Given& given) : given_(given), potential_kT_e_(points) {
  const double first_A = ions_from_A(), kappa2 = given.kappa_per_A * given.kappa_per_A;
  step_ = std::log1p(debye_lengths / given.kappa_per_A / first_A) / (points - 1);
  const double inflow = given.bjerrum_A * given.charge_e / given.outside;
  std::vector<double> diagonal(points), above(points), right(points);
  for (int round = 0; round < 200; ++round) {
    double largest = 0.0;
    for (int n = 0; n < points - 1; ++n) {
      const double r = first_A * std::exp(step_ * n), out = r * std::exp(0.5 * step_) / step_,
                   in = n > 0 ? r * std::exp(-0.5 * step_) / step_ : 0.0;
      const double high = r * std::exp(0.5 * step_), low = n > 0 ? r * std::exp(-0.5 * step_) : r;
      const double shell = kappa2 * (high * high * high - low * low * low) / 3.0;
      const double phi = potential_kT_e_[at(n)];
      const double left = n > 0 ? in * (phi - potential_kT_e_[at(n - 1)]) : -inflow;
      right[at(n)] = -(left + out * (phi - potential_kT_e_[at(n + 1)]) + shell * std::sinh(phi));
      diagonal[at(n)] = in + out + shell * std::cosh(phi);
      above[at(n)] = -out;
      if (n > 0) {
        const double factor = -in / diagonal[at(n - 1)];
        diagonal[at(n)] -= factor * above[at(n - 1)];
        right[at(n)] -= factor * right[at(n - 1)];
      }
    }
    for (int n = points - 2; n >= 0; --n) {
      const double change = (right[at(n)] - above[at(n)] * right[at(n + 1)]) / diagonal[at(n)];
      right[at(n)] = change;
      potential_kT_e_[at(n)] += std::clamp(change, -1.0, 1.0);
      largest = std::max(largest, std::abs(change));
    }
    if (largest < 1e-12) break;
  }
}

double PlainSphere::at_radius(double r_A) const {
  const double strength = given_.bjerrum_A * given_.charge_e, first_A = ions_from_A();
  const auto beside_ions = [&](double r) {
    return potential_kT_e_[0] + strength / given_.outside * (1.0 / r - 1.0 / first_A);
  };
  if (r_A < given_.radius_A)
    return beside_ions(given_.radius_A) + strength / given_.inside * (1.0 / r_A - 1.0 / given_.radius_A);
  if (r_A < first_A) return beside_ions(r_A);
  const double place = std::log(r_A / first_A) / step_;
  const int n = std::min(int(place), points - 2);
  return potential_kT_e_[at(n)] + (place - n) * (potential_kT_e_[at(n + 1)] - potential_kT_e_[at(n)]);
}

SphereInSalt::SphereInSalt(double charge_e, double ion_radius_A)
    : atom_{.position_A = {0.11, -0.23, 0.07}, .charge_e = charge_e, .radius_A = sphere_A},
      exact_({sphere_A, ion_radius_A, charge_e, options_.dielectric.solute_dielectric,
              options_.dielectric.solvent_dielectric, coulomb_constant_kT_A(options_.temperature_K),
              ionwell::inverse_debye_length_per_A(salt_M, options_.dielectric.solvent_dielectric,
                                                  options_.temperature_K)}) {
  options_.accessibility.ion_radius_A = ion_radius_A;
  options_.boundary = BoundaryKind::zero;
  options_.ions = {{1.0, salt_M}, {-1.0, salt_M}};
}

PbModel SphereInSalt::model(double spacing_A) const {
  const double half_A = sphere_A + beyond_A;
  const auto n = std::int64_t(std::lround(2.0 * half_A / spacing_A)) + 1;
  PbModel model({{-half_A, -half_A, -half_A}, {spacing_A, spacing_A, spacing_A}, {n, n, n}},
                std::vector<Atom>{atom_}, options_, 2);
  PbSystem& system = model.system();
  for_each_face(system.lattice, [&](const LatticeFace& face) {
    for (std::int64_t v = 0; v < face.count_v(); ++v)
      for (std::int64_t u = 0; u < face.count_u(); ++u) {
        const std::int64_t p = face.index(u, v);
        system.boundary_kT_e[std::size_t(p)] = float(exact_.at_radius(distance_A(system.lattice, p)));
      }
  });
  return model;
}

double SphereInSalt::distance_A(const LatticeGeometry& lattice, std::int64_t point) const {
  return std::sqrt(distance_squared(lattice.position_A(point), atom_.position_A));
}

double SphereInSalt::largest_share_inside(const PbSystem& system) const {
  double largest = 0.0;
  for (std::int64_t p = 0; p < system.lattice.size(); ++p)
    if (distance_A(system.lattice, p) < sphere_A)
      largest = std::max(largest, double(system.accessibility[std::size_t(p)]));
  return largest;
}

double SphereInSalt::error_outside(const PbSystem& solved) const {
  double squares = 0.0, exact_squares = 0.0;
  for (std::int64_t p = 0; p < solved.lattice.size(); ++p) {
    const double r_A = distance_A(solved.lattice, p);
    if (r_A < sphere_A) continue;
    const double exact = exact_.at_radius(r_A),
                 difference = double(solved.boundary_kT_e[std::size_t(p)]) - exact;
    squares += difference * difference;
    exact_squares += exact * exact;
  }
  return std::sqrt(squares / exact_squares);
}

}  // namespace ionwell::test
