// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "core/cell_list.hpp"
#include "core/error.hpp"
#include "core/large_array.hpp"
#include "electrostatics/simd/grid_kernels.hpp"
#include "lattice/mask.hpp"

namespace ionwell {
namespace {

constexpr double spacing_A = 0.5;
constexpr double atoms_per_A3 = 0.1;  // of a protein or nucleic acid with its hydrogens

struct ShortRangeOptions {
  double cutoff_A = 12.0;
  int points = 96;
  MeasureOptions measure{.threads = 1};
};

/// The charges that reach a block.
struct NearCharges {
  std::vector<double> x_A, y_A, z_A, charge_e;

  ChargeArrays arrays() const {
    return {x_A.data(), y_A.data(), z_A.data(), charge_e.data(), nullptr, charge_e.size()};
  }
};

std::vector<PointCharge> random_charges(double edge_A) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> along(0.0, edge_A), charge_e(-1.0, 1.0);
  std::vector<PointCharge> charges(std::size_t(atoms_per_A3 * edge_A * edge_A * edge_A));
  for (PointCharge& q : charges) q = {{along(random), along(random), along(random)}, charge_e(random)};
  return charges;
}

std::vector<NearCharges> near_charges(const BlockGrid& grid, const std::vector<PointCharge>& charges,
                                      double cutoff_A) {
  std::vector<Vec3<double>> positions;
  for (const PointCharge& q : charges) positions.push_back(q.position_A);
  const CellList cells(positions, 0.5 * cutoff_A);
  std::vector<NearCharges> result(std::size_t(grid.size()));
  for (std::int64_t b = 0; b < grid.size(); ++b) {
    const Box box = grid.box(b);
    NearCharges& near = result[std::size_t(b)];
    cells.near(box, cutoff_A, [&](std::uint32_t c) {
      const Vec3<double>& p = positions[c];
      if (distance_range(box, p).nearest_A >= cutoff_A) return;
      near.x_A.push_back(p.x);
      near.y_A.push_back(p.y);
      near.z_A.push_back(p.z);
      near.charge_e.push_back(charges[c].charge_e);
    });
  }
  return result;
}

/// Pairs of charge and point that are nearer than the cutoff.
std::int64_t pairs_within(const LatticeGeometry& lattice, const std::vector<PointCharge>& charges,
                          double cutoff_A) {
  const double h = lattice.spacing_A.x;
  const auto first = [&](double x, double reach) {
    return std::max<std::int64_t>(0, std::int64_t(std::ceil((x - reach) / h)));
  };
  const auto last = [&](double x, double reach, std::int64_t count) {
    return std::min(count - 1, std::int64_t(std::floor((x + reach) / h)));
  };
  std::int64_t pairs = 0;
  for (const PointCharge& q : charges) {
    const Vec3<double> p = q.position_A - lattice.origin_A;
    for (std::int64_t k = first(p.z, cutoff_A); k <= last(p.z, cutoff_A, lattice.counts.z); ++k)
      for (std::int64_t j = first(p.y, cutoff_A); j <= last(p.y, cutoff_A, lattice.counts.y); ++j) {
        const double y = p.y - h * double(j), z = p.z - h * double(k);
        const double left = cutoff_A * cutoff_A - y * y - z * z;
        if (left <= 0.0) continue;
        const double reach = std::sqrt(left);
        pairs += std::max<std::int64_t>(0, last(p.x, reach, lattice.counts.x) - first(p.x, reach) + 1);
      }
  }
  return pairs;
}

}  // namespace

void short_range_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  ShortRangeOptions options;
  CommandLine line(
      {.name = "short-range",
       .synopsis = "[--cutoff A] [--points N]",
       .about = "Times the part of multilevel summation that is summed pair by pair, on one thread,\n"
                "for random charges packed as densely as atoms on a lattice 0.5 A apart: pairs within\n"
                "the cutoff per second, counted exactly. For the published set and the default.",
       .examples = "  ionwell-bench short-range\n"
                   "      the published set with its cutoff of 12 A\n"
                   "  ionwell-bench short-range --cutoff 8 --simd avx2\n"
                   "      a shorter cutoff on a smaller processor\n",
       .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("cutoff", options.cutoff_A, "A", "cutoff of the published splitting");
  group.add("points", options.points, "N", "points along each edge, a multiple of 8");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  require_positive("--points", options.points);
  if (options.points % block_edge != 0)
    fail<UsageError>("--points is ", options.points, "; blocks of 8 need a multiple of 8");
  options.measure.threads = 1;
  set_defaults(options.measure);

  const LatticeGeometry lattice{
      {0, 0, 0}, {spacing_A, spacing_A, spacing_A}, {options.points, options.points, options.points}};
  const BlockGrid grid(lattice);
  const std::vector<PointCharge> charges = random_charges((options.points - 1) * spacing_A);
  const PairPotential pair = pair_potential({});
  print_machine(out, options.measure);
  out << charges.size() << " charges on " << options.points << "^3 points, median of "
      << options.measure.repeats << " runs after one that does not count\n\n";
  char row[160];
  std::snprintf(row, sizeof row, "%-10s %10s %13s %14s %10s %15s\n", "basis", "cutoff [A]", "coefficients",
                "useful pairs", "time [s]", "useful pairs/s");
  out << row << std::flush;
  for (const MultilevelOptions& set :
       {MultilevelOptions{MultilevelBasis::cubic, options.cutoff_A, published_multilevel.spacing_A},
        MultilevelOptions{}}) {
    const MultilevelPlan plan = multilevel_plan(lattice, charges, pair, set);
    const ShortRange range{pair, set.cutoff_A, plan.long_range_polynomial.data(),
                           int(plan.long_range_polynomial.size())};
    const std::vector<NearCharges> near = near_charges(grid, charges, set.cutoff_A);
    LargeArray<float> values(std::size_t(grid.size()) * block_points);
    std::fill_n(values.data(), values.size(), 0.0f);
    std::vector<double> times_s;
    for (int n = -1; n < options.measure.repeats; ++n) {
      const double time_s = seconds([&] {
        for (std::int64_t b = 0; b < grid.size(); ++b)
          grid_kernels(options.measure.simd)
              .add_short(block_frame(grid, b), near[std::size_t(b)].arrays(), range,
                         values.data() + b * block_points);
      });
      if (n >= 0) times_s.push_back(time_s);
    }
    const std::int64_t pairs = pairs_within(lattice, charges, set.cutoff_A);
    std::snprintf(row, sizeof row, "%-10s %10.4g %13d %14lld %10.4f %15.3e\n",
                  std::string(to_string(set.basis)).c_str(), set.cutoff_A, range.coefficients,
                  static_cast<long long>(pairs), median(times_s), double(pairs) / median(times_s));
    out << row << std::flush;
  }
}

}  // namespace ionwell
