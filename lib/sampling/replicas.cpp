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
                         .seed = job.options.seed};
    capacity_ = std::max<std::int64_t>(1, chain_capacity(problem));
    chains_ = job.make_chains(std::move(problem));
  }

  std::int64_t moves_a_sweep() const override { return moves_a_sweep_.front(); }

  void equilibrate(std::int64_t sweeps) override {
    const std::int64_t at_once = std::max<std::int64_t>(1, moves_of_call / moves_a_sweep());
    for (std::int64_t done = 0; done < sweeps; done += at_once)
      chains_->equilibrate(std::min(at_once, sweeps - done));
  }

  void begin_samples(std::vector<ReplicaRecord>& records) override {
    std::vector<ChainSnapshot> now = chains_->now();
    for (std::size_t r = 0; r < records.size(); ++r) {
      records[r].lowest = std::move(now[r].ions);
      records[r].lowest_kT = is_dynamics() ? now[r].energy_kT : now[r].beyond_bath_kT;
    }
  }

  void take_samples(std::int64_t first, std::int64_t last, std::int64_t all,
                    std::vector<ReplicaRecord>& records, CellCounts& cells) override {
    const std::int64_t every = job_.options.every, together = samples_of_call(records.size());
    const auto start = [&](std::int64_t from) {
      chains_->start_samples(int(std::min(together, last - from)), every);
    };
    if (first < last) start(first);
    for (std::int64_t at = first; at < last; at += together) {
      chains_->collect(snapshots_);
      if (at + together < last) start(at + together);  // goes on while these are looked at
      const std::int64_t samples = std::min(together, last - at);
      for_all(records.size(), [&](std::size_t r) {
        for (std::int64_t s = 0; s < samples; ++s) {
          const ChainSnapshot& seen = snapshots_[std::size_t(s) * records.size() + r];
          const int block = int((at + s) * job_.options.blocks / all);
          records[r].take(measurements_, seen.ions, seen.energy_kT, seen.beyond_bath_kT, block, cells);
          records[r].moves += every * (is_dynamics() ? std::ssize(seen.ions) : moves_a_sweep_[r]);
        }
      });
    }
  }

  void end_samples(std::vector<ReplicaRecord>& records) override {
    std::vector<ChainCounts> counts = chains_->counts();
    for (std::size_t r = 0; r < records.size(); ++r) {
      records[r].tallies = counts[r].tallies;
      records[r].steps_A = std::move(counts[r].steps_A);
      records[r].cut_moves = counts[r].cut_moves;
      records[r].drift_kT = counts[r].largest_drift_kT;
    }
    if (job_.note_use) job_.note_use(chains_->use());
  }

 private:
  // Of a replica, or steps: a tenth of a second or so, so that a screen that the device draws does not stand
  // still.
  static constexpr std::int64_t moves_of_call = 50'000;

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
  std::vector<ChainSnapshot> snapshots_;
};

}  // namespace

void ReplicaRecord::take(const Measurements& measurements, std::span<const MovingIon> ions, double energy_kT,
                         double compared_kT, int block, CellCounts& cells) {
  observed.add(measurements, ions, energy_kT, block, cells);
  if (!(compared_kT < lowest_kT)) return;
  lowest_kT = compared_kT;
  lowest.assign(ions.begin(), ions.end());
}

std::unique_ptr<ReplicaMover> device_replicas(const SampleJob& job, const Measurements& measurements) {
  return std::make_unique<DeviceReplicas>(job, measurements);
}

IonSet first_ions_of(const SampleJob& job, int replica) {
  RandomStream random(job.options.seed, first_stream_of(replica));
  return job.start(replica, random);
}

}  // namespace ionwell
