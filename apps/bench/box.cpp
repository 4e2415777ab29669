// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "compute/backend.hpp"
#include "core/error.hpp"
#include "gpu/backend.hpp"
#include "jobs/place/run.hpp"

namespace ionwell {
namespace {

struct BoxBenchmarkOptions {
  int atoms = 0;  // 0: both usual sizes
  double molarity = 0.15;
  SaltPlacement salt_by = SaltPlacement::random;
  Backend backend = Backend::cpu;
  MeasureOptions measure{.repeats = 3};
};

constexpr double water_spacing_A = 3.107;  // one in 30 A^3
constexpr double solute_atoms_per_A3 = 0.1, solute_share = 0.2;
constexpr int atoms_per_charge = 200;  // of the solute; ApoA1 has fewer charges, a ribosome as many
constexpr std::uint64_t seed = 1;

/// A ball of charges in the middle of a cube, negative in all, and water around it, shaken so that no two are
/// alike. The solute's atoms are in front.
struct SolvatedBall {
  double edge_A;
  std::size_t solute_atoms = 0;
  std::vector<Atom> atoms;
};

Atom atom_of(const char* name, const char* residue, const char* element, int number, double charge_e,
             const Vec3<double>& position_A) {
  return {.position_A = position_A,
          .charge_e = charge_e,
          .name = name,
          .residue = residue,
          .chain = "A",
          .residue_number = number,
          .element = element};
}

SolvatedBall solvated_ball(int atoms) {
  constexpr double per_A3 = 3 / (water_spacing_A * water_spacing_A * water_spacing_A);
  SolvatedBall box{.edge_A = std::cbrt(atoms / per_A3)};
  const double solute_atoms = solute_share * atoms;
  const double radius_A = std::cbrt(3 * solute_atoms / (4 * 3.14159265358979 * solute_atoms_per_A3));
  const Vec3<double> middle_A{box.edge_A / 2, box.edge_A / 2, box.edge_A / 2};
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> around(-radius_A, radius_A), size_e(0.1, 0.8), shake_A(-0.3, 0.3);
  double pair_e = 0.0;
  while (double(box.atoms.size()) < solute_atoms) {
    const Vec3<double> from_A{around(random), around(random), around(random)};
    if (dot(from_A, from_A) > radius_A * radius_A) continue;
    const auto n = int(box.atoms.size());
    pair_e = n % 2 == 0 ? size_e(random) : -pair_e;
    const double charge_e = n % atoms_per_charge == 0 ? pair_e - 1.0 : pair_e;
    box.atoms.push_back(atom_of("C", "LIG", "C", 1 + n / 20, charge_e, middle_A + from_A));
  }
  if (box.atoms.size() % 2 == 1) box.atoms.pop_back();
  box.solute_atoms = box.atoms.size();
  const int along = int(box.edge_A / water_spacing_A);
  const double step_A = box.edge_A / along, away_A = radius_A + 2.5;
  for (int k = 0; k < along; ++k)
    for (int j = 0; j < along; ++j)
      for (int i = 0; i < along; ++i) {
        const Vec3<double> at_A{i * step_A + shake_A(random), j * step_A + shake_A(random),
                                k * step_A + shake_A(random)};
        if (distance_squared(at_A, middle_A) < away_A * away_A) continue;
        const int number = int(box.atoms.size());
        box.atoms.push_back(atom_of("O", "HOH", "O", number, -0.834, at_A));
        box.atoms.push_back(atom_of("H1", "HOH", "H", number, 0.417, at_A + Vec3<double>{0.757, 0.586, 0.0}));
        box.atoms.push_back(
            atom_of("H2", "HOH", "H", number, 0.417, at_A + Vec3<double>{-0.757, 0.586, 0.0}));
      }
  return box;
}

double time_of(const Result& result, const std::string& stage) {
  for (const auto& [name, time_s] : result.run.timings_s)
    if (name == stage) return time_s;
  return 0.0;
}

void measure_size(int atoms, const BoxBenchmarkOptions& options, std::ostream& out) {
  const SolvatedBall ball = solvated_ball(atoms);
  const auto end_of_solute = ball.atoms.begin() + std::ptrdiff_t(ball.solute_atoms);
  const Structure solute{.path = "ball",
                         .atoms = {ball.atoms.begin(), end_of_solute},
                         .cell = unit_cell({{ball.edge_A, ball.edge_A, ball.edge_A}}, CellKind::simulation)};
  Job job{.structure = solute};
  job.ions = parse_ion_requests({"NA:neutralize"}, net_charge_e(solute.atoms), IonNaming::pdb).requests;
  job.backend.backend = options.backend;
  job.field.threads = options.measure.threads;
  job.field.simd = options.measure.simd;
  job.box = SolvatedBoxJob{.atoms = ball.atoms, .first_of_box = ball.solute_atoms};
  char salt[40];
  std::snprintf(salt, sizeof salt, "NaCl:%g", options.molarity);
  if (options.molarity > 0.0) job.box->options.salt.salts = parse_salts({salt}, IonNaming::pdb);
  job.box->options.salt.placement = options.salt_by;
  const auto place = [&] { return run(job, {&gpu_backend()}); };
  if (options.backend == Backend::gpu) place();  // the first one starts the device
  std::vector<double> exclusion_s, potential_s, placement_s, all_s;
  for (int n = 0; n < options.measure.repeats; ++n) {
    const Result result = place();
    exclusion_s.push_back(time_of(result, "exclusion"));
    potential_s.push_back(time_of(result, "potential"));
    placement_s.push_back(time_of(result, "placement"));
    all_s.push_back(time_of(result, "total"));
    if (n + 1 < options.measure.repeats) continue;
    std::int64_t by_energy = 0;
    for (const PlacedIon& ion : result.placement.ions) by_energy += !ion.by_chance;
    char row[160];
    std::snprintf(row, sizeof row, "%9zu %9lld %9.3f %9.3f %9.3f %9.3f %9lld %9lld %10lld %11lld",
                  ball.atoms.size(), static_cast<long long>(result.box->waters), median(exclusion_s),
                  median(potential_s), median(placement_s), median(all_s), static_cast<long long>(by_energy),
                  static_cast<long long>(std::ssize(result.placement.ions) - by_energy),
                  static_cast<long long>(result.box->groups_updated),
                  static_cast<long long>(result.box->exact_sums));
    out << row << std::endl;
  }
}

}  // namespace

void box_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  BoxBenchmarkOptions options;
  CommandLine line(
      {.name = "box",
       .synopsis = "[--atoms N]",
       .about = "Times ions and salt that take the places of waters in a cubic box around a ball of\n"
                "charges, stage by stage: which waters can be replaced, the periodic potential at\n"
                "all of them, and placing: counter-ions by energy, the salt at random. The last\n"
                "columns are how many ions, how often the CPU brought a group of 32 waters up\n"
                "to date, and how many candidates were summed in fp64.",
       .examples = "  ionwell-bench box\n"
                   "      92,224 and 1,066,628 atoms, of which a fifth are the ball\n"
                   "  ionwell-bench box --atoms 1500000 --salt-by energy\n"
                   "      thousands of ions by energy\n"
                   "  ionwell-bench box --backend gpu\n"
                   "      with the potential and the search on the first GPU, after one run that\n"
                   "      starts it\n",
       .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("atoms", options.atoms, "N", "number of atoms, about; 0: the two usual sizes");
  group.add("salt", options.molarity, "C", "mol/L of NaCl; 0: none");
  group.add_choice("salt-by", options.salt_by,
                   {{"random", SaltPlacement::random}, {"energy", SaltPlacement::energy}},
                   "how the salt is placed");
  group.add_choice("backend", options.backend, {{"cpu", Backend::cpu}, {"gpu", Backend::gpu}},
                   "where the potential is summed and places are searched for");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  set_defaults(options.measure);
  if (!(options.molarity >= 0.0))
    fail<UsageError>("--salt is ", options.molarity, "; it must not be negative");

  print_machine(out, options.measure);
  if (options.backend == Backend::gpu) {
    const DeviceList& gpus = gpu_backend().devices();
    if (gpus.devices.empty()) fail(gpus.problem, "; use --backend cpu");
    out << "potential on " << gpus.devices.front().name << '\n';
  }
  char row[160];
  std::snprintf(row, sizeof row, "%9s %9s %9s %9s %9s %9s %9s %9s %10s %11s", "atoms", "waters", "which [s]",
                "pot. [s]", "place [s]", "all [s]", "by energy", "random", "updates", "exact sums");
  out << row << std::endl;
  if (options.atoms != 0) {
    require_positive("--atoms", options.atoms);
    return measure_size(options.atoms, options, out);
  }
  for (const int atoms : {92224, 1066628}) measure_size(atoms, options, out);
}

}  // namespace ionwell
