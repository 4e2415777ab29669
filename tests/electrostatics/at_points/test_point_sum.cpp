// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "electrostatics/at_points/multilevel_at_points.hpp"
#include "electrostatics/at_points/point_sum.hpp"
#include "electrostatics/at_points/sampled_error.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using ionwell::test::error_of;

namespace {

/// Chains of residues of partial charges, and points among and around them.
struct Problem {
  SoluteParts solute;
  std::vector<Vec3<double>> points_A;
};

Problem problem_of(int chains, int residues, int points) {
  Problem problem;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const double edge_A = 1.6 * std::cbrt(double(chains * residues * 12));
  const auto somewhere = [&](double half_A) {
    return Vec3<double>{half_A * unit(random), half_A * unit(random), half_A * unit(random)};
  };
  for (int c = 0; c < chains; ++c) {
    problem.solute.chain_begins.push_back(std::uint32_t(problem.solute.residue_begins.size()));
    const Vec3<double> chain_A = somewhere(0.5 * edge_A);
    for (int r = 0; r < residues; ++r) {
      problem.solute.residue_begins.push_back(std::uint32_t(problem.solute.charges.size()));
      const Vec3<double> residue_A = chain_A + somewhere(12.0);
      double sum_e = 0.0;
      for (int a = 0; a < 12; ++a) {
        const double q = a < 11 ? 0.5 * unit(random) : double(r % 5 == 0) - sum_e;
        sum_e += q;
        problem.solute.charges.push_back({residue_A + somewhere(2.5), q});
      }
    }
  }
  problem.solute.chain_begins.push_back(std::uint32_t(problem.solute.residue_begins.size()));
  problem.solute.residue_begins.push_back(std::uint32_t(problem.solute.charges.size()));
  for (int p = 0; p < points; ++p) problem.points_A.push_back(somewhere(0.8 * edge_A));
  return problem;
}

std::vector<double> plain_sum(const Problem& problem, const PairPotential& pair) {
  std::vector<double> values;
  for (const Vec3<double>& p : problem.points_A) {
    double sum = 0.0;
    for (const PointCharge& charge : problem.solute.charges)
      sum += charge.charge_e * test::reference_pair(pair, std::sqrt(distance_squared(charge.position_A, p)));
    values.push_back(sum);
  }
  return values;
}

double rms_of(const std::vector<double>& values) {
  double square = 0.0;
  for (const double value : values) square += value * value;
  return std::sqrt(square / double(values.size()));
}

double rms_error(const std::vector<double>& values, const std::vector<double>& exact) {
  REQUIRE(values.size() == exact.size());
  std::vector<double> difference;
  for (std::size_t n = 0; n < values.size(); ++n) difference.push_back(values[n] - exact[n]);
  return rms_of(difference) / rms_of(exact);
}

std::vector<PairPotential> pairs() {
  return {pair_potential({}), pair_potential({.ddd_per_A = 3.0}), pair_potential({.ionic_strength_M = 0.15})};
}

}  // namespace

TEST_CASE("potential at points: every method and potential against plain fp64 sums") {
  const Problem problem = problem_of(6, 60, 1500);
  for (const PairPotential& pair : pairs()) {
    CAPTURE(int(pair.kind));
    const std::vector<double> exact = plain_sum(problem, pair);
    const auto sum = [&](PointMethod method, double error, int threads) {
      return sum_at_points(problem.solute, problem.points_A, pair,
                           {.method = method, .error = error, .threads = threads}, {});
    };
    CHECK(rms_error(sum(PointMethod::direct, 1e-3, 1).potential_kT_e, exact) < 1e-11);
    for (const double error : {1e-2, 1e-3, 1e-4}) {
      CAPTURE(error);
      const PointSum multilevel = sum(PointMethod::multilevel, error, 2);
      REQUIRE(multilevel.error);
      CHECK(multilevel.error->samples > 200);
      CHECK(multilevel.error->rms <= error);
      // The samples stand for all: of 256 of them the spread is a tenth.
      CHECK(rms_error(multilevel.potential_kT_e, exact) < 1.5 * error);
      const PointSum partitioned = sum(PointMethod::hcp, error, 2);
      CHECK(rms_error(partitioned.potential_kT_e, exact) < 1.5 * error);
      CHECK(partitioned.partition->residue_A >= 10.0);
    }
    CHECK(sum(PointMethod::hcp, 1e-3, 1).potential_kT_e == sum(PointMethod::hcp, 1e-3, 2).potential_kT_e);
    CHECK(sum(PointMethod::multilevel, 1e-3, 1).potential_kT_e ==
          sum(PointMethod::multilevel, 1e-3, 2).potential_kT_e);
  }
}

TEST_CASE(
    "potential at points: errors are relative to the potential's root mean square, which is told in kT/e") {
  const std::optional<SampledError> error = sampled_error(std::vector{3.0, -4.0}, std::vector{3.1, -4.0});
  REQUIRE(error);
  CHECK(error->samples == 2);
  CHECK(error->rms == doctest::Approx(0.1 / 5.0));
  CHECK(error->potential_rms_kT_e == doctest::Approx(5.0 / std::sqrt(2.0)));
  CHECK(error->largest == doctest::Approx(0.1 / error->potential_rms_kT_e));
}

TEST_CASE("potential at points: instruction sets agree") {
  const Problem problem = problem_of(2, 20, 333);
  for (const PairPotential& pair : pairs()) {
    const std::vector<double> exact = plain_sum(problem, pair);
    for (const SimdLevel level : {SimdLevel::baseline, SimdLevel::avx2, SimdLevel::avx512}) {
      if (level > best_simd_level()) continue;
      CAPTURE(std::string(to_string(level)));
      const TargetBatches batches(problem.points_A, 1);
      std::vector<double> values(problem.points_A.size());
      // Thresholds beyond everything: all pairs, terms in fp32 to 2e-6 of each.
      ChargePartition(problem.solute)
          .potential(problem.points_A, batches, pair, {.residue_A = 1e6, .chain_A = 1e6}, level, 1, values,
                     {});
      CHECK(rms_error(values, exact) < 2e-6);
      const MultilevelAtPoints multilevel(problem.solute.charges, problem.points_A, pair,
                                          {MultilevelBasis::bspline8, 6.0, 1.0}, level, 1, {});
      multilevel.potential(problem.points_A, batches, 1, values, {});
      CHECK(rms_error(values, exact) < 1e-4);  // largest seen 3.2e-5, of 1/r^2
    }
  }
}

TEST_CASE("potential at points: charge partitioning is what it says") {
  // Two residues of a chain; the point sees the near one by atoms and the far one by its two lumps.
  SoluteParts solute;
  solute.charges = {
      {{0, 0, 0}, 1.0}, {{1, 0, 0}, -0.5}, {{30, 0, 0}, 1.0}, {{32, 0, 0}, 3.0}, {{31, 2, 0}, -2.0}};
  solute.residue_begins = {0, 2, 5};
  solute.chain_begins = {0, 2};
  const std::vector<Vec3<double>> points = {{5, 0, 0}};
  const PairPotential unit{PairPotential::Kind::coulomb, 1.0, 0.0};
  const auto potential = [&](PartitionOptions partition) {
    return sum_at_points(solute, points, unit, {.method = PointMethod::hcp, .partition = partition}, {})
        .potential_kT_e[0];
  };
  const double near = 1.0 / 5.0 - 0.5 / 4.0;
  const double lumps = 4.0 / (31.5 - 5.0) - 2.0 / std::sqrt(26.0 * 26.0 + 4.0);
  CHECK(potential({}) == doctest::Approx(near + lumps).epsilon(1e-5));
  // One charge: 2 e at the centre of the sizes.
  const double x = (30.0 + 3 * 32.0 + 2 * 31.0) / 6.0 - 5.0, y = 4.0 / 6.0;
  CHECK(potential({.charges = 1}) == doctest::Approx(near + 2.0 / std::sqrt(x * x + y * y)).epsilon(1e-5));
  // A chain whose middle (at 18.8 A) is beyond 10 A: 5 e and -2.5 e.
  const double middle_plus = (0.0 + 30.0 + 96.0) / 5.0 - 5.0;
  const double minus_x = (0.5 + 62.0) / 2.5 - 5.0, minus_y = 4.0 / 2.5;
  CHECK(potential({.residue_A = 5.0, .chain_A = 10.0}) ==
        doctest::Approx(5.0 / middle_plus - 2.5 / std::sqrt(minus_x * minus_x + minus_y * minus_y))
            .epsilon(1e-5));
  CHECK(potential({.residue_A = 1e3, .chain_A = 1e3, .complex_A = 10.0}) ==
        doctest::Approx(5.0 / middle_plus - 2.5 / std::sqrt(minus_x * minus_x + minus_y * minus_y))
            .epsilon(1e-5));
}

TEST_CASE("potential at points: one point, many in one place, none, no charge, and far away") {
  const Problem problem = problem_of(1, 4, 1);
  const PairPotential pair = pair_potential({});
  for (const PointMethod method :
       {PointMethod::automatic, PointMethod::direct, PointMethod::hcp, PointMethod::multilevel}) {
    CAPTURE(std::string(to_string(method)));
    const auto values = [&](std::vector<Vec3<double>> points_A) {
      return sum_at_points(problem.solute, points_A, pair, {.method = method}, {}).potential_kT_e;
    };
    CHECK(values({}).empty());
    const std::vector<double> exact = plain_sum(problem, pair);
    CHECK(values(problem.points_A).at(0) == doctest::Approx(exact[0]).epsilon(2e-3));
    const std::vector<double> same = values(std::vector<Vec3<double>>(1000, problem.points_A[0]));
    CHECK(same.size() == 1000);
    CHECK(same.front() == doctest::Approx(exact[0]).epsilon(2e-3));
    CHECK(same.front() == doctest::Approx(same.back()).epsilon(1e-6));
    CHECK(
        sum_at_points({{}, {0}, {0}}, problem.points_A, pair, {.method = method}, {}).potential_kT_e.at(0) ==
        0.0);
  }
  // A grid around points so far apart would not fit: another method does it.
  std::vector<Vec3<double>> scattered;
  for (int n = 0; n < 200000; ++n) scattered.push_back({0.5 * n, 0.3 * n, -0.4 * n});
  const PointSum sum = sum_at_points(problem_of(1, 100, 1).solute, scattered, pair, {}, {});
  CHECK(sum.method != PointMethod::multilevel);
  CHECK(sum.error->rms <= 1e-3);
}

TEST_CASE("potential at points: a point on a charge gets the potential 1e-3 A from it") {
  SoluteParts solute{{{{1, 2, 3}, 2.0}}, {0, 1}, {0, 1}};
  const std::vector<Vec3<double>> points = {{1, 2, 3}};
  const PairPotential pair = pair_potential({});
  CHECK(sum_at_points(solute, points, pair, {.method = PointMethod::direct}, {}).potential_kT_e[0] ==
        doctest::Approx(2000.0 * pair.prefactor));
}

TEST_CASE("potential at points: options that make no sense") {
  const auto message = [](const PointSumOptions& options) { return error_of([&] { validate(options); }); };
  CHECK(message({.error = 0.0}).find("--accuracy is 0") != std::string::npos);
  CHECK(message({.error = std::nan("")}).find("--accuracy is nan") != std::string::npos);
  CHECK(message({.partition = PartitionOptions{.residue_A = -1.0}}).find("--tune hcp-thresholds") !=
        std::string::npos);
  CHECK(message({.partition = PartitionOptions{.charges = 3}}).find("--tune hcp-charges is 3") !=
        std::string::npos);
}
