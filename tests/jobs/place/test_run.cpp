// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "compute/cost_model.hpp"
#include "files/output_file.hpp"
#include "jobs/place/job/result_map.hpp"
#include "jobs/place/run.hpp"
#include "maps/map_file.hpp"
#include "structures/formats/pdb_sites.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const IonSpecies magnesium{"MG", "MG", 2.0}, sodium{"NA", "NA", 1.0};

/// Six charges, in a frame that is not that of any lattice.
Structure solute() {
  Structure structure{.path = "solute.pqr"};
  for (int i = 0; i < 6; ++i)
    structure.atoms.push_back({.position_A = {1.1 * i, 0.3 * i * i, -0.7 * i},
                               .charge_e = i % 3 == 0 ? 0.5 : -1.0,
                               .radius_A = 1.5,
                               .name = "P"});
  return structure;
}

/// A coarse lattice, so that a run takes no time.
Job small_job(const Structure& structure) {
  return {.structure = structure, .ions = {{magnesium, 2}, {sodium, 1}}, .lattice = {.spacing_A = 1.0}};
}

void write_result_map(const std::string& path, const ResultMap& map) {
  OutputFile file(path);
  write_map(file, map, map.all(), 1, {});
  file.finish();
  file.commit();
}

/// The potential of the structure's charges, screened, as a map.
void make_map(const std::string& path, const Structure& structure) {
  Job job = small_job(structure);
  job.ions.clear();
  job.electrostatics.ionic_strength_M = 0.15;
  job.field.every_point = true;
  write_result_map(path, map_of(run(job), MapContents::solute));
}

/// The lowest sum of charge times potential over the free points, in fp64 and without any solver.
double lowest_energy_kT(const Job& job, const LatticeGeometry& lattice, double charge_e) {
  const PairPotential pair = pair_potential(job.electrostatics);
  double lowest = INFINITY;
  for (std::int64_t p = 0; p < lattice.size(); ++p) {
    double sum = 0.0, nearest2 = INFINITY;
    for (const Atom& atom : job.structure.atoms) {
      const double d2 = distance_squared(lattice.position_A(p), atom.position_A);
      nearest2 = std::min(nearest2, d2);
      sum += atom.charge_e * pair.at(d2);
    }
    if (nearest2 > job.exclusion.ion_solute_A * job.exclusion.ion_solute_A)
      lowest = std::min(lowest, charge_e * sum);
  }
  return lowest;
}

struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace

TEST_CASE("run: a job by each method of summation places the same ions") {
  const Structure structure = solute();
  Job job = small_job(structure);
  std::vector<std::int64_t> expected;
  for (const Method method : {Method::automatic, Method::direct, Method::multilevel}) {
    CAPTURE(std::string(to_string(method)));
    job.source = SummationOptions{.method = method};
    const Result result = run(job);
    REQUIRE(result.placement.ions.size() == 3);
    CHECK(result.potential.method == (method == Method::multilevel ? "msm" : "direct"));
    CHECK(result.potential.multilevel.has_value() == (method == Method::multilevel));
    CHECK(result.potential.lattice == choose_lattice(structure, job.lattice));
    CHECK(result.run.backend == Backend::cpu);
    CHECK(result.statistics->available_points > 0);
    CHECK(result.run.timings_s.back().first == "total");
    CHECK(result.run.host_peak_bytes > 0);
    std::vector<std::int64_t> indices;
    for (const PlacedIon& ion : result.placement.ions) indices.push_back(ion.lattice_index);
    if (expected.empty()) expected = indices;
    CHECK(indices == expected);
    CHECK(result.placement.ions[0].energy_kT ==
          doctest::Approx(lowest_energy_kT(job, result.potential.lattice, 2.0)).epsilon(1e-12));
  }
}

TEST_CASE("run: a job without ions is a map, with a value at every point") {
  const Structure structure = solute();
  Job job = small_job(structure);
  job.ions.clear();
  job.field.every_point = true;
  const Result result = run(job);
  CHECK(result.placement.ions.empty());
  CHECK_FALSE(result.exclusion);
  CHECK_FALSE(result.refined);
  const ResultMap map = map_of(result, MapContents::solute, MapUnit::mV);
  CHECK(map.unit == MapUnit::mV);
  REQUIRE(std::int64_t(map.values.size()) == result.potential.lattice.size());
  const std::int64_t corner = result.potential.lattice.size() - 1;
  double sum_kT_e = 0.0;
  for (const Atom& atom : structure.atoms)
    sum_kT_e += atom.charge_e * pair_potential({}).at(distance_squared(
                                    result.potential.lattice.position_A(corner), atom.position_A));
  const double mV = sum_kT_e * volts(MapUnit::kT_e, 298.15) / volts(MapUnit::mV, 298.15);
  CHECK(map.values[std::size_t(corner)] == doctest::Approx(mV).epsilon(1e-5));  // fp32
}

TEST_CASE("run: ions in imported maps, on the map's lattice and on another") {
  const TemporaryFolder folder;
  const Structure structure = solute();
  make_map(folder / "map.dx", structure);
  Job job = small_job(structure);
  job.electrostatics.ionic_strength_M = 0.15;
  const Result summed = run(job);
  job.lattice = {};
  job.source = MapFiles{.paths = {folder / "map.dx"}};
  const Result imported = run(job);
  CHECK(imported.potential.method == "map");
  REQUIRE(imported.potential.imported);
  CHECK_FALSE(imported.potential.imported->interpolated);
  REQUIRE(imported.placement.ions.size() == 3);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(imported.placement.ions[i].lattice_index == summed.placement.ions[i].lattice_index);

  job.lattice.spacing_A = 0.7;
  job.update.rule = Update::none;
  const Result interpolated = run(job);
  CHECK(interpolated.potential.imported->interpolated);
  CHECK_FALSE(interpolated.potential.imported->ions_act);
  CHECK(interpolated.placement.ions.size() == 3);
  // The field refers to the values that were read, so it is worth asking for them now.
  CHECK(map_of(interpolated, MapContents::solute_and_ions).all().size() > 0);
}

TEST_CASE("run: ions between the solves of a solver") {
  const TemporaryFolder folder;
  const Structure structure = solute();
  make_map(folder / "map.dx", structure);
  const std::string solver = folder / "solver";
  write_text(solver, "#!/bin/sh\ncp '" + folder / "map.dx" + "' pot.dx\n");
  std::filesystem::permissions(solver, std::filesystem::perms::owner_all);
  Job job = small_job(structure);
  job.source = PbOptions{.solved_by = PbSolvedBy::apbs, .every = 2, .apbs = {.program = solver}};
  const Result result = run(job);
  CHECK(result.potential.method == "apbs");
  REQUIRE(result.potential.solver);
  CHECK(result.potential.solver->solves == 2);
  CHECK(result.placement.ions.size() == 3);
  CHECK(result.field == nullptr);
  CHECK(result.statistics->available_points > 0);

  write_text(solver, "#!/bin/sh\necho 'no memory left'\nexit 3\n");
  std::int64_t stopped = 0;
  Stages stages({.stopped = [&](const Result& so_far) { stopped += so_far.placement.ions.empty(); }});
  const std::string message = error_of([&] { run(job, stages); });
  CHECK(message.find("solve 1 of 2, failed with exit code 3") != std::string::npos);
  CHECK(stopped == 1);

  job.source = PbOptions{.solved_by = PbSolvedBy::apbs, .apbs = {.program = folder / "missing"}};
  CHECK(error_of([&] { run(job); }).find("--tune pb-program") != std::string::npos);
}

TEST_CASE("run: a job that makes no sense fails before anything is computed") {
  const Structure structure = solute(), empty{.path = "empty.pqr"};
  std::int64_t begun = 0;
  const auto refused = [&](const Job& job) {
    Stages stages({.stage = [&](const std::string&, const std::string&) {
      ++begun;
      return Progress{};
    }});
    CHECK_THROWS_AS(run(job, stages), Error);
    const std::string message = error_of([&] { run(job, stages); });
    CAPTURE(message);
    CHECK(message.size() > 20);
    return message;
  };
  /// The message for a small job that `change` was done to.
  const auto refused_with = [&](const auto& change) {
    Job job = small_job(structure);
    change(job);
    return refused(job);
  };
  CHECK(refused({.structure = empty}).starts_with("empty.pqr: "));
  CHECK(refused_with([](Job& job) { job.exclusion.ion_ion_A = -1.0; }).starts_with("--ion-ion is -1 A"));
  refused_with([](Job& job) { job.lattice.spacing_A = 0.0; });
  CHECK(refused_with([](Job& job) {
          job.lattice.box = Box{{100, 100, 100}, {110, 110, 110}};
        }).find("does not overlap the solute") != std::string::npos);
  refused_with([](Job& job) { job.ions[0].count = -1; });
  refused_with([](Job& job) { job.most_kT = NAN; });
  refused_with([](Job& job) { job.electrostatics = {.ddd_per_A = 3.0, .ionic_strength_M = 0.1}; });
  refused_with([](Job& job) { job.source = MapFiles{}; });
  CHECK(refused_with([](Job& job) { job.source = PbOptions{.every = 0}; }).starts_with("--pb-every is 0"));
  refused_with([](Job& job) {
    job.source = PbOptions{.solved_by = PbSolvedBy::apbs};
    job.ions.clear();
  });
  CHECK(refused_with([](Job& job) { job.backend.backend = Backend::gpu; })  // this run is given none
            .starts_with("--backend gpu is not available"));
  refused_with([](Job& job) { job.backend.devices = {0}; });
  CHECK(refused_with([](Job& job) { job.lattice.spacing_A = 1e-3; })  // 10^13 bytes
            .find("--spacing") != std::string::npos);
  CHECK(begun == 0);
}

TEST_CASE("run: warnings and stages reach the observer, and the warnings the result") {
  Structure structure = solute();
  structure.warnings = {"of the structure"};
  Job job = small_job(structure);
  job.warnings = {"of the ions"};
  job.electrostatics.temperature_K = 25.0;
  job.exclusion.ion_ion_A = 0.5;
  std::vector<std::string> warnings, stages_begun;
  std::int64_t planned = 0, filled = 0;
  Stages stages({.stage =
                     [&](const std::string& name, const std::string&) {
                       stages_begun.push_back(name);
                       return Progress{};
                     },
                 .warning = [&](const std::string& text) { warnings.push_back(text); },
                 .planned =
                     [&](const Result& result) {
                       ++planned;
                       CHECK(result.placement.ions.empty());
                       CHECK(stages_begun.empty());
                     },
                 .filled =
                     [&](const Result& so_far, const Progress&) {
                       ++filled;
                       CHECK(so_far.field != nullptr);
                       CHECK(so_far.placement.ions.empty());
                     }});
  const Result result = run(job, stages);
  CHECK(planned == 1);
  CHECK(filled == 1);
  CHECK(result.run.warnings == warnings);
  REQUIRE(warnings.size() == 4);
  CHECK(warnings[0].starts_with("--temperature is 25 K"));
  CHECK(warnings[1] == "of the structure");
  CHECK(warnings[2] == "of the ions");
  CHECK(warnings[3].starts_with("--ion-ion is 0.5 A"));
  CHECK(stages_begun == std::vector<std::string>{"exclusion", "potential", "write", "placement"});
}

TEST_CASE("run: what an observer throws ends the run and reaches the caller") {
  const Structure structure = solute();
  const Job job = small_job(structure);
  for (const std::string stage : {"potential", "placement"}) {
    CAPTURE(stage);
    Stages stages({.stage = [&](const std::string& name, const std::string&) -> Progress {
      if (name != stage) return {};
      return [](double) { throw Cancelled(); };
    }});
    CHECK_THROWS_AS(run(job, stages), Cancelled);
    CHECK(run(job).placement.ions.size() == 3);
  }
}

TEST_CASE("run: what a plan says is what a run does") {
  const Structure structure = solute();
  Job job = small_job(structure);
  const Plan planned = plan(job);
  CHECK(planned.lattice == run(job).potential.lattice);
  CHECK(planned.summation.method == Method::direct);
  CHECK(planned.host_bytes > planned.lattice.size() * std::int64_t{sizeof(float)});
  job.field.every_point = true;
  CHECK(plan(job).host_bytes == planned.host_bytes + planned.lattice.size() * std::int64_t{sizeof(float)});
}
