// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "core/error.hpp"

namespace ionwell {
namespace {

struct DirectOptions {
  int charges = 20000;
  int points = 158;
  MeasureOptions measure;
};

constexpr double spacing_A = 0.5;
constexpr double atoms_per_A3 = 0.1;  // of a protein or nucleic acid with its hydrogens
constexpr std::uint64_t seed = 1;

/// As many charges as a solute in the middle of the lattice would have, of both signs.
std::vector<PointCharge> solute_charges(int count, double lattice_edge_A) {
  const double edge_A = std::min(lattice_edge_A, std::cbrt(count / atoms_per_A3));
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> along(0.5 * (lattice_edge_A - edge_A),
                                               0.5 * (lattice_edge_A + edge_A));
  std::uniform_real_distribution<double> charge_e(-1.0, 1.0);
  std::vector<PointCharge> charges(count);
  for (PointCharge& q : charges) {
    q.position_A = {along(random), along(random), along(random)};
    q.charge_e = charge_e(random);
  }
  return charges;
}

}  // namespace

void direct_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  DirectOptions options;
  CommandLine line({.name = "direct",
                    .synopsis = "[--charges N] [--points N]",
                    .about =
                        "Times the direct sum of random charges, packed as densely as atoms, on a cube of\n"
                        "points 0.5 A apart, with 1, 2, ... threads, and compares sample points with fp64.",
                    .examples = "  ionwell-bench direct\n"
                                "      20,000 charges on 158 x 158 x 158 points\n"
                                "  ionwell-bench direct --simd avx2 --threads 1\n"
                                "      what a smaller processor would do\n",
                    .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("charges", options.charges, "N", "number of charges");
  group.add("points", options.points, "N", "points along each edge");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  require_positive("--charges", options.charges);
  require_positive("--points", options.points);
  set_defaults(options.measure);

  const LatticeGeometry lattice{
      {0, 0, 0}, {spacing_A, spacing_A, spacing_A}, {options.points, options.points, options.points}};
  const std::vector<PointCharge> charges = solute_charges(options.charges, (options.points - 1) * spacing_A);
  const PairPotential pair = pair_potential({});
  const double pairs = double(lattice.size()) * double(charges.size());
  print_machine(out, options.measure);
  out << charges.size() << " charges on " << options.points << "^3 points, median of "
      << options.measure.repeats << " runs after one that does not count\n\n";
  char row[128];
  std::snprintf(row, sizeof row, "%8s %10s %14s %9s\n", "threads", "time [s]", "pairs/s", "scaling");
  out << row << std::flush;
  double alone_s = 0.0;
  std::vector<float> values;
  for (int threads = 1; threads <= options.measure.threads; ++threads) {
    std::vector<double> times_s;
    for (int n = -1; n < options.measure.repeats; ++n) {
      auto masked = make_host_lattice(
          lattice, pair, {.every_point = true, .threads = threads, .simd = options.measure.simd});
      std::unique_ptr<PotentialField> field;
      const double time_s = seconds([&] { field = fill(std::move(masked), DirectSum{charges}, {}); });
      if (n >= 0) times_s.push_back(time_s);
      if (n == 0) values = field->values();
    }
    const double time_s = median(times_s);
    if (threads == 1) alone_s = time_s;
    std::snprintf(row, sizeof row, "%8d %10.4f %14.3e %8.2fx\n", threads, time_s, pairs / time_s,
                  alone_s / time_s);
    out << row << std::flush;
  }
  std::snprintf(row, sizeof row, "\nlargest error at sample points: %.1e of the largest potential\n",
                sampled_error(lattice, pair, charges, values, 2000));
  out << row;
}

}  // namespace ionwell
