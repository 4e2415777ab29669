// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "jobs/average/average_state.hpp"
#include "jobs/average/shaken.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("average: a run that was stopped goes on to the same bits") {
  const Shaken shaken(40);
  const TrajectoryInput input = shaken.input();
  for (const bool deviation : {true, false}) {
    AverageJob job = job_on(input);
    job.statistics = {.deviation = deviation, .error = true};
    const AverageResult whole = average_of(job);
    const std::string path = shaken.folder / (deviation ? "sd.state" : "state");
    job.state = path;
    int runs = 0;
    std::int64_t frames = 0;
    for (bool is_done = false; !is_done; ++runs) {
      int asked = 0;
      job.should_stop = [&] { return ++asked > 30; };
      AverageResult part = average_of(job);
      frames = part.summary.frames;
      is_done = !part.summary.is_interrupted;
      OutputFile file(path);
      write_average_state(file, part.identity, part.statistics, part.summary.tallies);
      file.commit();
      if (!is_done) continue;
      CHECK(part.summary.resumed_frames > 0);
      for (const AverageMap map : {AverageMap::mean, AverageMap::error})
        CHECK(values_of(part, map) == values_of(whole, map));
      if (deviation) CHECK(values_of(part, AverageMap::deviation) == values_of(whole, AverageMap::deviation));
      REQUIRE(part.summary.changes.size() == whole.summary.changes.size());
      for (std::size_t n = 0; n < whole.summary.changes.size(); ++n)
        CHECK(part.summary.changes[n].rms_kT_e == whole.summary.changes[n].rms_kT_e);
      CHECK(part.summary.blocks == 4);
    }
    CHECK(runs > 1);
    CHECK(frames == 40);
    job.should_stop = {};
    job.blocks = 5;
    CHECK(error_of([&] { average_of(job); }).find("is the state of a different average") !=
          std::string::npos);
    std::string bytes = read_text(path);
    write_text(path, bytes.substr(0, bytes.size() / 2));
    CHECK(error_of([&] { average_of(job); }).find("damaged") != std::string::npos);
    write_text(path, "no state");
    CHECK(error_of([&] { average_of(job); }).find("is not an HDF5 file") != std::string::npos);
  }
}

TEST_CASE("average: a run that ends without a warning goes on from what was saved last") {
  const Shaken shaken(20);
  const TrajectoryInput input = shaken.input();
  AverageJob job = job_on(input);
  job.statistics.deviation = true;
  const AverageResult whole = average_of(job);
  job.state = shaken.folder / "state";
  int saved = 0;
  job.save_every_s = 0.0;
  job.save = [&](AverageResult& so_far) {
    OutputFile file(*job.state);
    write_average_state(file, so_far.identity, so_far.statistics, so_far.summary.tallies);
    file.commit();
    if (++saved == 7) throw Error("the power is gone");
  };
  CHECK(error_of([&] { average_of(job); }) == "the power is gone");
  job.save = {};
  const AverageResult rest = average_of(job);
  CHECK(rest.summary.resumed_frames == 7);
  CHECK(rest.summary.frames == 20);
  for (const AverageMap map : {AverageMap::mean, AverageMap::deviation})
    CHECK(values_of(rest, map) == values_of(whole, map));
}

TEST_CASE("average: a run that began at the same positions and went elsewhere is another one") {
  const Shaken shaken(6);
  const TrajectoryInput input = shaken.input();
  AverageJob job = job_on(input);
  AverageResult result = average_of(job);
  job.state = shaken.folder / "state";
  OutputFile file(*job.state);
  write_average_state(file, result.identity, result.statistics, result.summary.tallies);
  file.commit();
  CHECK(average_of(job).summary.resumed_frames == 6);
  Frames frames = shaken.frames;
  frames.back()[3].x += 1.0;
  write_text(shaken.folder / "run.dcd", dcd_bytes(frames));
  const TrajectoryInput elsewhere = shaken.input();
  AverageJob other = job_on(elsewhere);
  other.state = job.state;
  CHECK(error_of([&] { average_of(other); }).find("is the state of a different average") !=
        std::string::npos);
}

TEST_CASE("average: a saved state with a byte changed is refused, or what it was") {
  const Shaken shaken(5);
  const TrajectoryInput input = shaken.input();
  const AverageJob job = job_on(input);
  AverageResult result = average_of(job);
  const std::string path = shaken.folder / "state";
  OutputFile file(path);
  write_average_state(file, result.identity, result.statistics, result.summary.tallies);
  file.commit();
  const std::string bytes = read_text(path);
  const std::vector<float> mean = values_of(result, AverageMap::mean);
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 200 + 1) {
    CAPTURE(at);
    std::string changed = bytes;
    changed[at] = char(changed[at] ^ 0x14);
    write_text(path, changed);
    const std::string message = error_of([&] {
      read_average_state(path, result.identity, result.statistics);
      CHECK(values_of(result, AverageMap::mean) == mean);
    });
    if (message == "no error") continue;
    ++refused;
    CHECK(message.starts_with(path + ": "));
    CHECK(message.find('\n') == message.npos);
  }
  CHECK(refused > 100);
}
