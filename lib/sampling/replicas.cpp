// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/replicas.hpp"

#include <algorithm>
#include <utility>

#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

class DeviceReplicas final : public ReplicaMover {
 public:
  DeviceReplicas(const SampleJob& job, const Measurements& measurements)
      : job_(job), measurements_(measurements) {
    std::vector<std::vector<MovingIon>> starts(std::size_t(job.options.replicas));
    for_all(starts.size(), [&](std::size_t r) { starts[r] = first_ions_of(job_, int(r)).ions(); });
    for (const std::vector<MovingIon>& ions : starts)
      moves_a_sweep_.push_back(std::max<std::int64_t>(1, std::ssize(ions)));
    ChainProblem problem{.model = job.model,
                         .baths = job.baths,
                         .dynamics = is_dynamics() ? &job.options.brownian : nullptr,
                         .starts = std::move(starts),
                         .seed = job.options.seed,
                         .threads = job.options.threads};
    capacity_ = std::max<std::int64_t>(1, chain_capacity(problem));
    chains_ = job.make_chains(std::move(problem));
  }

  std::int64_t moves_a_sweep() const override { return moves_a_sweep_.front(); }

  void equilibrate(std::int64_t sweeps) override {
    const std::int64_t at_once = std::max<std::int64_t>(1, moves_of_call / moves_a_sweep());
    for (std::int64_t done = 0; done < sweeps; done += at_once)
      chains_->equilibrate(std::min(at_once, sweeps - done));
  }

  void begin_samples(std::span<ReplicaRecord> records) override {
    std::vector<ChainSnapshot> now = chains_->now();
    for (std::size_t r = 0; r < records.size(); ++r) {
      records[r].lowest = std::move(now[r].ions);
      records[r].lowest_kT = is_dynamics() ? now[r].energy_kT : now[r].beyond_bath_kT;
    }
  }

  void take_samples(std::int64_t first, std::int64_t last, std::int64_t all, std::span<ReplicaRecord> records,
                    CellCounts& cells) override {
    for (std::int64_t at = first; at < last;) {
      if (next_ == in_hand_) take_in_hand(records.size(), all - at);
      const std::int64_t count = std::min(in_hand_ - next_, last - at);
      observe(at, count, all, records, cells);
      next_ += count;
      at += count;
    }
  }

  void end_samples(std::span<ReplicaRecord> records) override {
    if (under_way_ > 0 && !is_collected_) chains_->collect(ahead_);  // of a run that was stopped
    std::vector<ChainCounts> counts = chains_->counts();
    for (std::size_t r = 0; r < records.size(); ++r) {
      records[r].tallies = counts[r].tallies;
      records[r].steps_A = std::move(counts[r].steps_A);
      records[r].cut_moves = counts[r].cut_moves;
      records[r].drift_kT = counts[r].largest_drift_kT;
    }
    if (job_.note_use) job_.note_use(chains_->use());
  }

  void gather(std::span<ReplicaRecord>, CellCounts&) override {}  // they are here

  void save(SavedState& state) override {
    if (under_way_ > 0 && !std::exchange(is_collected_, true)) chains_->collect(ahead_);
    state.put(device_state, chains_->state());
    StateWriter writer;
    writer.put(in_hand_ - next_ + under_way_);
    const auto put = [&](const std::vector<ChainSnapshot>& all, std::int64_t first, std::int64_t last) {
      const auto replicas = moves_a_sweep_.size();
      for (std::size_t n = std::size_t(first) * replicas; n < std::size_t(last) * replicas; ++n) {
        ionwell::save(writer, all[n].ions);
        writer.put(all[n].energy_kT);
        writer.put(all[n].beyond_bath_kT);
      }
    };
    put(snapshots_, next_, in_hand_);
    put(ahead_, 0, under_way_);
    writer.move_to(state, samples_ahead);
  }

  void restore(const SavedState& state, std::span<const ReplicaRecord>) override {
    chains_->restore(state.get<std::int64_t>(device_state));
    StateReader reader(state, samples_ahead);
    in_hand_ = reader.whole(0, std::int64_t{1} << 40);
    snapshots_.clear();
    for (std::int64_t left = in_hand_ * std::ssize(moves_a_sweep_); left > 0; --left) {
      ChainSnapshot& snapshot = snapshots_.emplace_back();
      snapshot.ions = restored_ions(reader, job_.model.species.size());
      snapshot.energy_kT = reader.number();
      snapshot.beyond_bath_kT = reader.number();
    }
  }

 private:
  static constexpr const char *device_state = "replicas on a device", *samples_ahead = "samples ahead";

  // Of a replica, or steps: a tenth of a second or so, so that a screen that the device draws does not stand
  // still.
  static constexpr std::int64_t moves_of_call = 50'000;

  /// Gets the samples that are under way, and has the device go on with more while these are looked at.
  /// `left` have not been looked at.
  void take_in_hand(std::size_t replicas, std::int64_t left) {
    if (under_way_ == 0) start(replicas, left);
    if (!std::exchange(is_collected_, false)) chains_->collect(ahead_);
    snapshots_.swap(ahead_);
    in_hand_ = std::exchange(under_way_, 0);
    next_ = 0;
    if (in_hand_ < left) start(replicas, left - in_hand_);
  }

  void start(std::size_t replicas, std::int64_t most) {
    under_way_ = std::min(samples_of_call(replicas), most);
    chains_->start_samples(int(under_way_), job_.options.every);
  }

  /// Takes in `count` samples in hand, which are those from `at` on of `all`.
  void observe(std::int64_t at, std::int64_t count, std::int64_t all, std::span<ReplicaRecord> records,
               CellCounts& cells) const {
    const std::int64_t every = job_.options.every;
    for_all(records.size(), [&](std::size_t r) {
      for (std::int64_t s = 0; s < count; ++s) {
        const ChainSnapshot& seen = snapshots_[std::size_t(next_ + s) * records.size() + r];
        const int block = int((at + s) * job_.options.blocks / all);
        records[r].take(measurements_, seen.ions, seen.energy_kT, seen.beyond_bath_kT, block, cells);
        records[r].moves += every * (is_dynamics() ? std::ssize(seen.ions) : moves_a_sweep_[r]);
      }
    });
  }

  bool is_dynamics() const { return job_.options.method == SampleMethod::brownian; }

  std::int64_t samples_of_call(std::size_t replicas) const {
    constexpr std::int64_t most_ions = 16'000'000;  // of all samples of a call: 256 MB on the device
    const std::int64_t moves = job_.options.every * (is_dynamics() ? 1 : moves_a_sweep());
    return std::max<std::int64_t>(
        1, std::min(moves_of_call / moves, most_ions / (capacity_ * std::int64_t(replicas))));
  }

  template <typename Work>
  void for_all(std::size_t count, const Work& work) const {
    parallel_for({job_.options.threads, 1}, std::int64_t(count),
                 [&](std::int64_t r) { work(std::size_t(r)); });
  }

  const SampleJob& job_;
  const Measurements& measurements_;
  std::vector<std::int64_t> moves_a_sweep_;
  std::int64_t capacity_ = 1;  // of a replica
  std::unique_ptr<DeviceChains> chains_;
  std::vector<ChainSnapshot> snapshots_, ahead_;  // of all replicas; of those the device went on with
  std::int64_t in_hand_ = 0, next_ = 0,
               under_way_ = 0;  // samples: of those, to be looked at next; on the device
  bool is_collected_ = false;   // those on the device are in ahead_
};

}  // namespace

void ReplicaRecord::take(const Measurements& measurements, std::span<const MovingIon> ions, double energy_kT,
                         double compared_kT, int block, CellCounts& cells) {
  observed.add(measurements, ions, energy_kT, block, cells);
  if (!(compared_kT < lowest_kT)) return;
  lowest_kT = compared_kT;
  lowest.assign(ions.begin(), ions.end());
}

void ReplicaRecord::save(StateWriter& state) const {
  observed.save(state);
  state.put(moves);
  state.put(drift_kT);
  ionwell::save(state, lowest);
  state.put(lowest_kT);
}

void ReplicaRecord::restore(StateReader& state, std::size_t species) {
  observed.restore(state);
  moves = state.count();
  drift_kT = state.number();
  lowest = restored_ions(state, species);
  lowest_kT = state.number();
}

std::unique_ptr<ReplicaMover> device_replicas(const SampleJob& job, const Measurements& measurements) {
  return std::make_unique<DeviceReplicas>(job, measurements);
}

IonSet first_ions_of(const SampleJob& job, int replica) {
  RandomStream random(job.options.seed, first_stream_of(replica));
  return job.start(replica, random);
}

}  // namespace ionwell
