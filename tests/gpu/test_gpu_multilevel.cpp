// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/block.hpp"
#include "electrostatics/multilevel/multilevel_evaluator.hpp"
#include "gpu/electrostatics/multilevel_probe.hpp"
#include "support/backends.hpp"
#include "support/cases.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Values by block: of the GPU, and of the CPU's MultilevelEvaluator.
std::vector<float> gpu_values(const LatticeGeometry& lattice, const MultilevelPlan& plan,
                              const std::vector<PointCharge>& charges,
                              const std::vector<std::int32_t>& blocks, bool short_range = true) {
  MultilevelProbe probe(lattice, plan, charges, blocks, short_range);
  probe.run();
  return probe.values();
}

std::vector<float> cpu_values(const LatticeGeometry& lattice, const MultilevelPlan& plan,
                              const std::vector<PointCharge>& charges,
                              const std::vector<std::int32_t>& blocks, bool short_range = true) {
  const BlockGrid grid(lattice);
  // AVX-512 takes the square roots of Taylor splitting to 14 bits only.
  const MultilevelEvaluator sum(grid, plan, charges, short_range, SimdLevel::baseline, 2, {});
  LargeArray<float> values(block_points);
  std::vector<float> result;
  for (const std::int32_t b : blocks) {
    std::fill_n(values.data(), block_points, 0.0f);
    sum.add_to(b, values.data());
    result.insert(result.end(), values.data(), values.data() + block_points);
  }
  return result;
}

struct Deviation {
  std::int64_t points = 0;
  double from_cpu = 0.0, from_fp64 = 0.0;  // largest, relative to the sum of the terms' magnitudes
};

/// `beyond_A`: points nearer to a charge are not compared.
Deviation deviation(const LatticeGeometry& lattice, const MultilevelPlan& plan,
                    const std::vector<PointCharge>& charges, double beyond_A, bool short_range = true) {
  const BlockGrid grid(lattice);
  const std::vector<std::int32_t> blocks = all_blocks(lattice);
  const std::vector<float> values = gpu_values(lattice, plan, charges, blocks, short_range);
  const std::vector<float> cpu = cpu_values(lattice, plan, charges, blocks, short_range);
  const std::vector<double> exact = reference_potential(lattice, plan.pair, charges);
  const std::vector<double> magnitude = reference_magnitude(lattice, plan.pair, charges);
  const std::vector<double> distance_A = nearest_distance(lattice, centres_of(charges));
  Deviation result;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (int p = 0; p < block_points; ++p) {
      const Vec3<std::int64_t> at =
          grid.first_point(blocks[b]) +
          Vec3<std::int64_t>{p % block_edge, p / block_edge % block_edge, p / (block_edge * block_edge)};
      if (at.x >= lattice.counts.x || at.y >= lattice.counts.y || at.z >= lattice.counts.z) continue;
      const std::size_t i = std::size_t(lattice.index(at.x, at.y, at.z));
      if (distance_A[i] <= beyond_A) continue;
      ++result.points;
      const double value = values[block_points * b + std::size_t(p)];
      const double difference =
          std::abs(value - double(cpu[block_points * b + std::size_t(p)])) / magnitude[i];
      // The larger one, and NaN if there is any.
      if (!(difference <= result.from_cpu)) result.from_cpu = difference;
      const double error = std::abs(value - exact[i]) / magnitude[i];
      if (!(error <= result.from_fp64)) result.from_fp64 = error;
    }
  return result;
}

std::vector<MultilevelOptions> option_sets() {
  return {MultilevelOptions{}, published_multilevel, MultilevelOptions{MultilevelBasis::bspline6, 8.0, 1.25},
          MultilevelOptions{MultilevelBasis::bspline4, 8.0, 1.0},
          MultilevelOptions{MultilevelBasis::bspline8, 2.4, 0.6}};
}

bool has_splitting(const MultilevelOptions& options, const PairPotential& pair) {
  return options.basis != MultilevelBasis::cubic || pair.kind != PairPotential::Kind::debye_hueckel;
}

/// Gaussian splitting: where a charge is a cutoff away from a point to the last digit, one of the two counts
/// the pair and the other does not, which makes 1.5e-4 of it for 1/r and 7.7e-4 for 1/r^2; the GPU's shorter
/// polynomial makes less. Largest seen: 4.0e-5. Taylor splitting has no such step, only rounding.
double largest_from_cpu(const MultilevelOptions& options) {
  return options.basis == MultilevelBasis::cubic ? 1e-5 : 6e-5;
}
/// See test_multilevel.cpp.
double largest_from_fp64(const MultilevelOptions& options) {
  return options.basis == MultilevelBasis::cubic ? 8e-3 : options.cutoff_A < 5.0 ? 2e-3 : 6e-4;
}

}  // namespace

TEST_CASE("gpu multilevel: any lattice, charges anywhere, every basis and potential") {
  if (!have_gpu()) return;
  for (const Case& c : cases()) {
    if (c.lattice.spacing_A.x != c.lattice.spacing_A.z) continue;
    for (const auto& [name, pair] : pairs())
      for (const MultilevelOptions& options : option_sets()) {
        if (!has_splitting(options, pair)) continue;
        CAPTURE(c.name);
        CAPTURE(name);
        CAPTURE(std::string(to_string(options.basis)));
        const MultilevelPlan plan = multilevel_plan(c.lattice, c.charges, pair, options);
        const Deviation d = deviation(c.lattice, plan, c.charges, 0.01);
        CHECK(d.points > 0);
        CHECK(d.from_cpu < largest_from_cpu(options));
        CHECK(d.from_fp64 < largest_from_fp64(options));
      }
  }
}

TEST_CASE("gpu multilevel: from on top of a charge to far beyond the cutoff") {
  if (!have_gpu()) return;
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {300, 2, 2}};
  for (const auto& [name, pair] : pairs())
    for (const double offset_A : {0.0, 0.001, 0.01, 0.25}) {
      CAPTURE(name);
      CAPTURE(offset_A);
      const std::vector<PointCharge> one{{{7.5 + offset_A, 0.0, 0.0}, -1.5}};
      const std::vector<std::int32_t> blocks = all_blocks(lattice);
      const std::vector<float> values =
          gpu_values(lattice, multilevel_plan(lattice, one, pair, {}), one, blocks);
      for (int p = 0; p < 300; ++p) {
        const double r = std::sqrt(distance_squared(lattice.position_A(p, 0, 0), one[0].position_A));
        CAPTURE(r);
        const double exact = -1.5 * reference_pair(pair, r);
        // Distances are good to 1e-6 A.
        const double rounding = std::abs(exact) * (2e-6 + 2 * 1e-6 / std::max(r, 1e-3));
        const double unscreened = std::abs(1.5 * pair.prefactor / (r + 1.0));
        CHECK(std::abs(double(values[std::size_t(block_points * (p / 8) + p % 8)]) - exact) <
              rounding + 6e-4 * unscreened);
      }
    }
}

TEST_CASE("gpu multilevel: lattices with more points than cells, and with fewer") {
  if (!have_gpu()) return;
  Random random(700);
  for (const double spacing_A : {0.11, 0.9, 3.0, 9.0})
    for (const MultilevelOptions& options : {MultilevelOptions{}, published_multilevel}) {
      CAPTURE(spacing_A);
      const LatticeGeometry lattice{{-9, 3, 5}, {spacing_A, spacing_A, spacing_A}, {17, 11, 9}};
      const Box box = box_of(lattice);
      const std::vector<PointCharge> charges =
          random_charges(random, {box.lowest_A, box.highest_A + Vec3<double>{5, 5, 30}}, 300);
      const MultilevelPlan plan = multilevel_plan(lattice, charges, pair_potential({}), options);
      const Deviation d = deviation(lattice, plan, charges, 0.01);
      CHECK(d.points > 0);
      CHECK(d.from_cpu < largest_from_cpu(options));
    }
}

TEST_CASE("gpu multilevel: full and empty cells") {
  if (!have_gpu()) return;
  Random random(710);
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {40, 17, 21}};
  std::vector<PointCharge> charges = random_charges(random, {{4, 4, 4}, {6, 7, 5}}, 900);
  charges.push_back({{90.0, -70.0, 15.0}, 1.0});
  for (const MultilevelOptions& options : {MultilevelOptions{}, published_multilevel}) {
    const MultilevelPlan plan = multilevel_plan(lattice, charges, pair_potential({}), options);
    CHECK(deviation(lattice, plan, charges, 0.01).from_cpu < largest_from_cpu(options));
  }
}

TEST_CASE("gpu multilevel: some blocks in any order, and without the short-range part") {
  if (!have_gpu()) return;
  Random random(720);
  const LatticeGeometry lattice{{-4.3, 7.7, 0.123}, {0.5, 0.5, 0.5}, {31, 29, 43}};
  const std::vector<PointCharge> charges = random_charges(random, box_of(lattice), 200);
  const MultilevelPlan plan = multilevel_plan(lattice, charges, pair_potential({}), {});
  CHECK(deviation(lattice, plan, charges, 0.01).from_cpu < largest_from_cpu({}));
  const std::vector<float> all = gpu_values(lattice, plan, charges, all_blocks(lattice));
  const std::vector<std::int32_t> some{17, 3, 90, 4};
  const std::vector<float> values = gpu_values(lattice, plan, charges, some);
  for (std::size_t s = 0; s < some.size(); ++s)
    for (std::size_t p = 0; p < block_points; ++p)
      CHECK(values[block_points * s + p] == all[block_points * std::size_t(some[s]) + p]);
  const std::vector<float> far = gpu_values(lattice, plan, charges, some, false);
  const std::vector<float> cpu = cpu_values(lattice, plan, charges, some, false);
  double largest = 0.0;
  for (std::size_t p = 0; p < far.size(); ++p) largest = std::max(largest, double(std::abs(far[p] - cpu[p])));
  CHECK(largest < 1e-3);  // of values of about 100 kT/e
  CHECK(gpu_values(lattice, plan, charges, {}).empty());
}

TEST_CASE("gpu multilevel: the same bits from run to run, and no potential without charges") {
  if (!have_gpu()) return;
  Random random(730);
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {61, 47, 53}};
  const std::vector<PointCharge> charges = random_charges(random, box_of(lattice), 4000);
  for (const MultilevelOptions& options : {MultilevelOptions{}, published_multilevel}) {
    const MultilevelPlan plan = multilevel_plan(lattice, charges, pair_potential({}), options);
    MultilevelProbe probe(lattice, plan, charges, all_blocks(lattice), true);
    probe.run();
    const std::vector<float> first = probe.values();
    for (int n = 0; n < 3; ++n) {
      probe.run();
      CHECK(probe.values() == first);
    }
    probe.run_by_stages();
    CHECK(probe.values() == first);
    const MultilevelPlan none = multilevel_plan(lattice, {}, pair_potential({}), options);
    for (const float v : gpu_values(lattice, none, {}, {0, 1})) REQUIRE(v == 0.0f);
  }
}
