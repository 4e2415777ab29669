// SPDX-License-Identifier: BSD-3-Clause
#include "bench/gpu/gpu_points.hpp"

#include <cstdio>

#include "bench/measure.hpp"
#include "bench/points/charged_shell.hpp"
#include "compute/backend.hpp"
#include "electrostatics/at_points/device_points.hpp"
#include "gpu/backend.hpp"
#include "jobs/at_points/potential_at_points.hpp"

namespace ionwell {
namespace {

double device_s(const DevicePoints& device) {
  for (const auto& [stage, time_s] : device.use().stage_s)
    if (stage == "potential") return time_s;
  return 0.0;
}

/// What one way of summing takes.
struct PointWork {
  const char* name;
  PointMethod method;
  ElectrostaticsOptions electrostatics;
  double bar_s;
};

void print_point_row(std::ostream& out, const PointWork& work, const SoluteParts& solute,
                     std::span<const Vec3<double>> points_A, int repeats) {
  const Device device = gpu_backend().started(gpu_backend().devices().devices.front());
  const PairPotential pair = pair_potential(work.electrostatics);
  const PointSumOptions options{.method = work.method, .error = 1e-3};
  const DevicePointRates rates = gpu_backend().point_rates(pair);
  std::vector<double> first_s, again_s, on_device_s;
  PointSum sum;
  for (int n = -1; n < repeats; ++n) {
    std::unique_ptr<DevicePoints> on_device;
    const double all_s = seconds([&] {
      on_device = gpu_backend().make_points(device.number, device.free_bytes, solute.charges, pair);
      sum = sum_at_points(*on_device, solute.charges, points_A, options, rates, {});
    });
    const double before_s = device_s(*on_device);
    const double warm_s =
        seconds([&] { sum = sum_at_points(*on_device, solute.charges, points_A, options, rates, {}); });
    if (n < 0) continue;
    first_s.push_back(all_s);
    again_s.push_back(warm_s);
    on_device_s.push_back(device_s(*on_device) - before_s);
  }
  char row[240];
  std::snprintf(row, sizeof row, "%-34s %9.4f %7.2f %6.2f %9.4f %9.4f   %9.1e %9.1e  ", work.name,
                median(on_device_s), work.bar_s, work.bar_s / median(on_device_s), median(again_s),
                median(first_s), sum.error ? sum.error->rms : 0.0, sum.error ? sum.error->largest : 0.0);
  out << row;
  if (sum.method == PointMethod::direct) {
    const double pairs = double(solute.charges.size()) * double(points_A.size());
    std::snprintf(row, sizeof row, "%.2e pairs/s", pairs / median(on_device_s));
    out << row << '\n' << std::flush;
  } else {
    out << settings_of(sum) << '\n' << std::flush;
  }
}

}  // namespace

void print_point_rows(std::ostream& out, int repeats) {
  constexpr int chains = 166, points = 1'000'000;
  const Structure structure = shell_of_chains(chains);
  const SoluteParts solute = solute_parts(structure.atoms);
  const std::vector<Vec3<double>> points_A = points_around(structure, points);
  char row[240];
  std::snprintf(row, sizeof row, "%d points around %zu charges\n%-34s %9s %7s %6s %9s %9s   %9s %9s\n",
                points, solute.charges.size(), "points", "GPU [s]", "bar", "ratio", "call [s]", "first [s]",
                "rel. RMS", "largest");
  out << row;
  for (const PointWork& work :
       {PointWork{"points, direct", PointMethod::direct, {}, 0.25},
        PointWork{"points, direct, distance-dependent", PointMethod::direct, {.ddd_per_A = 3.0}, 0.25},
        PointWork{"points, direct, Debye-Hueckel", PointMethod::direct, {.ionic_strength_M = 0.15}, 0.5},
        PointWork{"points, multilevel", PointMethod::multilevel, {}, 0.02},
        PointWork{
            "points, multilevel, Debye-Hueckel", PointMethod::multilevel, {.ionic_strength_M = 0.15}, 0.02}})
    print_point_row(out, work, solute, points_A, repeats);
}

}  // namespace ionwell
