// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <bit>

#include "compute/ranks/rank_samples.hpp"
#include "compute/ranks/ranked_replicas.hpp"
#include "core/error.hpp"
#include "jobs/sample/sampling_run.hpp"
#include "programs/child_process.hpp"
#include "sampling/lattice_field.hpp"
#include "sampling/plain_ions.hpp"
#include "sampling/sample.hpp"
#include "sampling/solute_spheres.hpp"
#include "support/error_of.hpp"
#include "support/thread_ranks.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Ions of both charges around an atom that draws some, on a lattice, and all that is observed of them.
struct SharedSalt {
  std::vector<Atom> atoms = std::vector<Atom>(1);
  IonModel model{.species = {species_of("A", 1, 1.0, 0.1), species_of("B", -1, 1.5, 0.2)},
                 .box = cube_of(16.0),
                 .pair = pair_potential({.dielectric = 78.54})};
  FirstIons first{{{1, {5.0, 5.0, 5.0}}}, {3, 2}};

  explicit SharedSalt(SampleBoundary boundary = SampleBoundary::open,
                      ForceInterpolation interpolation = ForceInterpolation::trilinear) {
    atoms[0].radius_A = 1.5;
    const LatticeGeometry lattice{{-8, -8, -8}, {1, 1, 1}, {17, 17, 17}};
    std::vector<float> values;
    for (std::int64_t p = 0; p < lattice.size(); ++p) {
      const Vec3<double> at_A = lattice.position_A(p);
      values.push_back(float(-14.0 / std::sqrt(dot(at_A, at_A) + 1.0)));
    }
    if (boundary == SampleBoundary::periodic) model = periodic(model);
    model.field = std::make_shared<LatticeField>(lattice, values, interpolation, 1);
    model.solute = std::make_shared<SoluteSpheres>(atoms, model.box, model.boundary, model.repulsion, 1.5);
  }
  SharedSalt(const SharedSalt&) = delete;
  SharedSalt& operator=(const SharedSalt&) = delete;

  SampleJob job(const SampleOptions& options) const {
    return {.model = model,
            .baths = {},
            .atoms = atoms,
            .observables = {.density_spacing_A = 2.0,
                            .within_A = {4.0, 6.0},
                            .groups = {{"atom", {0}}},
                            .radial_reach_A = 8.0,
                            .radial_step_A = 0.5},
            .start = [this](int, RandomStream& random) { return first.in(model, random); },
            .options = options,
            .should_stop = {}};
  }

  SampleJob shared(RankGroup& group, SampleJob job) const {
    job.make_mover = [&](const SampleJob& all, const Measurements& measurements) {
      return ranked_replicas(group, all, measurements, first);
    };
    return job;
  }
};

void add_bits(std::vector<std::uint64_t>& bits, std::initializer_list<double> values) {
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
}

void add_mean(std::vector<std::uint64_t>& bits, const SeriesMean& mean) {
  add_bits(bits, {mean.mean, mean.error, mean.samples_apart});
}

/// All that a result tells, but for its time.
std::vector<std::uint64_t> bits_of(const SampleResult& result) {
  std::vector<std::uint64_t> bits;
  add_mean(bits, result.energy_kT);
  for (const auto* const means : {&result.count, &result.charge_within_e})
    for (const SeriesMean& mean : *means) add_mean(bits, mean);
  for (const auto& of_species : result.within)
    for (const SeriesMean& mean : of_species) add_mean(bits, mean);
  for (const auto& of_species : result.cells) bits.insert(bits.end(), of_species.begin(), of_species.end());
  for (const RadialDistribution& radial : result.radial)
    for (const auto* const profile : {&radial.concentration_per_A3, &radial.within})
      for (std::size_t n = 0; n < profile->mean.size(); ++n)
        add_bits(bits, {profile->mean[n], profile->error[n]});
  for (const MovingIon& ion : result.lowest)
    add_bits(bits, {double(ion.species), ion.position_A.x, ion.position_A.y, ion.position_A.z});
  for (const MoveTally& tally : result.tallies) add_bits(bits, {double(tally.tried), double(tally.accepted)});
  for (const double step_A : result.steps_A) add_bits(bits, {step_A});
  add_bits(bits, {result.lowest_kT, result.largest_drift_kT, double(result.samples), double(result.moves),
                  double(result.cut_moves)});
  return bits;
}

bool is_same(const SavedState& a, const SavedState& b) {
  return a.arrays() == b.arrays();
}

/// sample(job) with the states on its way.
SampleResult sampled(SampleJob job, std::vector<SavedState>& states) {
  std::function<SavedState()> collect;
  job.saving = [&](std::function<SavedState()> tells) {
    collect = std::move(tells);
    return std::make_shared<int>();
  };
  return sample(job, [&](double) { states.push_back(collect()); });
}

constexpr SampleOptions short_run{
    .length = 12'000, .equilibration = 100, .every = 10, .replicas = 5, .seed = 5};

}  // namespace

TEST_CASE("ranks: replicas are divided as evenly as they come, and the first has one at least") {
  for (const int replicas : {1, 2, 5, 8, 1000})
    for (const int ranks : {1, 2, 3, 8}) {
      CAPTURE(replicas);
      CAPTURE(ranks);
      int next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const ReplicaRange range = replicas_of_rank(replicas, rank, ranks);
        CHECK(range.first == next);
        CHECK(range.count >= replicas / ranks);
        CHECK(range.count <= replicas / ranks + 1);
        next += range.count;
      }
      CHECK(next == replicas);
      CHECK(replicas_of_rank(replicas, 0, ranks).count >= 1);
    }
}

TEST_CASE("ranks: replicas that ranks share have one process's numbers and states, bit for bit") {
  for (const SampleMethod method : {SampleMethod::monte_carlo, SampleMethod::brownian})
    for (const bool exchanges : {false, true})
      for (const SampleBoundary boundary : {SampleBoundary::open, SampleBoundary::periodic}) {
        CAPTURE(int(method));
        CAPTURE(exchanges);
        CAPTURE(int(boundary));
        const SharedSalt salt(boundary,
                              exchanges ? ForceInterpolation::cubic_spline : ForceInterpolation::trilinear);
        SampleOptions options = short_run;
        options.method = method;
        options.length = boundary == SampleBoundary::open ? 6000 : 500;
        SampleJob job = salt.job(options);
        if (exchanges) job.baths = {{0, 1, 1, 1, 6e-4, 6e-4, -0.2}};
        std::vector<SavedState> states;
        const std::vector<std::uint64_t> alone = bits_of(sampled(job, states));
        CHECK(alone.size() > 1000);
        for (const int ranks : {2, 3, 8}) {
          CAPTURE(ranks);
          ThreadRanks(ranks).run([&](RankGroup& group) {
            std::vector<SavedState> shared_states;
            CHECK(bits_of(sampled(salt.shared(group, job), shared_states)) == alone);
            REQUIRE(shared_states.size() == states.size());
            for (std::size_t n = 0; n < states.size(); ++n) CHECK(is_same(shared_states[n], states[n]));
          });
        }
      }
}

TEST_CASE("ranks: any number of ranks goes on from a sample's state") {
  const SharedSalt salt;
  for (const SampleMethod method : {SampleMethod::monte_carlo, SampleMethod::brownian}) {
    SampleOptions options = short_run;
    options.method = method;
    SampleJob job = salt.job(options);
    std::vector<SavedState> states;
    const std::vector<std::uint64_t> whole = bits_of(sampled(job, states));
    REQUIRE(states.size() >= 3);
    for (const int ranks : {2, 8})
      ThreadRanks(ranks).run([&](RankGroup& group) {
        for (const std::size_t n : {std::size_t{0}, states.size() / 2, states.size() - 1}) {
          CAPTURE(n);
          SampleJob resumed = salt.shared(group, job);
          resumed.resumed = &states[n];
          CHECK(bits_of(sample(resumed)) == whole);
        }
      });
  }
}

TEST_CASE("ranks: samples that are stopped are those so far, and a signal is seen between rounds") {
  const SharedSalt salt;
  const SampleJob job = salt.job(short_run);
  bool has_begun = false;
  const auto stopped = [&](SampleJob one) {
    int asked = 0;
    one.should_stop = [&has_begun, asked]() mutable {
      has_begun = true;
      return ++asked == 3;
    };
    return sample(one);
  };
  const SampleResult alone = stopped(job);
  CHECK(alone.is_interrupted);
  has_begun = false;
  ThreadRanks(3).run([&](RankGroup& group) {
    group.while_waiting = [&] {
      if (has_begun) throw Interrupted(SIGTERM);
    };
    const SampleResult shared = stopped(salt.shared(group, job));
    CHECK(shared.is_interrupted);
    CHECK(bits_of(shared) == bits_of(alone));
    CHECK(group.while_waiting);
    group.while_waiting = {};
  });
}

TEST_CASE("ranks: what a rank cannot sample is told once, and all are ready for what comes then") {
  const SharedSalt salt;
  SampleJob job = salt.job(short_run);
  ThreadRanks(3).run([&](RankGroup& group) {
    SampleJob crowded = job;
    FirstIons many{{}, {100'000, 0}};
    crowded.make_mover = [&](const SampleJob& all, const Measurements& measurements) {
      return ranked_replicas(group, all, measurements, many);
    };
    // The first has room for its own.
    const std::string message = error_of([&] { sample(crowded); });
    CHECK(message.find("no room was found for A number ") == 0);
    CHECK(message.ends_with("(rank 1 of 3, on thread1)"));
    std::vector<SavedState> states;
    sampled(job, states);
    SavedState damaged = states.back();
    std::vector<double> numbers = damaged.get<double>("replicas: numbers");
    numbers.pop_back();
    damaged.put("replicas: numbers", numbers);
    SampleJob resumed = salt.shared(group, job);
    resumed.resumed = &damaged;
    CHECK(error_of([&] { sample(resumed); }).find("the saved replicas") == 0);
    CHECK(bits_of(sample(salt.shared(group, job))) == bits_of(sample(job)));
  });
}

TEST_CASE("ranks: a processor that lacks the first one's instructions is told of, and which all have") {
  const SharedSalt salt;
  const RankSampleJob job =
      rank_sample_job(salt.job(short_run), salt.first, SimdLevel(int(best_simd_level()) + 1));
  ThreadRanks ranks(2);
  const std::string error = error_of([&] { RankSamples(ranks.rank(1), job); });
  CHECK(error.find("this processor has no ") == 0);
  CHECK(error.find("use --tune simd=" + std::string(to_string(best_simd_level()))) != std::string::npos);
}

TEST_CASE("ranks: a sampling run of several has the report of one, but for times and ranks") {
  Structure solute{.path = "one.pqr"};
  Atom& atom = solute.atoms.emplace_back();
  atom.charge_e = -3.0;
  atom.radius_A = 1.5;
  atom.name = "P";
  SamplingJob job{.structure = solute,
                  .ions = {{{"NA", "NA", 1.0}, 3}},
                  .salts = parse_salts({"NaCl:0.3"}, IonNaming::pdb),
                  .source = SummationOptions{},
                  .electrostatics = {},
                  .update = {},
                  .lattice = {.spacing_A = 0.5, .border_A = 8.0},
                  .sample = {.length = 200, .equilibration = 50, .every = 2, .replicas = 3, .threads = 1},
                  .bulk = {.sweeps = 100, .replicas = 1},
                  .observables = {.density_spacing_A = 1.0, .within_A = {4.0}, .groups = {}},
                  .around = {"name P"},
                  .field = {.threads = 1}};
  Stages stages;
  const SamplingResult alone = sample_ions(job, stages);
  CHECK(alone.run.ranks == 1);
  ThreadRanks(4).run([&](RankGroup& group) {
    const SamplingResult shared = sample_ions(job, stages, {{}, &group});
    CHECK(shared.run.ranks == 4);
    CHECK(!group.is_in_use);
    CHECK(bits_of(shared.sample) == bits_of(alone.sample));
  });
}
