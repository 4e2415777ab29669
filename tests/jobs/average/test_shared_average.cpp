// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <random>

#include "compute/ranks/rank_sums.hpp"
#include "jobs/average/average_state.hpp"
#include "jobs/average/shaken.hpp"
#include "parallel/parallel_for.hpp"
#include "programs/child_process.hpp"
#include "support/thread_ranks.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

struct Kept {
  std::vector<std::vector<float>> maps;
  std::vector<MeanChange> changes;
  FrameTallies tallies;
  std::int64_t blocks = 0;
};

Kept kept_of(const AverageResult& result) {
  Kept kept{.maps = {values_of(result, AverageMap::mean)},
            .changes = result.summary.changes,
            .tallies = result.summary.tallies,
            .blocks = result.summary.blocks};
  if (result.summary.kinds.deviation) kept.maps.push_back(values_of(result, AverageMap::deviation));
  if (result.summary.kinds.error) kept.maps.push_back(values_of(result, AverageMap::error));
  return kept;
}

void check_same(const Kept& kept, const Kept& expected) {
  CHECK(kept.maps == expected.maps);
  CHECK(kept.blocks == expected.blocks);
  CHECK(kept.tallies.next == expected.tallies.next);
  CHECK(kept.tallies.bad == expected.tallies.bad);
  CHECK(kept.tallies.rmsd_sum_A == expected.tallies.rmsd_sum_A);
  REQUIRE(kept.changes.size() == expected.changes.size());
  for (std::size_t n = 0; n < kept.changes.size(); ++n) {
    CHECK(kept.changes[n].frames == expected.changes[n].frames);
    CHECK(kept.changes[n].rms_kT_e == expected.changes[n].rms_kT_e);
  }
}

}  // namespace

TEST_CASE("average: ranks that take frames of their own have one process's maps, bit for bit") {
  const Shaken shaken(23);
  const TrajectoryInput input = shaken.input();
  for (const Method method : {Method::direct, Method::multilevel})
    for (const StatisticsKinds kinds : {StatisticsKinds{true, true}, StatisticsKinds{false, true},
                                        StatisticsKinds{true, false}, StatisticsKinds{}}) {
      CAPTURE(to_string(method));
      CAPTURE(kinds.deviation);
      CAPTURE(kinds.error);
      AverageJob job = job_on(input, method);
      job.statistics = kinds;
      const AverageResult alone = average_of(job);
      CHECK(alone.run.ranks == 1);
      for (const int ranks : {2, 3, 8}) {
        CAPTURE(ranks);
        ThreadRanks(ranks).run([&](RankGroup& group) {
          const AverageResult shared = average_of(job, &group);
          CHECK(shared.run.ranks == ranks);
          check_same(kept_of(shared), kept_of(alone));
        });
      }
    }
}

TEST_CASE("average: ranks that are stopped keep what one process may have kept, and go on from it") {
  const Shaken shaken(23);
  const TrajectoryInput input = shaken.input();
  AverageJob job = job_on(input);
  job.statistics = {.deviation = true, .error = true};
  const Kept whole = kept_of(average_of(job));
  for (const int asked : {1, 7, 20}) {
    CAPTURE(asked);
    job.state = shaken.folder / ("state" + std::to_string(asked));
    std::int64_t stopped_at = 0;
    ThreadRanks(3).run([&](RankGroup& group) {
      int calls = 0;
      AverageJob stopped = job;
      stopped.should_stop = [&] { return ++calls > asked; };
      AverageResult result = average_of(stopped, &group);
      CHECK(result.summary.is_interrupted);
      stopped_at = result.summary.frames;
      CHECK(stopped_at < 23);
      OutputFile file(*job.state);
      write_average_state(file, result.identity, result.statistics, result.summary.tallies);
      file.commit();
    });
    const AverageResult resumed = average_of(job);
    CHECK(resumed.summary.resumed_frames == stopped_at);
    check_same(kept_of(resumed), whole);
    job.state.reset();
  }
}

TEST_CASE("average: ranks that each keep the sums at a part of the points have one process's, also resumed") {
  const Shaken shaken(19);
  const TrajectoryInput input = shaken.input();
  AverageJob job = job_on(input);
  job.lattice.spacing_A = 0.3;  // several chunks of points
  job.statistics = {.deviation = true, .error = true};
  const AverageResult alone = average_of(job);
  CHECK(alone.potential.lattice.size() > 4 * reduce_chunk);
  CHECK(alone.summary.changes.size() == 4);
  const Kept whole = kept_of(alone);
  for (const int ranks : {2, 3, 8}) {
    CAPTURE(ranks);
    job.state = shaken.folder / ("state of " + std::to_string(ranks));
    ThreadRanks(ranks).run([&](RankGroup& group) {
      check_same(kept_of(average_of(
                     [&] {
                       AverageJob fresh = job;
                       fresh.state.reset();
                       return fresh;
                     }(),
                     &group)),
                 whole);
      bool has_saved = false;
      AverageJob stopped = job;
      stopped.save_every_s = 0.0;
      stopped.save = [&](AverageResult&) { has_saved = true; };
      stopped.should_stop = [&] { return has_saved; };
      AverageResult result = average_of(stopped, &group);
      CHECK(result.summary.is_interrupted);
      CHECK(result.summary.frames > 0);
      OutputFile file(*job.state);
      write_average_state(file, result.identity, result.statistics, result.summary.tallies);
      file.commit();
    });
    const int others = ranks == 3 ? 2 : 3;
    ThreadRanks(others).run([&](RankGroup& group) {
      const AverageResult resumed = average_of(job, &group);
      CHECK(resumed.summary.resumed_frames > 0);
      check_same(kept_of(resumed), whole);
    });
  }
}

TEST_CASE("average: what ranks cannot sum is told, and all are ready for what comes then") {
  const std::vector<Vec3<double>> frame = shaking(1).front();
  const std::vector<FrameBatch> batches(3, FrameBatch{charges_at(frame), {}});
  const FrameSumOptions options{.field = {.every_point = true, .threads = 1}};
  ThreadRanks(3).run([&](RankGroup& group) {
    for (const double cutoff_A : {1e6, 6.0}) {
      Plan plan{.lattice = {{-4, -4, -4}, {0.4, 0.4, 0.4}, {50, 50, 50}}, .pair = pair_potential({})};
      plan.summation = {Method::multilevel, {.cutoff_A = cutoff_A}};
      SharedFrameSums sums(group, plan, options, {}, {});
      CHECK(sums.at_once() == 3);
      const auto add = [&](int count) {
        const std::vector<SumStep> steps{{.frames_of_mean = 1}, {}, {}};
        return sums.add(std::span(batches).first(std::size_t(count)),
                        std::span(steps).first(std::size_t(count)), {});
      };
      if (cutoff_A > 100.0) {
        CHECK_THROWS_AS(add(3), Error);
        continue;
      }
      const auto first = add(1);
      REQUIRE(first.size() == 1);
      CHECK(first[0].points == plan.lattice.size());
      std::vector<double> one(std::size_t(plan.lattice.size())), all = one;
      sums.copy_to(FrameSum::sum, one);
      CHECK(std::abs(one[7]) > 0.0);
      const auto stop = [](double) { throw Error("stopped"); };
      CHECK_THROWS_AS(sums.add(batches, std::vector<SumStep>(3), stop), Error);
      add(3);
      sums.copy_to(FrameSum::sum, all);
      for (std::size_t p = 0; p < one.size(); ++p) one[p] = ((one[p] + one[p]) + one[p]) + one[p];
      CHECK(all == one);
      sums.copy_from(FrameSum::sum, std::vector<double>(one.size(), 2.0));
      sums.copy_to(FrameSum::sum, all);
      CHECK(std::all_of(all.begin(), all.end(), [](double x) { return x == 2.0; }));
    }
  });
}

TEST_CASE(
    "average: ranks that sum for long stop when the first fails, and when a user asks it to while it waits") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> along(-4.0, 60.0);
  FrameBatch large;
  for (int n = 0; n < 1'000'000; ++n)  // half a minute of work, or much more
    large.charges.push_back({{along(random), along(random), along(random)}, 0.1});
  const FrameBatch small{charges_at(shaking(1).front()), {}};
  const FrameBatch part{{large.charges.begin(), large.charges.begin() + 5'000}, {}};  // a 200th
  const std::vector<FrameBatch> uneven{small, large, large}, even(3, small);
  const std::vector<SumStep> steps(3);
  const FrameSumOptions options{.field = {.every_point = true, .threads = 1}};
  Plan plan{.lattice = {{-4, -4, -4}, {1.0, 1.0, 1.0}, {64, 64, 64}}, .pair = pair_potential({})};
  plan.summation.method = Method::direct;
  using Clock = std::chrono::steady_clock;
  Clock::duration time_of_parts{}, time_of_stopped{};
  ThreadRanks(3).run([&](RankGroup& group) {
    const auto before = Clock::now();
    SharedFrameSums(group, plan, options, {}, {}).add(std::vector<FrameBatch>(3, part), steps, {});
    const auto begin = Clock::now();
    SharedFrameSums sums(group, plan, options, {}, {});
    CHECK_THROWS_WITH_AS(sums.add(uneven, steps, [](double) { throw Error("enough"); }), "enough", Error);
    for (const int asked : {20, 0}) {  // while it waits for sums, and while it sends the frames
      CAPTURE(asked);
      int calls = 0;
      group.while_waiting = [&] {
        if (++calls > asked) throw Interrupted(SIGTERM);
      };
      CHECK_THROWS_AS(sums.add(uneven, steps, {}), SumsStopped);
      CHECK(group.in_step);
      CHECK(group.while_waiting);
      group.while_waiting = {};
    }
    sums.add(even, steps, {});
    std::vector<double> all(std::size_t(plan.lattice.size())), once = all;
    sums.copy_to(FrameSum::sum, all);
    CHECK(all[0] != 0.0);
    sums.add(std::span(even).first(1), std::span(steps).first(1), {});
    sums.copy_to(FrameSum::sum, once);
    CHECK(once[0] == doctest::Approx(4.0 / 3.0 * all[0]).epsilon(1e-6));
    if (group.rank() == 0) {
      time_of_parts = begin - before;
      time_of_stopped = Clock::now() - begin;
    }
  });
  // Sums that nothing stops would take longer by themselves: 133 times, a large batch on one core.
  CHECK(time_of_stopped < 100 * time_of_parts);
}
