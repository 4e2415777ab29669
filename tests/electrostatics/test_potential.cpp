// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "core/error.hpp"
#include "electrostatics/charge_table.hpp"
#include "placement/host_field.hpp"
#include "support/backends.hpp"
#include "support/cases.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

struct Difference {
  std::int64_t points = 0;       // at least 1 A from any charge
  double reference_max = 0.0;    // magnitude, over these
  double error_max = 0.0;        // there
  std::int64_t points_near = 0;  // the others
  double error_max_near = 0.0;   // relative to the sum of the terms' magnitudes
  bool finite = true;            // everywhere
};

struct Expected {
  std::vector<double> potential, magnitude, distance_A;
};

Expected expected(const Case& c, const PairPotential& pair) {
  return {reference_potential(c.lattice, pair, c.charges), reference_magnitude(c.lattice, pair, c.charges),
          nearest_distance(c.lattice, centres_of(c.charges))};
}

Difference compare(const std::vector<float>& values, const Expected& reference) {
  REQUIRE(values.size() == reference.potential.size());
  Difference d;
  for (std::size_t p = 0; p < values.size(); ++p) {
    const double error = std::abs(double(values[p]) - reference.potential[p]);
    d.finite = d.finite && std::isfinite(values[p]);
    if (reference.distance_A[p] >= 1.0) {
      ++d.points;
      d.reference_max = std::max(d.reference_max, std::abs(reference.potential[p]));
      d.error_max = std::max(d.error_max, error);
    } else {
      ++d.points_near;
      d.error_max_near = std::max(d.error_max_near, error / reference.magnitude[p]);
    }
  }
  return d;
}

std::vector<float> computed(const Case& c, const PairPotential& pair, FieldOptions options) {
  options.every_point = true;
  return fill(make_lattice(c.lattice, pair, options), DirectSum{c.charges}, {})->values();
}

}  // namespace

TEST_CASE("direct sum: every instruction set and number of threads agrees with the fp64 reference") {
  for (const auto& [pair_name, pair] : pairs())
    for (const Case& c : cases()) {
      CAPTURE(pair_name);
      CAPTURE(c.name);
      const Expected reference = expected(c, pair);
      for (const SimdLevel level : simd_levels()) {
        CAPTURE(std::string(to_string(level)));
        const std::vector<float> values = computed(c, pair, {.threads = 2, .simd = level});
        const Difference d = compare(values, reference);
        CHECK(d.points > 0);
        CHECK(d.reference_max > 0.0);
        CHECK(d.error_max <= 2e-6 * d.reference_max);  // the promise of the program; largest seen 5e-7
        CHECK(d.finite);
        CHECK(d.error_max_near <= 2e-6);
        for (const int threads : {1, 3})
          CHECK(computed(c, pair, {.threads = threads, .simd = level}) == values);
      }
    }
}

TEST_CASE("direct sum: on top of a charge the potential is that of 1e-3 A, and right beside it exact") {
  const LatticeGeometry lattice{{400.0, -3.5, 7.25}, {0.5, 0.5, 0.5}, {12, 12, 12}};
  const std::int64_t at = lattice.index(9, 3, 10);
  for (const auto& [pair_name, pair] : pairs())
    for (const SimdLevel level : simd_levels())
      for (const double away_A : {0.0, 1e-4, 9.9e-4, 1.1e-3, 2e-3, 7e-3, 0.1}) {
        CAPTURE(pair_name);
        CAPTURE(std::string(to_string(level)));
        CAPTURE(away_A);
        const Vec3<double> position_A = lattice.position_A(at) + Vec3<double>{0.0, away_A, 0.0};
        const Case c{"on top", lattice, {{position_A, -0.75}}};
        const double expected_kT_e = -0.75 * reference_pair(pair, away_A);
        CHECK(double(computed(c, pair, {.simd = level})[at]) == doctest::Approx(expected_kT_e).epsilon(1e-6));
      }
}

TEST_CASE("direct sum: the term of one charge is as good from near as from afar, whatever the direction") {
  const std::vector<Vec3<double>> directions{
      {0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, -0.6, 0.8}, {0.48, 0.6, 0.64}};
  double largest = 0.0;
  for (const auto& [pair_name, pair] : pairs())
    for (const SimdLevel level : simd_levels())
      for (const std::int64_t nz : {5, 8, 15}) {
        const LatticeGeometry lattice{{10, -20, 30}, {0.7, 0.6, 0.5}, {9, 6, nz}};
        const Vec3<double> middle_A = lattice.position_A(4, 3, nz / 2);
        for (const Vec3<double>& direction : directions)
          for (double away_A = 6.0; away_A < 100.0; away_A *= 1.1) {
            // One, and as many parts of it as are summed at a block's nodes where that is enough.
            const std::size_t parts = nz == 8 ? 65 : 1;
            const std::vector<PointCharge> charges(parts,
                                                   {middle_A + away_A * direction, 1.25 / double(parts)});
            const Case c{"one charge", lattice, charges};
            const double rounding = 1.0 + pair.kappa_per_A * away_A;  // of the exponential
            const std::vector<float> values = computed(c, pair, {.threads = 1, .simd = level});
            const std::vector<double> reference = reference_potential(lattice, pair, c.charges);
            for (std::size_t p = 0; p < values.size(); ++p)
              largest = std::max(largest, std::abs(double(values[p]) / reference[p] - 1.0) / rounding);
          }
      }
  MESSAGE("largest relative error ", largest);
  CHECK(largest <= 1.5e-6);  // rounding_of_direct_sum allows a term 2e-6
}

TEST_CASE("direct sum: charges that are near, far and farther away together") {
  // Groups of neighbours on all sides, of which some are near enough for sums at points, and others for five
  // or four nodes of a block; and one group from all distances.
  const LatticeGeometry lattice{{-3.0, 2.0, 5.0}, {0.3, 0.25, 0.3}, {19, 10, 33}};
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> within(-2.0, 2.0), charge_e(-1.0, 1.0), anywhere(-60.0, 60.0);
  for (const auto& [pair_name, pair] : pairs()) {
    Case c{"groups", lattice, {}};
    for (const double away_A : {3.0, 9.0, 14.0, 18.0, 26.0, 31.0, 40.0, 90.0})
      for (const Vec3<double> way : {Vec3<double>{1, 0, 0}, {0, -1, 0}, {0.6, 0, 0.8}, {-0.6, 0.64, -0.48}})
        for (int n = 0; n < 70; ++n)
          c.charges.push_back({lattice.position_A(9, 5, 16) + away_A * way +
                                   Vec3<double>{within(random), within(random), within(random)},
                               charge_e(random)});
    for (int n = 0; n < 130; ++n)
      c.charges.push_back({{anywhere(random), anywhere(random), anywhere(random)}, charge_e(random)});
    const std::vector<double> potential = reference_potential(lattice, pair, c.charges),
                              magnitude = reference_magnitude(lattice, pair, c.charges);
    for (const SimdLevel level : simd_levels()) {
      CAPTURE(pair_name);
      CAPTURE(std::string(to_string(level)));
      const std::vector<float> values = computed(c, pair, {.threads = 2, .simd = level});
      double largest = 0.0;
      for (std::size_t p = 0; p < values.size(); ++p)
        largest = std::max(largest, std::abs(double(values[p]) - potential[p]) / magnitude[p]);
      CHECK(largest < 5e-7);
    }
  }
}

TEST_CASE("charges are summed in full groups of neighbours, the positive ones of a group in front") {
  constexpr std::size_t group = 64, count = 16 * group;
  constexpr double edge_A = 100.0;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> along_A(0.0, edge_A), charge_e(-1.0, 1.0);
  std::vector<PointCharge> charges;
  double first_moment = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    charges.push_back({{along_A(random), along_A(random), along_A(random)}, charge_e(random)});
    charges.push_back({{along_A(random), along_A(random), along_A(random)}, 0.0});
    first_moment += charges[2 * i].charge_e * charges[2 * i].position_A.x;
  }
  ChargeTable table(pair_potential({}));
  table.append(charges);
  REQUIRE(table.size() == count);
  double moment = 0.0;
  for (std::size_t first = 0; first < count; first += group) {
    double lowest_A = edge_A, highest_A = 0.0;
    for (std::size_t i = first; i < first + group; ++i) {
      const PointCharge q = table[i];
      if (i > first) CHECK(!(table[i - 1].charge_e < 0.0 && q.charge_e > 0.0));
      lowest_A = std::min(lowest_A, q.position_A.x);
      highest_A = std::max(highest_A, q.position_A.x);
      moment += q.charge_e * q.position_A.x;
    }
    CHECK(highest_A - lowest_A < 0.7 * edge_A);  // halved four times, along three axes
  }
  CHECK(moment == doctest::Approx(first_moment));
}

TEST_CASE("direct sum: nothing to add leaves zero") {
  const Case whole = cases()[3];
  auto masked = make_lattice(whole.lattice, pair_potential({}), {.every_point = true});
  const auto field = fill(std::move(masked), DirectSum{{}}, {});
  CHECK(field->values() == std::vector<float>(whole.lattice.size()));
}

TEST_CASE("direct sum: a lattice that was filled is not filled again") {
  auto masked = make_lattice(cases()[0].lattice, pair_potential({}), {});
  const auto field = fill(std::move(masked), DirectSum{{}}, {});
  CHECK(error_of([&] { fill(std::move(masked), DirectSum{{}}, {}); }) ==
        "the lattice was filled before; make another one");
}

TEST_CASE("direct sum: where an ion can go it is right also when no map is wanted") {
  for (const auto& [pair_name, pair] : pairs()) {
    CAPTURE(pair_name);
    std::int64_t left_out = 0;
    for (const Case& c : cases()) {
      CAPTURE(c.name);
      auto masked = make_lattice(c.lattice, pair, {});
      const std::vector<Vec3<double>> centres = centres_of(c.charges);
      masked->exclude(centres, 2.0);
      const auto field = fill(std::move(masked), DirectSum{c.charges}, {});
      const std::vector<float> values = field->values();
      const Expected reference = expected(c, pair);
      const std::vector<bool> excluded = excluded_by_solute(c.lattice, centres, 2.0);
      double error_max = 0.0, reference_max = 0.0;
      for (std::size_t p = 0; p < values.size(); ++p) {
        left_out += values[p] == 0.0f;
        if (reference.distance_A[p] >= 1.0)
          reference_max = std::max(reference_max, std::abs(reference.potential[p]));
        if (!excluded[p])
          error_max = std::max(error_max, std::abs(double(values[p]) - reference.potential[p]));
      }
      CHECK(error_max <= 2e-6 * reference_max);
    }
    CHECK(left_out > 1000);  // or the option does nothing
  }
}

TEST_CASE("direct sum: progress goes from 0 to 1") {
  const Case c = cases()[3];
  double last = 0.0;
  auto masked = make_lattice(c.lattice, pair_potential({}), {.every_point = true, .threads = 1});
  const auto field = fill(std::move(masked), DirectSum{c.charges}, [&](double done) {
    CHECK(done >= last);
    last = done;
  });
  CHECK(last == 1.0);
}

TEST_CASE("direct sum: instructions that the processor lacks are refused") {
  for (const SimdLevel level : {SimdLevel::avx2, SimdLevel::avx512})
    if (best_simd_level() < level)
      CHECK_THROWS_AS(make_host_lattice(cases()[0].lattice, pair_potential({}), {.simd = level}), UsageError);
  CHECK(make_host_lattice(cases()[0].lattice, pair_potential({}), {.simd = SimdLevel::automatic}) != nullptr);
}
