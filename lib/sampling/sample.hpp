// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "parallel/progress.hpp"
#include "sampling/device_chains.hpp"
#include "sampling/observables.hpp"
#include "sampling/sample_method.hpp"
#include "sampling/series_statistics.hpp"

/// Many replicas of ions that move, side by side.
namespace ionwell {

class ReplicaMover;

struct SampleOptions {
  SampleMethod method = SampleMethod::monte_carlo;
  std::int64_t length = 0;         // sweeps (as many moves as there are ions at the start), or steps
  std::int64_t equilibration = 0;  // sweeps of Monte Carlo before it, with the baths, for either method
  std::int64_t every = 1;          // sweeps or steps from one sample to the next
  int replicas = 4;
  int blocks = 5;  // of each replica, for errors
  std::uint64_t seed = 1;
  int threads = 1;
  BrownianOptions brownian;
};

/// Throws UsageError for options that make no sense.
void validate(const SampleOptions& options);

struct SampleJob {
  const IonModel& model;
  std::vector<SaltBath> baths;  // Brownian dynamics keeps the numbers that equilibration left
  std::span<const Atom> atoms;  // of the solute, for what is observed
  ObservableOptions observables;
  /// The first ions of a replica; whether and how it is random is its own affair.
  std::function<IonSet(int replica, RandomStream& random)> start;
  SampleOptions options;
  /// Asked now and then on the caller's thread; the result is then of the samples so far.
  std::function<bool()> should_stop;
  /// Of the device that is to move the replicas, and who is told what it did; without it the host does.
  std::function<std::unique_ptr<DeviceChains>(ChainProblem problem)> make_chains;
  std::function<void(const DeviceUse&)> note_use;
  /// What moves the replicas in place of both: several processes.
  std::function<std::unique_ptr<ReplicaMover>(const SampleJob& job, const Measurements& measurements)>
      make_mover;
  /// The state that another process left, of the same job but for `threads`; null begins anew.
  const SavedState* resumed = nullptr;
  /// Called once with what tells the state, whenever `progress` is called; what it gives is kept until the
  /// sampling ends.
  std::function<std::shared_ptr<void>(std::function<SavedState()> collect)> saving;
};

/// A mean and its error at each of some places.
struct Profile {
  std::vector<double> mean, error;
};

/// Radial distribution of one species around the atoms of one group, by bin.
struct RadialDistribution {
  std::size_t group = 0, species = 0;
  Profile concentration_per_A3;  // ions in the shell by its volume, the mean over the atoms
  Profile within;                // ions nearer to an atom than the outer edge of the bin
};

struct SampleResult {
  std::int64_t samples = 0;  // of all replicas
  SeriesMean energy_kT;
  std::vector<SeriesMean> count;                  // by species
  std::vector<std::vector<SeriesMean>> within;    // [species][distance]
  std::vector<SeriesMean> charge_within_e;        // by distance
  std::vector<std::vector<std::uint64_t>> cells;  // [species][cell]: ions seen
  std::vector<RadialDistribution> radial;
  std::vector<MovingIon> lowest;                // by species, the arrangement of lowest energy met
  double lowest_kT = 0.0;                       // beyond the bath, where there is one
  std::array<MoveTally, move_kinds> tallies{};  // of all replicas
  std::vector<double> steps_A;                  // by species, mean over replicas
  std::int64_t moves = 0;                       // tried, or moves of single ions
  std::int64_t cut_moves = 0;                   // by Brownian dynamics
  double largest_drift_kT = 0.0;                // of energies that were kept up to date
  double seconds = 0.0;                         // of moves and samples
  bool is_interrupted = false;
};

/// Runs all replicas. The result depends on the seed and the number of replicas, and on whether a device
/// moves them, not on threads: each replica has streams of its own. Throws what the moves throw, and what
/// `progress` throws; DamagedState for an invalid state.
SampleResult sample(const SampleJob& job, const Progress& progress = {});

}  // namespace ionwell
