// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "core/available_memory.hpp"

namespace ionwell {
namespace {

constexpr double spacing_A = 0.5;
constexpr double atoms_per_A3 = 0.1;  // of a protein or nucleic acid with its hydrogens

std::vector<PointCharge> random_charges(std::int64_t count, double edge_A) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> along(0.0, edge_A), charge_e(-1.0, 1.0);
  std::vector<PointCharge> charges(static_cast<std::size_t>(count));
  for (PointCharge& q : charges) q = {{along(random), along(random), along(random)}, charge_e(random)};
  return charges;
}

}  // namespace

void scaling_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  int most = 2'000'000;
  MeasureOptions measure{.repeats = 1};
  CommandLine line(
      {.name = "scaling",
       .synopsis = "[--most N]",
       .about = "Times multilevel summation of 2,000 to 2,000,000 random charges, packed as densely as\n"
                "atoms, on all points 0.5 A apart of the cube that they fill: time per point should\n"
                "not grow.",
       .examples = "  ionwell-bench scaling\n"
                   "      up to 2,000,000 charges; takes 2 GB of memory\n"
                   "  ionwell-bench scaling --most 200000 --repeats 5\n"
                   "      smaller, and steadier\n",
       .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("most", most, "N", "charges of the largest cube");
  add_measure_options(group, measure);
  if (!line.parse(arguments, out)) return;
  require_positive("--most", most);
  set_defaults(measure);

  print_machine(out, measure);
  char row[160];
  std::snprintf(row, sizeof row, "%9s %12s %10s %16s %12s\n", "charges", "points", "time [s]",
                "per point [ns]", "memory");
  out << row << std::flush;
  for (std::int64_t count = 2000; count <= most; count *= 10) {
    const double edge_A = std::cbrt(double(count) / atoms_per_A3);
    const LatticeGeometry lattice = lattice_in_box({{0, 0, 0}, {edge_A, edge_A, edge_A}}, spacing_A);
    const std::vector<PointCharge> charges = random_charges(count, edge_A);
    std::vector<double> times_s;
    for (int n = 0; n < measure.repeats; ++n) {
      auto masked =
          make_host_lattice(lattice, pair_potential({}),
                            {.every_point = true, .threads = measure.threads, .simd = measure.simd});
      std::unique_ptr<PotentialField> field;
      times_s.push_back(seconds([&] { field = fill(std::move(masked), MultilevelSum{charges, {}}, {}); }));
    }
    std::snprintf(row, sizeof row, "%9lld %12lld %10.4f %16.2f %12s\n", static_cast<long long>(count),
                  static_cast<long long>(lattice.size()), median(times_s),
                  1e9 * median(times_s) / double(lattice.size()),
                  describe_bytes(peak_memory_bytes()).c_str());
    out << row << std::flush;
  }
}

}  // namespace ionwell
