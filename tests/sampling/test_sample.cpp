// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/error.hpp"
#include "sampling/host_chains.hpp"
#include "sampling/plain_ions.hpp"
#include "sampling/sample.hpp"
#include "sampling/solute_spheres.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

SampleJob job_of(const IonModel& model, std::vector<std::int64_t> count, const SampleOptions& options) {
  return {.model = model,
          .baths = {},
          .atoms = {},
          .observables = {},
          .start = [&model, count](int, RandomStream& random) { return random_ions(model, count, random); },
          .options = options,
          .should_stop = {}};
}

/// Two ions of opposite charge in soft spheres, and an atom that draws one of them.
struct SmallSalt {
  std::vector<Atom> atoms = std::vector<Atom>(1);
  IonModel model{.species = {species_of("A", 1, 1.0, 0.1), species_of("B", -1, 1.5, 0.2)},
                 .box = cube_of(16.0),
                 .pair = pair_potential({.dielectric = 78.54})};

  SmallSalt() {
    atoms[0].radius_A = 1.5;
    model.field = std::make_shared<FormulaField>([](const Vec3<double>& p) {
      const double r2 = dot(p, p) + 1.0, r = std::sqrt(r2);
      return std::pair(-14.0 / r, (14.0 / (r2 * r)) * p);
    });
    model.solute = std::make_shared<SoluteSpheres>(atoms, model.box, model.boundary, model.repulsion, 1.5);
  }

  SampleJob job(const SampleOptions& options) const {
    SampleJob made = job_of(model, {3, 2}, options);
    made.atoms = atoms;
    made.observables = {.density_spacing_A = 2.0,
                        .within_A = {4.0, 6.0},
                        .groups = {{"atom", {0}}},
                        .radial_reach_A = 8.0,
                        .radial_step_A = 0.5};
    return made;
  }
};

/// All numbers of a result, to be compared bit by bit.
std::vector<double> numbers_of(const SampleResult& result) {
  std::vector<double> numbers = {result.energy_kT.mean,          result.energy_kT.error,
                                 result.energy_kT.samples_apart, result.lowest_kT,
                                 double(result.samples),         double(result.moves)};
  for (const SeriesMean& mean : result.count) numbers.push_back(mean.mean);
  for (const auto& of_species : result.within)
    for (const SeriesMean& mean : of_species) numbers.insert(numbers.end(), {mean.mean, mean.error});
  for (const auto& of_species : result.cells)
    for (const std::uint64_t seen : of_species) numbers.push_back(double(seen));
  for (const RadialDistribution& radial : result.radial)
    numbers.insert(numbers.end(), radial.within.mean.begin(), radial.within.mean.end());
  for (const MovingIon& ion : result.lowest)
    numbers.insert(numbers.end(), {ion.position_A.x, ion.position_A.y, ion.position_A.z});
  for (const MoveTally& tally : result.tallies) numbers.push_back(double(tally.accepted));
  return numbers;
}

}  // namespace

TEST_CASE("sample: the same numbers whatever the threads, others with another seed") {
  const SmallSalt salt;
  for (const SampleMethod method : {SampleMethod::monte_carlo, SampleMethod::brownian}) {
    SampleOptions options{
        .method = method, .length = 600, .equilibration = 100, .every = 10, .replicas = 3, .seed = 5};
    const std::vector<double> once = numbers_of(sample(salt.job(options)));
    CHECK(once.size() > 100);
    options.threads = 2;
    CHECK(numbers_of(sample(salt.job(options))) == once);
    options.seed = 6;
    CHECK(numbers_of(sample(salt.job(options))) != once);
  }
}

TEST_CASE("sample: what a device moves is seen as what the host moves") {
  const SmallSalt salt;
  for (const SampleMethod method : {SampleMethod::monte_carlo, SampleMethod::brownian})
    for (const bool exchanges : {false, true}) {
      const SampleOptions options{
          .method = method, .length = 600, .equilibration = 100, .every = 10, .replicas = 3, .seed = 5};
      SampleJob job = salt.job(options);
      if (exchanges) job.baths = {{0, 1, 1, 1, 6e-4, 6e-4, -0.2}};
      const std::vector<double> by_host = numbers_of(sample(job));
      job.make_chains = [](ChainProblem problem) { return std::make_unique<HostChains>(std::move(problem)); };
      std::int64_t noted_bytes = 0;
      job.note_use = [&](const DeviceUse& use) { noted_bytes = use.peak_bytes; };
      CHECK(numbers_of(sample(job)) == by_host);
      CHECK(noted_bytes == 3);
    }
}

TEST_CASE("sample: goes on from any state on its way to the same numbers, on the host and on a device") {
  const SmallSalt salt;
  for (const SampleMethod method : {SampleMethod::monte_carlo, SampleMethod::brownian})
    for (const bool exchanges : {false, true})
      for (const bool device : {false, true}) {
        CAPTURE(int(method));
        CAPTURE(exchanges);
        CAPTURE(device);
        SampleJob job = salt.job(
            {.method = method, .length = 6000, .equilibration = 100, .every = 10, .replicas = 3, .seed = 5});
        if (exchanges) job.baths = {{0, 1, 1, 1, 6e-4, 6e-4, -0.2}};
        if (device)
          job.make_chains = [](ChainProblem problem) {
            return std::make_unique<HostChains>(std::move(problem));
          };
        std::function<SavedState()> collect;
        job.saving = [&](std::function<SavedState()> tells) {
          collect = std::move(tells);
          return std::make_shared<int>();
        };
        std::vector<SavedState> states;
        const std::vector<double> whole =
            numbers_of(sample(job, [&](double) { states.push_back(collect()); }));
        REQUIRE(states.size() >= 3);
        job.saving = {};
        for (std::size_t n = 0; n < states.size(); ++n) {
          CAPTURE(n);
          job.resumed = &states[n];
          job.options.threads = 1 + int(n % 2);
          CHECK(numbers_of(sample(job)) == whole);
        }
      }
}

TEST_CASE("sample: a state of other ions, or of none, is refused") {
  const SmallSalt salt;
  SampleJob job = salt.job({.length = 6000, .equilibration = 50, .every = 10, .replicas = 2, .seed = 5});
  std::function<SavedState()> collect;
  job.saving = [&](std::function<SavedState()> tells) {
    collect = std::move(tells);
    return std::make_shared<int>();
  };
  SavedState state;
  sample(job, [&](double done) {
    if (done < 0.9) state = collect();
  });
  REQUIRE(!state.arrays().empty());
  job.saving = {};
  job.resumed = &state;
  const SavedState untouched = state;
  for (const auto& [name, array] : untouched.arrays()) {
    CAPTURE(name);
    state.put(name, std::vector<float>{1.0f});  // of a type that no state has
    CHECK(error_of([&] { sample(job); }).starts_with("the saved "));
    state = untouched;
  }
  // Counts that contradict each other: equilibrated sweeps, samples, whether they have begun, a replica's
  // samples.
  const std::string counts = "samples: whole numbers";
  const std::vector<std::int64_t> saved = untouched.get<std::int64_t>(counts);
  REQUIRE(saved[2] > 1);
  REQUIRE(saved[4] == saved[2]);
  for (const std::size_t n : {1, 2, 3, 4}) {
    CAPTURE(n);
    std::vector<std::int64_t> changed = saved;
    --changed[n];
    state.put(counts, changed);
    CHECK(error_of([&] { sample(job); }).starts_with("the saved samples"));
    state = untouched;
  }
  const SavedState nothing;
  job.resumed = &nothing;
  CHECK(error_of([&] { sample(job); }).starts_with("the saved "));
}

TEST_CASE("sample: a run that is stopped has the samples so far, on the host and on a device") {
  const SmallSalt salt;
  SampleJob job = salt.job({.length = 20'000, .equilibration = 100, .every = 10, .replicas = 2, .seed = 5});
  const auto stopped = [&] {
    int asked = 0;
    job.should_stop = [asked]() mutable { return ++asked == 5; };
    return sample(job);
  };
  const SampleResult host = stopped();
  job.make_chains = [](ChainProblem problem) { return std::make_unique<HostChains>(std::move(problem)); };
  const SampleResult device = stopped();
  CHECK(host.is_interrupted);
  CHECK(device.is_interrupted);
  CHECK(host.samples > 0);
  CHECK(host.samples < 4000);
  CHECK(device.samples == host.samples);
  CHECK(device.moves == host.moves);
}

TEST_CASE("sample: Monte Carlo and Brownian dynamics find as many ions near an atom") {
  const SmallSalt salt;
  SampleOptions options{.length = 10'000, .equilibration = 200, .every = 2, .replicas = 4, .threads = 2};
  const SampleResult by_moves = sample(salt.job(options));
  options.method = SampleMethod::brownian;
  options.length = 60'000;
  options.every = 50;
  const SampleResult by_steps = sample(salt.job(options));
  for (std::size_t d = 0; d < 2; ++d) {
    const SeriesMean &a = by_moves.within[0][d], &b = by_steps.within[0][d];
    CAPTURE(a.mean);
    CAPTURE(b.mean);
    CAPTURE(a.error);
    CAPTURE(b.error);
    CHECK(std::abs(a.mean - b.mean) < 5.0 * std::hypot(a.error, b.error) + 0.01 * a.mean);  // of the step
    CHECK(std::hypot(a.error, b.error) < 0.15 * a.mean);
    CHECK(by_moves.charge_within_e[d].mean ==
          doctest::Approx(a.mean - by_moves.within[1][d].mean).epsilon(1e-9));
  }
  CHECK(by_steps.cut_moves == 0);
  CHECK(by_moves.largest_drift_kT < 0.01);
}

TEST_CASE("sample: an ion in a Coulomb well is where Boltzmann has it") {
  // phi = -c / r between spheres of 3 and 10 A.
  constexpr double c = 10.0, inner_A = 3.0, outer_A = 10.0;
  IonModel model = ideal_gas(20.0, {1.0});
  model.field = std::make_shared<FormulaField>([](const Vec3<double>& p) {
    const double r = std::sqrt(dot(p, p));
    return std::pair(r < inner_A || r > outer_A ? 1e4 : -c / r, Vec3<double>{});
  });
  std::vector<Atom> atom(1);
  SampleJob job =
      job_of(model, {20}, {.length = 5000, .equilibration = 500, .every = 2, .replicas = 4, .threads = 2});
  job.atoms = atom;
  job.observables = {.density_spacing_A = {},
                     .within_A = {4.0, 6.0},
                     .groups = {{"middle", {0}}},
                     .radial_reach_A = 12.0,
                     .radial_step_A = 0.5};
  const SampleResult result = sample(job);
  const auto weight = [](double from_A, double to_A) {
    double sum = 0.0;
    constexpr int steps = 20'000;
    for (int n = 0; n < steps; ++n) {
      const double r = from_A + (to_A - from_A) * (n + 0.5) / steps;
      sum += r * r * std::exp(c / r) * (to_A - from_A) / steps;
    }
    return sum;
  };
  const double all = weight(inner_A, outer_A);
  for (std::size_t d = 0; d < 2; ++d) {
    const SeriesMean& near = result.within[0][d];
    const double expected = 20.0 * weight(inner_A, d == 0 ? 4.0 : 6.0) / all;
    CAPTURE(near.mean);
    CAPTURE(expected);
    CHECK(std::abs(near.mean - expected) < 5.0 * near.error);
    CHECK(5.0 * near.error < 0.08 * expected);
  }
  // The distribution around the middle, bin by bin: from 5 to 5.5 A, and its sum.
  REQUIRE(result.radial.size() == 1);
  const RadialDistribution& radial = result.radial[0];
  REQUIRE(radial.within.mean.size() == 24);
  const double shell = 4.18879020478639 * (5.5 * 5.5 * 5.5 - 125.0);
  CHECK(std::abs(radial.concentration_per_A3.mean[10] - 20.0 * weight(5.0, 5.5) / all / shell) <
        5.0 * radial.concentration_per_A3.error[10]);
  CHECK(radial.concentration_per_A3.mean[5] == 0.0);
  CHECK(radial.within.mean[23] == doctest::Approx(20.0));
}

TEST_CASE("sample: an ideal gas fills a periodic box evenly, around an atom at its edge as well") {
  IonModel model = periodic(ideal_gas(12.0, {1.0}));
  std::vector<Atom> atom(1);
  atom[0].position_A = {6.0, 6.0, -6.0};
  SampleJob job =
      job_of(model, {30}, {.length = 3000, .equilibration = 20, .every = 1, .replicas = 2, .threads = 2});
  job.atoms = atom;
  job.observables = {.density_spacing_A = 4.0,
                     .within_A = {4.0},
                     .groups = {{"corner", {0}}},
                     .radial_reach_A = 5.0,
                     .radial_step_A = 1.0};
  const SampleResult result = sample(job);
  const double per_A3 = 30.0 / 1728.0;
  REQUIRE(result.radial.size() == 1);
  for (std::size_t bin = 1; bin < 5; ++bin) {
    const double error = result.radial[0].concentration_per_A3.error[bin];
    CHECK(std::abs(result.radial[0].concentration_per_A3.mean[bin] - per_A3) < 5.0 * error);
    CHECK(error < 0.1 * per_A3);
  }
  CHECK(std::abs(result.within[0][0].mean - per_A3 * 4.18879020478639 * 64.0) <
        5.0 * result.within[0][0].error);
  REQUIRE(result.cells.size() == 1);
  REQUIRE(result.cells[0].size() == 27);
  std::uint64_t seen = 0;
  for (const std::uint64_t count : result.cells[0]) {
    // 30 x 6000 / 27 = 6667 if no sample knew of the one before; sweeps keep some memory.
    CHECK(count > 5600);
    CHECK(count < 7800);
    seen += count;
  }
  CHECK(seen == std::uint64_t(30 * result.samples));
}

TEST_CASE("sample: cells fill the box, and count an ion where it is") {
  const LatticeGeometry cells = density_cells({{-1.0, 0.0, 2.0}, {2.0, 5.0, 3.0}}, 2.0);
  CHECK(cells.counts == Vec3<std::int64_t>{2, 3, 1});
  CHECK(cells.spacing_A.x == doctest::Approx(1.5));
  CHECK(cells.origin_A.x == doctest::Approx(-0.25));
  CHECK(cells.origin_A.z == doctest::Approx(2.5));
  CHECK(error_of([] {
          density_cells({{0, 0, 0}, {1, 1, 1}}, 0.0);
        }).find("--tune density-spacing is 0") == 0);

  IonModel model = ideal_gas(10.0, {1.0});
  const Vec3<double> at_A{-4.9, 4.9, 0.1};
  SampleJob job =
      job_of(model, {}, {.length = 4, .equilibration = 0, .every = 1, .replicas = 1, .blocks = 2});
  model.field = std::make_shared<FormulaField>([=](const Vec3<double>& p) {
    return std::pair(distance_squared(p, at_A) < 1e-6 ? 0.0 : 1e6, Vec3<double>{});
  });
  job.start = [&](int, RandomStream&) {
    const MovingIon ion{0, at_A};
    return IonSet(model, {&ion, 1});
  };
  job.observables.density_spacing_A = 2.0;
  const SampleResult result = sample(job);
  const LatticeGeometry ten = density_cells(model.box, 2.0);
  CHECK(result.cells[0][std::size_t(ten.index(0, 4, 2))] == 4);
  CHECK(std::accumulate(result.cells[0].begin(), result.cells[0].end(), std::uint64_t{0}) == 4);
}

TEST_CASE("sample: stopped early it is of the samples so far, and refuses lengths that make none") {
  const SmallSalt salt;
  SampleJob job = salt.job({.length = 10'000, .equilibration = 10, .every = 1, .replicas = 2});
  int asked = 0;
  job.should_stop = [&] { return ++asked > 2; };
  const SampleResult result = sample(job);
  CHECK(result.is_interrupted);
  CHECK(result.samples > 0);
  CHECK(result.samples < 15'000);
  CHECK(result.lowest.size() == 5);
  const auto refused = [&](const SampleOptions& options) {
    return error_of([&] { sample(salt.job(options)); });
  };
  CHECK(refused({.length = 10, .every = 4}).find("make 2 samples, and 5 blocks need at least as many") !=
        std::string::npos);
  CHECK(refused({.length = 10, .every = 0}).find("--sample-every is 0") == 0);
  CHECK(refused({.length = 10, .replicas = 0}).find("--replicas is 0") == 0);
  CHECK(refused({.length = 10, .blocks = 1}).find("--blocks is 1") == 0);
  CHECK(refused({.length = 2'000'000'000}).find("1,000,000 samples") != std::string::npos);
}

TEST_CASE("sample: random ions find no room where there is none") {
  IonModel model{.species = {species_of("A", 1, 3.0)}, .box = cube_of(9.0), .repulsion = Repulsion::hard};
  RandomStream random(1, 1);
  CHECK(error_of([&] { random_ions(model, {40}, random); }).find("no room was found for A number ") == 0);
}
