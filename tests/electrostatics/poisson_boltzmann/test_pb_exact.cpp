// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "electrostatics/poisson_boltzmann/exact_spheres.hpp"
#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const ChargeAssignment all_assignments[] = {ChargeAssignment::trilinear, ChargeAssignment::cubic,
                                            ChargeAssignment::quintic, ChargeAssignment::regularized};

Atom ball_atom(const Vec3<double>& position_A, double charge_e, double radius_A) {
  Atom atom;
  atom.position_A = position_A;
  atom.charge_e = charge_e;
  atom.radius_A = radius_A;
  return atom;
}

LatticeGeometry cube(double edge_A, double spacing_A, const Vec3<double>& offset) {
  const auto n = std::int64_t(std::lround(edge_A / spacing_A)) + 1;
  const Vec3<double> half{0.5 * edge_A, 0.5 * edge_A, 0.5 * edge_A};
  return {spacing_A * offset - half, {spacing_A, spacing_A, spacing_A}, {n, n, n}};
}

/// The energy that the surface and the salt give the charges [kT]: less that of the same charges on the same
/// lattice without them.
double solvation_energy_kT(const LatticeGeometry& lattice, const std::vector<Atom>& atoms,
                           PbModelOptions options) {
  const auto energy_kT = [&] {
    PbModel model(lattice, atoms, options, 2);
    PbSolver(model.system(), {.tolerance = 1e-6, .threads = 2}).solve();
    return model.charge_energy_kT(model.system().boundary_kT_e);
  };
  const double in_solvent = energy_kT();
  options.dielectric.solvent_dielectric = options.dielectric.solute_dielectric;
  options.ions.clear();
  return options.charges == ChargeAssignment::regularized ? in_solvent : in_solvent - energy_kT();
}

PbModelOptions sphere_options(ChargeAssignment charges, double inside, double salt_M) {
  PbModelOptions options;
  options.dielectric.surface = options.accessibility.surface = SoluteSurface::van_der_waals;
  options.dielectric.solute_dielectric = inside;
  options.charges = charges;
  options.ions.clear();
  if (salt_M > 0.0) options.ions = {{1.0, salt_M}, {-1.0, salt_M}};
  return options;
}

const Vec3<double> offsets[] = {{0, 0, 0}, {0.5, 0.5, 0.5}, {0.31, 0.77, 0.12}, {0.5, 0.02, 0.9}};

}  // namespace

TEST_CASE("Poisson-Boltzmann model: a Born ion's energy, for every offset of the lattice") {
  const double kJ_mol_per_kT = 8.31446261815324e-3 * 298.15;
  const double l = coulomb_constant_kT_A(298.15);
  const double exact_kT = -0.5 * l / 3.0 * (1.0 - 1.0 / 78.54);
  CHECK(exact_kT * kJ_mol_per_kT == doctest::Approx(-228.61).epsilon(1e-4));
  for (const ChargeAssignment charges : all_assignments)
    for (const Vec3<double>& offset : offsets) {
      CAPTURE(int(charges));
      CAPTURE(offset.x);
      const double energy_kT = solvation_energy_kT(cube(16.0, 0.5, offset), {ball_atom({}, 1.0, 3.0)},
                                                   sphere_options(charges, 1.0, 0.0));
      CHECK(energy_kT == doctest::Approx(exact_kT).epsilon(0.003));  // seen: 0.19 to 0.21 %
    }
}

TEST_CASE("Poisson-Boltzmann model: a Born ion's energy converges with the square of the spacing") {
  const double exact_kT = -0.5 * coulomb_constant_kT_A(298.15) / 3.0 * (1.0 - 1.0 / 78.54);
  for (const Vec3<double>& offset : {offsets[0], offsets[2]}) {
    const auto error = [&](double spacing_A) {
      return solvation_energy_kT(cube(12.0, spacing_A, offset), {ball_atom({}, 1.0, 3.0)},
                                 sphere_options(ChargeAssignment::regularized, 1.0, 0.0)) /
                 exact_kT -
             1.0;
    };
    const double coarse = error(0.5), fine = error(0.25);
    CAPTURE(coarse);
    CAPTURE(fine);
    CHECK(std::abs(fine) < 0.001);
    CHECK(std::log2(std::abs(coarse / fine)) > 1.8);  // seen: 2.0
  }
}

TEST_CASE("Poisson-Boltzmann model: a sphere with charges off its centre, in salt") {
  const double radius_A = 4.0, salt_M = 0.5, inside = 2.0;
  const double l = coulomb_constant_kT_A(298.15);
  const KirkwoodSphere sphere{
      radius_A, radius_A + 2.0, inside, 78.54, ionwell::inverse_debye_length_per_A(salt_M, 78.54, 298.15), l};
  for (const ChargeAssignment charges : all_assignments)
    for (const Vec3<double>& offset : {offsets[0], offsets[2]}) {
      CAPTURE(int(charges));
      CAPTURE(offset.x);
      // The sphere has no charge of its own; two others, 2 A deep, are inside it and have no radius.
      const std::vector<Atom> atoms{ball_atom({}, 0.0, radius_A), ball_atom({0, 0, 2}, 1.0, 0.0),
                                    ball_atom({0, 0, -1}, -0.5, 0.0)};
      const auto reaction = [&](double z) {
        return sphere.at(2.0, std::abs(z), z > 0 ? 1 : -1).reaction_kT_e -
               0.5 * sphere.at(1.0, std::abs(z), z > 0 ? -1 : 1).reaction_kT_e;
      };
      const double exact_kT = 0.5 * (reaction(2.0) - 0.5 * reaction(-1.0));
      const double energy_kT =
          solvation_energy_kT(cube(20.0, 0.5, offset), atoms, sphere_options(charges, inside, salt_M));
      CHECK(energy_kT == doctest::Approx(exact_kT).epsilon(0.005));  // seen: 0.14 to 0.36 %
    }
}

TEST_CASE("Poisson-Boltzmann model: two spheres") {
  const double l = coulomb_constant_kT_A(298.15);
  const TwoSpheres spheres{3.0, 2.0, 5.6, 1.0, -0.7, 1.0, 78.54, l};
  const TwoSpheres::Reaction reaction = spheres.solve();
  // What the charges do to each other without the solvent is no solvation.
  const double exact_kT =
      0.5 * (1.0 * reaction.at_1_kT_e - 0.7 * reaction.at_2_kT_e) + 0.7 * l / spheres.distance_A;
  const std::vector<Atom> atoms{ball_atom({0, 0, -2}, 1.0, 3.0), ball_atom({0, 0, 3.6}, -0.7, 2.0)};
  for (const ChargeAssignment charges : {ChargeAssignment::trilinear, ChargeAssignment::cubic}) {
    const double energy_kT =
        solvation_energy_kT(cube(22.0, 0.5, offsets[2]), atoms, sphere_options(charges, 1.0, 0.0));
    CHECK(energy_kT == doctest::Approx(exact_kT).epsilon(0.008));  // seen: 0.6 %
  }
}
