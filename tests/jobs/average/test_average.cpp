// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "electrostatics/periodic/periodic_sum.hpp"
#include "electrostatics/periodic/plain_ewald.hpp"
#include "jobs/average/shaken.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Maps of the frames by plain code.
std::vector<std::vector<double>> plain_maps(const Frames& frames, const LatticeGeometry& lattice) {
  std::vector<std::vector<double>> maps;
  for (const auto& frame : frames)
    maps.push_back(reference_potential(lattice, pair_potential({}), charges_at(frame)));
  return maps;
}

/// The largest difference of what is farther than 1.5 A from every charge of every frame, where no single
/// charge is the whole of it.
double largest_difference(const std::vector<float>& values, const std::vector<double>& expected,
                          const LatticeGeometry& lattice, const Frames& frames) {
  std::vector<Vec3<double>> all;
  for (const auto& frame : frames) all.insert(all.end(), frame.begin(), frame.end());
  const std::vector<double> nearest_A = nearest_distance(lattice, all);
  double most = 0.0;
  int compared = 0;
  for (std::size_t p = 0; p < values.size(); ++p) {
    if (nearest_A[p] < 1.5) continue;
    ++compared;
    most = std::max(most, std::abs(double(values[p]) - expected[p]));
  }
  CHECK(compared > 100);
  return most;
}

}  // namespace

TEST_CASE("average: mean, deviation and error are those of plain code, frame by frame and together") {
  const Shaken shaken(11);
  const TrajectoryInput input = shaken.input();
  for (const Method method : {Method::direct, Method::multilevel})
    for (const bool deviation : {true, false}) {
      CAPTURE(to_string(method));
      CAPTURE(deviation);
      AverageJob job = job_on(input, method);
      job.statistics = {.deviation = deviation, .error = true};
      const AverageResult result = average_of(job);
      const LatticeGeometry& lattice = result.potential.lattice;
      CHECK(lattice == enclosing_lattice(result.preparation->structure().atoms, {1.5, 4.0}));
      CHECK(result.summary.frames == 11);
      CHECK((result.summary.frames_at_once > 1) == !deviation);
      const auto maps = plain_maps(shaken.frames, lattice);
      std::vector<double> mean(maps[0].size()), sd(mean.size()), se(mean.size());
      for (std::size_t p = 0; p < mean.size(); ++p) {
        for (const auto& map : maps) mean[p] += map[p] / 11.0;
        for (const auto& map : maps) sd[p] += (map[p] - mean[p]) * (map[p] - mean[p]) / 10.0;
        sd[p] = std::sqrt(sd[p]);
        // Blocks of frames 0-2, 3-5, 6-8 and 9-10: block b begins where 4 n / 11 reaches b.
        const double blocks[] = {
            (maps[0][p] + maps[1][p] + maps[2][p]) / 3.0, (maps[3][p] + maps[4][p] + maps[5][p]) / 3.0,
            (maps[6][p] + maps[7][p] + maps[8][p]) / 3.0, (maps[9][p] + maps[10][p]) / 2.0};
        const double middle = (blocks[0] + blocks[1] + blocks[2] + blocks[3]) / 4.0;
        for (const double block : blocks) se[p] += (block - middle) * (block - middle) / 12.0;
        se[p] = std::sqrt(se[p]);
      }
      // Terms of up to 400 kT/e in single precision, 30 of them in each of up to 8 frames summed together;
      // of the multilevel sum a few 1e-5 of that.
      const double tolerance = method == Method::direct ? 2e-3 : 0.05;
      CHECK(largest_difference(values_of(result, AverageMap::mean), mean, lattice, shaken.frames) <
            tolerance);
      CHECK(largest_difference(values_of(result, AverageMap::error), se, lattice, shaken.frames) < tolerance);
      if (deviation)
        CHECK(largest_difference(values_of(result, AverageMap::deviation), sd, lattice, shaken.frames) <
              tolerance);
    }
}

TEST_CASE("average: the mean's changes are told at powers of two") {
  const Shaken shaken(9);
  const TrajectoryInput input = shaken.input();
  AverageJob job = job_on(input);
  job.lattice.border_A = 9.0;
  const AverageResult result = average_of(job);
  const LatticeGeometry& lattice = result.potential.lattice;
  const auto maps = plain_maps(shaken.frames, lattice);
  const std::vector<double> nearest_A = nearest_distance(lattice, shaken.frames[0]);
  const auto mean_at = [&](int count, std::size_t p) {
    double sum = 0.0;
    for (int n = 0; n < count; ++n) sum += maps[std::size_t(n)][p];
    return sum / count;
  };
  const AverageSummary& summary = result.summary;
  REQUIRE(summary.changes.size() == 3);
  CHECK(summary.watched_beyond_A == 5.0);
  for (const MeanChange& change : summary.changes) {
    const int count = int(change.frames);
    double sum = 0.0, points = 0.0;
    for (std::size_t p = 0; p < nearest_A.size(); ++p) {
      if (nearest_A[p] <= 5.0) continue;
      sum += std::pow(mean_at(count, p) - mean_at(count / 2, p), 2);
      ++points;
    }
    CAPTURE(count);
    REQUIRE(points > 0.0);
    CHECK(change.rms_kT_e == doctest::Approx(std::sqrt(sum / points)).epsilon(1e-4));
  }
  CHECK(summary.changes.back().frames == 8);
}

TEST_CASE("average: one frame is that frame's map, and has no deviation") {
  const Shaken shaken(3);
  const TrajectoryInput input = shaken.input({.first = 2, .last = 2});
  AverageJob job = job_on(input);
  job.statistics.deviation = true;
  const AverageResult result = average_of(job);
  CHECK(result.summary.frames == 1);
  CHECK(result.summary.first == 2);
  const auto maps = plain_maps({shaken.frames[1]}, result.potential.lattice);
  CHECK(largest_difference(values_of(result, AverageMap::mean), maps[0], result.potential.lattice,
                           {shaken.frames[1]}) < 2e-3);
  CHECK(missing_because(result, AverageMap::deviation).has_value());
  CHECK_FALSE(missing_because(result, AverageMap::mean).has_value());
}

TEST_CASE("average: frames that only turn and shift have one map when they are fitted") {
  Shaken shaken(1);
  const std::vector<Vec3<double>> first = shaken.frames[0];
  for (int n = 1; n < 6; ++n) {
    const double c = std::cos(0.9 * n), s = std::sin(0.9 * n);
    std::vector<Vec3<double>> frame;
    for (const auto& [x, y, z] : first)
      frame.push_back({c * x - s * y + 3.0 * n, s * x + c * y, z - 40.0 * n});
    shaken.frames.push_back(frame);
  }
  write_text(shaken.folder / "run.dcd", dcd_bytes(shaken.frames));
  const TrajectoryInput input = shaken.input();
  AverageJob job = job_on(input);
  job.frames.fit = "name C1 C2 C3 C4 C5 C9";
  job.statistics.deviation = true;
  const AverageResult result = average_of(job);
  const LatticeGeometry& lattice = result.potential.lattice;
  const auto map = reference_potential(lattice, pair_potential({}), charges_at(first));
  // Coordinates of up to 200 A in single precision are 1e-5 A off; the steepest slope here is 200 kT/e/A.
  CHECK(largest_difference(values_of(result, AverageMap::mean), map, lattice, {first}) < 1e-2);
  CHECK(largest_difference(values_of(result, AverageMap::deviation), std::vector<double>(map.size()), lattice,
                           {first}) < 1e-2);
  CHECK(result.summary.tallies.highest_rmsd_A < 1e-4);
  CHECK(result.summary.fitted_atoms == 6);
  CHECK(result.summary.tallies.beyond_lattice == 0);

  write_text(shaken.folder / "reference.dcd", dcd_bytes(Frames{shaken.frames[3]}));
  job.frames.reference = shaken.folder / "reference.dcd";
  const AverageResult moved = average_of(job);
  const auto there =
      reference_potential(moved.potential.lattice, pair_potential({}), charges_at(shaken.frames[3]));
  CHECK(largest_difference(values_of(moved, AverageMap::mean), there, moved.potential.lattice,
                           {shaken.frames[3]}) < 1e-2);

  job.frames.reference = {};
  job.frames.fit = "name C1 C2";
  CHECK(error_of([&] { average_of(job); }).find("--fit selects 2 atoms") != std::string::npos);
  job.frames.fit = "name XX";
  CHECK(error_of([&] { average_of(job); }) != "no error");
}

TEST_CASE("average: what lies across the boundary of the cell is put together, unless images are kept") {
  Shaken shaken(5);
  const TrajectoryInput unwrapped = shaken.input();
  const AverageResult whole = average_of(job_on(unwrapped));
  const PeriodicCell cell(cell_vectors({{40, 41, 42}, {90, 90, 90}}));
  Frames wrapped = shaken.frames;
  // The first frame is whole; in the others the cell's boundary goes through the middle.
  for (std::size_t n = 1; n < wrapped.size(); ++n)
    for (Vec3<double>& p : wrapped[n]) p = cell.wrapped(p - Vec3<double>{6, 6, 6}) + Vec3<double>{6, 6, 6};
  write_text(shaken.folder / "wrapped.dcd", dcd_bytes(wrapped, std::optional(Vec3<double>{40, 41, 42})));
  const TrajectoryInput input =
      read_trajectory_input({shaken.folder / "top.pqr", shaken.folder / "wrapped.dcd"}, {}, {}, false);
  AverageJob job = job_on(input);
  const AverageResult mended = average_of(job);
  CHECK(mended.summary.tallies.made_whole == 4);
  CHECK(mended.potential.lattice == whole.potential.lattice);
  const std::vector<float> expected = values_of(whole, AverageMap::mean);
  // Coordinates of 40 A in single precision are 2e-6 A off.
  CHECK(largest_difference(values_of(mended, AverageMap::mean), {expected.begin(), expected.end()},
                           whole.potential.lattice, shaken.frames) < 5e-3);
  job.frames.keeps_images = true;
  const AverageResult kept = average_of(job);
  CHECK(kept.summary.tallies.made_whole == 0);
  CHECK(kept.summary.tallies.beyond_lattice == 4);
}

TEST_CASE("average: a lattice from all frames encloses them, one from the first tells what it misses") {
  Shaken shaken(4);
  for (Vec3<double>& p : shaken.frames[2]) p.x += 30.0;
  write_text(shaken.folder / "run.dcd", dcd_bytes(shaken.frames));
  const TrajectoryInput input = shaken.input();
  AverageJob job = job_on(input);
  const AverageResult first = average_of(job);
  CHECK(first.summary.tallies.beyond_lattice == 1);
  CHECK(first.summary.tallies.farthest_beyond_A > 20.0);
  REQUIRE_FALSE(first.run.warnings.empty());
  CHECK(first.run.warnings.back().find("in 1 frame charges were outside the lattice") == 0);
  job.lattice_from = LatticeFrames::all;
  const AverageResult all = average_of(job);
  CHECK(all.summary.tallies.beyond_lattice == 0);
  CHECK(all.potential.lattice.counts.x > first.potential.lattice.counts.x + 15);
  job.lattice.border_A = {};
  job.lattice.box = Box{{0, 0, 0}, {9, 9, 9}};
  CHECK(error_of([&] { average_of(job); }).find("--lattice-from all and --box") == 0);
}

TEST_CASE("average: bad frames are refused by name, or passed over") {
  Shaken shaken(6);
  shaken.frames[0][3].x = std::nan("");
  shaken.frames[4][0].z = 1e8;
  write_text(shaken.folder / "run.dcd", dcd_bytes(shaken.frames));
  CHECK(error_of([&] { shaken.input(); }).find("frame 1 has atom 4 at (nan") != std::string::npos);
  const TrajectoryInput second = shaken.input({.first = 2});
  const std::string message = error_of([&] { average_of(job_on(second)); });
  CHECK(message.find("run.dcd: frame 5 has atom 1 at (") != std::string::npos);
  CHECK(message.ends_with("--skip-bad-frames skips it"));
  const TrajectoryInput input = shaken.input({}, true);
  AverageJob job = job_on(input);
  job.frames.skips_bad = true;
  const AverageResult result = average_of(job);
  CHECK(result.summary.frames == 4);
  CHECK(result.summary.tallies.bad == 2);
  CHECK(result.summary.tallies.first_bad.find("frame 1 has atom 4") != std::string::npos);
  std::vector<double> mean(std::size_t(result.potential.lattice.size()));
  Frames good;
  for (const int n : {1, 2, 3, 5}) good.push_back(shaken.frames[std::size_t(n)]);
  for (const auto& map : plain_maps(good, result.potential.lattice))
    for (std::size_t p = 0; p < mean.size(); ++p) mean[p] += map[p] / 4.0;
  CHECK(largest_difference(values_of(result, AverageMap::mean), mean, result.potential.lattice, good) < 2e-3);
}

TEST_CASE("average: which frames there are") {
  CHECK(chosen_frames({}, 10).count == 10);
  const ChosenFrames some = chosen_frames({.first = 3, .last = -2, .every = 3}, 10);
  CHECK(some.count == 3);
  CHECK(some.index(0) == 2);
  CHECK(some.index(2) == 8);
  for (const FrameRange& range : {FrameRange{0, -1, 1}, FrameRange{11, -1, 1}, FrameRange{1, -11, 1},
                                  FrameRange{1, -1, 0}, FrameRange{5, 4, 1}})
    CHECK(error_of([&] { chosen_frames(range, 10); }) != "no error");
}

TEST_CASE("average: with all images it is the Ewald sum of each frame") {
  Shaken shaken(3);
  write_text(shaken.folder / "run.dcd", dcd_bytes(shaken.frames, std::optional(Vec3<double>{26, 28, 30})));
  const TrajectoryInput input = shaken.input();
  AverageJob job = job_on(input);
  job.boundary = Boundary::periodic;
  job.summation = {};
  const AverageResult result = average_of(job);
  CHECK(result.potential.method == "ewald");
  const LatticeGeometry& lattice = result.potential.lattice;
  // Frame by frame to 1e-10, by what the tests of periodic sums compare with plain Ewald sums.
  std::vector<double> expected(std::size_t(lattice.size()));
  const PairPotential pair = pair_potential({});
  for (const auto& frame : shaken.frames) {
    std::vector<Vec3<double>> points_A;
    for (std::int64_t p = 0; p < lattice.size(); ++p) points_A.push_back(lattice.position_A(p));
    const std::vector<double> map = periodic_potential(
        PeriodicCell(cell_vectors({{26, 28, 30}, {90, 90, 90}})), pair, charges_at(frame), points_A);
    for (std::size_t p = 0; p < expected.size(); ++p) expected[p] += map[p] / 3.0;
  }
  CHECK(largest_difference(values_of(result, AverageMap::mean), expected, lattice, shaken.frames) < 5e-3);
  job.ewald_factor_per_A = 0.25;
  const AverageResult smooth = average_of(job);
  CHECK(smooth.potential.method == "smooth part of ewald (factor 0.25/A)");
  std::fill(expected.begin(), expected.end(), 0.0);
  for (const auto& frame : shaken.frames)
    for (std::size_t p = 0; p < expected.size(); p += 97)
      expected[p] += plain_smooth_ewald(cell_vectors({{26, 28, 30}, {90, 90, 90}}), pair, charges_at(frame),
                                        lattice.position_A(std::int64_t(p)), 0.25) /
                     3.0;
  const auto smooth_values = values_of(smooth, AverageMap::mean);
  for (std::size_t p = 0; p < expected.size(); p += 97)
    CHECK(std::abs(double(smooth_values[p]) - expected[p]) < 1e-4);
  const std::string bare = shaken.folder / "bare.dcd";
  write_text(bare, dcd_bytes(shaken.frames));
  const TrajectoryInput mixed =
      read_trajectory_input({shaken.folder / "top.pqr", shaken.folder / "run.dcd", bare}, {}, {}, false);
  AverageJob partly = job_on(mixed);
  partly.boundary = Boundary::periodic;
  CHECK(error_of([&] { average_of(partly); }).find(bare + ", frame 1: has no cell, but periodic") == 0);
  partly.frames.skips_bad = true;
  CHECK(average_of(partly).summary.tallies.bad == 3);
  const TrajectoryInput without = read_trajectory_input({shaken.folder / "top.pqr", bare}, {}, {}, false);
  AverageJob open = job_on(without);
  open.boundary = Boundary::periodic;
  CHECK(error_of([&] { average_of(open); }).find("needs a cell") != std::string::npos);
}
