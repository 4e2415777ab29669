// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include "compute/backend.hpp"
#include "core/error.hpp"
#include "electrostatics/at_points/device_points.hpp"
#include "gpu/backend.hpp"
#include "jobs/at_points/potential_at_points.hpp"
#include "support/backends.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr std::int64_t ample_bytes = 4'000'000'000;

int points_gpu() {
  return gpu_backend().devices().devices.front().number;
}

std::vector<PairPotential> all_pairs() {
  return {pair_potential({}), pair_potential({.ddd_per_A = 3.0}), pair_potential({.ionic_strength_M = 0.15})};
}

struct ScatteredProblem {
  std::vector<PointCharge> charges;
  std::vector<Vec3<double>> points_A;
};

/// In a cube, with coordinates far from 0.
ScatteredProblem in_cube(std::size_t charges, std::size_t points, double edge_A) {
  std::mt19937_64 random(77);
  std::uniform_real_distribution<double> along(0.0, edge_A), charge_e(-1.0, 1.0);
  const auto somewhere = [&] {
    return Vec3<double>{310.0 + along(random), along(random) - 95.0, along(random)};
  };
  ScatteredProblem problem;
  for (std::size_t n = 0; n < charges; ++n) problem.charges.push_back({somewhere(), charge_e(random)});
  for (std::size_t n = 0; n < points; ++n) problem.points_A.push_back(somewhere());
  return problem;
}

/// By plain code: the sum, and that of the terms' sizes.
struct PlainSum {
  std::vector<double> values, sizes, nearest_A;
};

PlainSum plain_sum(const ScatteredProblem& problem, const PairPotential& pair) {
  PlainSum sum;
  for (const Vec3<double>& p : problem.points_A) {
    double value = 0.0, size = 0.0, nearest_A = INFINITY;
    for (const PointCharge& q : problem.charges) {
      const double r = std::sqrt(distance_squared(q.position_A, p)), term = reference_pair(pair, r);
      value += q.charge_e * term;
      size += std::abs(q.charge_e) * term;
      nearest_A = std::min(nearest_A, r);
    }
    sum.values.push_back(value);
    sum.sizes.push_back(size);
    sum.nearest_A.push_back(nearest_A);
  }
  return sum;
}

std::vector<double> direct_on_gpu(const ScatteredProblem& problem, const PairPotential& pair,
                                  std::int64_t memory_bytes = ample_bytes) {
  std::vector<double> values(problem.points_A.size(), -1.0);
  gpu_backend()
      .make_points(points_gpu(), memory_bytes, problem.charges, pair)
      ->direct(problem.points_A, values, {});
  return values;
}

std::vector<double> multilevel_on_gpu(const ScatteredProblem& problem, const PairPotential& pair,
                                      const MultilevelOptions& options,
                                      std::int64_t memory_bytes = ample_bytes) {
  std::vector<double> values(problem.points_A.size(), -1.0);
  gpu_backend()
      .make_points(points_gpu(), memory_bytes, problem.charges, pair)
      ->multilevel(options, problem.points_A, values, {});
  return values;
}

/// Roots are good to 1.2e-7 and sums of 64 terms to 4e-6 at worst; a distance is to 3e-6 A, which counts
/// twice in 1/r^2.
double allowed_error(const PlainSum& exact, std::size_t point) {
  const double r = std::max(exact.nearest_A[point], smallest_distance_A);
  return (5e-6 + 2 * 3e-6 / r) * exact.sizes[point];
}

/// Of what is allowed the largest, NaN if there is one.
double largest_error(const std::vector<double>& values, const PlainSum& exact) {
  double most = 0.0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double error = std::abs(values[n] - exact.values[n]) / allowed_error(exact, n);
    if (!(error <= most)) most = error;
  }
  return most;
}

double rms_error(const std::vector<double>& values, const PlainSum& exact, double beyond_A) {
  double square = 0.0, whole = 0.0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (exact.nearest_A[n] < beyond_A) continue;
    square += std::pow(values[n] - exact.values[n], 2);
    whole += std::pow(exact.values[n], 2);
  }
  REQUIRE(whole > 0.0);
  return std::sqrt(square / whole);
}

}  // namespace

TEST_CASE("gpu points: the direct sum of any number of charges at any number of points") {
  if (!have_gpu()) return;
  for (const PairPotential& pair : all_pairs())
    for (const auto& [charges, points] : {std::pair<std::size_t, std::size_t>{1, 1},
                                          {13, 7},
                                          {31, 129},
                                          {3000, 513},
                                          {65, 5000},
                                          {20000, 3}}) {
      CAPTURE(int(pair.kind));
      CAPTURE(charges);
      CAPTURE(points);
      const ScatteredProblem problem = in_cube(charges, points, 60.0);
      CHECK(largest_error(direct_on_gpu(problem, pair), plain_sum(problem, pair)) < 1.0);
    }
}

TEST_CASE("gpu points: on top of charges, and of points that lie far apart") {
  if (!have_gpu()) return;
  for (const PairPotential& pair : all_pairs()) {
    CAPTURE(int(pair.kind));
    for (const double edge_A : {30.0, 3000.0}) {
      CAPTURE(edge_A);
      ScatteredProblem problem = in_cube(200, 0, edge_A);
      std::mt19937_64 random(5);
      std::normal_distribution<double> part;
      for (const double away_A : {0.0, 0.02, 0.5, 3.0})
        for (const PointCharge& q : problem.charges) {
          const Vec3<double> d{part(random), part(random), part(random)};
          problem.points_A.push_back(q.position_A + (away_A / std::sqrt(dot(d, d))) * d);
        }
      const PlainSum exact = plain_sum(problem, pair);
      const std::vector<double> direct = direct_on_gpu(problem, pair);
      CHECK(largest_error(direct, exact) < 1.0);
      const double spacing_A = edge_A > 100.0 ? 12.0 : 2.0;
      const std::vector<double> levels =
          multilevel_on_gpu(problem, pair, {MultilevelBasis::bspline6, 5.0 * spacing_A, spacing_A});
      for (std::size_t n = 0; n < levels.size(); ++n) {
        CAPTURE(n);
        // Positions are multiples of 5e-6 A in the larger cube.
        CHECK(std::abs(levels[n] - exact.values[n]) < 6e-3 * exact.sizes[n] + 3.0 * allowed_error(exact, n));
      }
    }
  }
}

TEST_CASE("gpu points: multilevel sums against plain code and the CPU") {
  if (!have_gpu()) return;
  const ScatteredProblem problem = in_cube(2500, 1500, 32.0);
  const SoluteParts solute{problem.charges, {0, 2500}, {0, 1}};
  for (const PairPotential& pair : all_pairs()) {
    const PlainSum exact = plain_sum(problem, pair);
    for (const MultilevelOptions& options : {MultilevelOptions{MultilevelBasis::bspline4, 10.0, 2.0},
                                             MultilevelOptions{MultilevelBasis::bspline6, 8.0, 2.0},
                                             MultilevelOptions{MultilevelBasis::bspline8, 6.0, 1.0}}) {
      CAPTURE(int(pair.kind));
      CAPTURE(std::string(to_string(options.basis)));
      const std::vector<double> values = multilevel_on_gpu(problem, pair, options);
      const PointSum cpu = sum_at_points(solute, problem.points_A, pair,
                                         {.method = PointMethod::multilevel, .multilevel = options}, {});
      const double error = rms_error(values, exact, 1.0), of_cpu = rms_error(cpu.potential_kT_e, exact, 1.0);
      CHECK(error < 2e-2);
      CHECK(error < 1.2 * of_cpu + 1e-5);  // the same grids, but for where they begin
    }
  }
}

TEST_CASE("gpu points: points that go through in parts, the same bits in every run") {
  if (!have_gpu()) return;
  const ScatteredProblem problem = in_cube(1500, 30000, 50.0);
  const PairPotential pair = pair_potential({});
  const MultilevelOptions options{MultilevelBasis::bspline6, 8.0, 2.0};
  const std::vector<double> direct = direct_on_gpu(problem, pair),
                            levels = multilevel_on_gpu(problem, pair, options);
  CHECK(direct_on_gpu(problem, pair) == direct);
  CHECK(multilevel_on_gpu(problem, pair, options) == levels);
  constexpr std::int64_t scarce_bytes = 74'000'000;
  const std::vector<double> direct_parts = direct_on_gpu(problem, pair, 65'000'000),
                            levels_parts = multilevel_on_gpu(problem, pair, options, scarce_bytes);
  for (std::size_t n = 0; n < direct.size(); ++n) {
    // Other points come together, and charges are summed in another order.
    REQUIRE(direct_parts[n] == doctest::Approx(direct[n]).epsilon(1e-4).scale(100.0));
    REQUIRE(levels_parts[n] == doctest::Approx(levels[n]).epsilon(1e-4).scale(100.0));
  }
  CHECK_THROWS_AS(direct_on_gpu(problem, pair, 60'000'000), Error);
  CHECK_THROWS_AS(multilevel_on_gpu(problem, pair, options, 1'000'000), Error);
}

TEST_CASE("gpu points: nothing to sum, cancelled, and on a GPU that is not there") {
  if (!have_gpu()) return;
  const PairPotential pair = pair_potential({});
  ScatteredProblem problem = in_cube(0, 20, 10.0);
  CHECK(direct_on_gpu(problem, pair) == std::vector<double>(20, 0.0));
  problem = in_cube(20, 0, 10.0);
  CHECK(direct_on_gpu(problem, pair).empty());
  CHECK(multilevel_on_gpu(problem, pair, {}).empty());
  problem = in_cube(20, 20, 10.0);
  std::vector<double> values(20);
  const auto cancel = [](double) { throw Error("cancelled"); };
  const auto on_gpu = gpu_backend().make_points(points_gpu(), ample_bytes, problem.charges, pair);
  CHECK_THROWS_WITH_AS(on_gpu->direct(problem.points_A, values, cancel), "cancelled", Error);
  CHECK_THROWS_WITH_AS(on_gpu->multilevel({}, problem.points_A, values, cancel), "cancelled", Error);
  CHECK_THROWS_AS(gpu_backend().make_points(997, ample_bytes, problem.charges, pair), UsageError);
}

TEST_CASE("gpu points: samples in double precision, and the distance to the nearest charge") {
  if (!have_gpu()) return;
  const ScatteredProblem problem = in_cube(3001, 256, 40.0);
  for (const PairPotential& pair : all_pairs()) {
    const PlainSum plain = plain_sum(problem, pair);
    const DevicePoints::Exact exact =
        gpu_backend().make_points(points_gpu(), ample_bytes, problem.charges, pair)->exact(problem.points_A);
    for (std::size_t n = 0; n < plain.values.size(); ++n) {
      CHECK(std::abs(exact.potential_kT_e[n] - plain.values[n]) < 1e-12 * plain.sizes[n]);
      CHECK(exact.nearest_A[n] == doctest::Approx(plain.nearest_A[n]).epsilon(1e-12));
    }
  }
}

TEST_CASE("gpu points: the job of a command, by each method and model") {
  if (!have_gpu()) return;
  const ScatteredProblem problem = in_cube(3000, 4000, 30.0);
  Structure structure;
  structure.path = "cube.pqr";
  for (const PointCharge& q : problem.charges) {
    Atom atom;
    atom.position_A = q.position_A;
    atom.charge_e = q.charge_e;
    atom.radius_A = 1.0;
    structure.atoms.push_back(atom);
  }
  PointSet points;
  points.path = "points.csv";
  points.format = PointFormat::csv;
  points.positions_A = problem.points_A;
  const auto result_on = [&](const PointModel& model, PointMethod method, Backend backend) {
    Stages stages;
    return potential_at_points({.structure = structure,
                                .points = points,
                                .model = model,
                                .sum = {.method = method, .error = 1e-3},
                                .backend = {.backend = backend}},
                               stages, {&gpu_backend()});
  };
  for (const PointModel& model : {PointModel{SummedCharges{}}, PointModel{AlpbOptions{}}}) {
    const PointResult exact = result_on(model, PointMethod::direct, Backend::cpu);
    for (const PointMethod method : {PointMethod::automatic, PointMethod::direct, PointMethod::multilevel}) {
      CAPTURE(std::string(to_string(method)));
      const PointResult result = result_on(model, method, Backend::gpu);
      CHECK(result.run.backend == Backend::gpu);
      CHECK(result.run.device == gpu_backend().devices().devices.front().name);
      REQUIRE(result.run.device_use);
      CHECK(result.run.device_use->peak_bytes > 0);
      REQUIRE(result.sum->error);
      CHECK(result.sum->error->samples > 50);
      CHECK(result.sum->error->rms < 1e-3);
      double square = 0.0, whole = 0.0;
      for (std::size_t n = 0; n < exact.potential_kT_e.size(); ++n) {
        square += std::pow(result.potential_kT_e[n] - exact.potential_kT_e[n], 2);
        whole += std::pow(exact.potential_kT_e[n], 2);
      }
      CHECK(std::sqrt(square / whole) < 2e-3);
    }
  }
  CHECK_THROWS_AS(result_on(SummedCharges{}, PointMethod::hcp, Backend::gpu), UsageError);
  CHECK(result_on(SummedCharges{}, PointMethod::hcp, Backend::automatic).run.backend == Backend::cpu);
}
