// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/benchmarks.hpp"
#include "bench/forces/force_work.hpp"
#include "bench/measure.hpp"

namespace ionwell {
namespace {

struct ForcesOptions {
  int charges = 1000000;
  int poses = 200;
  MeasureOptions measure;
};

constexpr std::int64_t edges[] = {64, 256};  // of lattices that caches hold and do not

void measure_forces(std::int64_t edge, ForceInterpolation interpolation, const ForcesOptions& options,
                    std::ostream& out) {
  const ForceWork work(edge, std::size_t(options.charges), std::size_t(options.poses));
  std::unique_ptr<InterpolatedForces> forces;
  const double start_s = seconds([&] {
    forces = make_host_forces(
        work.potential(),
        {.interpolation = interpolation, .simd = options.measure.simd, .threads = options.measure.threads});
  });
  std::vector<ChargeForce> to(work.anywhere.size());
  const auto rate = [&](std::size_t count, const auto& compute) {
    std::vector<double> times_s;
    for (int n = -1; n < options.measure.repeats; ++n) {
      const double time_s = seconds(compute);
      if (n >= 0) times_s.push_back(time_s);
    }
    return double(count) / median(times_s);
  };
  const double anywhere = rate(to.size(), [&] { forces->on_charges(work.anywhere, to); });
  const double nearby = rate(to.size(), [&] { forces->on_charges(work.nearby, to); });
  const double on_bodies =
      rate(ForceWork::body_charges * work.poses.size(), [&] { forces->on_body(work.body, work.poses); });
  char row[192];
  std::snprintf(row, sizeof row, "%4lld^3  %-10s %9.3f %12.2e %12.2e %12.2e\n", static_cast<long long>(edge),
                interpolation == ForceInterpolation::trilinear ? "trilinear" : "tricubic", start_s, anywhere,
                nearby, on_bodies);
  out << row << std::flush;
}

}  // namespace

void forces_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  ForcesOptions options;
  CommandLine line(
      {.name = "forces",
       .synopsis = "[--charges N] [--poses N]",
       .about = "Forces on charges in a potential on a lattice, interpolated, in forces per second: on "
                "charges anywhere, on charges of which each is near the one before, and, with torques, on "
                "a rigid body of 10,000 charges at many poses.",
       .examples = "  ionwell-bench forces\n"
                   "      lattices that caches hold and do not, trilinear and tricubic\n",
       .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("charges", options.charges, "N", "number of charges");
  group.add("poses", options.poses, "N", "number of poses of the body");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  require_positive("--charges", options.charges);
  require_positive("--poses", options.poses);
  set_defaults(options.measure);
  print_machine(out, options.measure);
  out << options.charges << " charges, " << options.poses << " poses, median of " << options.measure.repeats
      << " runs after one that does not count; forces per second\n\n";
  char row[128];
  std::snprintf(row, sizeof row, "%6s  %-10s %9s %12s %12s %12s\n", "points", "", "start [s]", "anywhere",
                "in order", "on a body");
  out << row;
  for (const std::int64_t edge : edges)
    for (const ForceInterpolation interpolation :
         {ForceInterpolation::trilinear, ForceInterpolation::cubic_spline})
      measure_forces(edge, interpolation, options, out);
}

}  // namespace ionwell
