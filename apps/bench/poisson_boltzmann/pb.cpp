// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <memory>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "bench/poisson_boltzmann/beside_apbs.hpp"
#include "bench/poisson_boltzmann/solute_pb.hpp"
#include "bench/solvated_polyanion.hpp"
#include "compute/backend.hpp"
#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "gpu/backend.hpp"

namespace ionwell {
namespace {

struct PbBenchOptions {
  int edge = 0;  // points; 0: the usual lattices
  double spacing_A = 0.5;
  double tolerance = PbSolverOptions{}.tolerance;
  PbEquation equation = PbSolverOptions{}.equation;
  Backend backend = Backend::cpu;
  int gpus = 1;
  std::string structure;
  bool apbs = false, finer = false;
  MeasureOptions measure{.repeats = 3};

  bool is_nonlinear() const { return equation == PbEquation::nonlinear; }
};

/// Vectors that add up the time in which charges, start and solution are taken from the system and given
/// back: for a device, copies.
class TimedVectors final : public PbVectors {
 public:
  TimedVectors(std::unique_ptr<PbVectors> vectors, double* copying_s)
      : vectors_(std::move(vectors)), copying_s_(copying_s) {}

  void update(const PointBox& changed) override { vectors_->update(changed); }
  double load() override {
    double norm = 0.0;
    *copying_s_ += seconds([&] { norm = vectors_->load(); });
    return norm;
  }
  double compute_residual() override { return vectors_->compute_residual(); }
  void linearise() override { vectors_->linearise(); }
  void start_gradients() override { vectors_->start_gradients(); }
  double iterate(bool is_followed) override { return vectors_->iterate(is_followed); }
  double add_correction() override { return vectors_->add_correction(); }
  double add_newton_step() override { return vectors_->add_newton_step(); }
  std::int64_t points_beyond_cap() override { return vectors_->points_beyond_cap(); }
  void store() override {
    *copying_s_ += seconds([&] { vectors_->store(); });
  }

 private:
  std::unique_ptr<PbVectors> vectors_;
  double* copying_s_;
};

std::unique_ptr<PbVectors> vectors_on(const PbBenchOptions& options, PbSystem& system) {
  if (options.backend == Backend::gpu) {
    std::vector<int> numbers;
    for (const Device& device : gpu_backend().devices().devices)
      if (std::ssize(numbers) < options.gpus) numbers.push_back(device.number);
    return gpu_backend().pb_vectors(numbers, system, options.is_nonlinear());
  }
  return host_vectors(system, options.is_nonlinear(), options.measure.simd, options.measure.threads);
}

void measure_lattice(const Vec3<std::int64_t>& counts, const PbBenchOptions& options, std::ostream& out) {
  PbSystem system = solvated_polyanion(counts, options.spacing_A);
  const std::vector<float> start = system.boundary_kT_e;
  std::vector<double> prepare_s, copy_s, solve_s;
  PbConvergence convergence;
  for (int n = 0; n < options.measure.repeats; ++n) {
    system.boundary_kT_e = start;
    std::unique_ptr<PbSolver> solver;
    double copying_s = 0.0;
    prepare_s.push_back(seconds([&] {
      solver = std::make_unique<PbSolver>(system,
                                          PbSolverOptions{.equation = options.equation,
                                                          .tolerance = options.tolerance,
                                                          .threads = options.measure.threads,
                                                          .simd = options.measure.simd},
                                          [&](PbSystem& of, const PbSolverOptions&) {
                                            return std::make_unique<TimedVectors>(vectors_on(options, of),
                                                                                  &copying_s);
                                          });
    }));
    const double all_s = seconds([&] { convergence = solver->solve(); });
    copy_s.push_back(copying_s);
    solve_s.push_back(all_s - copying_s);
  }
  constexpr double system_bytes = 24;  // a point, see PbSystem
  const double points = double(system.lattice.size());
  const double bytes = options.backend == Backend::gpu
                           ? double(device_vectors_bytes(system.lattice, options.is_nonlinear())) / points
                           : system_bytes + double(host_vectors_bytes(system.lattice)) / points;
  char row[200];
  std::snprintf(row, sizeof row, "%5lld x %4lld x %4lld %11d %7d %9.1e %11.4f %9.4f %9.4f %10.1f %8.1f",
                (long long)counts.x, (long long)counts.y, (long long)counts.z, convergence.iterations,
                convergence.newton_steps, convergence.residual, median(prepare_s), median(copy_s),
                median(solve_s), 1e-6 * points / median(solve_s), bytes);
  out << row << std::endl;
}

}  // namespace

void pb_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  PbBenchOptions options;
  CommandLine line(
      {.name = "pb",
       .synopsis = "[--edge N] | STRUCTURE --apbs | STRUCTURE --backend gpu",
       .about =
           "Times the Poisson-Boltzmann equation around a polyanion (a random walk) that fills the\n"
           "middle of the lattice: dielectric 4 inside, 78.54 outside, 0.15 M 1:1 salt, from a\n"
           "start of zero. The residual is the true one, relative to the right side. 'Prepare' makes the\n"
           "coarser lattices, on a device from a copy of the system; 'copy' takes charges and start\n"
           "from the system, on a device with the residual of the start, and gives back the solution;\n"
           "'solve' is the rest.\n\n"
           "With --apbs, the equation of a structure instead, all of it from file to map, and APBS in turn\n"
           "with it. With a structure and --backend gpu, its equation from atoms to potential: all of it on\n"
           "the GPU, and with surfaces on this host in turn with that.",
       .examples = "  ionwell-bench pb\n"
                   "      129 x 97 x 161 and 257 x 257 x 257 points\n"
                   "  ionwell-bench pb --edge 100 --equation nonlinear --tolerance 1e-8\n"
                   "      a cube of 100 points to a side\n"
                   "  ionwell-bench pb 1gid.pqr --apbs --finer\n"
                   "      compared with APBS, on a lattice of 1 A and one of 0.5 A\n"
                   "  ionwell-bench pb 1gid.pqr --backend gpu --spacing 0.5\n"
                   "      from atoms to potential on a GPU\n",
       .program = "ionwell-bench"});
  line.add_optional_file("STRUCTURE", options.structure);
  OptionGroup& group = line.group("Options");
  group.add_flag("apbs", options.apbs, "run APBS, too, for a structure; on the CPU");
  group.add_flag("finer", options.finer, "with --apbs: also on half the spacing");
  group.add("edge", options.edge, "N", "points to a side of a cube; 0: the two usual lattices");
  group.add("spacing", options.spacing_A, "H", "distance between lattice points [A]");
  group.add("tolerance", options.tolerance, "T", "of the residual, relative to the right side");
  group.add_choice("equation", options.equation,
                   {{"linear", PbEquation::linear}, {"nonlinear", PbEquation::nonlinear}},
                   "whether the ions of the solution answer linearly or by Boltzmann's factor");
  group.add_choice("backend", options.backend, {{"cpu", Backend::cpu}, {"gpu", Backend::gpu}},
                   "where the equation is solved");
  group.add("gpus", options.gpus, "N", "GPUs that share it (--backend gpu)");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  set_defaults(options.measure);
  const bool on_gpu = options.backend == Backend::gpu;
  if (options.apbs && options.structure.empty()) fail<UsageError>("--apbs needs a structure; give one");
  if (!options.structure.empty() && options.apbs == on_gpu)
    fail<UsageError>(
        "a structure needs either --apbs, which measures on the CPU, or --backend gpu; give one");
  if (!options.structure.empty() && on_gpu)
    return print_solute_pb(options.structure, options.spacing_A, options.tolerance, options.measure, out);
  if (options.apbs)
    return print_pb_beside_apbs(options.structure, options.tolerance, options.finer, options.measure, out);

  const DeviceList* const gpus = on_gpu ? &gpu_backend().devices() : nullptr;
  if (on_gpu && gpus->devices.empty()) fail(gpus->problem, "; use --backend cpu");
  print_machine(out, options.measure);
  if (on_gpu) {
    require_positive("--gpus", options.gpus);
    if (options.gpus > std::ssize(gpus->devices))
      fail<UsageError>("--gpus is ", options.gpus, ", and there ",
                       gpus->devices.size() == 1 ? "is one GPU" : "are not so many GPUs", " here");
    out << "on " << options.gpus << " x " << gpus->devices.front().name << "\n\n";
    PbSystem small = solvated_polyanion({9, 9, 9}, options.spacing_A);
    vectors_on(options, small);  // starts the device
  }
  char row[200];
  std::snprintf(row, sizeof row, "%19s %11s %7s %9s %11s %9s %9s %10s %8s", "lattice", "iterations", "newton",
                "residual", "prepare [s]", "copy [s]", "solve [s]", "Mpoints/s", "B/point");
  out << row << std::endl;
  if (options.edge != 0) {
    require_positive("--edge", options.edge);
    return measure_lattice({options.edge, options.edge, options.edge}, options, out);
  }
  measure_lattice({129, 97, 161}, options, out);
  measure_lattice({257, 257, 257}, options, out);
  if (on_gpu) measure_lattice({477, 564, 550}, options, out);
}

}  // namespace ionwell
