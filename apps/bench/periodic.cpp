// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "compute/backend.hpp"
#include "core/error.hpp"
#include "electrostatics/periodic/periodic_sum.hpp"
#include "gpu/backend.hpp"

namespace ionwell {
namespace {

struct PeriodicOptions {
  int atoms = 0;  // 0: both usual sizes
  double tolerance = PeriodicSumOptions{}.tolerance;
  Backend backend = Backend::cpu;
  MeasureOptions measure{.repeats = 3};
};

constexpr double atoms_per_A3 = 0.1;
constexpr double solute_share = 0.2;  // of the atoms
constexpr int sample_points = 20;     // compared with a sum that is as exact as it can be
constexpr double least_tolerance = 1e-13;
constexpr std::uint64_t seed = 1;

/// A ball of charges of alternating sign in the middle of a cube, and the oxygens of water around it.
struct SolvatedBall {
  double edge_A;
  std::vector<PointCharge> charges;
  std::vector<Vec3<double>> oxygens_A;
};

SolvatedBall solvated_ball(int atoms) {
  SolvatedBall box{.edge_A = std::cbrt(atoms / atoms_per_A3)};
  const double edge_A = box.edge_A, solute_atoms = solute_share * atoms;
  const double radius_A = std::cbrt(3 * solute_atoms / (4 * 3.14159265358979 * atoms_per_A3));
  const Vec3<double> middle_A{edge_A / 2, edge_A / 2, edge_A / 2};
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> along(0.0, edge_A), around(-radius_A, radius_A), size_e(0.1, 1.0);
  while (double(box.charges.size()) < solute_atoms) {
    const Vec3<double> from_A{around(random), around(random), around(random)};
    if (dot(from_A, from_A) > radius_A * radius_A) continue;
    const double sign = box.charges.size() % 2 == 0 ? 1.0 : -1.0;
    box.charges.push_back({middle_A + from_A, sign * size_e(random)});
  }
  const double waters = (atoms - solute_atoms) / 3;
  constexpr double nearest_oxygen_A = 2.5;
  while (double(box.oxygens_A.size()) < waters) {
    const Vec3<double> at_A{along(random), along(random), along(random)};
    const double away_A = radius_A + nearest_oxygen_A;
    if (distance_squared(at_A, middle_A) > away_A * away_A) box.oxygens_A.push_back(at_A);
  }
  return box;
}

void measure_size(int atoms, const PeriodicOptions& options, std::ostream& out) {
  const SolvatedBall box = solvated_ball(atoms);
  const CellVectors vectors = cell_vectors({{box.edge_A, box.edge_A, box.edge_A}, {90, 90, 90}});
  const PeriodicCell cell(vectors);
  const PairPotential pair = pair_potential({});
  const PeriodicSumOptions sum{
      .tolerance = options.tolerance, .threads = options.measure.threads, .simd = options.measure.simd};
  std::vector<double> times_s, values;
  const auto sum_once = [&] {
    if (options.backend == Backend::cpu)
      values = periodic_potential(cell, pair, box.charges, box.oxygens_A, sum);
    else
      values = gpu_backend().periodic_potential(gpu_backend().devices().devices.front().number, cell, pair,
                                                box.charges, box.oxygens_A, sum, {});
  };
  if (options.backend == Backend::gpu) sum_once();  // the first one starts the device
  for (int n = 0; n < options.measure.repeats; ++n) times_s.push_back(seconds(sum_once));
  std::vector<Vec3<double>> samples_A;
  std::vector<double> sampled;
  for (std::size_t n = 0; n < sample_points && !values.empty(); ++n) {
    const std::size_t at = n * values.size() / sample_points;
    samples_A.push_back(box.oxygens_A[at]);
    sampled.push_back(values[at]);
  }
  double largest = 0.0, error = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const std::vector<double> exact = periodic_potential(
      cell, pair, box.charges, samples_A, {.tolerance = least_tolerance, .threads = options.measure.threads});
  for (std::size_t n = 0; n < exact.size(); ++n) error = std::max(error, std::abs(sampled[n] - exact[n]));
  char row[160];
  std::snprintf(row, sizeof row, "%9d %9zu %9zu %9.3f %10.1e", atoms, box.charges.size(),
                box.oxygens_A.size(), median(times_s), error / largest);
  out << row;
  if (options.backend == Backend::cpu) {
    const PeriodicPlan plan = plan_periodic_potential(cell, pair, box.charges, box.oxygens_A, sum);
    std::snprintf(row, sizeof row, " %9.1f %5d x %3d x %3d %6d %9.3f", plan.cutoff_A, plan.grid.x,
                  plan.grid.y, plan.grid.z, plan.window.width, 1e-9 * double(plan.bytes));
    out << row;
  }
  out << std::endl;
}

}  // namespace

void periodic_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  PeriodicOptions options;
  CommandLine line(
      {.name = "periodic",
       .synopsis = "[--atoms N]",
       .about = "Times the potential of a ball of charges and all its images at the oxygens of the\n"
                "water around it, in a cubic cell, and compares sample points with a sum on the CPU\n"
                "to 1e-13, on other grids: the largest difference, relative to the largest potential.",
       .examples = "  ionwell-bench periodic\n"
                   "      92,224 and 1,066,628 atoms, of which a fifth have charges\n"
                   "  ionwell-bench periodic --atoms 10000 --tolerance 1e-6\n"
                   "      a small box, and less exact\n"
                   "  ionwell-bench periodic --backend gpu\n"
                   "      on the first GPU, after one run that starts it\n",
       .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("atoms", options.atoms, "N", "number of atoms; 0: the two usual sizes");
  group.add_choice("backend", options.backend, {{"cpu", Backend::cpu}, {"gpu", Backend::gpu}},
                   "where the sum is done");
  group.add("tolerance", options.tolerance, "T", "error relative to the largest potential");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  set_defaults(options.measure);

  const DeviceList* const gpus = options.backend == Backend::gpu ? &gpu_backend().devices() : nullptr;
  if (gpus != nullptr && gpus->devices.empty()) fail(gpus->problem, "; use --backend cpu");
  print_machine(out, options.measure);
  char row[160];
  std::snprintf(row, sizeof row, "%9s %9s %9s %9s %10s", "atoms", "charges", "points", "time [s]", "error");
  out << row;
  if (options.backend == Backend::cpu) {
    std::snprintf(row, sizeof row, " %9s %17s %6s %9s", "cutoff", "grid", "width", "mem [GB]");
    out << row;
  } else {
    out << "  on " << gpus->devices.front().name;
  }
  out << std::endl;
  if (options.atoms != 0) {
    require_positive("--atoms", options.atoms);
    return measure_size(options.atoms, options, out);
  }
  for (const int atoms : {92224, 1066628}) measure_size(atoms, options, out);
}

}  // namespace ionwell
