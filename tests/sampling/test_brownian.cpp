// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "sampling/brownian.hpp"
#include "sampling/monte_carlo.hpp"
#include "sampling/plain_ions.hpp"
#include "sampling/series_statistics.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("Brownian dynamics: free ions go 6 D t, each species its own") {
  IonModel model = ideal_gas(1e4, {1.0, -1.0});
  model.species[0].diffusion_A2_ps = 0.05;
  model.species[1].diffusion_A2_ps = 0.2;
  std::vector<MovingIon> ions;
  for (std::uint32_t n = 0; n < 1000; ++n)
    ions.push_back(
        {n % 2, {double(n / 2 % 10) * 100.0, double(n / 20 % 10) * 100.0, double(n / 200) * 100.0}});
  BrownianDynamics dynamics(IonSet(model, ions), {.time_step_ps = 0.02}, RandomStream(1, 1));
  dynamics.run(25);
  for (const std::uint32_t species : {0u, 1u}) {
    std::vector<double> squares;
    for (std::size_t n = 0; n < ions.size(); ++n)
      if (ions[n].species == species)
        squares.push_back(distance_squared(dynamics.ions().ions()[n].position_A, ions[n].position_A));
    const SeriesMean mean = mean_of(squares);
    const double expected = 6.0 * model.species[species].diffusion_A2_ps * 25 * 0.02;
    CHECK(std::abs(mean.mean - expected) < 5.0 * mean.error);
    CHECK(5.0 * mean.error < 0.3 * expected);
  }
}

TEST_CASE("Brownian dynamics: in a spring it has Boltzmann's width and comes to rest at D k") {
  constexpr double k = 0.5, dt = 0.05, d = 0.1;
  IonModel model = ideal_gas(60.0, {1.0});
  model.field = spring(k, {0.0, 0.0, 0.0});
  std::vector<MovingIon> ions(400, {0, {3.0, 0.0, 0.0}});
  BrownianDynamics dynamics(IonSet(model, ions), {.time_step_ps = dt}, RandomStream(2, 1));
  dynamics.run(400);  // 20 ps: the mean goes as (1 - D k dt)^n
  std::vector<double> x;
  for (const MovingIon& ion : dynamics.ions().ions()) x.push_back(ion.position_A.x);
  const SeriesMean middle = mean_of(x);
  CHECK(std::abs(middle.mean - 3.0 * std::pow(1.0 - d * k * dt, 400)) < 5.0 * middle.error);
  dynamics.run(800);
  std::vector<double> squares;
  for (const MovingIon& ion : dynamics.ions().ions()) squares.push_back(dot(ion.position_A, ion.position_A));
  const SeriesMean width = mean_of(squares);
  // Of the discrete steps: 3 / k / (1 - D k dt / 2); 0.1 % wider here than in the limit.
  CHECK(std::abs(width.mean - 3.0 / k / (1.0 - 0.5 * d * k * dt)) < 5.0 * width.error);
  CHECK(5.0 * width.error < 0.3 * width.mean);
  CHECK(dynamics.cut_moves() == 0);
}

TEST_CASE("Brownian dynamics: walls turn ions back without pulling or pushing") {
  IonModel model = ideal_gas(6.0, {1.0});
  RandomStream random(3, 0);
  BrownianDynamics dynamics(random_ions(model, {200}, random), {.time_step_ps = 0.5}, RandomStream(3, 1));
  std::vector<double> outer;
  for (int n = 0; n < 100; ++n) {
    dynamics.run(20);
    double count = 0.0;
    for (const MovingIon& ion : dynamics.ions().ions()) count += std::abs(ion.position_A.x) > 2.7 ? 1.0 : 0.0;
    outer.push_back(count / 200.0);
  }
  const std::vector<std::vector<double>> series = {outer};
  const SeriesMean share = series_mean(series, 20);
  CHECK(std::abs(share.mean - 0.1) < 5.0 * share.error);
  CHECK(5.0 * share.error < 0.02);
}

TEST_CASE("Brownian dynamics and Monte Carlo find two charged soft spheres equally far apart") {
  IonModel model{.species = {species_of("A", 1, 1.5, 0.3), species_of("B", -1, 1.5, 0.3)},
                 .box = cube_of(9.0),
                 .pair = pair_potential({.dielectric = 78.54})};
  const std::vector<MovingIon> ions = {{0, {-2.0, 0.0, 0.0}}, {1, {2.0, 0.0, 0.0}}};
  const auto apart = [](const IonSet& set) {
    return std::sqrt(distance_squared(set.ions()[0].position_A, set.ions()[1].position_A));
  };
  std::vector<std::vector<double>> by_steps(1), by_moves(1);
  BrownianDynamics dynamics(IonSet(model, ions), {}, RandomStream(4, 1));
  for (int n = 0; n < 10'000; ++n) {
    dynamics.run(100);
    by_steps[0].push_back(apart(dynamics.ions()));
  }
  MonteCarlo chain(IonSet(model, ions), {}, RandomStream(4, 2));
  for (int n = 0; n < 20'000; ++n) {
    chain.run(10);
    by_moves[0].push_back(apart(chain.ions()));
  }
  const SeriesMean steps = series_mean(by_steps, 20), moves = series_mean(by_moves, 20);
  const double error = std::hypot(steps.error, moves.error);
  CAPTURE(steps.mean);
  CAPTURE(moves.mean);
  CHECK(std::abs(steps.mean - moves.mean) < 5.0 * error + 0.01 * moves.mean);  // of the time step
  CHECK(5.0 * error < 0.15 * moves.mean);
}

TEST_CASE("Brownian dynamics: refuses what has no forces, does not move or moves too far") {
  IonModel model{
      .species = {species_of("NA", 1, 1.0, 0.13)}, .box = cube_of(20.0), .repulsion = Repulsion::hard};
  const auto refused = [&](double dt_ps) {
    return error_of(
        [&] { BrownianDynamics(IonSet(model, {}), {.time_step_ps = dt_ps}, RandomStream(1, 1)); });
  };
  CHECK(refused(0.01).find("--repulsion soft") != std::string::npos);
  model.repulsion = Repulsion::soft;
  CHECK(refused(1.0).find("the time step is 1 ps; it must be greater than 0 and at most 0.0168691 ps") !=
        std::string::npos);
  CHECK(refused(std::nan("")).find("the time step is nan") != std::string::npos);
  model.species[0].diffusion_A2_ps = 0.0;
  CHECK(refused(0.01).find("--diffusion NA:0.13") != std::string::npos);
}
