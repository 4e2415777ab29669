// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "electrostatics/poisson_boltzmann/plain_pb.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "support/cases.hpp"

namespace ionwell::test {
namespace {

/// Sizes of every kind: odd, even, powers of two with and without one more, one inner point, flat, long.
const std::vector<Vec3<std::int64_t>> sizes = {
    {3, 3, 3},   {4, 4, 4},   {5, 5, 5},   {3, 4, 5},  {9, 9, 9},  {8, 10, 12},  {17, 17, 17}, {16, 18, 23},
    {3, 21, 34}, {40, 3, 11}, {27, 14, 3}, {7, 4, 61}, {33, 5, 6}, {10, 11, 13}, {19, 31, 6}};

std::string name_of(const Vec3<std::int64_t>& n) {
  return std::to_string(n.x) + " x " + std::to_string(n.y) + " x " + std::to_string(n.z);
}

}  // namespace

TEST_CASE("poisson-boltzmann: the linear equation is solved as by plain fp64 conjugate gradients") {
  for (const Vec3<std::int64_t>& n : sizes)
    for (const Vec3<double>& spacing_A :
         {Vec3<double>{0.5, 0.5, 0.5}, {0.4, 0.5, 0.7}, {0.2, 1.0, 0.6}, {3.0, 0.5, 0.5}})
      for (const bool blocks : {true, false}) {
        CAPTURE(name_of(n));
        CAPTURE(spacing_A.x);
        CAPTURE(blocks);
        PbSystem system = random_system({n, spacing_A, blocks, std::uint32_t(n.x + 7 * n.y)});
        const PlainPb plain(system);
        const std::vector<double> exact = plain.solve_linear();
        PbSolver solver(system, {.tolerance = 1e-8});
        const PbConvergence convergence = solver.solve();
        const double left =
            plain.residual_norm(as_double(system.boundary_kT_e), false) / plain.right_side_norm();
        CHECK(convergence.residual <= 1e-8);
        CHECK(convergence.iterations <= 30);  // 21 at most; without the coarser levels hundreds
        CHECK(left < 1e-6);                   // of the result, which is rounded to fp32
        CHECK(relative_difference(system.boundary_kT_e, exact) < 1e-6);  // 6e-8 and what 1e-8 leaves; 2e-7
      }
}

TEST_CASE("poisson-boltzmann: solved by each instruction set, in rows of any number of points") {
  for (int nx = 3; nx <= 36; ++nx) {
    CAPTURE(nx);
    const PbSystem start = random_system({{nx, 6, 7}});
    const PlainPb plain(start);
    const std::vector<double> exact = plain.solve_linear();
    for (const SimdLevel level : simd_levels()) {
      CAPTURE(int(level));
      PbSystem system = start;
      const PbConvergence convergence = PbSolver(system, {.tolerance = 1e-4, .simd = level}).solve();
      CHECK(plain.residual_norm(as_double(system.boundary_kT_e), false) / plain.right_side_norm() ==
            doctest::Approx(convergence.residual).epsilon(0.01));
      PbSolver(system, {.tolerance = 1e-8, .simd = level}).solve();
      CHECK(relative_difference(system.boundary_kT_e, exact) < 1e-6);
    }
  }
}

TEST_CASE("poisson-boltzmann: the residual that is reported is the true one") {
  PbSystem system = random_system({{21, 18, 25}});
  const PlainPb plain(system);
  const PbSystem start = system;
  PbSolver solver(system, {.tolerance = 1e-4});
  const PbConvergence convergence = solver.solve();
  const double left = plain.residual_norm(as_double(system.boundary_kT_e), false) / plain.right_side_norm();
  CHECK(convergence.residual > 1e-6);
  CHECK(left == doctest::Approx(convergence.residual).epsilon(0.01));  // the result's rounding to fp32
  CHECK(convergence.history.size() == std::size_t(convergence.iterations) + 1);
  // Started at the solution, there is nothing to do; from elsewhere it is the same.
  CHECK(solver.solve().iterations == 0);
  const std::vector<float> once = system.boundary_kT_e;
  for (std::size_t p = 0; p < once.size(); ++p)
    if (once[p] != start.boundary_kT_e[p]) system.boundary_kT_e[p] = 3.0f;
  CHECK(solver.solve().iterations > 0);
  CHECK(relative_difference(system.boundary_kT_e, as_double(once)) < 1e-3);
}

TEST_CASE("poisson-boltzmann: second order of convergence to a smooth solution") {
  // phi = sin(a x) sin(b y) exp(c z), eps = 40 + 30 sin(x / 3): the charge that makes it a solution.
  const double a = 0.7, b = 0.5, c = 0.2;
  const auto exact = [&](const Vec3<double>& r) {
    return std::sin(a * r.x + 0.3) * std::sin(b * r.y + 0.2) * std::exp(c * r.z);
  };
  const auto eps = [](double x) { return 40.0 + 30.0 * std::sin(x / 3); };
  const double kappa2 = 1.2;
  std::vector<double> errors;
  for (const std::int64_t n : {11, 21, 41}) {
    const double h = 8.0 / double(n - 1);
    PbSystem system = plain_system({{}, {h, h, h}, {n, n, n}});
    const LatticeGeometry& lattice = system.lattice;
    system.ions = {{1.0, 0.5}, {-1.0, 0.5}};
    // so that 4 pi l sum c z^2 is kappa2
    system.bjerrum_A = kappa2 / (4 * std::numbers::pi * 1.0 * 6.02214076e-4);
    std::vector<double> values(std::size_t(lattice.size()));
    for (std::int64_t p = 0; p < lattice.size(); ++p) {
      const std::size_t at = std::size_t(p);
      const Vec3<double> r = lattice.position_A(p);
      const Vec3<std::int64_t> i = lattice.point(p);
      system.eps_x[at] = float(eps(r.x + h / 2));
      system.eps_y[at] = system.eps_z[at] = float(eps(r.x));
      values[at] = exact(r);
      const double along_x = std::cos(a * r.x + 0.3) * std::sin(b * r.y + 0.2) * std::exp(c * r.z) * a;
      const double laplacian = (-a * a - b * b + c * c) * values[at];
      const double source = -(eps(r.x) * laplacian + 10 * std::cos(r.x / 3) * along_x) + kappa2 * values[at];
      system.charge_e[at] = float(source * h * h * h / (4 * std::numbers::pi * system.bjerrum_A));
      const bool inner = i.x > 0 && i.y > 0 && i.z > 0 && i.x < n - 1 && i.y < n - 1 && i.z < n - 1;
      system.boundary_kT_e[at] = inner ? 0.0f : float(values[at]);
    }
    PbSolver(system, {.tolerance = 1e-8}).solve();
    errors.push_back(relative_difference(system.boundary_kT_e, values));
  }
  CHECK(errors[2] > 0.0);
  CHECK(errors[2] < 1e-3);
  CHECK(errors[0] / errors[1] == doctest::Approx(4.0).epsilon(0.1));
  CHECK(errors[1] / errors[2] == doctest::Approx(4.0).epsilon(0.1));
}

TEST_CASE("poisson-boltzmann: without unknowns, charges or ions") {
  for (const Vec3<std::int64_t>& n : {Vec3<std::int64_t>{1, 1, 1}, {2, 9, 9}, {9, 1, 9}, {9, 9, 2}}) {
    CAPTURE(name_of(n));
    PbSystem system = random_system({n});
    const std::vector<float> given = system.boundary_kT_e;
    const PbConvergence convergence = PbSolver(system, {}).solve();
    CHECK(convergence.iterations == 0);
    CHECK(system.boundary_kT_e == given);
  }
  for (const PbEquation equation : {PbEquation::linear, PbEquation::nonlinear}) {
    CAPTURE(int(equation));
    PbSystem nothing = plain_system({{}, {1, 1, 1}, {9, 8, 7}});
    nothing.boundary_kT_e[nothing.lattice.index(3, 3, 3)] = 5.0f;  // where the iteration starts
    const PbConvergence convergence = PbSolver(nothing, {.equation = equation}).solve();
    CHECK(convergence.residual == 0.0);
    CHECK(nothing.boundary_kT_e == std::vector<float>(9 * 8 * 7));
    // With one potential all around it is the same inside, without ions.
    PbSystem level = plain_system({{}, {1, 1, 1}, {9, 8, 7}});
    std::fill(level.boundary_kT_e.begin(), level.boundary_kT_e.end(), 1.5f);
    for (std::int64_t i = 1; i < 8; ++i) level.boundary_kT_e[std::size_t(level.lattice.index(i, 4, 4))] = 0;
    PbSolver(level, {.equation = equation, .tolerance = 1e-8}).solve();
    CHECK(relative_difference(level.boundary_kT_e, std::vector<double>(9 * 8 * 7, 1.5)) < 1e-6);
  }
}

}  // namespace ionwell::test
