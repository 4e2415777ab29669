// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "sampling/bulk_salt.hpp"
#include "sampling/plain_ions.hpp"
#include "sampling/series_statistics.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr double pi = 3.141592653589793;

/// ln of the mean activity coefficient of equal charged hard spheres in the mean spherical approximation
/// (Blum, Mol. Phys. 30:1529, 1975; energy route), with Carnahan and Starling's for their size.
double msa_log_activity(double concentration_M, double diameter_A, double bjerrum_A) {
  const double ions_per_A3 = 2.0 * 6.02214076e-4 * concentration_M;
  const double kappa = std::sqrt(4.0 * pi * bjerrum_A * ions_per_A3);
  const double gamma = (std::sqrt(1.0 + 2.0 * kappa * diameter_A) - 1.0) / (2.0 * diameter_A);
  const double eta = pi / 6.0 * ions_per_A3 * std::pow(diameter_A, 3);
  return -bjerrum_A * gamma / (1.0 + gamma * diameter_A) +
         (8.0 * eta - 9.0 * eta * eta + 3.0 * eta * eta * eta) / std::pow(1.0 - eta, 3);
}

BulkBath primitive(double concentration_M, double diameter_A, double charge_e, const BulkOptions& options) {
  const IonModel model{
      .species = {species_of("A", charge_e, 0.5 * diameter_A), species_of("B", -charge_e, 0.5 * diameter_A)},
      .box = cube_of(10.0),
      .repulsion = Repulsion::hard,
      .pair = pair_potential({.dielectric = 78.5})};
  return bulk_baths(model, {{0, 1, 1, 1, concentration_M}}, options).baths.front();
}

}  // namespace

TEST_CASE("bulk salt: activity of the primitive model at 0.1 and 1 M") {
  // The yardstick is the mean spherical approximation, which is 0.01 off at 0.1 M and below 0.02 at 1 M, by
  // long runs of this model: -0.232 +- 0.002 at 0.10376 M, -0.128 +- 0.004 at 1 M. Debye and Hueckel's
  // limiting law has -0.37 and -1.17, their charges alone -0.26 and -0.49.
  const double bjerrum_A = pair_potential({.dielectric = 78.5}).prefactor;
  for (const double concentration_M : {0.1, 1.0}) {
    const BulkBath bath = primitive(concentration_M, 4.25, 1.0, {.sweeps = 250, .replicas = 2, .threads = 2});
    const double log_activity = 0.5 * bath.bath.excess_kT, error = 0.5 * bath.error_kT,
                 expected = msa_log_activity(concentration_M, 4.25, bjerrum_A);
    CAPTURE(log_activity);
    CAPTURE(expected);
    CAPTURE(error);
    CHECK(error < 0.025);
    CHECK(std::abs(log_activity - expected) < 0.015 + 5.0 * error);
    CHECK(bath.activity_coefficient == doctest::Approx(std::exp(log_activity)));
    CHECK(bath.bath.cation_per_A3 == doctest::Approx(6.02214076e-4 * concentration_M));
  }
}

TEST_CASE("bulk salt: what has neither charge nor size is ideal, in any mixture") {
  const IonModel model{.species = {species_of("A", 0, 0.0), species_of("B", 0, 0.0), species_of("C", 0, 0.0)},
                       .box = cube_of(10.0),
                       .repulsion = Repulsion::soft,
                       .pair = pair_potential({.dielectric = 78.5})};
  const BulkResult bulk =
      bulk_baths(model, {{0, 1, 1, 1, 0.2}, {2, 1, 1, 2, 0.05}}, {.sweeps = 100, .replicas = 1});
  REQUIRE(bulk.baths.size() == 2);
  for (const BulkBath& bath : bulk.baths) {
    CHECK(bath.bath.excess_kT == 0.0);
    // Chloride of both salts.
    CHECK(bath.bath.anion_per_A3 == doctest::Approx(6.02214076e-4 * 0.3));
  }
  CHECK(bulk.baths[1].bath.cation_per_A3 == doctest::Approx(6.02214076e-4 * 0.05));
  CHECK(bulk.baths[1].bath.anions == 2);
}

TEST_CASE("bulk salt: a box in exchange with the bath has the bath's concentration") {
  // What the excess chemical potential is for: a periodic box of another size than the bulk's, at 0.5 M.
  IonModel model = periodic({.species = {species_of("A", 1, 2.0), species_of("B", -1, 2.0)},
                             .box = cube_of(36.0),
                             .pair = pair_potential({.dielectric = 78.5})});
  const BulkBath bath =
      bulk_baths(model, {{0, 1, 1, 1, 0.5}}, {.sweeps = 200, .replicas = 2, .threads = 2}).baths[0];
  RandomStream random(2, 0);
  MonteCarlo chain(random_ions(model, {14, 14}, random), {bath.bath}, RandomStream(2, 1));
  chain.run(20'000);
  std::vector<std::vector<double>> counts(1);
  for (int n = 0; n < 2000; ++n) {
    chain.run(100);
    counts[0].push_back(double(chain.ions().count_of(0)));
  }
  const SeriesMean mean = series_mean(counts, 20);
  const double expected = 6.02214076e-4 * 0.5 * 36.0 * 36.0 * 36.0;
  CAPTURE(mean.mean);
  CAPTURE(mean.error);
  CAPTURE(expected);
  // The number goes as e^(mu/2) or slower; without the excess, -0.5 kT, it would be a fifth less or more.
  CHECK(std::abs(mean.mean - expected) < 5.0 * mean.error + (0.02 + bath.error_kT) * expected);
  CHECK(5.0 * mean.error < 0.1 * expected);
}

TEST_CASE("bulk salt: more than finds room is refused") {
  const IonModel model{.species = {species_of("A", 1, 4.0), species_of("B", -1, 4.0)},
                       .box = cube_of(10.0),
                       .repulsion = Repulsion::hard,
                       .pair = pair_potential({.dielectric = 78.5})};
  CHECK(error_of([&] {
          bulk_baths(model, {{0, 1, 1, 1, 6.0}}, {.sweeps = 100, .replicas = 1});
        }).find("no room was found for A") == 0);
}
