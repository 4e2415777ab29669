#include <doctest/doctest.h>

#include <algorithm>

#include "run/average/average_state.hpp"
#include "run/average/shaken.hpp"
#include "run/ranks/rank_sums.hpp"
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
            .changes = result.run.average->changes,
            .tallies = result.run.average->tallies,
            .blocks = result.run.average->blocks};
  if (result.run.average->kinds.deviation) kept.maps.push_back(values_of(result, AverageMap::deviation));
  if (result.run.average->kinds.error) kept.maps.push_back(values_of(result, AverageMap::error));
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
    for (const bool deviation : {true, false}) {
      CAPTURE(to_string(method));
      CAPTURE(deviation);
      AverageJob job = job_on(input, method);
      job.statistics = {.deviation = deviation, .error = true};
      const AverageResult alone = average_of(job);
      CHECK(alone.run.ranks == 1);
      for (const int ranks : {2, 3, 8}) {
        CAPTURE(ranks);
        ThreadRanks(ranks).run([&](RankGroup&) {
          const AverageResult shared = average_of(job);
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
    ThreadRanks(3).run([&](RankGroup&) {
      int calls = 0;
      AverageJob stopped = job;
      stopped.should_stop = [&] { return ++calls > asked; };
      AverageResult result = average_of(stopped);
      CHECK(result.run.average->is_interrupted);
      stopped_at = result.run.average->frames;
      CHECK(stopped_at < 23);
      OutputFile file(*job.state);
      write_average_state(file, result.identity, result.statistics, result.run.average->tallies);
      file.commit();
    });
    const AverageResult resumed = average_of(job);
    CHECK(resumed.run.average->resumed_frames == stopped_at);
    check_same(kept_of(resumed), whole);
    job.state.reset();
  }
}

TEST_CASE("average: what ranks cannot sum is told, and all are ready for what comes then") {
  const std::vector<Vec3<double>> frame = shaking(1).front();
  const std::vector<FrameBatch> batches(3, FrameBatch{charges_at(frame), {}});
  const FrameSumOptions options{.field = {.every_point = true, .threads = 1}};
  ThreadRanks(3).run([&](RankGroup& group) {
    for (const double cutoff_A : {1e6, 6.0}) {
      Plan plan{.lattice = {{-4, -4, -4}, {1, 1, 1}, {20, 20, 20}}, .pair = pair_potential({})};
      plan.summation = {Method::multilevel, {.cutoff_A = cutoff_A}};
      SharedFrameSums sums(&group, plan, options);
      CHECK(sums.at_once() == 3);
      std::vector<std::vector<float>> taken;
      const auto sum = [&] {
        sums.sum(batches, {}, [&](std::size_t n, std::span<const float> values) {
          CHECK(n == taken.size());
          taken.emplace_back(values.begin(), values.end());
        });
      };
      if (cutoff_A > 100.0) {
        CHECK_THROWS_AS(sum(), Error);
        CHECK(taken.empty());
        continue;
      }
      sum();
      REQUIRE(taken.size() == 3);
      CHECK(taken[1] == taken[0]);
      CHECK(taken[2] == taken[0]);
      CHECK_THROWS_AS(sums.sum(batches, {}, [](std::size_t, std::span<const float>) { throw Error("full"); }),
                      Error);
      sums.sum(std::span(batches).first(2), {}, [&](std::size_t, std::span<const float> values) {
        CHECK(std::equal(values.begin(), values.end(), taken[0].begin()));
      });
    }
  });
}
