// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <csignal>
#include <functional>
#include <limits>
#include <optional>
#include <random>

#include "compute/checkpoint/checkpoint.hpp"
#include "jobs/at_points/potential_at_points.hpp"
#include "jobs/compare/compare_protocols.hpp"
#include "jobs/place/run.hpp"
#include "jobs/sample/sampling_run.hpp"
#include "programs/child_process.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/example.hpp"
#include "support/temporary_folder.hpp"

// A run that is stopped anywhere and goes on from its checkpoint comes to the result of one that was not.
using namespace ionwell;
using namespace ionwell::test;

namespace {

using Numbers = std::vector<double>;
using Run = std::function<Numbers(Stages&)>;

const IonSpecies magnesium{"MG", "MG", 2.0}, sodium{"NA", "NA", 1.0};
const RunIdentity resumed_run = {{"command", "a test's"}};

/// Runs on from the state in `path`, if `goes_on`; a stage of the name `stopped_in` is stopped when it tells
/// its progress for the `at`-th time, and then nothing is given. `told` is how often it did.
std::optional<Numbers> part_of(const Run& run, const std::string& path, bool goes_on,
                               const std::string& stopped_in, int at, int& told) {
  CheckpointOptions options{.path = path, .every_s = 1e6, .from = {}};
  if (goes_on) options.from = path;
  Checkpoint checkpoint(options, resumed_run);
  RunObserver observer;
  told = 0;
  observer.stage = [&](const std::string& name, const std::string&) -> Progress {
    if (name != stopped_in) return [](double) {};
    return [&](double) {
      if (++told == at) throw Interrupted(SIGTERM, "");
    };
  };
  Stages stages(observer, &checkpoint);
  try {
    return run(stages);
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

/// Stops the run at the first moment, the second, and so on until it ends first; each time another process
/// would go on, and has less to do. And once at all of the first moments, one after the other. Where several
/// threads do the work and one tells of it, how often it does is no measure of what there is to do.
void check_resumed(const Run& run, const std::string& stopped_in, int at_least, int step = 1,
                   bool one_thread = true) {
  constexpr int never = 0;
  Stages alone;
  const Numbers whole = run(alone);
  const TemporaryFolder folder;
  const std::string path = folder / "run.state";
  int stops = 0, told = 0, least_told = std::numeric_limits<int>::max();
  for (int at = 1; !part_of(run, path, false, stopped_in, at, told); at += step) {
    CAPTURE(at);
    ++stops;
    const bool has_state = !folder.entries().empty();
    const std::optional<Numbers> resumed = part_of(run, path, has_state, stopped_in, never, told);
    REQUIRE(resumed);
    CHECK(*resumed == whole);
    least_told = std::min(least_told, told);
    std::filesystem::remove(path);
  }
  CHECK(stops >= at_least);
  if (stopped_in != "placement" && one_thread) CHECK(least_told < told);  // ions that are there are told of
  for (int n = 0; n < 3; ++n) part_of(run, path, !folder.entries().empty(), stopped_in, 2, told);
  CHECK(part_of(run, path, !folder.entries().empty(), stopped_in, never, told) == whole);
}

Numbers numbers_of(const Placement& placement) {
  Numbers numbers;
  for (const PlacedIon& ion : placement.ions)
    numbers.insert(numbers.end(), {ion.position_A.x, ion.position_A.y, ion.position_A.z, ion.energy_kT,
                                   ion.species.charge_e, double(ion.lattice_index)});
  return numbers;
}

Run placing(const Job& job) {
  return [&job](Stages& stages) { return numbers_of(run(job, stages).placement); };
}

/// Waters on a grid of 3.1 A around two charges, in a cell of 25 A.
Structure small_box() {
  Structure structure{.path = "box.pdb"};
  structure.cell = unit_cell({{25, 25, 25}}, CellKind::simulation);
  for (const double charge_e : {-3.0, 1.0})
    structure.atoms.push_back({.position_A = {12.5 + charge_e, 12.5, 12.5},
                               .charge_e = charge_e,
                               .radius_A = 1.5,
                               .name = "P",
                               .residue = "LIG",
                               .residue_number = 1});
  int residue = 1;
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 8; ++y)
      for (int z = 0; z < 8; ++z) {
        const Vec3<double> at{3.1 * x, 3.1 * y, 3.1 * z};
        if (std::abs(at.y - 12.5) < 3 && std::abs(at.z - 12.5) < 3 && std::abs(at.x - 11.5) < 5) continue;
        ++residue;
        const auto add = [&](const char* name, const char* element, const Vec3<double>& offset,
                             double charge_e) {
          structure.atoms.push_back({.position_A = at + offset,
                                     .charge_e = charge_e,
                                     .radius_A = 1.0,
                                     .name = name,
                                     .residue = "HOH",
                                     .residue_number = residue,
                                     .element = element});
        };
        add("O", "O", {}, -0.834);
        add("H1", "H", {0.9572, 0, 0}, 0.417);
        add("H2", "H", {-0.24, 0.9266, 0}, 0.417);
      }
  return structure;
}

}  // namespace

TEST_CASE("resumed: ions in a potential that is summed, directly and by multilevel summation") {
  const Structure structure = read_structure(duplex);
  for (const Method method : {Method::direct, Method::multilevel}) {
    SummationOptions summation;
    summation.method = method;
    const Job job{.structure = structure,
                  .ions = {{magnesium, 4}, {sodium, 6}},
                  .source = summation,
                  .lattice = {.spacing_A = 1.5}};
    check_resumed(placing(job), "placement", 9);
  }
}

TEST_CASE("resumed: between and within the solves of the Poisson-Boltzmann equation") {
  const Structure structure = read_structure(duplex);
  for (const int every : {1, 2}) {
    CAPTURE(every);
    const Job job{.structure = structure,
                  .ions = {{magnesium, 2}, {sodium, 2}},
                  .source = PbOptions{.every = every},
                  .lattice = {.spacing_A = 2.0}};
    check_resumed(placing(job), "placement", 2);
    check_resumed(placing(job), "solve", 4, 7);
  }
}

TEST_CASE("resumed: ions and salt in a box of water") {
  const Structure whole = small_box();
  Structure solute = whole;
  solute.atoms.resize(2);
  BoxOptions options;
  options.salt.salts = parse_salts({"NaCl:0.5"}, IonNaming::pdb);
  Job job{.structure = solute, .ions = {{magnesium, 2}, {sodium, 2}}};
  job.box = SolvatedBoxJob{whole.atoms, options};
  check_resumed(placing(job), "placement", 5);
}

TEST_CASE("resumed: a map that is summed directly, and ions whose potential is") {
  const Structure structure = read_structure(duplex);
  SummationOptions summation;
  summation.method = Method::direct;
  Job job{.structure = structure, .source = summation, .lattice = {.spacing_A = 0.4}};
  job.field = {.every_point = true, .threads = 1};
  const Run map = [&](Stages& stages) {
    const std::vector<float> values = run(job, stages).field->values();
    return Numbers(values.begin(), values.end());
  };
  check_resumed(map, "potential", 3, 101);
  job.field.threads = 2;
  check_resumed(map, "potential", 1, 101, false);
  job.field.threads = 1;
  job.ions = {{magnesium, 2}};
  check_resumed(placing(job), "potential", 3, 150);
}

TEST_CASE("resumed: potentials at points, by each method") {
  const Structure structure = read_structure(duplex);
  PointSet points{.path = "points"};
  std::mt19937_64 random(5);
  for (int n = 0; n < 70'000; ++n)
    points.positions_A.push_back({double(random() % 5000) * 0.01, double(random() % 5000) * 0.01 - 25.0,
                                  double(random() % 5000) * 0.01 - 25.0});
  for (const PointMethod method : {PointMethod::direct, PointMethod::hcp, PointMethod::multilevel}) {
    CAPTURE(int(method));
    PointJob job{.structure = structure,
                 .points = points,
                 .model = SummedCharges{},
                 .electrostatics = {},
                 .sum = {.method = method, .threads = 2},
                 .field = {.threads = 2},
                 .backend = {.backend = Backend::cpu},
                 .command = "potential"};
    if (method == PointMethod::hcp) job.model = AlpbOptions{};
    const Run potential = [&](Stages& stages) { return potential_at_points(job, stages).potential_kT_e; };
    check_resumed(potential, "potential", 1);
  }
}

TEST_CASE("resumed: protocols side by side") {
  const Structure structure = read_structure(duplex);
  const auto protocols =
      choose_protocols(std::vector<std::string>{"coulomb", "hybrid", "iterated"}, PbSolvedBy::own);
  const Run comparing = [&](Stages& stages) {
    Numbers numbers;
    for (const ProtocolResult& row : run_protocols(structure, {{magnesium, 2}, {sodium, 1}}, {}, protocols,
                                                   stages.observer(), stages.checkpoint()))
      for (const Vec3<double>& ion : row.ions) numbers.insert(numbers.end(), {ion.x, ion.y, ion.z});
    return numbers;
  };
  check_resumed(comparing, "solve", 3, 17);
}

TEST_CASE("resumed: ions that move, in a run with a bulk of salt") {
  const Structure structure = read_structure(duplex);
  for (const SampleMethod method : {SampleMethod::monte_carlo, SampleMethod::brownian}) {
    SamplingJob job{
        .structure = structure,
        .ions = {{sodium, 4}},
        .salts = parse_salts({"NaCl:0.1"}, IonNaming::pdb),
        .source = SummationOptions{},
        .electrostatics = {},
        .update = {},
        .lattice = {.spacing_A = 3.0, .border_A = 6.0},
        .sample = {.method = method, .length = 60, .equilibration = 20, .every = 5, .replicas = 2},
        .bulk = {.sweeps = 100, .replicas = 1},
        .observables = {.density_spacing_A = 4.0},
        .around = {},
        .field = {.threads = 1}};
    const Run sampling = [&](Stages& stages) {
      const SampleResult taken = sample_ions(job, stages).sample;
      Numbers numbers = {taken.energy_kT.mean, taken.energy_kT.error, taken.lowest_kT, double(taken.moves)};
      for (const SeriesMean& mean : taken.count) numbers.push_back(mean.mean);
      for (const auto& cells : taken.cells) numbers.insert(numbers.end(), cells.begin(), cells.end());
      return numbers;
    };
    check_resumed(sampling, "sample", 2);
  }
}
