// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/error.hpp"
#include "electrostatics/at_points/device_points.hpp"
#include "electrostatics/at_points/sampled_error.hpp"
#include "jobs/at_points/computed_sum.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using ionwell::test::error_of;

namespace {

/// What a device does, by plain sums on the host; multilevel sums are off by as much as a test says.
class PlainDevicePoints final : public DevicePoints {
 public:
  std::vector<PointCharge> charges;
  PairPotential pair = pair_potential({});
  std::vector<double> errors_of_sets;  // of one multilevel sum after the other, relative
  std::string failure;                 // of multilevel sums
  std::vector<std::string> calls;

  Exact exact(std::span<const Vec3<double>> points_A) override {
    calls.push_back("exact");
    Exact result;
    for (const Vec3<double>& p : points_A) {
      result.potential_kT_e.push_back(sum_at(p));
      double nearest_A = INFINITY;
      for (const PointCharge& q : charges)
        nearest_A = std::min(nearest_A, std::sqrt(distance_squared(q.position_A, p)));
      result.nearest_A.push_back(nearest_A);
    }
    return result;
  }
  void direct(std::span<const Vec3<double>> points_A, std::span<double> values_kT_e,
              const Progress& progress) override {
    calls.push_back("direct");
    progress(0.5);
    for (std::size_t n = 0; n < points_A.size(); ++n) values_kT_e[n] = sum_at(points_A[n]);
  }
  void multilevel(const MultilevelOptions& options, std::span<const Vec3<double>> points_A,
                  std::span<double> values_kT_e, const Progress& progress) override {
    calls.push_back(std::string(to_string(options.basis)));
    progress(0.5);
    if (!failure.empty()) fail(failure);
    const double error = errors_of_sets.empty() ? 0.0 : errors_of_sets.front();
    if (!errors_of_sets.empty()) errors_of_sets.erase(errors_of_sets.begin());
    for (std::size_t n = 0; n < points_A.size(); ++n) values_kT_e[n] = (1.0 + error) * sum_at(points_A[n]);
  }
  DeviceUse use() const override { return {.peak_bytes = 1}; }

  double sum_at(const Vec3<double>& p) const {
    double sum = 0.0;
    for (const PointCharge& q : charges)
      sum += q.charge_e * test::reference_pair(pair, std::sqrt(distance_squared(q.position_A, p)));
    return sum;
  }
};

struct DeviceProblem {
  PlainDevicePoints device;
  std::vector<Vec3<double>> points_A;

  DeviceProblem() {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> along(0.0, 20.0);
    const auto somewhere = [&] { return Vec3<double>{along(random), along(random), along(random)}; };
    for (int n = 0; n < 30; ++n) device.charges.push_back({somewhere(), n % 2 == 0 ? 1.0 : -0.7});
    for (int n = 0; n < 500; ++n) points_A.push_back(somewhere());
  }

  PointSum sum(const PointSumOptions& options, bool is_multilevel_faster, const Progress& progress = {}) {
    const DevicePointRates rates{is_multilevel_faster ? 1.0 : 1e12, is_multilevel_faster ? 0.0 : 1.0, 0.0,
                                 0.0, 0.0};
    return sum_at_points(device, device.charges, points_A, options, rates, progress);
  }
};

}  // namespace

TEST_CASE("potential at points: a device takes the faster method, and its error is sampled") {
  for (const bool is_multilevel_faster : {false, true}) {
    DeviceProblem problem;
    problem.device.errors_of_sets = {5e-4};
    const PointSum sum = problem.sum({.error = 1e-3}, is_multilevel_faster);
    CHECK(sum.method == (is_multilevel_faster ? PointMethod::multilevel : PointMethod::direct));
    REQUIRE(sum.error);
    CHECK(sum.error->rms == doctest::Approx(is_multilevel_faster ? 5e-4 : 0.0).epsilon(1e-6));
    CHECK(sum.error->samples < 256);  // some points are beside a charge
    CHECK(sum.error->samples > 200);
    CHECK_FALSE(sum.is_exact);
    CHECK(sum.multilevel.has_value() == is_multilevel_faster);
  }
}

TEST_CASE("potential at points: a device takes finer sets until one has the error, or sums directly") {
  {
    DeviceProblem problem;
    problem.device.errors_of_sets = {3e-3, 2e-3, 5e-4};
    const PointSum sum = problem.sum({.method = PointMethod::multilevel, .error = 1e-3}, true);
    CHECK(problem.device.calls == std::vector<std::string>{"exact", "bspline6", "bspline6", "bspline8"});
    CHECK(sum.error->rms == doctest::Approx(5e-4).epsilon(1e-6));
    CHECK(sum.potential_kT_e[7] == doctest::Approx(1.0005 * problem.device.sum_at(problem.points_A[7])));
  }
  DeviceProblem problem;
  problem.device.errors_of_sets = {1.0, 1.0, 1.0, 1.0, 1.0};
  CHECK(problem.sum({.error = 1e-3}, true).method == PointMethod::direct);
  problem.device.errors_of_sets = {1.0, 1.0, 1.0, 1.0, 1.0};
  CHECK(error_of([&] {
          problem.sum({.method = PointMethod::multilevel, .error = 1e-3}, true);
        }).find("--accuracy 0.001: the error of multilevel summation is 1") == 0);
  problem.device.errors_of_sets = {1.0};
  const PointSum given = problem.sum({.error = 1e-3, .multilevel = MultilevelOptions{}}, true);
  CHECK(given.method == PointMethod::multilevel);
  CHECK(given.error->rms == doctest::Approx(1.0));
}

TEST_CASE("potential at points: a device that fails, is cancelled, or is asked for what it cannot do") {
  DeviceProblem problem;
  problem.device.failure = "the grid does not fit";
  CHECK(problem.sum({}, true).method == PointMethod::direct);
  CHECK(error_of([&] { problem.sum({.method = PointMethod::multilevel}, true); }) == "the grid does not fit");
  problem.device.failure.clear();
  const auto cancel = [](double) { throw Error("cancelled"); };
  CHECK(error_of([&] { problem.sum({}, true, cancel); }) == "cancelled");
  CHECK(error_of([&] { problem.sum({}, false, cancel); }) == "cancelled");
  CHECK(error_of([&] { problem.sum({.method = PointMethod::hcp}, true); }).find("--method hcp") == 0);
  problem.device.charges.clear();
  const PointSum nothing = problem.sum({}, true);
  CHECK(nothing.potential_kT_e == std::vector<double>(500, 0.0));
  CHECK(nothing.is_exact);
}

TEST_CASE("potential at points: where no device is to be had the CPU sums, unless one is asked for") {
  const DeviceProblem problem;
  const SoluteParts solute{problem.device.charges, {0, 30}, {0, 1}};
  const PairPotential pair = pair_potential({});
  const auto sum_by = [&](const PointSumOptions& options, Backend backend) {
    return computed_sum(solute, problem.points_A, pair, options, {.backend = backend}, {}, {});
  };
  const ComputedSum on_cpu = sum_by({}, Backend::automatic);
  CHECK(on_cpu.backend == Backend::cpu);
  CHECK_FALSE(on_cpu.use);
  CHECK(on_cpu.sum.is_exact);
  CHECK(on_cpu.sum.potential_kT_e[3] == doctest::Approx(problem.device.sum_at(problem.points_A[3])));
  CHECK(error_of([&] { sum_by({}, Backend::gpu); }).find("--backend gpu is not available") == 0);
  CHECK(error_of([&] {
          sum_by({.method = PointMethod::hcp}, Backend::gpu);
        }).find("--method hcp runs on the CPU") == 0);
  CHECK(sum_by({.method = PointMethod::hcp}, Backend::automatic).sum.method == PointMethod::hcp);
}
