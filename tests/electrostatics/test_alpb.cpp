// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "electrostatics/alpb.hpp"
#include "electrostatics/pair_potential.hpp"
#include "electrostatics/poisson_boltzmann/exact_spheres.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using ionwell::test::error_of;
using ionwell::test::KirkwoodSphere;

namespace {

constexpr double radius_A = 12.0;

/// A ball with a charge at each of some places on the z axis.
struct ChargedBall {
  std::vector<double> charges_e, z_A;
  AlpbOptions options;

  std::vector<Atom> atoms() const {
    std::vector<Atom> atoms(1);
    atoms[0].radius_A = radius_A;
    for (std::size_t n = 0; n < charges_e.size(); ++n) {
      atoms.push_back({});
      atoms.back().position_A = {0, 0, z_A[n]};
      atoms.back().charge_e = charges_e[n];
    }
    return atoms;
  }

  /// Kirkwood's series.
  double exact_kT_e(double r_A, double cosine) const {
    const double constant = coulomb_constant_kT_A(options.temperature_K);
    const double kappa = options.ionic_strength_M > 0.0
                             ? inverse_debye_length_per_A(options.ionic_strength_M,
                                                          options.solvent_dielectric, options.temperature_K)
                             : 0.0;
    const KirkwoodSphere sphere{radius_A,
                                radius_A + options.ion_radius_A,
                                options.solute_dielectric,
                                options.solvent_dielectric,
                                kappa,
                                constant};
    double sum = 0.0;
    for (std::size_t n = 0; n < charges_e.size(); ++n)
      sum += charges_e[n] * sphere.at(z_A[n], r_A, cosine).total_kT_e;
    return sum;
  }

  double alpb_kT_e(double r_A, double cosine) const {
    const double constant = coulomb_constant_kT_A(options.temperature_K);
    double coulomb = 0.0;
    for (std::size_t n = 0; n < charges_e.size(); ++n)
      coulomb +=
          constant * charges_e[n] / std::sqrt(r_A * r_A + z_A[n] * z_A[n] - 2.0 * r_A * z_A[n] * cosine);
    return Alpb(atoms(), options).potential_kT_e(coulomb, r_A - radius_A);
  }
};

}  // namespace

TEST_CASE("ALPB: the size of a ball is its radius, of two far apart that of their inertia") {
  CHECK(Alpb(ChargedBall{}.atoms(), {}).size_A() == doctest::Approx(radius_A));
  std::vector<Atom> two(2);
  two[0].radius_A = two[1].radius_A = 2.0;
  two[1].position_A = {10, 0, 0};
  // Moments per mass: 2/5 R^2 along the axis, and 5^2 more across it.
  const double own = 0.4 * 4.0, across = own + 25.0;
  CHECK(Alpb(two, {}).size_A() == doctest::Approx(std::sqrt(2.5 * std::cbrt(own * across * across))));
}

TEST_CASE("ALPB: outside of a sphere it is Kirkwood's potential within a few percent") {
  for (const double inside : {1.0, 4.0}) {
    // A charge in the middle: exact, with salt as well.
    for (const double molar : {0.0, 0.15}) {
      const ChargedBall ball{{3.0}, {0.0}, {.solute_dielectric = inside, .ionic_strength_M = molar}};
      for (const double r_A : {12.01, 13.5, 14.5, 20.0, 60.0})
        CHECK(ball.alpb_kT_e(r_A, 0.3) == doctest::Approx(ball.exact_kT_e(r_A, 0.3)).epsilon(1e-9));
    }
    // A small dipole in the middle: its own coefficient, (1 + alpha)/(1 + alpha beta) in place of 3/(2 +
    // beta), and screened exactly, among the ions and where there are none.
    const double beta = inside / water_dielectric, alpha = 0.580127;
    for (const double molar : {0.0, 0.15, 1.0}) {
      const ChargedBall dipole{
          {1.0, -1.0}, {0.005, -0.005}, {.solute_dielectric = inside, .ionic_strength_M = molar}};
      for (const double r_A : {12.01, 13.5, 14.5, 20.0, 30.0})
        CHECK(dipole.alpb_kT_e(r_A, 1.0) / dipole.exact_kT_e(r_A, 1.0) ==
              doctest::Approx((1.0 + alpha) / (1.0 + alpha * beta) * (2.0 + beta) / 3.0).epsilon(1e-5));
    }
    // Charges 2 to 10 A below the surface, seen 1.4 A above it and farther out.
    const ChargedBall ball{{1.0, -1.0, 1.0, 0.5}, {10.0, 6.0, -8.0, -2.0}, {.solute_dielectric = inside}};
    double largest = 0.0, worst = 0.0;
    for (const double r_A : {13.4, 15.0, 20.0, 40.0})
      for (double cosine = -1.0; cosine <= 1.0; cosine += 0.125) {
        const double exact = ball.exact_kT_e(r_A, cosine);
        largest = std::max(largest, std::abs(exact));
        worst = std::max(worst, std::abs(ball.alpb_kT_e(r_A, cosine) - exact));
      }
    CHECK(worst / largest < 0.1);
    CHECK(worst / largest > 0.005);  // it is an approximation, and this is no comparison with itself
  }
}

TEST_CASE("ALPB: salt screens charges off the middle to 20 %") {
  const ChargedBall ball{{1.0, -0.5, 1.0}, {8.0, 5.0, -7.0}, {.ionic_strength_M = 0.15}};
  double square = 0.0, of_exact = 0.0;
  for (const double r_A : {13.4, 15.0, 18.0, 25.0})
    for (double cosine = -1.0; cosine <= 1.0; cosine += 0.25) {
      const double exact = ball.exact_kT_e(r_A, cosine), error = ball.alpb_kT_e(r_A, cosine) - exact;
      square += error * error;
      of_exact += exact * exact;
    }
  CHECK(std::sqrt(square / of_exact) < 0.2);
}

TEST_CASE("ALPB: what it refuses") {
  CHECK(error_of([] { Alpb(std::vector<Atom>(3), {}); }).find("no atom of the solute has a radius") !=
        std::string::npos);
  const auto message = [](const AlpbOptions& options) { return error_of([&] { validate(options); }); };
  CHECK(message({.solute_dielectric = 0.5}).find("--solute-dielectric is 0.5") != std::string::npos);
  CHECK(message({.ionic_strength_M = -1.0}).find("--ionic-strength is -1") != std::string::npos);
}
