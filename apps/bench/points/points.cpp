// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "bench/points/charged_shell.hpp"
#include "core/error.hpp"
#include "electrostatics/open_sum.hpp"
#include "input/read_input.hpp"
#include "jobs/at_points/potential_at_points.hpp"

namespace ionwell {
namespace {

struct PointsOptions {
  std::vector<std::string> structures;
  int points = 1000000;
  double error = 1e-3;
  MeasureOptions measure{.repeats = 3};
};

/// Chains of the solutes that are made: a small protein to a virus capsid.
constexpr int made_chains[] = {1, 8, 54, 166};

/// Times the methods around one solute.
void measure_solute(const Structure& structure, const PointsOptions& options, std::ostream& out) {
  const SoluteParts solute = solute_parts(structure.atoms);
  const std::vector<Vec3<double>> points_A = points_around(structure, options.points);
  const PairPotential pair = pair_potential({});
  const OpenSumOptions exact{options.measure.threads, options.measure.simd};
  char row[192];
  const auto print = [&](const char* method, double time_s, const std::optional<SampledError>& error,
                         const std::string& settings) {
    std::snprintf(row, sizeof row, "%9zu %-12s %9.3f", structure.atoms.size(), method, time_s);
    out << row;
    if (error)
      std::snprintf(row, sizeof row, " %9.1e %9.1e  ", error->rms, error->largest);
    else
      std::snprintf(row, sizeof row, " %9s %9s  ", "-", "-");
    out << row << settings << '\n' << std::flush;
  };
  // Direct sums of a part of the points: their time goes with the number.
  constexpr double most_pairs = 1e9;
  const auto some =
      std::size_t(std::clamp(most_pairs / double(solute.charges.size()), 1.0, double(points_A.size())));
  const std::span<const Vec3<double>> part = std::span(points_A).first(some);
  const double scale = double(points_A.size()) / double(some);
  print("fp64", scale * seconds([&] { open_potential(pair, solute.charges, part, exact, {}); }), {},
        "every pair in fp64");
  for (const PointMethod method : {PointMethod::direct, PointMethod::hcp, PointMethod::multilevel}) {
    const bool is_direct = method == PointMethod::direct;
    // Few enough to finish, and enough that what is done once does not count; once is enough, too.
    const auto count = is_direct ? std::min(points_A.size(), 40 * some) : points_A.size();
    PointSum sum;
    std::vector<double> times_s;
    try {
      for (int n = is_direct ? 0 : -1; n < (is_direct ? 1 : options.measure.repeats); ++n) {
        const double time_s = seconds([&] {
          sum = sum_at_points(solute, std::span(points_A).first(count), pair,
                              {.method = method,
                               .error = options.error,
                               .simd = options.measure.simd,
                               .threads = options.measure.threads},
                              {});
        });
        if (n >= 0) times_s.push_back(time_s * double(points_A.size()) / double(count));
      }
    } catch (const UsageError&) {
      print(std::string(to_string(method)).c_str(), NAN, {}, "cannot have this error");
      continue;
    }
    print(std::string(to_string(method)).c_str(), median(times_s), sum.error,
          is_direct ? (sum.error ? "every pair, terms in fp32" : "every pair in fp64") : settings_of(sum));
  }
}

}  // namespace

void points_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  PointsOptions options;
  CommandLine line(
      {.name = "points",
       .synopsis = "[STRUCTURE...] [--points N] [--error E]",
       .about = "The potential at points around solutes: time and error of the direct sum, of "
                "hierarchical charge partitioning and of multilevel summation. Of direct sums a part of "
                "the points is timed.",
       .examples = "  ionwell-bench points\n"
                   "      four solutes that are made, from 2,880 to 478,080 atoms\n"
                   "  ionwell-bench points capsid.pqr --error 1e-4\n"
                   "      one from a file, and another error\n",
       .program = "ionwell-bench"});
  line.add_files("STRUCTURE", options.structures, 0, 100);
  OptionGroup& group = line.group("Options");
  group.add("points", options.points, "N", "number of points");
  group.add("error", options.error, "E",
            "error that approximations may have: root mean square over that of the potential");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  require_positive("--points", options.points);
  set_defaults(options.measure);
  print_machine(out, options.measure);
  out << options.points << " points, median of " << options.measure.repeats
      << " runs after one that does not count; errors at samples, of the potential's root mean square\n\n";
  char row[128];
  std::snprintf(row, sizeof row, "%9s %-12s %9s %9s %9s  %s\n", "atoms", "method", "time [s]", "error",
                "largest", "settings");
  out << row;
  for (const std::string& path : options.structures)
    measure_solute(read_input({path}).system.acting(), options, out);
  if (!options.structures.empty()) return;
  for (const int chains : made_chains) measure_solute(shell_of_chains(chains), options, out);
}

}  // namespace ionwell
