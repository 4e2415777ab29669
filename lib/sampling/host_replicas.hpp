// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "sampling/replicas.hpp"

namespace ionwell {

/// So many replicas of a job, from one on.
struct ReplicaRange {
  int first = 0, count = 0;
};

/// Replicas that the host moves: all of a job's, or those that are this process's.
class HostReplicas final : public ReplicaMover {
 public:
  /// Job and measurements must outlive it.
  HostReplicas(const SampleJob& job, const Measurements& measurements, ReplicaRange range);
  ~HostReplicas() override;

  /// There must be a replica.
  std::int64_t moves_a_sweep() const override;

  void equilibrate(std::int64_t sweeps) override;
  void begin_samples(std::span<ReplicaRecord> records) override;
  void take_samples(std::int64_t first, std::int64_t last, std::int64_t all, std::span<ReplicaRecord> records,
                    CellCounts& cells) override;
  void end_samples(std::span<ReplicaRecord> records) override;
  void gather(std::span<ReplicaRecord>, CellCounts&) override {}  // they are here
  void save(SavedState& state) override;
  void restore(const SavedState& state, std::span<const ReplicaRecord> records) override;

  /// The same of these replicas alone: the state of a job has all of them one after the other, under
  /// this name.
  static constexpr const char* state_name = "replicas";
  void save(StateWriter& state) const;
  void restore(StateReader& state);

 private:
  class Replica;

  template <typename Work>
  void for_all(const Work& work);

  const SampleJob& job_;
  const Measurements& measurements_;
  std::vector<std::unique_ptr<Replica>> replicas_;
};

}  // namespace ionwell
