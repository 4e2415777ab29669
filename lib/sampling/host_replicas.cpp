// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/host_replicas.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "parallel/parallel_for.hpp"

namespace ionwell {

/// One replica on its way.
class HostReplicas::Replica {
 public:
  Replica(const SampleJob& job, int number)
      : job_(job),
        number_(number),
        chain_(first_ions_of(job, number), job.baths,
               RandomStream(job.options.seed, first_stream_of(number) + 1)),
        moves_a_sweep_(std::max<std::int64_t>(1, std::int64_t(chain_.ions().size()))) {}

  std::int64_t moves_a_sweep() const { return moves_a_sweep_; }

  void equilibrate(std::int64_t sweeps) {
    for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
      chain_.run(moves_a_sweep_);
      chain_.adapt_steps();
    }
  }

  void begin_samples(ReplicaRecord& record) {
    chain_.refresh();
    record.lowest = chain_.ions().ions();
    record.lowest_kT = chain_.energy_beyond_bath_kT();
    if (job_.options.method != SampleMethod::brownian) return;
    record.lowest_kT = chain_.energy_kT();  // as dynamics tells it, whose numbers of ions stay
    begin_dynamics();
  }

  void take_samples(std::int64_t first, std::int64_t last, std::int64_t all, const Measurements& measurements,
                    ReplicaRecord& record, CellCounts& cells) {
    const std::int64_t every = job_.options.every;
    for (std::int64_t sample = first; sample < last; ++sample) {
      const int block = int(sample * job_.options.blocks / all);
      if (dynamics_) {
        dynamics_->run(every);
        const double energy_kT = dynamics_->ions().energy_kT();
        record.take(measurements, dynamics_->ions().ions(), energy_kT, energy_kT, block, cells);
        record.moves += every * std::int64_t(dynamics_->ions().size());
        continue;
      }
      chain_.run(every * moves_a_sweep_);
      record.moves += every * moves_a_sweep_;
      record.take(measurements, chain_.ions().ions(), chain_.energy_kT(), chain_.energy_beyond_bath_kT(),
                  block, cells);
    }
    if (!dynamics_) record.drift_kT = std::max(record.drift_kT, std::abs(chain_.refresh()));
  }

  void save(StateWriter& state) const {
    chain_.save(state);
    state.put(std::int64_t(dynamics_.has_value()));
    if (dynamics_) dynamics_->save(state);
  }

  void restore(StateReader& state) {
    chain_.restore(state);
    if (state.whole(0, 1) == 0) return;
    begin_dynamics();
    dynamics_->restore(state);
  }

  void end_samples(ReplicaRecord& record) const {
    record.tallies = chain_.tallies();
    record.steps_A = chain_.steps_A();
    record.cut_moves = dynamics_ ? dynamics_->cut_moves() : 0;
  }

 private:
  void begin_dynamics() {
    dynamics_.emplace(chain_.ions(), job_.options.brownian,
                      RandomStream(job_.options.seed, first_stream_of(number_) + 2));
  }

  const SampleJob& job_;
  int number_;
  MonteCarlo chain_;
  std::optional<BrownianDynamics> dynamics_;
  std::int64_t moves_a_sweep_;
};

HostReplicas::HostReplicas(const SampleJob& job, const Measurements& measurements, ReplicaRange range)
    : job_(job), measurements_(measurements), replicas_(std::size_t(range.count)) {
  for_all([&](std::size_t r) { replicas_[r] = std::make_unique<Replica>(job_, range.first + int(r)); });
}

HostReplicas::~HostReplicas() = default;

std::int64_t HostReplicas::moves_a_sweep() const {
  return replicas_.front()->moves_a_sweep();
}

void HostReplicas::equilibrate(std::int64_t sweeps) {
  for_all([&](std::size_t r) { replicas_[r]->equilibrate(sweeps); });
}

void HostReplicas::begin_samples(std::span<ReplicaRecord> records) {
  for_all([&](std::size_t r) { replicas_[r]->begin_samples(records[r]); });
}

void HostReplicas::take_samples(std::int64_t first, std::int64_t last, std::int64_t all,
                                std::span<ReplicaRecord> records, CellCounts& cells) {
  for_all(
      [&](std::size_t r) { replicas_[r]->take_samples(first, last, all, measurements_, records[r], cells); });
}

void HostReplicas::end_samples(std::span<ReplicaRecord> records) {
  for (std::size_t r = 0; r < replicas_.size(); ++r) replicas_[r]->end_samples(records[r]);
}

void HostReplicas::save(SavedState& state) {
  StateWriter writer;
  save(writer);
  writer.move_to(state, state_name);
}

void HostReplicas::save(StateWriter& state) const {
  for (const auto& replica : replicas_) replica->save(state);
}

void HostReplicas::restore(const SavedState& state, std::span<const ReplicaRecord>) {
  StateReader reader(state, state_name);
  restore(reader);
}

void HostReplicas::restore(StateReader& state) {
  for (const auto& replica : replicas_) replica->restore(state);
}

template <typename Work>
void HostReplicas::for_all(const Work& work) {
  parallel_for({job_.options.threads, 1}, std::ssize(replicas_),
               [&](std::int64_t r) { work(std::size_t(r)); });
}

}  // namespace ionwell
