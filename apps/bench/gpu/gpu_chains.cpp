// SPDX-License-Identifier: BSD-3-Clause
#include "bench/gpu/gpu_chains.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "bench/measure.hpp"
#include "bench/moving_salt.hpp"
#include "compute/backend.hpp"
#include "gpu/backend.hpp"
#include "sampling/device_chains.hpp"
#include "sampling/image_table.hpp"

namespace ionwell {
namespace {

double chain_seconds(const DeviceChains& chains) {
  double sum = 0.0;
  for (const auto& [stage, time_s] : chains.use().stage_s) sum += time_s;
  return sum;
}

/// The device time of so many sweeps of each replica, or steps: the median over runs after one.
double device_seconds_of(const IonModel& model, bool is_dynamics, int ions, int replicas, int length,
                         int repeats) {
  const BrownianOptions dynamics;
  RandomStream random(1, 0);
  const std::vector<MovingIon> start = random_ions(model, {ions / 2, ions / 2}, random).ions();
  const auto chains =
      gpu_backend().make_chains(gpu_backend().devices().devices.front().number,
                                {.model = model,
                                 .baths = {},
                                 .dynamics = is_dynamics ? &dynamics : nullptr,
                                 .starts = std::vector<std::vector<MovingIon>>(std::size_t(replicas), start),
                                 .seed = 1});
  std::vector<ChainSnapshot> snapshots;
  std::vector<double> times_s;
  for (int n = -1; n < repeats; ++n) {
    const double before_s = chain_seconds(*chains);
    chains->start_samples(1, length);
    chains->collect(snapshots);
    if (n >= 0) times_s.push_back(chain_seconds(*chains) - before_s);
  }
  return median(times_s);
}

}  // namespace

void print_chain_rows(std::ostream& out, int repeats) {
  char row[160];
  std::snprintf(row, sizeof row, "\n%-28s %6s %9s %14s %14s\n", "chains", "ions", "replicas", "moves/s",
                "steps/s");
  out << row;
  const PairPotential coulomb = pair_potential({.dielectric = water_dielectric});
  const auto print = [&](const std::string& what, const IonModel& model, bool is_dynamics, int ions,
                         int replicas) {
    const int length = is_dynamics ? 2000 : std::max(1, 20'000 / ions);
    const double time_s = device_seconds_of(model, is_dynamics, ions, replicas, length, repeats);
    const double rounds_per_s = double(replicas) * length / time_s;
    std::snprintf(row, sizeof row, "%-28s %6d %9d %14.3e %14.3e\n", what.c_str(), ions, replicas,
                  rounds_per_s * ions, rounds_per_s);
    out << row << std::flush;
  };
  for (const int ions : {16, 64, 256, 1024}) {
    constexpr double concentration_M = 0.15;
    const IonModel open = moving_salt(ions, concentration_M, coulomb, ForceInterpolation::trilinear);
    IonModel images = open;
    images.boundary = SampleBoundary::periodic;
    images.images = std::make_shared<ImageTable>(images.box, images.pair, 0, SimdLevel::automatic);
    const IonModel cubic = moving_salt(ions, concentration_M, coulomb, ForceInterpolation::cubic_spline);
    for (const int replicas : {1, 100, 1000, 4000}) {
      print("Monte Carlo, Coulomb", open, false, ions, replicas);
      print("dynamics, Coulomb", open, true, ions, replicas);
      if (replicas != 1000) continue;
      print("Monte Carlo, all images", images, false, ions, replicas);
      print("dynamics, all images", images, true, ions, replicas);
      print("dynamics, cubic splines", cubic, true, ions, replicas);
    }
  }
}

}  // namespace ionwell
