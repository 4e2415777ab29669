// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sampling/sample.hpp"

/// What moves the replicas of a sample, and what is known of each.
namespace ionwell {

/// What one replica has shown so far.
struct ReplicaRecord {
  Observed observed;
  std::array<MoveTally, move_kinds> tallies{};
  std::vector<double> steps_A;  // by species
  std::int64_t moves = 0, cut_moves = 0;
  double drift_kT = 0.0;
  std::vector<MovingIon> lowest;
  double lowest_kT = 0.0;

  /// Takes a sample in; `compared_kT` is what arrangements are compared by.
  void take(const Measurements& measurements, std::span<const MovingIon> ions, double energy_kT,
            double compared_kT, int block, CellCounts& cells);

  void save(StateWriter& state) const;
  void restore(StateReader& state, std::size_t species);
};

/// Moves the replicas of a job, on the host, on a device or by several processes. Records are those of its
/// replicas, in their order.
class ReplicaMover {
 public:
  virtual ~ReplicaMover() = default;

  /// Of the first replica: as many as it had ions at its start, one at least.
  virtual std::int64_t moves_a_sweep() const = 0;

  /// So many sweeps of Monte Carlo, with steps that are adapted.
  virtual void equilibrate(std::int64_t sweeps) = 0;

  /// Between both; notes the arrangements that there are.
  virtual void begin_samples(std::span<ReplicaRecord> records) = 0;

  /// Takes samples `first` to `last` - 1 of `all`.
  virtual void take_samples(std::int64_t first, std::int64_t last, std::int64_t all,
                            std::span<ReplicaRecord> records, CellCounts& cells) = 0;

  /// Notes tallies, steps and what else is known at the end.
  virtual void end_samples(std::span<ReplicaRecord> records) = 0;

  /// Brings up to date what others know of records and cells: called before they are read.
  virtual void gather(std::span<ReplicaRecord> records, CellCounts& cells) = 0;

  /// All that the next call does depends on, between two of the above; and another mover of the same job goes
  /// on from there.
  virtual void save(SavedState& state) = 0;
  /// `records` were restored before.
  virtual void restore(const SavedState& state, std::span<const ReplicaRecord> records) = 0;
};

/// Both must outlive the mover.
std::unique_ptr<ReplicaMover> device_replicas(const SampleJob& job, const Measurements& measurements);

/// The first ions of a replica, by its own random numbers; the numbers of its moves are streams
/// first_stream_of(replica) + 1 and + 2.
IonSet first_ions_of(const SampleJob& job, int replica);

constexpr std::uint64_t first_stream_of(int replica) {
  return std::uint64_t{4} * std::uint64_t(replica);
}

}  // namespace ionwell
