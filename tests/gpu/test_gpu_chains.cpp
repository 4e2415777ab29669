// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "compute/backend.hpp"
#include "core/error.hpp"
#include "gpu/backend.hpp"
#include "sampling/device_chains.hpp"
#include "sampling/lattice_field.hpp"
#include "sampling/plain_ions.hpp"
#include "sampling/sample.hpp"
#include "sampling/solute_spheres.hpp"
#include "support/backends.hpp"
#include "support/error_of.hpp"

namespace ionwell::test {
namespace {

std::unique_ptr<DeviceChains> gpu_chains(ChainProblem problem) {
  return gpu_backend().make_chains(gpu_backend().devices().devices.front().number, std::move(problem));
}

/// A potential around the origin on a lattice that a box lies in.
std::shared_ptr<const FieldAtPoints> well_on_lattice(const Box& box, double depth_kT_e,
                                                     ForceInterpolation interpolation) {
  const Vec3<double> edge_A = box.highest_A - box.lowest_A;
  LatticeGeometry lattice{box.lowest_A, {}, {35, 33, 31}};
  lattice.spacing_A = {edge_A.x / 34.0, edge_A.y / 32.0, edge_A.z / 30.0};
  std::vector<float> values(std::size_t(lattice.size()));
  for (std::int64_t p = 0; p < lattice.size(); ++p) {
    const Vec3<double> at_A = lattice.position_A(p) - Vec3<double>{1.0, -2.0, 0.5};
    values[std::size_t(p)] = float(-depth_kT_e / std::sqrt(dot(at_A, at_A) + 4.0));
  }
  return std::make_shared<LatticeField>(lattice, values, interpolation, 1);
}

/// All there is: three kinds of ions between some atoms, in a field.
struct CrowdedBox {
  std::vector<Atom> atoms;
  IonModel model;

  CrowdedBox(Repulsion repulsion, SampleBoundary boundary, const ElectrostaticsOptions& electrostatics,
             ForceInterpolation interpolation = ForceInterpolation::trilinear) {
    model.species = {species_of("A", 1, 1.0, 0.1), species_of("B", -1, 1.5, 0.2),
                     species_of("C", 2, 0.9, 0.05)};
    model.box = {{-10.0, -11.0, -12.0}, {13.0, 12.0, 11.0}};
    model.boundary = boundary;
    model.repulsion = repulsion;
    model.pair = pair_potential(electrostatics);
    for (const Vec3<double>& at_A : {Vec3<double>{1.0, -2.0, 0.5}, {-8.0, 3.0, 9.5}, {6.0, 6.0, -6.0}}) {
      Atom& atom = atoms.emplace_back();
      atom.position_A = at_A;
      atom.radius_A = 1.7;
    }
    model.field = well_on_lattice(model.box, 6.0, interpolation);
    model.solute = std::make_shared<SoluteSpheres>(atoms, model.box, model.boundary, model.repulsion, 1.5);
    if (boundary == SampleBoundary::periodic)
      model.images = std::make_shared<ImageTable>(model.box, model.pair, 2, model.simd);
  }

  std::vector<MovingIon> start(std::vector<std::int64_t> count, std::uint64_t seed) const {
    RandomStream random(seed, 0);
    return random_ions(model, count, random).ions();
  }
};

const ElectrostaticsOptions in_water{.dielectric = 78.54}, in_salt{.ionic_strength_M = 0.2},
    by_distance{.ddd_per_A = 4.0};

/// A sampled number by both, within errors of five standard deviations, and those small enough to say much.
void check_alike(const SeriesMean& gpu, const SeriesMean& host, double share) {
  CAPTURE(gpu.mean);
  CAPTURE(host.mean);
  const double error = std::hypot(gpu.error, host.error);
  CAPTURE(error);
  CHECK(std::abs(gpu.mean - host.mean) <= 5.0 * error);
  CHECK(error <= share * std::abs(host.mean) + 0.1 * share);
}

SampleJob crowded_job(const CrowdedBox& box, std::vector<std::int64_t> count, const SampleOptions& options) {
  return {.model = box.model,
          .baths = {},
          .atoms = box.atoms,
          .observables = {.density_spacing_A = {},
                          .within_A = {4.0, 6.0},
                          .groups = {},
                          .radial_reach_A = 8.0,
                          .radial_step_A = 0.5},
          .start = [&box, count](int, RandomStream& random) { return random_ions(box.model, count, random); },
          .options = options,
          .should_stop = {},
          .make_chains = {},
          .note_use = {}};
}

/// The same sample by the host and by the GPU, of many more replicas there.
void check_same_sample(SampleJob job, double share) {
  job.options.threads = 0;
  const SampleResult host = sample(job);
  job.make_chains = gpu_chains;
  job.options.replicas *= 16;
  const SampleResult gpu = sample(job);
  check_alike(gpu.energy_kT, host.energy_kT, share);
  for (std::size_t s = 0; s < job.model.species.size(); ++s) {
    CAPTURE(s);
    check_alike(gpu.count[s], host.count[s], share);
    for (std::size_t d = 0; d < 2; ++d) check_alike(gpu.within[s][d], host.within[s][d], 4.0 * share);
  }
  for (std::size_t m = 0; m < move_kinds; ++m) {
    CAPTURE(m);
    CHECK((gpu.tallies[m].tried > 0) == (host.tallies[m].tried > 0));
    CHECK(gpu.tallies[m].share() == doctest::Approx(host.tallies[m].share()).epsilon(0.1));
  }
  for (std::size_t s = 0; s < gpu.steps_A.size(); ++s)
    CHECK(gpu.steps_A[s] == doctest::Approx(host.steps_A[s]).epsilon(0.25));
  CHECK(gpu.cut_moves == 0);
  CHECK(gpu.largest_drift_kT < 0.01);
  CHECK(gpu.lowest_kT <= gpu.energy_kT.mean);
}

/// Whether no step of a few femtoseconds meets a wall.
bool is_away_from_walls(const Box& box, const Vec3<double>& at_A) {
  constexpr double far_A = 0.3;
  const Vec3<double> low_A = at_A - box.lowest_A, high_A = box.highest_A - at_A;
  return std::min({low_A.x, low_A.y, low_A.z, high_A.x, high_A.y, high_A.z}) > far_A;
}

}  // namespace

TEST_CASE("gpu: chains have the energies of the host's ions, before and after moves") {
  if (!have_gpu()) return;
  struct Case {
    Repulsion repulsion;
    SampleBoundary boundary;
    ElectrostaticsOptions electrostatics;
    ForceInterpolation interpolation;
  };
  constexpr auto soft = Repulsion::soft, hard = Repulsion::hard;
  constexpr auto open = SampleBoundary::open, periodic = SampleBoundary::periodic;
  constexpr auto trilinear = ForceInterpolation::trilinear, cubic = ForceInterpolation::cubic_spline;
  const std::vector<Case> cases = {
      {soft, open, in_water, trilinear},     {soft, open, in_salt, cubic},
      {hard, open, by_distance, trilinear},  {hard, open, in_water, cubic},
      {soft, periodic, in_water, trilinear}, {hard, periodic, in_water, cubic},
      {soft, periodic, in_salt, trilinear},  {hard, periodic, in_salt, trilinear}};
  const BrownianOptions dynamics;
  for (const auto& [repulsion, boundary, electrostatics, interpolation] : cases)
    for (const bool moves_freely : {false, true}) {
      if (moves_freely && repulsion == hard) continue;
      CAPTURE(int(repulsion));
      CAPTURE(int(boundary));
      CAPTURE(int(interpolation));
      CAPTURE(moves_freely);
      const CrowdedBox box(repulsion, boundary, electrostatics, interpolation);
      const std::vector<SaltBath> baths = {{0, 1, 1, 1, 2e-4, 4e-4, -0.3}, {2, 1, 1, 2, 1e-4, 4e-4, -1.0}};
      const auto chains =
          gpu_chains({.model = box.model,
                      .baths = baths,
                      .dynamics = moves_freely ? &dynamics : nullptr,
                      .starts = {box.start({5, 9, 2}, 1), box.start({5, 9, 2}, 2), box.start({33, 40, 4}, 3)},
                      .seed = 7});
      const auto check_energies = [&](const std::vector<ChainSnapshot>& snapshots) {
        for (const ChainSnapshot& snapshot : snapshots) {
          const double expected_kT = IonSet(box.model, snapshot.ions).energy_kT();
          CAPTURE(expected_kT);
          CHECK(std::abs(snapshot.energy_kT - expected_kT) < 5e-3 + 1e-5 * std::abs(expected_kT));
          for (const MovingIon& ion : snapshot.ions)
            CHECK(ion.position_A == nearest_in(box.model.box, ion.position_A));
        }
      };
      check_energies(chains->now());
      chains->equilibrate(20);
      std::vector<ChainSnapshot> snapshots = chains->now();
      check_energies(snapshots);
      chains->start_samples(4, 5);
      chains->collect(snapshots);
      REQUIRE(snapshots.size() == 12);
      check_energies(snapshots);
      CHECK(snapshots[0].energy_kT != snapshots[3].energy_kT);
      CHECK(snapshots[0].energy_kT != snapshots[1].energy_kT);
    }
}

TEST_CASE("gpu: a sample by Monte Carlo is the host's within its errors") {
  if (!have_gpu()) return;
  const SampleOptions options{.length = 4000, .equilibration = 200, .every = 4, .replicas = 8};
  const CrowdedBox open(Repulsion::soft, SampleBoundary::open, in_water);
  check_same_sample(crowded_job(open, {6, 5, 1}, options), 0.05);
  const CrowdedBox hard(Repulsion::hard, SampleBoundary::periodic, in_water);
  check_same_sample(crowded_job(hard, {6, 6, 2}, options), 0.05);
  // Ions of two salts, one with two anions, come and go.
  SampleJob job = crowded_job(hard, {6, 10, 2}, options);
  job.baths = {{0, 1, 1, 1, 4e-4, 6e-4, -0.3}, {2, 1, 1, 2, 1e-4, 6e-4, -1.2}};
  check_same_sample(job, 0.05);
}

TEST_CASE("gpu: a sample by Brownian dynamics is the host's within its errors") {
  if (!have_gpu()) return;
  const SampleOptions options{
      .method = SampleMethod::brownian, .length = 60'000, .equilibration = 200, .every = 60, .replicas = 8};
  const CrowdedBox open(Repulsion::soft, SampleBoundary::open, in_water, ForceInterpolation::cubic_spline);
  check_same_sample(crowded_job(open, {6, 5, 1}, options), 0.05);
  const CrowdedBox periodic(Repulsion::soft, SampleBoundary::periodic, in_salt);
  check_same_sample(crowded_job(periodic, {6, 6, 2}, options), 0.05);
}

TEST_CASE("gpu: ions drift with the host's forces and spread by their diffusion constants") {
  if (!have_gpu()) return;
  for (const SampleBoundary boundary : {SampleBoundary::open, SampleBoundary::periodic})
    for (const ElectrostaticsOptions& electrostatics : {in_water, in_salt, by_distance}) {
      if (boundary == SampleBoundary::periodic && electrostatics.ddd_per_A) continue;
      const CrowdedBox box(Repulsion::soft, boundary, electrostatics, ForceInterpolation::cubic_spline);
      const std::vector<MovingIon> start = box.start({20, 24, 4}, 5);
      const IonSet ions(box.model, start);
      std::vector<Vec3<double>> forces_kT_A;
      ions.forces(forces_kT_A);
      const BrownianOptions dynamics{.time_step_ps = 0.002};
      const std::vector<SaltBath> no_baths;
      constexpr std::size_t replicas = 20'000;
      const auto chains = gpu_chains({.model = box.model,
                                      .baths = no_baths,
                                      .dynamics = &dynamics,
                                      .starts = std::vector<std::vector<MovingIon>>(replicas, start),
                                      .seed = 11});
      std::vector<ChainSnapshot> snapshots;
      chains->start_samples(1, 1);
      chains->collect(snapshots);
      double along = 0.0, expected = 0.0, noise2 = 0.0, worst = 0.0;
      for (std::size_t n = 0; n < start.size(); ++n) {
        const double d_A2 = box.model.species[start[n].species].diffusion_A2_ps * dynamics.time_step_ps;
        const Vec3<double> drift_A = d_A2 * forces_kT_A[n];
        if (!is_away_from_walls(box.model.box, start[n].position_A)) continue;
        Vec3<double> sum{};
        double squares = 0.0;
        for (std::size_t r = 0; r < replicas; ++r) {
          const Vec3<double> moved = snapshots[r].ions[n].position_A - start[n].position_A;
          sum = sum + moved;
          squares += dot(moved - drift_A, moved - drift_A);
        }
        const Vec3<double> mean = (1.0 / double(replicas)) * sum;
        along += dot(mean, drift_A) / d_A2;
        expected += dot(drift_A, drift_A) / d_A2;
        noise2 += squares / (6.0 * d_A2 * double(replicas));
        worst =
            std::max(worst, std::sqrt(dot(mean - drift_A, mean - drift_A) / (2.0 * d_A2) * double(replicas)));
      }
      CAPTURE(expected);
      CHECK(along / expected == doctest::Approx(1.0).epsilon(0.1));
      CHECK(worst < 5.5);  // standard deviations of three numbers each
      CHECK(noise2 / double(start.size()) > 0.5);
    }
}

TEST_CASE("gpu: chains come out the same again, and otherwise with another seed or another replica") {
  if (!have_gpu()) return;
  const CrowdedBox box(Repulsion::soft, SampleBoundary::open, in_water);
  const BrownianOptions dynamics;
  const std::vector<SaltBath> baths = {{0, 1, 1, 1, 2e-4, 4e-4, -0.3}};
  const std::vector<MovingIon> start = box.start({5, 4, 1}, 9);
  for (const BrownianOptions* const options : {static_cast<const BrownianOptions*>(nullptr), &dynamics}) {
    const auto run = [&](std::uint64_t seed, int calls) {
      const auto chains = gpu_chains(
          {.model = box.model, .baths = baths, .dynamics = options, .starts = {start, start}, .seed = seed});
      chains->equilibrate(10);
      std::vector<ChainSnapshot> all, some;
      for (int n = 0; n < calls; ++n) {
        chains->start_samples(6 / calls, 3);
        chains->collect(some);
        all.insert(all.end(), some.begin(), some.end());
      }
      std::vector<double> numbers;
      for (const ChainSnapshot& snapshot : all)
        for (const MovingIon& ion : snapshot.ions) numbers.push_back(ion.position_A.x);
      CHECK(all[0].ions.front().position_A != all[1].ions.front().position_A);
      return numbers;
    };
    const std::vector<double> once = run(3, 1);
    CHECK(run(3, 1) == once);
    CHECK(run(3, 2) == once);
    CHECK(run(4, 1) != once);
  }
}

TEST_CASE("gpu: chains of no ions, of more than a thread block keeps, of too many kinds") {
  if (!have_gpu()) return;
  const std::vector<SaltBath> no_baths;
  std::vector<ChainSnapshot> snapshots;
  const CrowdedBox box(Repulsion::soft, SampleBoundary::open, in_water);
  const BrownianOptions dynamics;
  for (const BrownianOptions* const options : {static_cast<const BrownianOptions*>(nullptr), &dynamics}) {
    const auto nothing = gpu_chains(
        {.model = box.model, .baths = no_baths, .dynamics = options, .starts = {{}, {}}, .seed = 1});
    nothing->equilibrate(3);
    nothing->start_samples(2, 5);
    nothing->collect(snapshots);
    REQUIRE(snapshots.size() == 4);
    CHECK(snapshots[3].ions.empty());
    CHECK(snapshots[3].energy_kT == 0.0);
    // 20,000 ions take more memory than a thread block shares.
    IonModel gas = ideal_gas(200.0, {1.0, -1.0});
    gas.pair = pair_potential(in_water);
    RandomStream random(1, 0);
    const std::vector<MovingIon> many = random_ions(gas, {10'000, 10'000}, random).ions();
    const auto chains =
        gpu_chains({.model = gas, .baths = no_baths, .dynamics = options, .starts = {many}, .seed = 1});
    if (options == nullptr) chains->equilibrate(1);
    chains->start_samples(1, 1);
    chains->collect(snapshots);
    REQUIRE(snapshots.size() == 1);
    const double expected_kT = IonSet(gas, snapshots[0].ions).energy_kT();
    CHECK(snapshots[0].energy_kT == doctest::Approx(expected_kT).epsilon(1e-4));
    CHECK(snapshots[0].ions[7].position_A != many[7].position_A);
  }
  IonModel kinds = ideal_gas(20.0, std::vector<double>(most_device_species + 1, 1.0));
  const auto refused = [&](const IonModel& model) {
    return error_of([&] {
      gpu_chains({.model = model, .baths = no_baths, .dynamics = nullptr, .starts = {{}}, .seed = 1});
    });
  };
  CHECK(refused(kinds) == "a GPU samples up to 16 kinds of ions, but these are 17; use --backend cpu");
  IonModel formula = ideal_gas(20.0, {1.0});
  formula.field = spring(0.1, {});
  CHECK(refused(formula).find("in potentials on lattices") != std::string::npos);
}

TEST_CASE("gpu: a replica that a bath fills beyond its room says so") {
  if (!have_gpu()) return;
  const IonModel gas = ideal_gas(40.0, {1.0, -1.0});
  const std::vector<SaltBath> baths = {{0, 1, 1, 1, 0.02, 0.02, 0.0}};  // 1,280 of each
  const auto chains =
      gpu_chains({.model = gas, .baths = baths, .dynamics = nullptr, .starts = {{}}, .seed = 1});
  CHECK(error_of([&] { chains->equilibrate(20'000); }).find("came to 64 ions") != std::string::npos);
}

}  // namespace ionwell::test
