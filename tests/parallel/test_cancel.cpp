// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <omp.h>

#include <stdexcept>

#include "support/backends.hpp"
#include "support/placement_problem.hpp"

/// Throwing from a progress callback is how a program cancels; it ends the work on every backend.
namespace ionwell::test {
namespace {

struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled") {}
};

/// Throws at its call `at`, counted from 1.
Progress cancel_at(int at, int& calls) {
  return [at, &calls](double) {
    if (++calls == at) throw Cancelled();
  };
}

}  // namespace

TEST_CASE("placement: what a progress callback throws ends the potential and reaches the caller") {
  const ReferenceProblem problem = solute(pair_potential({}), {60, 50, 40}, 500);
  for (const bool multilevel : {false, true})
    for (const int threads : {1, 2, 3}) {
      CAPTURE(multilevel);
      CAPTURE(threads);
      const auto add = [&](const Progress& progress) {
        auto masked = make_lattice(problem.lattice, problem.pair, {.threads = threads});
        masked->exclude(problem.centres, problem.ion_solute_A);
        fill(std::move(masked), sum_of(problem.charges, multilevel), progress);
      };
      int all = 0;
      add([&](double) { ++all; });
      CHECK(all > 0);
      for (int at = 1; at <= std::min(all, 5); ++at) {
        CAPTURE(at);
        int calls = 0;
        // Which calls the caller's thread gets depends on the other threads, but for the first.
        try {
          add(cancel_at(at, calls));
          CHECK(calls < at);
        } catch (const Cancelled&) {
          CHECK(calls == at);
        }
        if (at == 1) CHECK(calls == 1);
      }
    }
}

TEST_CASE("placement: what a progress callback throws ends the placement and reaches the caller") {
  ReferenceProblem problem = solute(pair_potential({}), {40, 40, 40}, 510);
  problem.ion_charges_e = alternating(8, {1.0, -1.0});
  const auto field = filled_field(problem);
  const auto stop_at_three = [](std::span<const PlacedIon> placed) {
    if (placed.size() == 3) throw Cancelled();
  };
  CHECK_THROWS_AS(place_ions(*field, structure_of(problem), requests_of(problem.ion_charges_e), {3.0, 4.0},
                             {.placed = stop_at_three}),
                  Cancelled);
}

TEST_CASE("placement: a field leaves its host's OpenMP settings alone") {
  const int before = omp_get_max_threads();
  omp_set_num_threads(5);
  ReferenceProblem problem = solute(pair_potential({}), {40, 40, 40}, 520);
  problem.ion_charges_e = alternating(3, {1.0});
  const auto one = filled_field(problem, {.threads = 1}), three = filled_field(problem, {.threads = 3});
  placed(problem, *one);
  CHECK(omp_get_max_threads() == 5);
  placed(problem, *three);
  CHECK(omp_get_max_threads() == 5);
  omp_set_num_threads(before);
}

TEST_CASE("placement: each of two fields counts its own work") {
  ReferenceProblem problem = solute(pair_potential({}), {40, 40, 40}, 530);
  problem.ion_charges_e = alternating(3, {1.0});
  const auto first = filled_field(problem), second = filled_field(problem);
  const FieldStatistics before = second->statistics();
  placed(problem, *first);
  const FieldStatistics after = second->statistics();
  CHECK(first->statistics().candidates > 0);
  CHECK(after.candidates == before.candidates);
  CHECK(after.device.stage_s == before.device.stage_s);
  CHECK(after.device.to_device_bytes == before.device.to_device_bytes);
  CHECK(after.device.peak_bytes == before.device.peak_bytes);
  if (testing_gpu()) {
    CHECK(first->statistics().device.peak_bytes > 0);
    CHECK(first->statistics().device.to_device_bytes > 0);
    CHECK(!first->statistics().device.stage_s.empty());
  }
}

}  // namespace ionwell::test
