// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "compute/backend.hpp"
#include "core/error.hpp"
#include "electrostatics/periodic/periodic_sum.hpp"
#include "electrostatics/periodic/plain_ewald.hpp"
#include "gpu/backend.hpp"
#include "support/backends.hpp"

namespace ionwell::test {
namespace {

std::vector<PairPotential> pairs_of_every_kind() {
  return {{PairPotential::Kind::coulomb, 7.1, 0.0},
          {PairPotential::Kind::distance_dependent, 7.1, 0.0},
          {PairPotential::Kind::debye_hueckel, 7.1, 0.1},
          {PairPotential::Kind::debye_hueckel, 7.1, 2.0}};
}

std::vector<PointCharge> random_charges(const PeriodicCell& cell, std::size_t count) {
  std::mt19937 random(31);
  std::uniform_real_distribution<double> anywhere(-1.0, 2.0), charge_e(-0.8, 1.0);
  std::vector<PointCharge> charges(count);
  for (PointCharge& q : charges) {
    q.position_A = cell.cartesian_A({anywhere(random), anywhere(random), anywhere(random)});
    q.charge_e = charge_e(random);
  }
  return charges;
}

/// Anywhere, the first ones on charges or nearly so.
std::vector<Vec3<double>> random_points(const PeriodicCell& cell, const std::vector<PointCharge>& charges,
                                        std::size_t count) {
  std::mt19937 random(32);
  std::uniform_real_distribution<double> anywhere(-2.0, 2.0);
  std::vector<Vec3<double>> points(count);
  for (Vec3<double>& p : points) p = cell.cartesian_A({anywhere(random), anywhere(random), anywhere(random)});
  if (count > 2) {
    points[0] = {};
    points[1] = 0.5 * cell.reduced().a;
  }
  if (count > 200) points[2] = charges[0].position_A + Vec3<double>{0, 0.5, 0};
  return points;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  return largest;
}

int first_gpu() {
  return gpu_backend().devices().devices.front().number;
}

}  // namespace

TEST_CASE("gpu: a periodic potential is the CPU's, in cells of any shape, for each pair potential") {
  if (!have_gpu()) return;
  constexpr double tolerance = 1e-12;
  for (const NamedCell& c : cells_of_all_shapes())
    for (const PairPotential& pair : pairs_of_every_kind())
      for (const auto& [charge_count, point_count] :
           {std::pair<std::size_t, std::size_t>{1, 1}, {13, 7}, {700, 33}, {5, 2000}, {3000, 1500}}) {
        CAPTURE(std::string(c.name));
        CAPTURE(int(pair.kind));
        CAPTURE(pair.kappa_per_A);
        CAPTURE(charge_count);
        const PeriodicCell cell(c.vectors);
        const auto charges = random_charges(cell, charge_count);
        const auto points = random_points(cell, charges, point_count);
        const auto cpu = periodic_potential(cell, pair, charges, points, {.tolerance = tolerance});
        const auto gpu = gpu_backend().periodic_potential(first_gpu(), cell, pair, charges, points,
                                                          {.tolerance = tolerance}, {});
        REQUIRE(gpu.size() == cpu.size());
        double error = 0.0;
        for (std::size_t n = 0; n < cpu.size(); ++n) error = std::max(error, std::abs(gpu[n] - cpu[n]));
        // Both are exact to ten times what was asked for at worst; and rounding, relative to what charges do
        // by themselves.
        double squares = 0.0;
        for (const PointCharge& q : charges) squares += q.charge_e * q.charge_e;
        const double near_A = std::min(4.0, cell.inscribed_radius_A());
        CHECK(largest_of(cpu) > 0.0);
        CHECK(error <=
              10 * tolerance * largest_of(cpu) + 2e-12 * std::sqrt(squares) * pair.at(near_A * near_A));
      }
}

TEST_CASE("gpu: the smooth part of a periodic potential is the CPU's") {
  if (!have_gpu()) return;
  for (const NamedCell& c : cells_of_all_shapes())
    for (const PairPotential& pair : pairs_of_every_kind()) {
      CAPTURE(std::string(c.name));
      CAPTURE(int(pair.kind));
      const PeriodicCell cell(c.vectors);
      const auto charges = random_charges(cell, 700);
      const auto points = random_points(cell, charges, 1500);
      const PeriodicSumOptions options{.tolerance = 1e-10, .smooth_per_A = 0.25};
      const auto cpu = periodic_potential(cell, pair, charges, points, options);
      const auto gpu =
          gpu_backend().periodic_potential(first_gpu(), cell, pair, charges, points, options, {});
      double error = 0.0;
      for (std::size_t n = 0; n < cpu.size(); ++n) error = std::max(error, std::abs(gpu[n] - cpu[n]));
      const double near_A = std::min(4.0, cell.inscribed_radius_A());
      CHECK(error <= 1e-8 * std::sqrt(double(charges.size())) * pair.at(near_A * near_A));
    }
}

TEST_CASE("gpu: a periodic potential on top of charges, and the same bits in every run") {
  if (!have_gpu()) return;
  const PeriodicCell cell(cell_vectors({{22, 34, 46}, {81, 67, 103}}));
  for (const PairPotential& pair : pairs_of_every_kind()) {
    CAPTURE(int(pair.kind));
    const auto charges = random_charges(cell, 40);
    std::vector<Vec3<double>> points;
    for (const double away_A : {0.0, 4e-4, 9e-4, 1.1e-3})
      points.push_back(charges[1].position_A + cell.vectors().b + Vec3<double>{0, away_A, 0});
    const auto cpu = periodic_potential(cell, pair, charges, points);
    const auto gpu = gpu_backend().periodic_potential(first_gpu(), cell, pair, charges, points, {}, {});
    for (std::size_t n = 0; n < points.size(); ++n)
      CHECK(gpu[n] == doctest::Approx(cpu[n]).epsilon(1e-10));  // positions are rounded to 1e-12 of 1e-3 A
    const auto many = random_points(cell, charges, 3000);
    CHECK(gpu_backend().periodic_potential(first_gpu(), cell, pair, charges, many, {}, {}) ==
          gpu_backend().periodic_potential(first_gpu(), cell, pair, charges, many, {}, {}));
  }
}

TEST_CASE("gpu: a periodic potential of nothing, cancelled, and on a GPU that is not there") {
  if (!have_gpu()) return;
  const PeriodicCell cell(cell_vectors({{22, 34, 46}, {81, 67, 103}}));
  const PairPotential pair = pairs_of_every_kind().front();
  const auto charges = random_charges(cell, 40);
  const auto points = random_points(cell, charges, 30);
  CHECK(gpu_backend().periodic_potential(first_gpu(), cell, pair, {}, points, {}, {}) ==
        std::vector<double>(30));
  CHECK(gpu_backend().periodic_potential(first_gpu(), cell, pair, charges, {}, {}, {}).empty());
  const auto cancel = [](double part) {
    if (part > 0.4) throw Error("cancelled");
  };
  CHECK_THROWS_WITH_AS(gpu_backend().periodic_potential(first_gpu(), cell, pair, charges, points, {}, cancel),
                       "cancelled", Error);
  CHECK_THROWS_AS(gpu_backend().periodic_potential(997, cell, pair, charges, points, {}, {}), UsageError);
}

}  // namespace ionwell::test
