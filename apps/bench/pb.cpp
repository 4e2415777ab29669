#include <cstdio>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "bench/solvated_polyanion.hpp"
#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"

namespace ionwell {
namespace {

struct PbBenchOptions {
  int edge = 0;  // points; 0: the two usual lattices
  double spacing_A = 0.5;
  double tolerance = PbSolverOptions{}.tolerance;
  PbEquation equation = PbSolverOptions{}.equation;
  MeasureOptions measure{.repeats = 3};
};

void measure_lattice(const Vec3<std::int64_t>& counts, const PbBenchOptions& options, std::ostream& out) {
  PbSystem system = solvated_polyanion(counts, options.spacing_A);
  const std::vector<float> start = system.boundary_kT_e;
  std::vector<double> prepare_s, solve_s;
  PbConvergence convergence;
  for (int n = 0; n < options.measure.repeats; ++n) {
    system.boundary_kT_e = start;
    std::unique_ptr<PbSolver> solver;
    prepare_s.push_back(seconds([&] {
      solver = std::make_unique<PbSolver>(system, PbSolverOptions{.equation = options.equation,
                                                                  .tolerance = options.tolerance,
                                                                  .threads = options.measure.threads,
                                                                  .simd = options.measure.simd});
    }));
    solve_s.push_back(seconds([&] { convergence = solver->solve(); }));
  }
  const std::int64_t bytes = host_vectors_bytes(system.lattice, options.equation == PbEquation::nonlinear);
  constexpr double system_bytes = 24;  // a point, see PbSystem
  const double points = double(system.lattice.size());
  const double all_s = median(prepare_s) + median(solve_s);
  char row[200];
  std::snprintf(row, sizeof row, "%5lld x %4lld x %4lld %11d %7d %9.1e %11.3f %9.3f %11.1f %9.1f",
                (long long)counts.x, (long long)counts.y, (long long)counts.z, convergence.iterations,
                convergence.newton_steps, convergence.residual, median(prepare_s), median(solve_s),
                1e-6 * points / all_s, system_bytes + double(bytes) / points);
  out << row << std::endl;
}

}  // namespace

void pb_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  PbBenchOptions options;
  CommandLine line(
      {.name = "pb",
       .synopsis = "[--edge N]",
       .about = "Times the Poisson-Boltzmann equation around a polyanion (a random walk) that fills the\n"
                "middle of the lattice: dielectric 4 inside, 78.54 outside, 0.15 M 1:1 salt, from a\n"
                "start of zero. The residual is the true one, relative to the right side.",
       .examples = "  ionwell-bench pb\n"
                   "      129 x 97 x 161 and 257 x 257 x 257 points\n"
                   "  ionwell-bench pb --edge 100 --equation nonlinear --tolerance 1e-8\n"
                   "      a cube of 100 points to a side\n",
       .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("edge", options.edge, "N", "points to a side of a cube; 0: the two usual lattices");
  group.add("spacing", options.spacing_A, "H", "distance between lattice points [A]");
  group.add("tolerance", options.tolerance, "T", "of the residual, relative to the right side");
  group.add_choice("equation", options.equation,
                   {{"linear", PbEquation::linear}, {"nonlinear", PbEquation::nonlinear}},
                   "whether the ions of the solution answer linearly or by Boltzmann's factor");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  set_defaults(options.measure);

  print_machine(out, options.measure);
  char row[200];
  std::snprintf(row, sizeof row, "%19s %11s %7s %9s %11s %9s %11s %9s", "lattice", "iterations", "newton",
                "residual", "prepare [s]", "solve [s]", "Mpoints/s", "B/point");
  out << row << std::endl;
  if (options.edge != 0) {
    require_positive("--edge", options.edge);
    return measure_lattice({options.edge, options.edge, options.edge}, options, out);
  }
  measure_lattice({129, 97, 161}, options, out);
  measure_lattice({257, 257, 257}, options, out);
}

}  // namespace ionwell
