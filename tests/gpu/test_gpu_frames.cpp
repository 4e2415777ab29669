// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "compute/backend.hpp"
#include "core/error.hpp"
#include "gpu/backend.hpp"
#include "jobs/average/map_statistics.hpp"
#include "jobs/average/shaken.hpp"
#include "lattice/frame_maps.hpp"
#include "support/backends.hpp"
#include "support/cases.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// A lattice of unequal edges that no block divides, and charges of frames in and around it.
struct FrameProblem {
  LatticeGeometry lattice{{-3.0, 5.0, 40.0}, {0.9, 0.9, 0.9}, {19, 33, 10}};
  std::vector<std::vector<PointCharge>> frames;
  std::vector<Box> boxes;

  explicit FrameProblem(int count) {
    Random random(31);
    const Vec3<double> last = lattice.position_A(lattice.size() - 1);
    for (int n = 0; n < count; ++n) {
      // Every third frame reaches beyond the lattice, so that its sum needs other grids.
      const Vec3<double> out = n % 3 == 2 ? Vec3<double>{4.0, 1.0, 7.0} : Vec3<double>{-1.0, -1.0, -1.0};
      const Box box{lattice.origin_A - out, last + out};
      frames.push_back(random_charges(random, box, 50));
      boxes.push_back(box);
    }
  }
};

/// What MapStatistics has of the same frames on the CPU.
std::vector<float> host_map(const FrameProblem& problem, std::size_t frame, const PairPotential& pair,
                            bool multilevel) {
  return fill(make_host_lattice(problem.lattice, pair, {.every_point = true}),
              sum_of(problem.frames[frame], multilevel), {})
      ->values();
}

std::unique_ptr<FrameMaps> maps_on_gpu(const FrameProblem& problem, const PairPotential& pair,
                                       bool multilevel, std::int64_t memory_bytes = 4'000'000'000) {
  FrameMapsOptions options{.lattice = problem.lattice,
                           .pair = pair,
                           .most_charges = 50,
                           .has_squares = true,
                           .has_blocks = true,
                           .memory_bytes = memory_bytes,
                           .threads = 2};
  if (multilevel) options.multilevel = MultilevelOptions{};
  return gpu_backend().make_frame_maps(gpu_backend().devices().devices.front().number, options);
}

/// The largest difference, relative to the largest of `expected`.
double largest_of_difference(std::span<const double> values, std::span<const double> expected) {
  double most = 0.0, largest = 0.0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double difference = std::abs(values[n] - expected[n]);
    if (!(difference <= most)) most = difference;
    largest = std::max(largest, std::abs(expected[n]));
  }
  REQUIRE(largest > 0.0);
  return most / largest;
}

}  // namespace

TEST_CASE("gpu frames: sums, squares, blocks and changes of the mean are the host's") {
  if (!have_gpu()) return;
  const FrameProblem problem(9);
  const auto points = std::size_t(problem.lattice.size());
  std::vector<std::uint8_t> watched(points);
  for (std::size_t n = 0; n < points; ++n) watched[n] = n % 5 != 0;
  for (const auto& [name, pair] : pairs())
    for (const bool multilevel : {false, true}) {
      CAPTURE(name);
      CAPTURE(multilevel);
      constexpr StatisticsKinds kinds{.deviation = true, .error = true};
      MapStatistics host(points, kinds, 2), device(points, kinds, 2);
      device.keep_on(maps_on_gpu(problem, pair, multilevel));
      for (std::size_t n = 0; n < problem.frames.size(); ++n) {
        host.add(host_map(problem, n, pair, multilevel), 1);
        device.take(problem.frames[n], problem.boxes[n]);
        device.add_taken(1);
        for (MapStatistics* statistics : {&host, &device}) {
          if (n == 0 || n == 1 || n == 3 || n == 7) statistics->note_mean(watched);
          if (n % 4 == 3) statistics->end_block();
        }
      }
      REQUIRE(device.changes().size() == 3);
      for (std::size_t c = 0; c < 3; ++c) {
        CHECK(device.changes()[c].frames == host.changes()[c].frames);
        CHECK(device.changes()[c].rms_kT_e == doctest::Approx(host.changes()[c].rms_kT_e).epsilon(1e-4));
      }
      const std::optional<DeviceUse> use = device.leave(MapStatistics::Purpose::state);
      REQUIRE(use);
      CHECK(use->peak_bytes > 0);
      CHECK_FALSE(device.is_on_device());
      CHECK(device.frames() == 9);
      CHECK(device.blocks() == 2);
      const auto of_device = device.arrays(), of_host = host.arrays();
      REQUIRE(of_device.size() == of_host.size());
      // A charge may be nearer to a point than 0.1 A, and counts for nearly all there is; terms are of single
      // precision, and where a charge is at the cutoff a multilevel sum may take it or leave it.
      for (std::size_t a = 0; a < of_host.size(); ++a) {
        CAPTURE(of_host[a].name);
        CHECK(largest_of_difference(of_device[a].values, of_host[a].values) < (multilevel ? 2e-4 : 2e-5));
      }
    }
}

TEST_CASE("gpu frames: sums go on from what was saved, and the same bits in every run") {
  if (!have_gpu()) return;
  const FrameProblem problem(6);
  const PairPotential pair = pair_potential({});
  const auto points = std::size_t(problem.lattice.size());
  constexpr StatisticsKinds kinds{.deviation = true, .error = true};
  const auto add = [&](MapStatistics& statistics, std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
      statistics.take(problem.frames[n], problem.boxes[n]);
      statistics.add_taken(1);
    }
  };
  MapStatistics whole(points, kinds, 1), parts(points, kinds, 1);
  whole.keep_on(maps_on_gpu(problem, pair, true));
  add(whole, 0, 6);
  whole.leave(MapStatistics::Purpose::state);
  parts.keep_on(maps_on_gpu(problem, pair, true));
  add(parts, 0, 4);
  parts.leave(MapStatistics::Purpose::state);
  parts.keep_on(maps_on_gpu(problem, pair, true));
  add(parts, 4, 6);
  parts.fetch(MapStatistics::Purpose::state);
  for (std::size_t a = 0; a < whole.arrays().size(); ++a) {
    const std::span<double> one = whole.arrays()[a].values, other = parts.arrays()[a].values;
    CHECK(std::equal(one.begin(), one.end(), other.begin()));
  }
}

TEST_CASE("gpu frames: too many charges, too little memory, no device, and frames without charges") {
  if (!have_gpu()) return;
  const FrameProblem problem(1);
  const PairPotential pair = pair_potential({});
  const auto maps = maps_on_gpu(problem, pair, true);
  maps->take({}, problem.boxes[0]);
  maps->add_map();
  std::vector<double> values(std::size_t(problem.lattice.size()), 1.0);
  maps->copy_to(FrameSum::sum, values);
  CHECK(values == std::vector<double>(values.size(), 0.0));
  maps->take(problem.frames[0], problem.boxes[0]);
  CHECK_THROWS_AS(maps->take(problem.frames[0], problem.boxes[0]), Error);
  CHECK(maps_on_gpu(problem, pair, true, 1'000'000) == nullptr);
  CHECK_THROWS_AS(gpu_backend().make_frame_maps(997, {.lattice = problem.lattice, .pair = pair}), UsageError);
}

TEST_CASE("gpu frames: the job of a command has the CPU's maps, and goes on from its state") {
  if (!have_gpu()) return;
  const Shaken shaken(11);
  const TrajectoryInput input = shaken.input();
  for (const Method method : {Method::direct, Method::multilevel})
    for (const bool deviation : {false, true}) {
      CAPTURE(to_string(method));
      CAPTURE(deviation);
      AverageJob job = job_on(input, method);
      job.statistics = {.deviation = deviation, .error = true};
      const AverageResult on_cpu = average_of(job);
      job.backend.backend = Backend::gpu;
      Stages stages;
      const AverageResult on_gpu = average(job, stages, {&gpu_backend()});
      CHECK(on_gpu.run.backend == Backend::gpu);
      CHECK(on_gpu.run.warnings == on_cpu.run.warnings);
      CHECK(on_gpu.summary.frames == 11);
      REQUIRE(on_gpu.run.device_use);
      CHECK(on_gpu.run.device_use->peak_bytes > 0);
      for (const AverageMap map : {AverageMap::mean, AverageMap::error, AverageMap::deviation}) {
        if (map == AverageMap::deviation && !deviation) continue;
        CAPTURE(std::string(to_string(map)));
        const std::vector<float> cpu = values_of(on_cpu, map), gpu = values_of(on_gpu, map);
        const std::vector<double> expected(cpu.begin(), cpu.end()), values(gpu.begin(), gpu.end());
        CHECK(largest_of_difference(values, expected) < (method == Method::direct ? 2e-5 : 2e-4));
      }
      REQUIRE(on_gpu.summary.changes.size() == on_cpu.summary.changes.size());
    }
}

TEST_CASE("gpu frames: a run that is stopped has the frames until then") {
  if (!have_gpu()) return;
  const Shaken shaken(12);
  const TrajectoryInput input = shaken.input();
  AverageJob job = job_on(input, Method::direct);
  job.statistics.deviation = true;  // each frame by itself
  job.backend.backend = Backend::gpu;
  int asked = 0;
  job.should_stop = [&] { return ++asked > 5; };
  Stages stages;
  const AverageResult stopped = average(job, stages, {&gpu_backend()});
  CHECK(stopped.summary.is_interrupted);
  const std::int64_t frames = stopped.summary.frames;
  REQUIRE(frames > 1);
  REQUIRE(frames < 12);
  const TrajectoryInput first = shaken.input({.first = 1, .last = frames});
  AverageJob part = job_on(first, Method::direct);
  part.statistics.deviation = true;
  const std::vector<float> cpu = values_of(average_of(part), AverageMap::mean),
                           gpu = values_of(stopped, AverageMap::mean);
  CHECK(largest_of_difference(std::vector<double>(gpu.begin(), gpu.end()),
                              std::vector<double>(cpu.begin(), cpu.end())) < 2e-5);
}
