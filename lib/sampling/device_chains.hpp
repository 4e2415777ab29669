// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/device_use.hpp"
#include "sampling/brownian.hpp"
#include "sampling/monte_carlo.hpp"

/// Replicas that a device moves, all at once.
namespace ionwell {

/// What a device samples: a chain for each start.
struct ChainProblem {
  const IonModel& model;                       // whose field, if it has one, must have nodes
  const std::vector<SaltBath>& baths;          // for Monte Carlo
  const BrownianOptions* dynamics = nullptr;   // of samples; null: they are Monte Carlo's
  std::vector<std::vector<MovingIon>> starts;  // by replica
  std::uint64_t seed = 1;
  int threads = 1;  // of the host, for what it does with samples
};

/// The ions of one replica at one time.
struct ChainSnapshot {
  std::vector<MovingIon> ions;
  double energy_kT = 0.0;
  double beyond_bath_kT = 0.0;  // MonteCarlo::energy_beyond_bath_kT
};

/// What one replica did.
struct ChainCounts {
  std::array<MoveTally, move_kinds> tallies{};  // since the last `equilibrate`
  std::vector<double> steps_A;                  // by species
  std::int64_t cut_moves = 0;
  double largest_drift_kT = 0.0;  // of the energy that Monte Carlo keeps up to date
};

/// Chains of MonteCarlo and BrownianDynamics on a device: the same moves with the same probabilities, by
/// random numbers of their own, so that they agree with the host's within the errors of samples, and with
/// themselves bit by bit. Positions are in single precision, relative to the middle of the box; terms are in
/// single precision, sums over ions in double.
class DeviceChains {
 public:
  virtual ~DeviceChains() = default;

  /// So many sweeps of Monte Carlo, as many moves each as a replica had ions at its start; steps are adapted
  /// after each. Waits for them.
  virtual void equilibrate(std::int64_t sweeps) = 0;

  /// All replicas as they are, once the energies have been summed anew.
  virtual std::vector<ChainSnapshot> now() = 0;

  /// Begins to take so many samples of each replica, `every` sweeps or steps apart, and does not wait.
  virtual void start_samples(int samples, std::int64_t every) = 0;

  /// Waits for what `start_samples` began: to[s * replicas + r]. Throws Error when a replica has had more
  /// ions than there was room for.
  virtual void collect(std::vector<ChainSnapshot>& to) = 0;

  /// By replica.
  virtual std::vector<ChainCounts> counts() = 0;

  /// All that the next moves depend on, for chains of the same problem on a device of any kind. While no
  /// samples are under way.
  virtual std::vector<std::int64_t> state() = 0;

  /// Throws DamagedState for one of another size.
  virtual void restore(const std::vector<std::int64_t>& state) = 0;

  virtual DeviceUse use() const = 0;
};

/// How fast a device moves ions [s]: the larger of what one replica takes by itself, and of what as many as
/// fill the device take, by each.
struct DeviceChainRates {
  double move_s, move_ion_s;               // a Monte Carlo move, and more of it for each ion
  double full_move_s, full_move_ion_s;     // the same of a device that is full
  double step_s, step_ion_s, step_pair_s;  // a step of dynamics, and more of it for each ion and each pair
  double full_pair_s;                      // a pair of ions in a step, of a device that is full
  double move_images, step_images;         // how often as long both take with all images
};

/// Salts, species and ions of a formula unit that a device takes at most.
constexpr std::size_t most_device_species = 16, most_device_baths = 8, most_device_unit = 8;

/// Throws UsageError for a problem that no device takes: a field without nodes, too many species.
void check_for_device(const ChainProblem& problem);

/// Ions of a replica that a device keeps room for: where a bath may add some, more than twice as many as at
/// the start.
std::int64_t chain_capacity(const ChainProblem& problem);

}  // namespace ionwell
