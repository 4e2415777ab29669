// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/sample.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "sampling/host_replicas.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t most_samples = 1'000'000;  // of a replica

using Records = std::vector<ReplicaRecord>;

/// The same series of all replicas.
template <typename Series>
SeriesMean mean_over(const Records& replicas, int blocks, const Series& series) {
  std::vector<std::vector<double>> all;
  for (const ReplicaRecord& replica : replicas) all.push_back(series(replica.observed));
  return series_mean(all, blocks);
}

/// Means over blocks of all replicas, at each place.
Profile profile_of(const std::vector<std::vector<double>>& blocks) {
  Profile profile;
  for (std::size_t n = 0; !blocks.empty() && n < blocks.front().size(); ++n) {
    std::vector<double> at;
    for (const std::vector<double>& block : blocks) at.push_back(block[n]);
    const SeriesMean mean = mean_of(at);
    profile.mean.push_back(mean.mean);
    profile.error.push_back(mean.error);
  }
  return profile;
}

RadialDistribution radial_distribution(const Records& replicas, const Measurements& measurements,
                                       std::size_t group, std::size_t species) {
  constexpr double ball = 4.18879020478639;  // 4 pi / 3
  const double step_A = measurements.options.radial_step_A;
  const auto atoms = double(measurements.options.groups[group].atoms.size());
  std::vector<std::vector<double>> densities, totals;
  for (const ReplicaRecord& replica : replicas) {
    const Observed& seen = replica.observed;
    for (std::size_t block = 0; block < seen.radial.size(); ++block) {
      if (seen.radial_samples[block] == 0) continue;
      const double each = 1.0 / (atoms * double(seen.radial_samples[block]));
      std::vector<double>& density = densities.emplace_back();
      std::vector<double>& total = totals.emplace_back();
      double sum = 0.0;
      for (const double pairs : seen.radial[block][group][species]) {
        const auto bin = double(density.size());
        const double inner = bin * step_A, outer = (bin + 1.0) * step_A;
        density.push_back(each * pairs / (ball * (outer * outer * outer - inner * inner * inner)));
        total.push_back(sum += each * pairs);
      }
    }
  }
  return {group, species, profile_of(densities), profile_of(totals)};
}

void add_series(const Records& replicas, const Measurements& measurements, int blocks, SampleResult& result) {
  const std::vector<SampledSpecies>& species = measurements.model.species;
  const std::size_t distances = measurements.options.within_A.size();
  result.energy_kT = mean_over(replicas, blocks, [](const Observed& seen) { return seen.energy_kT; });
  for (std::size_t s = 0; s < species.size(); ++s) {
    result.count.push_back(mean_over(replicas, blocks, [s](const Observed& seen) { return seen.count[s]; }));
    std::vector<SeriesMean>& within = result.within.emplace_back();
    for (std::size_t d = 0; d < distances; ++d)
      within.push_back(
          mean_over(replicas, blocks, [s, d](const Observed& seen) { return seen.within[s][d]; }));
  }
  for (std::size_t d = 0; d < distances; ++d)
    result.charge_within_e.push_back(mean_over(replicas, blocks, [&, d](const Observed& seen) {
      std::vector<double> charge_e(std::size_t(seen.samples));
      for (std::size_t s = 0; s < species.size(); ++s)
        for (std::size_t n = 0; n < charge_e.size(); ++n)
          charge_e[n] += species[s].ion.charge_e * seen.within[s][d][n];
      return charge_e;
    }));
}

SampleResult result_of(const Records& replicas, const Measurements& measurements, const SampleJob& job) {
  SampleResult result;
  const std::size_t species = job.model.species.size();
  add_series(replicas, measurements, job.options.blocks, result);
  result.steps_A.resize(species);
  const ReplicaRecord* lowest = &replicas.front();
  for (const ReplicaRecord& replica : replicas) {
    result.samples += replica.observed.samples;
    result.moves += replica.moves;
    result.cut_moves += replica.cut_moves;
    result.largest_drift_kT = std::max(result.largest_drift_kT, replica.drift_kT);
    for (std::size_t m = 0; m < move_kinds; ++m) {
      result.tallies[m].tried += replica.tallies[m].tried;
      result.tallies[m].accepted += replica.tallies[m].accepted;
    }
    for (std::size_t s = 0; s < species; ++s)
      result.steps_A[s] += replica.steps_A[s] / double(replicas.size());
    if (replica.lowest_kT < lowest->lowest_kT) lowest = &replica;
  }
  result.lowest = lowest->lowest;
  std::stable_sort(result.lowest.begin(), result.lowest.end(),
                   [](const MovingIon& a, const MovingIon& b) { return a.species < b.species; });
  result.lowest_kT = lowest->lowest_kT;
  for (std::size_t g = 0; g < measurements.groups.size(); ++g)
    for (std::size_t s = 0; s < species; ++s)
      result.radial.push_back(radial_distribution(replicas, measurements, g, s));
  return result;
}

std::unique_ptr<ReplicaMover> mover_of(const SampleJob& job, const Measurements& measurements) {
  if (job.make_mover) return job.make_mover(job, measurements);
  if (job.make_chains) return device_replicas(job, measurements);
  return std::make_unique<HostReplicas>(job, measurements, ReplicaRange{0, job.options.replicas});
}

/// All replicas on their way: how far they are, and what they have seen.
class Sampling {
 public:
  explicit Sampling(const SampleJob& job)
      : job_(job),
        measurements_(job.model, job.atoms, job.observables),
        cells_(measurements_.no_counts()),
        records_(std::size_t(job.options.replicas),
                 {.observed = Observed(measurements_, job.options.blocks)}),
        replicas_(mover_of(job, measurements_)) {
    if (job.resumed != nullptr) restore(*job.resumed);
    if (job.saving) saved_ = job.saving([this] { return state(); });
  }

  SampleResult run(const Progress& progress) {
    const SampleOptions& options = job_.options;
    const auto start = std::chrono::steady_clock::now();
    const std::int64_t samples = options.length / options.every;
    const double whole = double(options.equilibration) + double(options.length);
    const auto told = [&](double sweeps) {
      if (progress) progress(sweeps / whole);
      stops_ = job_.should_stop && job_.should_stop();
    };
    in_rounds(
        options.equilibration, double(options.equilibration), equilibrated_,
        [&](std::int64_t first, std::int64_t last) { replicas_->equilibrate(last - first); }, told);
    if (!stops_ && !has_begun_) {
      has_begun_ = true;
      replicas_->begin_samples(records_);
    }
    in_rounds(
        samples, double(options.length), sampled_,
        [&](std::int64_t first, std::int64_t last) {
          replicas_->take_samples(first, last, samples, records_, cells_);
        },
        [&](double steps) { told(double(options.equilibration) + steps); });
    saved_.reset();  // what comes now is for this result alone
    if (!has_begun_) replicas_->begin_samples(records_);
    replicas_->end_samples(records_);
    replicas_->gather(records_, cells_);
    SampleResult result = result_of(records_, measurements_, job_);
    result.cells = std::move(cells_);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.is_interrupted = stops_;
    return result;
  }

 private:
  /// In rounds, between which the caller is told and asked, and the state can be saved: not so short that
  /// threads wait for each other, and some tenths of a second at most. `done` of `count` are.
  template <typename Work, typename Tell>
  void in_rounds(std::int64_t count, double all, std::int64_t& done, const Work& work, const Tell& told) {
    constexpr std::int64_t usual_rounds = 200, least_moves = 10'000, most_moves = 200'000;
    const double moves = all * double(replicas_->moves_a_sweep());
    const std::int64_t rounds =
        std::max(std::clamp<std::int64_t>(std::int64_t(moves / least_moves), 1, usual_rounds),
                 std::int64_t(moves / most_moves));
    for (std::int64_t round = 0; round < rounds && !stops_; ++round) {
      const std::int64_t until = count * (round + 1) / rounds;
      if (until <= done) continue;
      is_between_rounds_ = false;
      work(done, until);
      done = until;
      is_between_rounds_ = true;
      told(all * double(until) / double(count));
    }
  }

  SavedState state() {
    if (!is_between_rounds_) fail("the samples in progress are incomplete");
    replicas_->gather(records_, cells_);
    SavedState state;
    StateWriter writer;
    writer.put(std::int64_t(job_.make_chains != nullptr));
    writer.put(equilibrated_);
    writer.put(sampled_);
    writer.put(std::int64_t(has_begun_));
    for (const ReplicaRecord& record : records_) record.save(writer);
    writer.move_to(state, records_name);
    for (std::size_t s = 0; s < cells_.size(); ++s)
      state.put(cells_name(s), std::vector<std::int64_t>(cells_[s].begin(), cells_[s].end()));
    replicas_->save(state);
    return state;
  }

  void restore(const SavedState& state) {
    StateReader reader(state, records_name);
    if ((reader.whole(0, 1) != 0) != (job_.make_chains != nullptr))
      fail<UsageError>("the ions were moved on ", job_.make_chains ? "the CPU" : "a GPU",
                       ", but would now be moved on ", job_.make_chains ? "a GPU" : "the CPU",
                       ", with other random numbers; use --backend ", job_.make_chains ? "cpu" : "gpu");
    equilibrated_ = reader.whole(0, job_.options.equilibration);
    sampled_ = reader.whole(0, job_.options.length / job_.options.every);
    has_begun_ = reader.whole(0, 1) != 0;
    const bool is_equilibrated = equilibrated_ == job_.options.equilibration;
    if (has_begun_ ? !is_equilibrated : sampled_ > 0) SavedState::fail_damaged(records_name);
    for (ReplicaRecord& record : records_) {
      record.restore(reader, job_.model.species.size());
      if (record.observed.samples != sampled_) SavedState::fail_damaged(records_name);
    }
    for (std::size_t s = 0; s < cells_.size(); ++s) {
      const auto& saved = state.get<std::int64_t>(cells_name(s), cells_[s].size());
      cells_[s].assign(saved.begin(), saved.end());
    }
    replicas_->restore(state, records_);
  }

  static constexpr const char* records_name = "samples";
  static std::string cells_name(std::size_t species) { return "cells of ion " + std::to_string(species); }

  const SampleJob& job_;
  Measurements measurements_;
  CellCounts cells_;
  Records records_;
  std::unique_ptr<ReplicaMover> replicas_;
  std::int64_t equilibrated_ = 0, sampled_ = 0;  // sweeps, samples of each replica
  bool has_begun_ = false, is_between_rounds_ = true, stops_ = false;
  std::shared_ptr<void> saved_;  // goes first
};

}  // namespace

std::string_view to_string(SampleMethod method) {
  return method == SampleMethod::monte_carlo ? "mc" : "bd";
}

void validate(const SampleOptions& options) {
  const char* const unit = options.method == SampleMethod::monte_carlo ? " sweeps" : " steps";
  if (options.replicas < 1 || options.replicas > 100'000)
    fail<UsageError>("--replicas is ", options.replicas, "; it must be from 1 to 100,000");
  if (options.blocks < 2)
    fail<UsageError>("--blocks is ", options.blocks, "; an error needs at least 2 blocks");
  if (options.every < 1) fail<UsageError>("--sample-every is ", options.every, "; it must be at least 1");
  if (options.equilibration < 0)
    fail<UsageError>("--equilibration is ", options.equilibration, "; it must not be negative");
  if (options.length / options.every < options.blocks)
    fail<UsageError>(options.length, unit, " with a sample every ", options.every, " make ",
                     options.length / options.every, " samples, and ", options.blocks,
                     " blocks need at least as many; sample longer, or more often");
  if (options.length / options.every > most_samples)
    fail<UsageError>(options.length, unit, " with a sample every ", options.every, " give more than ",
                     grouped(most_samples), " samples of each replica; use a larger --sample-every");
}

SampleResult sample(const SampleJob& job, const Progress& progress) {
  validate(job.options);
  validate(job.model);
  return Sampling(job).run(progress);
}

}  // namespace ionwell
