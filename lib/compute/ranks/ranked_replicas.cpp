// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ranks/ranked_replicas.hpp"

#include <optional>
#include <utility>

#include "compute/ranks/patient_wait.hpp"
#include "compute/ranks/rank_samples.hpp"
#include "electrostatics/interpolated/interpolation_nodes.hpp"
#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {
namespace {

class RankedReplicas final : public ReplicaMover {
 public:
  RankedReplicas(RankGroup& group, const SampleJob& job, const Measurements& measurements,
                 const FirstIons& first)
      : job_(job), measurements_(measurements), orders_(group) {
    const SimdLevel simd = job.model.simd == SimdLevel::automatic ? best_simd_level() : job.model.simd;
    orders_.give({.task = RankTask::make_samples}, rank_sample_job(job, first, simd));
    orders_.together([] {});
    give({.step = SampleStep::start});
    if (job.model.field) send_nodes(*job.model.field->nodes());
    orders_.together([&] { own_.emplace(job, measurements, range_of(0)); });
  }

  std::int64_t moves_a_sweep() const override { return own_->moves_a_sweep(); }

  void equilibrate(std::int64_t sweeps) override {
    do_all({.step = SampleStep::equilibrate, .last = sweeps}, [&] { own_->equilibrate(sweeps); });
  }

  void begin_samples(std::span<ReplicaRecord> records) override {
    do_all({.step = SampleStep::begin}, [&] { own_->begin_samples(of_rank(records, 0)); });
  }

  void take_samples(std::int64_t first, std::int64_t last, std::int64_t all, std::span<ReplicaRecord> records,
                    CellCounts& cells) override {
    do_all({SampleStep::take, first, last, all},
           [&] { own_->take_samples(first, last, all, of_rank(records, 0), cells); });
  }

  void end_samples(std::span<ReplicaRecord> records) override {
    do_all({.step = SampleStep::end}, [&] { own_->end_samples(of_rank(records, 0)); });
  }

  void gather(std::span<ReplicaRecord> records, CellCounts& cells) override {
    for (int rank = 1; rank < count(); ++rank) {
      const std::vector<std::byte> text = told_by(rank, SampleStep::tell_records);
      MessageReader message(text);
      const ReceivedState received(message);
      StateReader state = received.reader();
      restore_records(state, of_rank(records, rank), job_.model.species.size());
      for (std::vector<std::uint64_t>& counts : cells) {
        const auto seen = message.value<std::vector<std::uint64_t>>();
        for (std::size_t n = 0; n < counts.size(); ++n) counts[n] += seen[n];
      }
    }
  }

  void save(SavedState& state) override {
    StateWriter writer;
    own_->save(writer);
    for (int rank = 1; rank < count(); ++rank) {
      const std::vector<std::byte> text = told_by(rank, SampleStep::tell_state);
      const auto numbers = MessageReader(text).value<StateNumbers>();
      for (const std::int64_t value : numbers.first) writer.put(value);
      for (const double value : numbers.second) writer.put(value);
    }
    writer.move_to(state, HostReplicas::state_name);
  }

  void restore(const SavedState& state, std::span<const ReplicaRecord> records) override {
    StateReader reader(state, HostReplicas::state_name);
    own_->restore(reader);
    for (int rank = 1; rank < count(); ++rank) {
      HostReplicas theirs(job_, measurements_, range_of(rank));
      theirs.restore(reader);
      StateWriter replicas, seen;
      theirs.save(replicas);
      save_records(seen, of_rank(records, rank));
      orders_.give({.task = RankTask::sample, .rank = rank}, SampleOrder{.step = SampleStep::restore},
                   numbers_of(std::move(replicas)), numbers_of(std::move(seen)));
      orders_.together([] {});
    }
  }

 private:
  int count() const { return orders_.group().count(); }

  ReplicaRange range_of(int rank) const { return replicas_of_rank(job_.options.replicas, rank, count()); }

  template <typename Record>
  std::span<Record> of_rank(std::span<Record> records, int rank) const {
    const ReplicaRange range = range_of(rank);
    return records.subspan(std::size_t(range.first), std::size_t(range.count));
  }

  void give(const SampleOrder& order, int rank = 0) {
    orders_.give({.task = RankTask::sample, .rank = rank}, order);
  }

  /// Here and on all others.
  template <typename Work>
  void do_all(const SampleOrder& order, const Work& work) {
    const PatientWait wait(orders_.group());
    give(order);
    orders_.together(work);
  }

  std::vector<std::byte> told_by(int rank, SampleStep what) {
    const PatientWait wait(orders_.group());
    give({.step = what}, rank);
    return std::move(orders_.together([] {})[std::size_t(rank)].text);
  }

  void send_nodes(const InterpolationNodes& nodes) {
    // The first's are only read.
    const std::span<float> values(const_cast<float*>(nodes.values.data()), nodes.values.size());
    orders_.group().broadcast(std::as_writable_bytes(values));
  }

  const SampleJob& job_;
  const Measurements& measurements_;
  RankOrders orders_;
  std::optional<HostReplicas> own_;
};

}  // namespace

bool can_be_shared(const SampleJob& job) {
  return !job.model.field || job.model.field->nodes() != nullptr;
}

std::unique_ptr<ReplicaMover> ranked_replicas(RankGroup& group, const SampleJob& job,
                                              const Measurements& measurements, const FirstIons& first) {
  return std::make_unique<RankedReplicas>(group, job, measurements, first);
}

}  // namespace ionwell
