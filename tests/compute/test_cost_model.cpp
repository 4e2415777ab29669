// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <memory>

#include "compute/cost_model.hpp"
#include "core/error.hpp"
#include "jobs/place/run.hpp"
#include "jobs/sample/computed_sample.hpp"
#include "placement/host_field.hpp"
#include "potential/sources/pb_solutions.hpp"
#include "sampling/plain_ions.hpp"
#include "support/error_of.hpp"
#include "support/stand_in_backend.hpp"
#include "support/temporary_file.hpp"

// What is chosen by time and memory, with devices that no machine need have.
using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr double brief_s = 0.1, long_s = 100.0;
constexpr std::int64_t ample_bytes = 10'000'000'000;
const FieldDemand small{{{0, 0, 0}, {0.5, 0.5, 0.5}, {80, 80, 80}}, 100};

}  // namespace

TEST_CASE("cost model: a device is used where it pays, and the reason is told where not") {
  const StandInBackend ample({ample_bytes}), none({});
  CHECK(choose_backend({}, long_s, small, {&ample}).owner == &ample);
  CHECK(choose_backend({}, long_s, small, {&ample}).backend == Backend::gpu);
  CHECK(choose_backend({}, long_s, small, {&ample}).layout.lattice_on == LatticeOn::device);
  CHECK(choose_backend({}, brief_s, small, {&ample}).owner == nullptr);
  CHECK(choose_backend({}, brief_s, small, {&ample}).reason ==
        "starting a GPU would take longer than the run");
  CHECK(choose_backend({.backend = Backend::gpu}, brief_s, small, {&ample}).owner == &ample);
  CHECK(choose_backend({.backend = Backend::cpu}, long_s, small, {&ample}).owner == nullptr);
  CHECK(choose_backend({}, long_s, small, {&none}).reason == "there is no stand-in");
  CHECK(choose_backend({}, long_s, small, {&none, &ample}).owner == &ample);
  CHECK(choose_backend({}, long_s, small, {}).reason.empty());
  CHECK_THROWS_AS(choose_backend({.backend = Backend::gpu}, long_s, small, {}), Error);
  CHECK_THROWS_AS(choose_backend({.backend = Backend::gpu}, long_s, small, {&none}), Error);
  CHECK_THROWS_AS(choose_backend({.devices = {1}}, long_s, small, {&ample}), UsageError);
}

TEST_CASE("cost model: replicas of moving ions are for a device that they fill, or where it is asked for") {
  const StandInBackend ample({ample_bytes});
  const IonModel gas = ideal_gas(20.0, {1.0, -1.0});
  const FirstIons first{{}, {3, 2}};
  SampleJob job{.model = gas,
                .baths = {},
                .atoms = {},
                .observables = {},
                .start = [&](int, RandomStream& random) { return first.in(gas, random); },
                .options = {.length = 1'000'000, .replicas = 2000},
                .should_stop = {},
                .make_chains = {},
                .note_use = {},
                .make_mover = {}};
  const std::int64_t ions = first.total();
  CHECK(choose_sampler(job, ions, {}, {&ample}).owner == &ample);
  CHECK(choose_sampler(job, ions, {}, {&ample}, 1'000'000).owner == nullptr);
  job.options.replicas = 2;
  job.options.threads = 2;
  CHECK(choose_sampler(job, ions, {}, {&ample}).owner == nullptr);
  CHECK(choose_sampler(job, ions, {}, {&ample}).reason == "2 replicas do not fill a GPU");
  CHECK(choose_sampler(job, ions, {.backend = Backend::gpu}, {&ample}).owner == &ample);
  CHECK(choose_sampler(job, ions, {.backend = Backend::cpu}, {&ample}).owner == nullptr);
  job.options.length = 100;
  CHECK(choose_sampler(job, ions, {}, {&ample}).reason == "starting a GPU would take longer than the run");
  for (const Backend backend : {Backend::automatic, Backend::gpu}) {
    const ComputedSample computed = computed_sample(job, first, {.backend = backend}, {&ample}, {});
    CHECK(computed.backend == (backend == Backend::gpu ? Backend::gpu : Backend::cpu));
    CHECK(computed.device == (backend == Backend::gpu ? "stand-in" : ""));
    CHECK(computed.use.has_value() == (backend == Backend::gpu));
    CHECK(computed.sample.samples == 200);
  }
}

TEST_CASE("cost model: the memory that may be used decides on the layout") {
  const StandInBackend ample({ample_bytes, ample_bytes});
  const std::int64_t all = device_field_bytes(small, ample.memory());
  const auto layout = [&](std::int64_t memory_bytes, const std::vector<int>& devices) {
    return choose_backend({.devices = devices, .memory_bytes = memory_bytes}, long_s, small, {&ample}).layout;
  };
  CHECK(layout(all, {0}).lattice_on == LatticeOn::device);
  CHECK(layout(all - 1, {0}).lattice_on == LatticeOn::host);
  CHECK(layout(all - 1, {0, 1}).lattice_on == LatticeOn::devices);
  FieldDemand imported = small;
  imported.imported = true;  // nothing is left to sum in parts
  CHECK(choose_backend({.memory_bytes = all}, long_s, imported, {&ample}).owner == nullptr);

  FieldDemand sites = small;
  sites.is_of_sites = true;  // has more for each point, and is not divided
  const std::int64_t all_of_sites = device_field_bytes(sites, ample.memory());
  CHECK(all_of_sites == all + 9 * small.lattice.size());
  const auto choice = [&](BackendOptions options) {
    options.devices = {0, 1};
    return choose_backend(options, long_s, sites, {&ample});
  };
  CHECK(choice({.memory_bytes = all_of_sites}).layout.lattice_on == LatticeOn::device);
  const BackendChoice cpu = choice({.memory_bytes = all_of_sites - 1});
  CHECK(cpu.owner == nullptr);
  CHECK(cpu.reason.starts_with("the lattice of a site model needs "));
  CHECK_THROWS_AS(choice({.backend = Backend::gpu, .memory_bytes = all_of_sites - 1}), Error);
}

TEST_CASE("cost model: an equation takes of a device what making it takes, too") {
  const StandInBackend ample({ample_bytes});
  Structure structure{.path = "three.pqr"};
  for (const double x_A : {0.0, 3.0, 6.0})
    structure.atoms.push_back({.position_A = {x_A, 0, 0}, .charge_e = -1.0, .radius_A = 1.0});
  for (const bool solvation_energy : {false, true}) {  // with it there are two
    PotentialRequest request{.structure = structure};
    request.lattice.spacing_A = 0.25;
    request.backend = {.backend = Backend::gpu, .memory_bytes = ample_bytes};
    const PbOptions options{.solvation_energy = solvation_energy};
    const PbSolutions solutions(request, options, 1);
    const std::int64_t equations = solvation_energy ? 2 : 1;
    const FieldDemand demand{.lattice = solutions.solver().lattice(),
                             .imported = true,
                             .equations = equations,
                             .equation_points = equations * solutions.solver().costs().device_points,
                             .equation_atoms = equations * 3};
    const std::int64_t all = device_field_bytes(demand, ample.memory());
    request.backend.memory_bytes = all;
    CHECK(solutions.plan({&ample}).backend.owner == &ample);
    request.backend.memory_bytes = all - 1;
    CHECK_THROWS_AS(solutions.plan({&ample}), Error);
  }
  FieldDemand one = small;
  const std::int64_t without = device_field_bytes(one, ample.memory());
  one.equations = 1;
  one.equation_points = 1000;
  one.equation_atoms = 10;
  CHECK(device_field_bytes(one, ample.memory()) == without + 1'000'000 + 54 * 1000 + 3000 * 10);
}

TEST_CASE("cost model: of the devices that are named, as many are used as take the least time") {
  const StandInBackend four({ample_bytes, ample_bytes, ample_bytes, ample_bytes});
  const auto choice = [&](double sum_s, std::int64_t memory_bytes) {
    FieldDemand demand = small;
    demand.sum_s = sum_s;
    return choose_backend({.devices = {2, 0, 1, 3}, .memory_bytes = memory_bytes}, long_s, demand, {&four});
  };
  // Each further one takes 0.1 s to start.
  CHECK(choice(0.19, 0).layout.devices == std::vector<int>{2});
  CHECK(choice(0.19, 0).reason == "more GPUs would not take less time");
  CHECK(choice(0.21, 0).layout.devices == std::vector<int>{2, 0});
  CHECK(choice(0.61, 0).layout.devices == std::vector<int>{2, 0, 1});
  CHECK(choice(1.21, 0).layout.devices == std::vector<int>{2, 0, 1, 3});
  CHECK(choice(1.21, 0).devices.size() == 4);
  CHECK(choice(1.21, 0).reason.empty());
  // All of them where one has not the memory.
  const std::int64_t all = device_field_bytes(small, four.memory());
  CHECK(choice(0.0, all - 1).layout.devices.size() == 4);
  CHECK(choice(0.0, all - 1).layout.lattice_on == LatticeOn::devices);
  four.starts = 0;
  CHECK(choice(0.0, all).layout.devices.size() == 1);
  CHECK(four.starts == 1);
}

TEST_CASE(
    "cost model: devices that do not pay are hidden before any is looked for, where one has the memory") {
  const std::int64_t all = device_field_bytes(small, StandInBackend({}).memory()), of_start = 1'000'000'000;
  const auto choice = [&](StandInBackend& backend, double sum_s, std::int64_t memory_bytes) {
    FieldDemand demand = small;
    demand.sum_s = sum_s;
    return choose_backend({.devices = {2, 0, 1}, .memory_bytes = memory_bytes}, long_s, demand, {&backend});
  };
  const auto three = [](std::int64_t driver_free_bytes) {
    auto backend = std::make_unique<StandInBackend>(std::vector(3, ample_bytes));
    backend->driver_free_bytes = driver_free_bytes;
    return backend;
  };
  const auto ample = three(all + of_start);
  CHECK(choice(*ample, 0.21, 0).layout.devices == std::vector<int>{2, 0});
  CHECK(ample->devices().hidden == std::vector<int>{1});
  // What is hidden is not missed by the next choice.
  CHECK(choice(*ample, 1.0, 0).layout.devices == std::vector<int>{2, 0});
  const auto short_of_memory = three(all + of_start - 1);
  CHECK(choice(*short_of_memory, 0.0, 0).layout.devices == std::vector<int>{2});
  CHECK(short_of_memory->devices().hidden.empty());
  const auto limited = three(all + of_start);
  CHECK(choice(*limited, 0.0, all - 1).layout.devices.size() == 3);
  CHECK(limited->devices().hidden.empty());
}

TEST_CASE("cost model: what a file's size says of a sum before it is read") {
  const SummationRates rates{.direct_pairs_per_s = 1e12,
                             .multilevel_start_s = 0.25,
                             .multilevel_charge_s = 0.0,
                             .multilevel_point_s = 1e-9};
  // 1,000 atoms and 600,000 points.
  const TemporaryFile plain("likely.pqr", std::string(75'000, ' ')),
      zipped("likely.pqr.gz", std::string(15'000, ' '));
  for (const TemporaryFile* const file : {&plain, &zipped}) {
    CHECK(likely_seconds(Method::direct, file->path(), rates) == doctest::Approx(6e-4));
    CHECK(likely_seconds(Method::multilevel, file->path(), rates) == doctest::Approx(0.2506));
  }
  CHECK(likely_seconds(Method::direct, "no such file", rates) == 0.0);
  CHECK(likely_cpu_seconds(plain.path(), 4) == doctest::Approx(likely_cpu_seconds(plain.path(), 1) / 4));
}

TEST_CASE("cost model: several devices are for long direct sums, not for multilevel ones or site models") {
  const StandInBackend four({ample_bytes, ample_bytes, ample_bytes, ample_bytes});
  const LatticeGeometry lattice{{}, {0.5, 0.5, 0.5}, {500, 500, 500}};
  Structure structure;
  structure.atoms.resize(20'000, {.charge_e = 1.0});  // 2.5 s at the stand-in's 1e12 pairs a second
  const auto devices = [&](Method method, bool is_of_sites) {
    return choose_backend({.backend = Backend::gpu, .devices = {0, 1, 2, 3}},
                          Summation{.lattice = lattice,
                                    .structure = structure,
                                    .pair = pair_potential({}),
                                    .options = {.method = method},
                                    .field = {},
                                    .is_of_sites = is_of_sites},
                          {&four})
        .devices.size();
  };
  CHECK(devices(Method::direct, false) == 4);
  CHECK(devices(Method::multilevel, false) == 1);
  CHECK(devices(Method::direct, true) == 1);
}

TEST_CASE("cost model: the faster method, and the direct sum where spacings differ") {
  const SummationRates rates{.direct_pairs_per_s = 1e9,
                             .multilevel_start_s = 0.1,
                             .multilevel_charge_s = 0.0,
                             .multilevel_point_s = 1e-8};
  const LatticeGeometry cube{{}, {1, 1, 1}, {100, 100, 100}};    // multilevel: 0.11 s
  CHECK(faster_method(cube, 100, rates) == Method::direct);      // 0.1 s
  CHECK(faster_method(cube, 120, rates) == Method::multilevel);  // 0.12 s
  CHECK(faster_method({{}, {1, 1, 1.5}, {100, 100, 100}}, 120, rates) == Method::direct);
}

TEST_CASE("cost model: a run uses the backend that it is given, and says so") {
  Structure structure{.path = "one.pqr"};
  structure.atoms.push_back({.position_A = {0, 0, 0}, .charge_e = -1.0, .radius_A = 1.0});
  const StandInBackend ample({ample_bytes});
  const Result result = run({.structure = structure,
                             .ions = {{{"NA", "NA", 1.0}, 1}},
                             .lattice = {.spacing_A = 1.0},
                             .backend = {.backend = Backend::gpu}},
                            {&ample});
  CHECK(result.run.backend == Backend::gpu);
  CHECK(result.run.device == "stand-in");
  CHECK(result.run.lattice_on == LatticeOn::device);
  CHECK(result.run.device_start_up_s == 0.25);
  CHECK(result.placement.ions.size() == 1);
}
