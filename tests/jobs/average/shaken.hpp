// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "jobs/average/average.hpp"
#include "jobs/average/average_maps.hpp"
#include "support/dcd_bytes.hpp"
#include "support/temporary_folder.hpp"

/// A trajectory to average, as files and as what is in them.
namespace ionwell::test {

using Frames = std::vector<std::vector<Vec3<double>>>;

constexpr int atom_count = 30;

/// A lump of charges that shakes; as read from single precision.
inline Frames shaking(int count, unsigned seed = 7) {
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

inline double charge_of(int atom) {
  return 0.1 * ((7 * atom) % 11) - 0.4;
}

inline std::string pqr_text() {
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

inline std::vector<PointCharge> charges_at(const std::vector<Vec3<double>>& positions_A) {
  std::vector<PointCharge> charges;
  for (int n = 0; n < atom_count; ++n) charges.push_back({positions_A[std::size_t(n)], charge_of(n)});
  return charges;
}

inline const LatticeRequest coarse{.spacing_A = 1.5, .border_A = 4.0, .box = {}};

inline AverageJob job_on(const TrajectoryInput& input, Method method = Method::direct) {
  return {.input = input,
          .summation = {.method = method, .multilevel = {}},
          .lattice = coarse,
          .backend = {.backend = Backend::cpu, .devices = {}},
          .field = {.every_point = true, .threads = 2},
          .statistics = {},
          .blocks = 4,
          .state = {},
          .should_stop = {},
          .save = {},
          .command = "test",
          .map_names = {}};
}

inline AverageResult average_of(const AverageJob& job, RankGroup* ranks = nullptr) {
  Stages stages;
  return average(job, stages, {{}, ranks});
}

inline std::vector<float> values_of(const AverageResult& result, AverageMap map) {
  const ResultMap made = average_map(result, map, MapUnit::kT_e);
  return {made.all().begin(), made.all().end()};
}

}  // namespace ionwell::test
