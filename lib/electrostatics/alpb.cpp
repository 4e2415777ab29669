// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/alpb.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {
namespace {

/// What stands for l/(l + 1), l >= 1 (Sigalov et al. 2006): 0.580127.
double alpb_alpha() {
  using std::numbers::ln2, std::numbers::pi;
  return 32.0 * (3.0 * ln2 - 2.0) / (3.0 * pi * pi - 28.0) - 1.0;
}

void require_within(double value, double least, double most, const char* what) {
  if (!(value >= least && value <= most))
    fail<UsageError>(what, " is ", value, "; it must be from ", least, " to ", most);
}

/// The radius of the ball with these moments of inertia.
double radius_of_inertia_A(std::span<const Atom> atoms) {
  double mass = 0.0;
  Vec3<double> centre_A;
  const auto mass_of = [](const Atom& atom) { return atom.radius_A * atom.radius_A * atom.radius_A; };
  for (const Atom& atom : atoms) {
    mass += mass_of(atom);
    centre_A = centre_A + mass_of(atom) * atom.position_A;
  }
  if (!(mass > 0.0))
    fail("no atom of the solute has a radius, but ALPB needs its size; give a PQR file with radii");
  centre_A = (1.0 / mass) * centre_A;
  double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;
  for (const Atom& atom : atoms) {
    const Vec3<double> r = atom.position_A - centre_A;
    const double m = mass_of(atom), own = 0.4 * atom.radius_A * atom.radius_A;
    xx += m * (r.y * r.y + r.z * r.z + own);
    yy += m * (r.x * r.x + r.z * r.z + own);
    zz += m * (r.x * r.x + r.y * r.y + own);
    xy -= m * r.x * r.y;
    xz -= m * r.x * r.z;
    yz -= m * r.y * r.z;
  }
  const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return std::sqrt(2.5 * std::cbrt(std::max(determinant, 0.0)) / mass);
}

}  // namespace

void validate(const AlpbOptions& options) {
  check_temperature(options.temperature_K);
  require_within(options.solute_dielectric, 1.0, 1e3, "--solute-dielectric");
  require_within(options.solvent_dielectric, 1.0, 1e6, "the solvent's --dielectric");
  require_within(options.ionic_strength_M, 0.0, 100.0, "--ionic-strength");
  require_within(options.ion_radius_A, 0.0, 100.0, "the ions' radius");
}

Alpb::Alpb(std::span<const Atom> atoms, const AlpbOptions& options) {
  validate(options);
  const double alpha = alpb_alpha(), beta = options.solute_dielectric / options.solvent_dielectric;
  size_A_ = radius_of_inertia_A(atoms);
  net_charge_kT_A_e_ = coulomb_constant_kT_A(options.temperature_K) * net_charge_e(atoms);
  of_net_charge_kT_A_e_ = net_charge_kT_A_e_ / options.solvent_dielectric;
  of_rest_ = (1.0 + alpha) / (options.solvent_dielectric * (1.0 + alpha * beta));
  kappa_per_A_ = options.ionic_strength_M > 0.0
                     ? inverse_debye_length_per_A(options.ionic_strength_M, options.solvent_dielectric,
                                                  options.temperature_K)
                     : 0.0;
  ions_from_A_ = size_A_ + options.ion_radius_A;
  // Between the sphere and the ions a dipole's potential is C (r^-2 + B r), outside D k_1(kappa r); q is r
  // times the slope over the value of k_1 where the ions begin.
  const double x = kappa_per_A_ * ions_from_A_, q = -(x * x + 2.0 * x + 2.0) / (x + 1.0);
  const double b_per_A3 = (q + 2.0) / (1.0 - q) / (ions_from_A_ * ions_from_A_ * ions_from_A_);
  const double at_sphere = b_per_A3 * size_A_ * size_A_ * size_A_;
  dipole_inside_ = (2.0 + beta) / (2.0 - at_sphere + beta * (1.0 + at_sphere));
  dipole_slope_per_A3_ = dipole_inside_ * b_per_A3;
}

double Alpb::net_charge_screening(double r_A) const {
  const double of_ions = 1.0 + kappa_per_A_ * ions_from_A_;
  if (r_A < ions_from_A_) return 1.0 - kappa_per_A_ * r_A / of_ions;
  return std::exp(-kappa_per_A_ * (r_A - ions_from_A_)) / of_ions;
}

double Alpb::dipole_screening(double r_A) const {
  const auto among_no_ions = [this](double r) { return dipole_inside_ + dipole_slope_per_A3_ * r * r * r; };
  if (r_A < ions_from_A_) return among_no_ions(r_A);
  return among_no_ions(ions_from_A_) * std::exp(-kappa_per_A_ * (r_A - ions_from_A_)) *
         (1.0 + kappa_per_A_ * r_A) / (1.0 + kappa_per_A_ * ions_from_A_);
}

double Alpb::potential_kT_e(double coulomb_kT_e, double surface_distance_A) const {
  const double r_A = size_A_ + std::max(surface_distance_A, 0.0);
  return of_net_charge_kT_A_e_ / r_A * net_charge_screening(r_A) +
         of_rest_ * (coulomb_kT_e - net_charge_kT_A_e_ / r_A) * dipole_screening(r_A);
}

}  // namespace ionwell
