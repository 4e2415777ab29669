// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "bench/random_walk.hpp"
#include "compute/backend.hpp"
#include "compute/backend_lattice.hpp"
#include "compute/cost_model.hpp"
#include "core/block.hpp"
#include "core/lattice.hpp"
#include "core/version.hpp"
#include "gpu/backend.hpp"
#include "placement/place_ions.hpp"

namespace ionwell {
namespace {

struct CrossoverOptions {
  int most = 20000;
  LatticeOptions lattice;
  Backend backend = Backend::cpu;
  MeasureOptions measure{.threads = 1, .repeats = 3};
};

struct Times {
  double fill_s = 0.0;   // exclusion and potential
  double first_s = 0.0;  // what a first search adds: bounds, and the error at sample points
  std::int64_t blocks = 0;
};

Times time_method(const CrossoverOptions& options, const Structure& structure, bool multilevel) {
  const LatticeGeometry lattice = enclosing_lattice(structure.atoms, options.lattice);
  const std::vector<PointCharge> charges = point_charges(structure.atoms);
  std::vector<Vec3<double>> centres;
  for (const Atom& atom : structure.atoms) centres.push_back(atom.position_A);
  std::vector<double> fill_s, first_s;
  Times result;
  const BackendChoice backend =
      choose_backend(BackendOptions{.backend = options.backend}, 0.0, {}, {&gpu_backend()});
  for (int n = -1; n < options.measure.repeats; ++n) {
    auto masked = make_lattice(backend, lattice, pair_potential({}),
                               {.threads = options.measure.threads, .simd = options.measure.simd});
    masked->exclude(centres, ExclusionOptions{}.ion_solute_A);
    const SolutePotential potential =
        multilevel ? SolutePotential(MultilevelSum{charges, {}}) : DirectSum{charges};
    std::unique_ptr<PotentialField> field;
    const double filling = seconds([&] { field = fill(std::move(masked), potential, {}); });
    const double first = seconds([&] { field->lowest_energy_point(1.0); });
    result.blocks = field->statistics().blocks;
    if (n < 0) continue;
    fill_s.push_back(filling);
    first_s.push_back(first);
  }
  result.fill_s = median(fill_s);
  result.first_s = median(first_s);
  return result;
}

}  // namespace

void crossover_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  CrossoverOptions options;
  CommandLine line(
      {.name = "crossover",
       .synopsis = "[--most N] [--border A]",
       .about = "Times the direct sum and multilevel summation, as a placement asks for them, around\n"
                "random walks of growing size: where --method auto should change over.",
       .examples = "  ionwell-bench crossover\n"
                   "      256 to 20,000 charges on one thread\n"
                   "  ionwell-bench crossover --border 30 --threads 2\n"
                   "      more lattice for the same charges\n"
                   "  ionwell-bench crossover --backend gpu --most 50000\n"
                   "      on a GPU\n",
       .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("most", options.most, "N", "charges of the largest solute");
  group.add("border", options.lattice.border_A, "A", "lattice beyond the atoms");
  group.add("spacing", options.lattice.spacing_A, "A", "of the lattice");
  group.add_choice("backend", options.backend, {{"cpu", Backend::cpu}, {"gpu", Backend::gpu}},
                   "where to compute");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  require_positive("--most", options.most);
  set_defaults(options.measure);

  if (options.backend == Backend::gpu && !gpu_backend().devices().devices.empty())
    out << "ionwell " << version() << ", " << gpu_backend().devices().devices.front().name << "\n\n";
  else
    print_machine(out, options.measure);
  out << "fill: the potential; search: all that the first ion needs besides. Median of "
      << options.measure.repeats << " runs after one that does not count\n\n";
  char row[160];
  std::snprintf(row, sizeof row, "%8s %11s %11s %11s %11s %11s %11s %14s\n", "charges", "points", "computed",
                "direct [s]", "search [s]", "msm [s]", "search [s]", "direct / msm");
  out << row << std::flush;
  constexpr int charges_per_residue = 32;
  for (double charges = 256; charges <= 1.01 * options.most; charges *= 1.545) {
    const Structure structure = random_walk_polyanion(int(charges / charges_per_residue + 0.5));
    const Times direct = time_method(options, structure, false);
    const Times multilevel = time_method(options, structure, true);
    std::snprintf(row, sizeof row, "%8zu %11lld %11lld %11.5f %11.5f %11.5f %11.5f %14.2f\n",
                  structure.atoms.size(),
                  static_cast<long long>(enclosing_lattice(structure.atoms, options.lattice).size()),
                  static_cast<long long>(direct.blocks * block_points), direct.fill_s, direct.first_s,
                  multilevel.fill_s, multilevel.first_s,
                  (direct.fill_s + direct.first_s) / (multilevel.fill_s + multilevel.first_s));
    out << row << std::flush;
  }
}

}  // namespace ionwell
