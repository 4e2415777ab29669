// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/units.hpp"
#include "parallel/parallel_for.hpp"
#include "sampling/hnc.hpp"
#include "sampling/monte_carlo.hpp"
#include "sampling/plain_ions.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Pairs of ions by distance, like and unlike.
struct PairCounts {
  static constexpr std::size_t bins = 240;
  std::vector<double> like = std::vector<double>(bins), unlike = std::vector<double>(bins);

  void add(const std::vector<MovingIon>& ions, double edge_A, double step_A) {
    const auto nearest = [edge_A](double d_A) { return d_A - edge_A * std::round(d_A / edge_A); };
    for (std::size_t i = 0; i < ions.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Vec3<double> d_A = ions[i].position_A - ions[j].position_A;
        const double r_A = std::hypot(nearest(d_A.x), nearest(d_A.y), nearest(d_A.z));
        const auto bin = std::size_t(r_A / step_A);
        if (bin < bins) (ions[i].species == ions[j].species ? like : unlike)[bin] += 1.0;
      }
  }
};

double sum_between(const std::vector<double>& bins, std::size_t first, std::size_t last) {
  double sum = 0.0;
  for (std::size_t n = first; n < last; ++n) sum += bins[n];
  return sum;
}

}  // namespace

TEST_CASE("electrolyte: ions of the primitive model are around each other as the hypernetted chain has it") {
  constexpr double diameter_A = 4.25;
  constexpr int sphere_steps = 50;
  constexpr std::int64_t each = 64;
  for (const double concentration_M : {0.1, 1.0}) {
    CAPTURE(concentration_M);
    const double salt_per_A3 = avogadro_per_mol * 1e-27 * concentration_M,
                 edge_A = std::cbrt(each / salt_per_A3);
    const PairPotential coulomb = pair_potential({.dielectric = 78.54});
    const HypernettedChain expected(diameter_A, sphere_steps, coulomb.prefactor, 2.0 * salt_per_A3);
    REQUIRE(expected.has_converged);
    IonModel model{.species = {species_of("A", 1, 0.5 * diameter_A), species_of("B", -1, 0.5 * diameter_A)},
                   .box = cube_of(edge_A),
                   .repulsion = Repulsion::hard,
                   .pair = coulomb};
    model = periodic(model);
    constexpr int chains = 2, samples = 150, sweeps_apart = 8;
    std::vector<PairCounts> counts(chains);
    parallel_for({chains, 1}, chains, [&](std::int64_t c) {
      RandomStream random(1, std::uint64_t(2 * c));
      MonteCarlo chain(random_ions(model, {each, each}, random), {},
                       RandomStream(1, std::uint64_t(2 * c + 1)));
      for (int sweep = 0; sweep < 60; ++sweep) {
        chain.run(2 * each);
        chain.adapt_steps();
      }
      for (int s = 0; s < samples; ++s) {
        chain.run(sweeps_apart * 2 * each);
        counts[std::size_t(c)].add(chain.ions().ions(), edge_A, expected.step_A);
      }
    });
    // Shells from contact on, a fifth of a diameter thick, then wider ones.
    const std::size_t shells[] = {50, 60, 75, 100, 150, 220};
    for (std::size_t n = 0; n + 1 < std::size(shells); ++n) {
      const std::size_t first = shells[n], last = shells[n + 1];
      CAPTURE(first);
      double like = 0.0, unlike = 0.0;
      for (const PairCounts& seen : counts) {
        like += sum_between(seen.like, first, last);
        unlike += sum_between(seen.unlike, first, last);
      }
      // Pairs of all configurations, if ions were spread evenly: each with as many of the other kind, and one
      // less of its own.
      const double even = double(chains * samples) * double(each) * salt_per_A3;
      const double expected_unlike =
          even * HypernettedChain::shell(expected.unlike, expected.step_A, first, last);
      const double expected_like = even *
                                   HypernettedChain::shell(expected.like, expected.step_A, first, last) *
                                   double(each - 1) / each;
      constexpr double of_theory = 0.02;
      CHECK(std::abs(unlike - expected_unlike) <
            of_theory * expected_unlike + 12.0 * std::sqrt(expected_unlike));
      CHECK(std::abs(like - expected_like) < of_theory * expected_like + 12.0 * std::sqrt(expected_like));
    }
  }
}
