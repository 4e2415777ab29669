// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "electrostatics/poisson_boltzmann/plain_sphere.hpp"
#include "electrostatics/poisson_boltzmann/plain_surface.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE(
    "Poisson-Boltzmann model: a charged sphere in salts of ions of any size, against the radial equation") {
  struct Case {
    double charge_e;
    PbEquation equation;
    double spacing_A, largest_error;
  };
  // Errors of second order; seen, at worst: 5.6, 1.7 and 0.44 %, and 1.6, 0.5 and 0.13 % of small potentials.
  for (const Case& c : {Case{-30.0, PbEquation::nonlinear, 1.0, 0.06},
                        {-30.0, PbEquation::nonlinear, 0.5, 0.02},
                        {-30.0, PbEquation::nonlinear, 0.25, 0.005},
                        {30.0, PbEquation::nonlinear, 0.5, 0.02},
                        {-1e-3, PbEquation::linear, 1.0, 0.02},
                        {-1e-3, PbEquation::linear, 0.5, 0.006}})
    for (const double ion_radius_A : {0.0, 0.1, 0.5, 1.0, 2.0}) {
      CAPTURE(c.charge_e);
      CAPTURE(c.spacing_A);
      CAPTURE(ion_radius_A);
      const SphereInSalt sphere(c.charge_e, ion_radius_A);
      PbModel model = sphere.model(c.spacing_A);
      CHECK(sphere.largest_share_inside(model.system()) == 0.0);
      PbSolver(model.system(), {.equation = c.equation, .threads = 2}).solve();
      CHECK(sphere.error_outside(model.system()) < c.largest_error);
    }
}

TEST_CASE("Poisson-Boltzmann model: no ion of a coarse lattice is inside the solute") {
  // From 2.31 A on half a diagonal is longer than the usual radius of 2 A.
  const SphereInSalt sphere(-30.0, 2.0);
  for (const double spacing_A : {2.4, 3.0, 4.0}) {
    CAPTURE(spacing_A);
    const PbModel model = sphere.model(spacing_A);
    CHECK(sphere.largest_share_inside(model.system()) == 0.0);
    CHECK(std::ranges::count(model.system().accessibility, 1.0f) > 0);
  }
}

TEST_CASE("Poisson-Boltzmann model: ions smaller than a probe are nowhere where it does not fit") {
  const std::vector<Ball> balls = heap_of_balls(25, 10.0, 31);
  std::vector<Atom> atoms;
  for (const Ball& ball : balls) atoms.push_back({.position_A = ball.centre_A, .radius_A = ball.radius_A});
  const LatticeGeometry lattice{{-3.03, -3.11, -2.98}, {0.55, 0.6, 0.7}, {29, 27, 23}};
  for (const SoluteSurface surface : {SoluteSurface::solvent_excluded, SoluteSurface::van_der_waals})
    for (const double ion_radius_A : {0.0, 0.4, 1.0, 1.3, 1.5}) {
      CAPTURE(int(surface));
      CAPTURE(ion_radius_A);
      const bool is_by_probe = surface == SoluteSurface::solvent_excluded && ion_radius_A < 1.4;
      const PlainProbe probe(balls, is_by_probe ? 1.4 : 0.0);
      PbModelOptions options;
      options.dielectric.surface = options.accessibility.surface = surface;
      options.accessibility.ion_radius_A = ion_radius_A;
      const PbModel model(lattice, atoms, options, 1);
      int inside = 0, beyond_atoms = 0, wrong = 0;
      double open = 0.0, expected_open = 0.0;
      for (std::int64_t p = 0; p < lattice.size(); ++p) {
        const Vec3<double> at = lattice.position_A(p);
        const double share = double(model.system().accessibility[std::size_t(p)]);
        double from_atoms_A = 1e9;
        for (const Ball& ball : balls)
          from_atoms_A =
              std::min(from_atoms_A, std::sqrt(distance_squared(at, ball.centre_A)) - ball.radius_A);
        const bool is_inside = probe.distance_A(at) > 1e-4;
        inside += is_inside;
        beyond_atoms += is_inside && from_atoms_A > ion_radius_A;
        wrong += is_inside && share > 0.0;
        // What is open by its middle has the same volume, on the whole.
        open += share;
        expected_open += !is_inside && from_atoms_A > ion_radius_A ? 1.0 : 0.0;
      }
      CHECK(inside > 500);
      CHECK(wrong == 0);
      if (is_by_probe && ion_radius_A < 0.5) CHECK(beyond_atoms > 0);
      CHECK(open == doctest::Approx(expected_open).epsilon(0.01));
    }
}
