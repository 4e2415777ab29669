// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "sampling/monte_carlo.hpp"
#include "sampling/plain_ions.hpp"
#include "sampling/series_statistics.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Mean number of formula units of an ideal gas beside `more` cations that stay: their probabilities are
/// (rho V)^((a + b) n) / ((a n + more)! (b n)!), summed.
double ideal_units(double cations_wanted, double anions_wanted, int a, int b, int more) {
  double sum = 0.0, weighted = 0.0;
  for (int n = 0; n < 200; ++n) {
    const double log_weight = n * (a * std::log(cations_wanted) + b * std::log(anions_wanted)) -
                              std::lgamma(a * n + more + 1.0) - std::lgamma(b * n + 1.0);
    sum += std::exp(log_weight);
    weighted += n * std::exp(log_weight);
  }
  return weighted / sum;
}

/// Whether a mean is the expected one, by its own standard error; no farther off than five of them, and the
/// error so small that a wrong factor of `part` would show.
void check_mean(const SeriesMean& found, double expected, double part) {
  CAPTURE(found.mean);
  CAPTURE(found.error);
  CAPTURE(expected);
  CHECK(std::abs(found.mean - expected) < 5.0 * found.error);
  CHECK(5.0 * found.error < part * std::abs(expected));
}

SeriesMean sampled(MonteCarlo& chain, int samples, int moves, const auto& value) {
  std::vector<std::vector<double>> series(1);
  for (int n = 0; n < samples; ++n) {
    chain.run(moves);
    series[0].push_back(value(chain.ions()));
  }
  return series_mean(series, 20);
}

}  // namespace

TEST_CASE("Monte Carlo: an ideal gas has as many ions as its bath, whatever the formula") {
  struct Case {
    int cations, anions, more;
  };
  for (const Case& c : {Case{1, 1, 0}, Case{1, 1, 3}, Case{1, 2, 0}, Case{2, 1, 2}}) {
    CAPTURE(c.cations);
    CAPTURE(c.anions);
    const double volume_A3 = 8000.0, units = 4.0;
    const IonModel model = ideal_gas(20.0, {double(c.anions), -double(c.cations)});
    SaltBath bath{.cation = 0, .anion = 1, .cations = c.cations, .anions = c.anions};
    bath.cation_per_A3 = c.cations * units / volume_A3;
    bath.anion_per_A3 = c.anions * units / volume_A3;
    RandomStream random(3, 0);
    MonteCarlo chain(random_ions(model, {c.more, 0}, random), {bath}, RandomStream(3, 1));
    const SeriesMean anions =
        sampled(chain, 20'000, 8, [](const IonSet& ions) { return double(ions.count_of(1)); });
    check_mean(anions,
               c.anions * ideal_units(c.cations * units, c.anions * units, c.cations, c.anions, c.more),
               0.05);
    // Neutral units come and go: the charge stays.
    CHECK((chain.ions().count_of(0) - c.more) * c.anions == chain.ions().count_of(1) * c.cations);
  }
}

TEST_CASE("Monte Carlo: an excess chemical potential counts for a formula unit, not for an ion") {
  const IonModel model = ideal_gas(20.0, {1.0, -1.0});
  const SaltBath bath{0, 1, 1, 1, 4.0 / 8000.0, 4.0 / 8000.0, std::log(2.25)};
  MonteCarlo chain(IonSet(model, {}), {bath}, RandomStream(4, 1));
  const SeriesMean cations =
      sampled(chain, 20'000, 8, [](const IonSet& ions) { return double(ions.count_of(0)); });
  check_mean(cations, ideal_units(6.0, 6.0, 1, 1, 0), 0.05);
}

TEST_CASE("Monte Carlo: insertion and deletion keep balance in a field that draws one ion") {
  // Cations gain where x > 0: their volume is (1 + e^h)/2 times the box's.
  IonModel model = ideal_gas(20.0, {1.0, -1.0});
  constexpr double height_kT_e = 1.5;
  model.field = std::make_shared<FormulaField>(
      [](const Vec3<double>& p) { return std::pair(p.x > 0.0 ? -height_kT_e : 0.0, Vec3<double>{}); });
  const double cation_share = 0.5 * (1.0 + std::exp(height_kT_e)),
               anion_share = 0.5 * (1.0 + std::exp(-height_kT_e));
  const SaltBath bath{0, 1, 1, 1, 3.0 / 8000.0, 3.0 / 8000.0, 0.0};
  MonteCarlo chain(IonSet(model, {}), {bath}, RandomStream(5, 1));
  std::vector<std::vector<double>> counts(1), right(1);
  for (int n = 0; n < 20'000; ++n) {
    chain.run(8);
    counts[0].push_back(double(chain.ions().size()) / 2);
    double on_the_right = 0.0;
    for (const MovingIon& ion : chain.ions().ions())
      on_the_right += ion.species == 0 && ion.position_A.x > 0.0 ? 1.0 : 0.0;
    right[0].push_back(on_the_right);
  }
  const double units = ideal_units(3.0 * cation_share, 3.0 * anion_share, 1, 1, 0);
  check_mean(series_mean(counts, 20), units, 0.05);
  check_mean(series_mean(right, 20), units * (1.0 - 0.5 / cation_share), 0.05);
  CHECK(std::abs(chain.refresh()) < 1e-9);
}

TEST_CASE("Monte Carlo: an ion in a spring has 3/2 kT, by small steps and by jumps") {
  for (const SampleBoundary boundary : {SampleBoundary::open, SampleBoundary::periodic}) {
    IonModel model = ideal_gas(20.0, {2.0});
    if (boundary == SampleBoundary::periodic) model = periodic(model);
    model.field = spring(0.5, {1.0, -1.0, 0.5});
    RandomStream random(6, 0);
    MonteCarlo chain(random_ions(model, {5}, random), {}, RandomStream(6, 1));
    for (int n = 0; n < 200; ++n) {
      chain.run(20);
      chain.adapt_steps();
    }
    const SeriesMean energy =
        sampled(chain, 10'000, 20, [](const IonSet& ions) { return ions.energy_kT() / 5.0; });
    check_mean(energy, 1.5, 0.05);
    CHECK(std::abs(chain.refresh()) < 1e-8);
    const MoveTally& shifts = chain.tallies()[std::size_t(MoveKind::shift)];
    CHECK(shifts.share() > 0.3);
    CHECK(shifts.share() < 0.5);
  }
}

TEST_CASE("Monte Carlo: swaps alone share places out by Boltzmann's factor") {
  // Two places far apart that only swaps connect: steps cannot cross, and jumps find them by chance only.
  IonModel model = ideal_gas(1000.0, {1.0, 2.0});
  model.field = std::make_shared<FormulaField>([](const Vec3<double>& p) {
    const auto well = [&](double x, double depth) {
      const double r2 = (p.x - x) * (p.x - x) + p.y * p.y + p.z * p.z;
      return r2 < 1.0 ? -depth : 0.0;
    };
    return std::pair(-40.0 + 0.0 + (well(-100.0, 1.0) < 0 || well(100.0, 1.0) < 0 ? well(100.0, 0.8) : 1e5),
                     Vec3<double>{});
  });
  const std::vector<MovingIon> ions = {{0, {-100.0, 0.0, 0.0}}, {1, {100.0, 0.0, 0.0}}};
  MonteCarlo chain(IonSet(model, ions), {}, RandomStream(8, 1));
  // The charge of 2 is at the deeper place with 1 / (1 + e^(-0.8)).
  const SeriesMean deeper = sampled(chain, 10'000, 100, [](const IonSet& now) {
    return (now.ions()[0].species == 1 ? now.ions()[0] : now.ions()[1]).position_A.x > 0.0 ? 1.0 : 0.0;
  });
  check_mean(deeper, 1.0 / (1.0 + std::exp(-0.8)), 0.05);
}

TEST_CASE("Monte Carlo: two hard spheres keep their distance and fill the rest evenly") {
  // In a periodic box the distance is uniform over all that is not nearer than sigma.
  const IonModel model =
      periodic({.species = {species_of("A", 0, 2.0)}, .box = cube_of(12.0), .repulsion = Repulsion::hard});
  RandomStream random(9, 0);
  MonteCarlo chain(random_ions(model, {2}, random), {}, RandomStream(9, 1));
  const SeriesMean near = sampled(chain, 20'000, 20, [](const IonSet& ions) {
    Vec3<double> d = ions.ions()[0].position_A - ions.ions()[1].position_A;
    for (double* x : {&d.x, &d.y, &d.z}) *x -= 12.0 * std::round(*x / 12.0);
    const double r = std::sqrt(dot(d, d));
    REQUIRE(r >= 3.9999);
    return r < 6.0 ? 1.0 : 0.0;
  });
  constexpr double ball = 4.18879020478639;
  check_mean(near, ball * (216.0 - 64.0) / (1728.0 - ball * 64.0), 0.05);
}
