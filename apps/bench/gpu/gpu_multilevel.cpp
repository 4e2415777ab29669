// SPDX-License-Identifier: BSD-3-Clause
#include "bench/gpu/gpu_multilevel.hpp"

#include <cmath>
#include <cstdio>
#include <random>

#include "bench/measure.hpp"
#include "core/block.hpp"
#include "electrostatics/charge_table.hpp"
#include "electrostatics/simd/direct_kernels.hpp"
#include "gpu/electrostatics/multilevel_probe.hpp"

namespace ionwell {
namespace {

constexpr double spacing_A = 0.5;

/// What the table of the specification asks for.
struct Work {
  const char* name;
  std::int64_t charges;
  double edge_A;  // of the cube, or diameter of the ball, that the charges fill
  bool ball;
  std::int64_t points;  // along an edge of the lattice
  MultilevelOptions options;
  double bar_ms;
};

std::vector<PointCharge> random_charges(const Work& work) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> along(-0.5 * work.edge_A, 0.5 * work.edge_A), charge_e(-1.0, 1.0);
  std::vector<PointCharge> charges;
  while (std::int64_t(charges.size()) < work.charges) {
    const Vec3<double> p{along(random), along(random), along(random)};
    if (!work.ball || dot(p, p) <= 0.25 * work.edge_A * work.edge_A) charges.push_back({p, charge_e(random)});
  }
  return charges;
}

/// Deviation from fp64 sums, relative to the root mean square of those.
double relative_rms(const LatticeGeometry& lattice, const PairPotential& pair,
                    const std::vector<PointCharge>& charges, const std::vector<float>& values) {
  constexpr int samples = 1000;
  const BlockGrid grid(lattice);
  const DirectKernels& kernels = direct_kernels(SimdLevel::automatic);
  ChargeTable table(pair);
  table.append(charges);
  std::mt19937_64 random(2);
  std::vector<std::size_t> at;
  while (at.size() < samples) {
    const std::int64_t block = std::int64_t(random() % std::uint64_t(grid.size()));
    const int p = int(random() % block_points);
    const Vec3<std::int64_t> first = grid.first_point(block);
    if (first.x + p % block_edge < lattice.counts.x &&
        first.y + p / block_edge % block_edge < lattice.counts.y &&
        first.z + p / (block_edge * block_edge) < lattice.counts.z)
      at.push_back(std::size_t(block * block_points + p));
  }
  double error2 = 0.0, exact2 = 0.0;
#pragma omp parallel for schedule(dynamic, 8) reduction(+ : error2, exact2)
  for (std::size_t n = 0; n < at.size(); ++n) {
    const Vec3<double> r =
        lattice.position_A(grid.lattice_index(std::int64_t(at[n] / block_points), int(at[n] % block_points)));
    const double position_A[3] = {r.x, r.y, r.z};
    const double exact = kernels.exact(position_A, table.arrays(), pair),
                 error = double(values[at[n]]) - exact;
    error2 += error * error;
    exact2 += exact * exact;
  }
  return std::sqrt(error2 / exact2);
}

void print_row(std::ostream& out, const Work& work, int repeats) {
  const double edge_A = spacing_A * double(work.points - 1);
  const LatticeGeometry lattice{{-0.5 * edge_A, -0.5 * edge_A, -0.5 * edge_A},
                                {spacing_A, spacing_A, spacing_A},
                                {work.points, work.points, work.points}};
  const std::vector<PointCharge> charges = random_charges(work);
  const PairPotential pair = pair_potential({});
  const MultilevelPlan plan = multilevel_plan(lattice, charges, pair, work.options);
  MultilevelProbe probe(lattice, plan, charges, all_blocks(lattice), true);
  probe.run();
  std::vector<double> times_ms;
  for (int n = 0; n < repeats; ++n) times_ms.push_back(probe.run());
  std::vector<std::vector<double>> stages_ms;
  std::vector<std::pair<std::string, double>> stages;
  for (int n = 0; n < repeats; ++n) {
    stages = probe.run_by_stages();
    stages_ms.resize(stages.size());
    for (std::size_t s = 0; s < stages.size(); ++s) stages_ms[s].push_back(stages[s].second);
  }
  const double time_ms = median(times_ms), deviation = relative_rms(lattice, pair, charges, probe.values());
  char row[200];
  std::snprintf(row, sizeof row, "%-34s %9lld %5lld^3 %9.3f %7.0f %6.2f   %9.2e\n", work.name,
                static_cast<long long>(work.charges), static_cast<long long>(work.points), time_ms,
                work.bar_ms, work.bar_ms / time_ms, deviation);
  out << row;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    std::snprintf(row, sizeof row, "    %-30s %26.3f", stages[s].first.c_str(), median(stages_ms[s]));
    out << row;
    if (stages[s].first == "short range") {
      // The charges are far enough from the faces that all points within their reach are on the lattice.
      const double a = work.options.cutoff_A / spacing_A,
                   pairs = 4.0 / 3.0 * M_PI * a * a * a * double(work.charges);
      std::snprintf(row, sizeof row, "   %.2e useful pairs/s", 1e3 * pairs / median(stages_ms[s]));
      out << row;
    }
    out << '\n';
  }
  out << std::flush;
}

}  // namespace

void print_multilevel_rows(std::ostream& out, int repeats) {
  const double cube_A = std::cbrt(1.5e7);
  char row[200];
  std::snprintf(row, sizeof row, "%-34s %9s %7s %9s %7s %6s   %9s\n", "multilevel summation", "charges",
                "points", "time [ms]", "bar", "ratio", "rel. RMS");
  out << row;
  for (const Work& work : {Work{"published set", 1'534'539, cube_A, false, 541, published_multilevel, 60.0},
                           Work{"default set", 1'534'539, cube_A, false, 541, {}, 20.0},
                           Work{"default set, a ball of charges", 260'790, 208.0, true, 456, {}, 10.0}})
    print_row(out, work, repeats);
}

}  // namespace ionwell
