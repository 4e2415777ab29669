// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "compute/backend.hpp"
#include "electrostatics/simd/direct_kernels.hpp"
#include "gpu/backend.hpp"
#include "support/backends.hpp"
#include "support/cases.hpp"
#include "support/reference.hpp"

/// Direct sums of GPUs, which take charges together, at nodes or one by one.
namespace ionwell::test {
namespace {

constexpr int first_device = 0;

}  // namespace

TEST_CASE("gpu: the direct sum's error stays within the bound that placement relies on") {
  if (!have_gpu()) return;
  for (const auto& [name, pair] : pairs())
    for (const Case& c : cases()) {
      CAPTURE(name);
      CAPTURE(c.name);
      auto masked = make_gpu_lattice(c.lattice, pair, {.every_point = true}, {first_device});
      const auto field = fill(std::move(masked), DirectSum{c.charges}, {});
      const std::vector<float> values = field->values();
      const std::vector<double> potential = reference_potential(c.lattice, pair, c.charges);
      const std::vector<double> magnitude = reference_magnitude(c.lattice, pair, c.charges);
      double worst = 0.0;
      for (std::size_t p = 0; p < values.size(); ++p)
        worst =
            std::max(worst, std::abs(double(values[p]) - potential[p]) /
                                (rounding_of_direct_sum * magnitude[p] + 0x1p-24 * std::abs(potential[p])));
      CHECK(worst < 1.0);
    }
}

TEST_CASE("gpu: the direct sum of one charge at any distance, with its screening fast and slow") {
  if (!have_gpu()) return;
  // A block's points may take their terms from its nodes, by the distance in spacings and by how fast
  // exp(-kappa r) falls over two of them: that begins at 33 and 81 spacings, or 48 and 120, or later. At 0.26
  // the exponentials of points change to those of their neighbours.
  const double kappa_per_A = pair_potential({.ionic_strength_M = 0.15}).kappa_per_A;
  for (const double fall : {0.002, 0.05, 0.12, 0.15, 0.259, 0.261, 2.0}) {
    const double h = fall / (2.0 * kappa_per_A);
    const LatticeGeometry lattice{{-2.0, 3.0, 1.0}, {h, h, h}, {16, 17, 24}};
    for (const auto& [name, pair] : {std::pair{"coulomb", pair_potential({})},
                                     {"distance-dependent", pair_potential({.ddd_per_A = 3.0})},
                                     {"screened", pair_potential({.ionic_strength_M = 0.15})}})
      for (const double spacings : {4.0, 30.0, 35.0, 38.0, 42.0, 52.0, 65.0, 80.0, 90.0, 120.0, 130.0, 400.0})
        for (const Vec3<double> way : {Vec3<double>{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-0.6, 0.0, -0.8}}) {
          CAPTURE(name);
          CAPTURE(fall);
          CAPTURE(spacings);
          const std::vector<PointCharge> charges = {
              {lattice.position_A(7, 8, 11) + (spacings * h) * way, 1.0}};
          const auto field = fill(make_gpu_lattice(lattice, pair, {.every_point = true}, {first_device}),
                                  DirectSum{charges}, {});
          const std::vector<float> values = field->values();
          const std::vector<double> potential = reference_potential(lattice, pair, charges);
          // The exponential has the rounding of its argument, too.
          const double rounding = pair.kind == PairPotential::Kind::debye_hueckel
                                      ? 3e-6 + 4e-7 * pair.kappa_per_A * (spacings + 20.0) * h
                                      : 1.5e-6;
          double worst = 0.0;
          for (std::size_t p = 0; p < values.size(); ++p)
            if (potential[p] > 1e-30)
              worst = std::max(worst, std::abs(double(values[p]) / potential[p] - 1.0));
          CHECK(worst < rounding);
        }
  }
}

TEST_CASE("gpu: the direct sum of many charges, near, far and farther away together") {
  if (!have_gpu()) return;
  const LatticeGeometry lattice{{-3.0, 2.0, 5.0}, {0.3, 0.25, 0.3}, {21, 40, 33}};
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> along(-1.0, 1.0);
  for (const auto& [name, pair] : pairs())
    for (const std::size_t count : {std::size_t{1}, std::size_t{63}, std::size_t{65}, std::size_t{5000}})
      for (const double reach_A : {8.0, 20.0, 70.0}) {
        CAPTURE(name);
        CAPTURE(count);
        CAPTURE(reach_A);
        std::vector<PointCharge> charges;
        while (charges.size() < count)
          charges.push_back({lattice.position_A(10, 20, 16) +
                                 reach_A * Vec3<double>{along(random), along(random), along(random)},
                             along(random)});
        const auto field = fill(make_gpu_lattice(lattice, pair, {.every_point = true}, {first_device}),
                                DirectSum{charges}, {});
        const std::vector<float> values = field->values();
        const std::vector<double> potential = reference_potential(lattice, pair, charges),
                                  magnitude = reference_magnitude(lattice, pair, charges);
        double largest = 0.0;
        for (std::size_t p = 0; p < values.size(); ++p)
          largest = std::max(largest, std::abs(double(values[p]) - potential[p]) / magnitude[p]);
        CHECK(largest < 3e-6);  // one charge: as much as a term may have; many: far less
        if (count == 5000) CHECK(largest < 5e-7);
      }
}

TEST_CASE("gpu: the direct sum of so many charges that warps share each block") {
  if (!have_gpu()) return;
  // One part of 40,000 charges, and two of 35,000, whose sums are added afterwards.
  for (const auto& [counts, charge_count] :
       {std::pair<Vec3<std::int64_t>, int>{{130, 131, 133}, 40'000}, {{98, 119, 125}, 70'000}}) {
    CAPTURE(charge_count);
    const LatticeGeometry lattice{{-3.0, 2.0, 5.0}, {0.5, 0.45, 0.5}, counts};
    Random random(940);
    const std::vector<PointCharge> charges =
        random_charges(random, {{-40, -40, -40}, {110, 110, 110}}, charge_count);
    std::vector<std::int64_t> points = {0, lattice.size() - 1};
    for (int n = 0; n < 200; ++n) points.push_back(random.below(lattice.size()));
    for (std::int64_t n = 0; n < 24; ++n) {  // where the lattice ends inside a block
      points.push_back(lattice.index(counts.x - 1, 4 * n, counts.z - 2 - n));
      points.push_back(lattice.index(counts.x - 3 - n, counts.y - 1, 4 * n));
      points.push_back(lattice.index(4 * n, 3 * n, counts.z - 1));
    }
    for (const auto& [name, pair] : pairs()) {
      CAPTURE(name);
      const auto field = fill(make_gpu_lattice(lattice, pair, {.every_point = true}, {first_device}),
                              DirectSum{charges}, {});
      const std::vector<float> values = field->values();
      for (const std::int64_t p : points) {
        CAPTURE(p);
        const Vec3<double> at = lattice.position_A(p);
        double exact = 0.0, magnitude = 0.0;
        for (const PointCharge& q : charges) {
          const double term = q.charge_e * pair.at(distance_squared(at, q.position_A));
          exact += term;
          magnitude += std::abs(term);
        }
        CHECK(std::abs(double(values[std::size_t(p)]) - exact) < 3e-7 * magnitude);
      }
    }
  }
}

}  // namespace ionwell::test
