#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "electrostatics/periodic/periodic_sum.hpp"
#include "run/average/average.hpp"
#include "run/average/average_maps.hpp"
#include "run/average/average_state.hpp"
#include "support/dcd_bytes.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Frames = std::vector<std::vector<Vec3<double>>>;

constexpr int atom_count = 30;

/// A lump of charges that shakes; as read from single precision.
Frames shaking(int count, unsigned seed = 7) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> along(0.0, 12.0);
  std::normal_distribution<double> shake(0.0, 0.4);
  std::vector<Vec3<double>> middle(atom_count);
  for (Vec3<double>& p : middle) p = {along(random), along(random), along(random)};
  Frames frames(static_cast<std::size_t>(count), middle);
  for (auto& frame : frames)
    for (Vec3<double>& p : frame)
      p = {float(p.x + shake(random)), float(p.y + shake(random)), float(p.z + shake(random))};
  return frames;
}

double charge_of(int atom) {
  return 0.1 * ((7 * atom) % 11) - 0.4;
}

std::string pqr_text() {
  std::string text;
  char line[96];
  for (int n = 0; n < atom_count; ++n) {
    std::snprintf(line, sizeof line, "ATOM %d C%d LIG A 1 %.3f 0.0 0.0 %.4f 1.5\n", n + 1, n + 1, 2.0 * n,
                  charge_of(n));
    text += line;
  }
  return text;
}

/// Files of a trajectory, and what is read of them.
struct Shaken {
  TemporaryFolder folder;
  Frames frames;

  explicit Shaken(int count) : frames(shaking(count)) {
    write_text(folder / "top.pqr", pqr_text());
    write_text(folder / "run.dcd", dcd_bytes(frames));
  }
  TrajectoryInput input(const FrameRange& range = {}, bool passes_over_bad = false) const {
    return read_trajectory_input({folder / "top.pqr", folder / "run.dcd"}, {}, range, passes_over_bad);
  }
};

std::vector<PointCharge> charges_at(const std::vector<Vec3<double>>& positions_A) {
  std::vector<PointCharge> charges;
  for (int n = 0; n < atom_count; ++n) charges.push_back({positions_A[std::size_t(n)], charge_of(n)});
  return charges;
}

const LatticeRequest coarse{.spacing_A = 1.5, .border_A = 4.0, .box = {}};

AverageJob job_on(const TrajectoryInput& input, Method method = Method::direct) {
  return {.input = input,
          .summation = {.method = method, .multilevel = {}},
          .lattice = coarse,
          .backend = {.backend = Backend::cpu, .devices = {}},
          .field = {.every_point = true, .threads = 2},
          .statistics = {},
          .blocks = 4,
          .state = {},
          .should_stop = {},
          .command = "test",
          .map_names = {}};
}

AverageResult average_of(const AverageJob& job) {
  Stages stages;
  return average(job, stages);
}

std::vector<float> values_of(const AverageResult& result, AverageMap map) {
  const ResultMap made = average_map(result, map, MapUnit::kT_e);
  return {made.all().begin(), made.all().end()};
}

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
      const LatticeGeometry& lattice = result.run.lattice;
      CHECK(lattice == enclosing_lattice(result.preparation->structure().atoms, {1.5, 4.0}));
      CHECK(result.run.average->frames == 11);
      CHECK((result.run.average->frames_at_once > 1) == !deviation);
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
  const LatticeGeometry& lattice = result.run.lattice;
  const auto maps = plain_maps(shaken.frames, lattice);
  const std::vector<double> nearest_A = nearest_distance(lattice, shaken.frames[0]);
  const auto mean_at = [&](int count, std::size_t p) {
    double sum = 0.0;
    for (int n = 0; n < count; ++n) sum += maps[std::size_t(n)][p];
    return sum / count;
  };
  const AverageSummary& summary = *result.run.average;
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
  CHECK(result.run.average->frames == 1);
  CHECK(result.run.average->first == 2);
  const auto maps = plain_maps({shaken.frames[1]}, result.run.lattice);
  CHECK(largest_difference(values_of(result, AverageMap::mean), maps[0], result.run.lattice,
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
  const LatticeGeometry& lattice = result.run.lattice;
  const auto map = reference_potential(lattice, pair_potential({}), charges_at(first));
  // Coordinates of up to 200 A in single precision are 1e-5 A off; the steepest slope here is 200 kT/e/A.
  CHECK(largest_difference(values_of(result, AverageMap::mean), map, lattice, {first}) < 1e-2);
  CHECK(largest_difference(values_of(result, AverageMap::deviation), std::vector<double>(map.size()), lattice,
                           {first}) < 1e-2);
  CHECK(result.run.average->tallies.highest_rmsd_A < 1e-4);
  CHECK(result.run.average->fitted_atoms == 6);
  CHECK(result.run.average->tallies.beyond_lattice == 0);

  write_text(shaken.folder / "reference.dcd", dcd_bytes(Frames{shaken.frames[3]}));
  job.frames.reference = shaken.folder / "reference.dcd";
  const AverageResult moved = average_of(job);
  const auto there = reference_potential(moved.run.lattice, pair_potential({}), charges_at(shaken.frames[3]));
  CHECK(largest_difference(values_of(moved, AverageMap::mean), there, moved.run.lattice, {shaken.frames[3]}) <
        1e-2);

  job.frames.reference = {};
  job.frames.fit = "name C1 C2";
  CHECK(error_of([&] { average_of(job); }).find("--fit selects 2 atoms") != std::string::npos);
  job.frames.fit = "name XX";
  CHECK(error_of([&] { average_of(job); }) != "no error");
}

TEST_CASE("average: a lattice from all frames encloses them, one from the first tells what it misses") {
  Shaken shaken(4);
  for (Vec3<double>& p : shaken.frames[2]) p.x += 30.0;
  write_text(shaken.folder / "run.dcd", dcd_bytes(shaken.frames));
  const TrajectoryInput input = shaken.input();
  AverageJob job = job_on(input);
  const AverageResult first = average_of(job);
  CHECK(first.run.average->tallies.beyond_lattice == 1);
  CHECK(first.run.average->tallies.farthest_beyond_A > 20.0);
  REQUIRE_FALSE(first.run.warnings.empty());
  CHECK(first.run.warnings.back().find("in 1 frame sources were outside of the lattice") == 0);
  job.lattice_from = LatticeFrames::all;
  const AverageResult all = average_of(job);
  CHECK(all.run.average->tallies.beyond_lattice == 0);
  CHECK(all.run.lattice.counts.x > first.run.lattice.counts.x + 15);
  job.lattice.border_A = {};
  job.lattice.box = Box{{0, 0, 0}, {9, 9, 9}};
  CHECK(error_of([&] { average_of(job); }).find("--lattice-from all and --box") == 0);
}

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
      frames = part.run.average->frames;
      is_done = !part.run.average->is_interrupted;
      OutputFile file(path);
      write_average_state(file, part.identity, part.statistics, part.run.average->tallies);
      file.commit();
      if (!is_done) continue;
      CHECK(part.run.average->resumed_frames > 0);
      for (const AverageMap map : {AverageMap::mean, AverageMap::error})
        CHECK(values_of(part, map) == values_of(whole, map));
      if (deviation) CHECK(values_of(part, AverageMap::deviation) == values_of(whole, AverageMap::deviation));
      REQUIRE(part.run.average->changes.size() == whole.run.average->changes.size());
      for (std::size_t n = 0; n < whole.run.average->changes.size(); ++n)
        CHECK(part.run.average->changes[n].rms_kT_e == whole.run.average->changes[n].rms_kT_e);
      CHECK(part.run.average->blocks == 4);
    }
    CHECK(runs > 1);
    CHECK(frames == 40);
    job.should_stop = {};
    job.blocks = 5;
    CHECK(error_of([&] { average_of(job); }).find("is the state of another average") != std::string::npos);
    std::string bytes = read_text(path);
    write_text(path, bytes.substr(0, bytes.size() / 2));
    CHECK(error_of([&] { average_of(job); }).find("damaged") != std::string::npos);
    write_text(path, "no state");
    CHECK(error_of([&] { average_of(job); }).find("is no HDF5 file") != std::string::npos);
  }
}

TEST_CASE("average: a saved state with a byte changed is refused, or what it was") {
  const Shaken shaken(5);
  const TrajectoryInput input = shaken.input();
  const AverageJob job = job_on(input);
  AverageResult result = average_of(job);
  const std::string path = shaken.folder / "state";
  OutputFile file(path);
  write_average_state(file, result.identity, result.statistics, result.run.average->tallies);
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

TEST_CASE("average: bad frames are refused by name, or passed over") {
  Shaken shaken(6);
  shaken.frames[0][3].x = std::nan("");
  shaken.frames[4][0].z = 1e8;
  write_text(shaken.folder / "run.dcd", dcd_bytes(shaken.frames));
  CHECK(error_of([&] { shaken.input(); }).find("frame 1 has atom 4 at (nan") != std::string::npos);
  const TrajectoryInput second = shaken.input({.first = 2});
  const std::string message = error_of([&] { average_of(job_on(second)); });
  CHECK(message.find("run.dcd: frame 5 has atom 1 at (") != std::string::npos);
  CHECK(message.ends_with("--skip-bad-frames goes on without it"));
  const TrajectoryInput input = shaken.input({}, true);
  AverageJob job = job_on(input);
  job.frames.skips_bad = true;
  const AverageResult result = average_of(job);
  CHECK(result.run.average->frames == 4);
  CHECK(result.run.average->tallies.bad == 2);
  CHECK(result.run.average->tallies.first_bad.find("frame 1 has atom 4") != std::string::npos);
  std::vector<double> mean(std::size_t(result.run.lattice.size()));
  Frames good;
  for (const int n : {1, 2, 3, 5}) good.push_back(shaken.frames[std::size_t(n)]);
  for (const auto& map : plain_maps(good, result.run.lattice))
    for (std::size_t p = 0; p < mean.size(); ++p) mean[p] += map[p] / 4.0;
  CHECK(largest_difference(values_of(result, AverageMap::mean), mean, result.run.lattice, good) < 2e-3);
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
  CHECK(result.run.method == "ewald");
  const LatticeGeometry& lattice = result.run.lattice;
  // Frame by frame to 1e-10, by what the tests of periodic sums compare with plain Ewald sums.
  std::vector<double> expected(std::size_t(lattice.size()));
  const PairPotential pair = pair_potential({});
  for (const auto& frame : shaken.frames) {
    std::vector<Vec3<double>> points_A;
    for (std::int64_t p = 0; p < lattice.size(); ++p) points_A.push_back(lattice.position_A(p));
    const std::vector<double> map = periodic_potential(PeriodicCell(UnitCell{{26, 28, 30}, {90, 90, 90}}),
                                                       pair, charges_at(frame), points_A);
    for (std::size_t p = 0; p < expected.size(); ++p) expected[p] += map[p] / 3.0;
  }
  CHECK(largest_difference(values_of(result, AverageMap::mean), expected, lattice, shaken.frames) < 5e-3);
  write_text(shaken.folder / "run.dcd", dcd_bytes(shaken.frames));
  const TrajectoryInput without = shaken.input();
  AverageJob open = job_on(without);
  open.boundary = Boundary::periodic;
  CHECK(error_of([&] { average_of(open); }).find("needs a cell") != std::string::npos);
}
