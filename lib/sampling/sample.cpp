#include "sampling/sample.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "sampling/replicas.hpp"

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

}  // namespace

std::string_view to_string(SampleMethod method) {
  return method == SampleMethod::monte_carlo ? "mc" : "bd";
}

void validate(const SampleOptions& options) {
  const char* const unit = options.method == SampleMethod::monte_carlo ? " sweeps" : " steps";
  if (options.replicas < 1 || options.replicas > 100'000)
    fail<UsageError>("--replicas is ", options.replicas, "; it must be from 1 to 100,000");
  if (options.blocks < 2)
    fail<UsageError>("--blocks is ", options.blocks, "; an error takes at least 2 blocks");
  if (options.every < 1) fail<UsageError>("--every is ", options.every, "; it must be at least 1");
  if (options.equilibration < 0)
    fail<UsageError>("--equilibration is ", options.equilibration, "; it must not be negative");
  if (options.length / options.every < options.blocks)
    fail<UsageError>(options.length, unit, " with a sample every ", options.every, " make ",
                     options.length / options.every, " samples, and ", options.blocks,
                     " blocks need as many at least; sample longer, or more often");
  if (options.length / options.every > most_samples)
    fail<UsageError>(options.length, unit, " with a sample every ", options.every, " make more than ",
                     grouped(most_samples), " samples of each replica; make --every larger");
}

SampleResult sample(const SampleJob& job, const Progress& progress) {
  validate(job.options);
  validate(job.model);
  const SampleOptions& options = job.options;
  const Measurements measurements(job.model, job.atoms, job.observables);
  CellCounts cells = measurements.no_counts();
  Records records(std::size_t(options.replicas), {.observed = Observed(measurements, options.blocks)});
  const auto start = std::chrono::steady_clock::now();
  const std::unique_ptr<ReplicaMover> replicas =
      job.make_chains ? device_replicas(job, measurements) : host_replicas(job, measurements);

  // In rounds, between which the caller is told and asked: not so short that threads wait for each other, and
  // some tenths of a second at most.
  constexpr std::int64_t usual_rounds = 200, least_moves = 10'000, most_moves = 200'000;
  const std::int64_t samples = options.length / options.every;
  const double whole = double(options.equilibration) + double(options.length);
  bool stops = false;
  const auto in_rounds = [&](std::int64_t count, double done, double all, const auto& work) {
    const double moves = all * double(replicas->moves_a_sweep());
    const std::int64_t rounds =
        std::max(std::clamp<std::int64_t>(std::int64_t(moves / least_moves), 1, usual_rounds),
                 std::int64_t(moves / most_moves));
    for (std::int64_t round = 0, at = 0; round < rounds && !stops; ++round) {
      const std::int64_t until = count * (round + 1) / rounds;
      if (until == at) continue;
      work(at, until);
      at = until;
      if (progress) progress((done + all * double(at) / double(count)) / whole);
      stops = job.should_stop && job.should_stop();
    }
  };
  in_rounds(options.equilibration, 0.0, double(options.equilibration),
            [&](std::int64_t first, std::int64_t last) { replicas->equilibrate(last - first); });
  replicas->begin_samples(records);
  in_rounds(samples, double(options.equilibration), double(options.length),
            [&](std::int64_t first, std::int64_t last) {
              replicas->take_samples(first, last, samples, records, cells);
            });
  replicas->end_samples(records);
  SampleResult result = result_of(records, measurements, job);
  result.cells = std::move(cells);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.is_interrupted = stops;
  return result;
}

}  // namespace ionwell
