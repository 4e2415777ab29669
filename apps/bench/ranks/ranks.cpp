// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "bench/ranks/rank_model.hpp"
#include "compute/ranks/rank_orders.hpp"
#include "core/available_memory.hpp"
#include "core/block.hpp"
#include "core/error.hpp"
#include "core/lattice_extents.hpp"
#include "jobs/place/job/result_map.hpp"
#include "jobs/place/run.hpp"
#include "mpi/ranks.hpp"
#include "parallel/rank_group.hpp"

namespace ionwell {
namespace {

struct RankBenchmarkOptions {
  RankFigures figures;
  double charges = 1e6;  // of the model
  double points = 2e6;   // of what is measured
  int few_charges = 4000, ions = 40;
  MeasureOptions measure{.repeats = 3};
};

constexpr double spacing_A = 0.5, atom_radius_A = 1.5;

void print_model(std::ostream& out, const RankBenchmarkOptions& options) {
  out << "computed, not measured: " << options.charges << " charges, a device a rank\n";
  char row[200];
  std::snprintf(row, sizeof row, "%8s %6s %10s %11s %11s %11s %9s %11s %9s %11s %9s\n", "points", "ranks",
                "a rank", "direct [s]", "msm [s]", "charges [s]", "ion [us]", "its messages", "bytes",
                "map [s]", "to first");
  out << row;
  for (const double points : {1e10, 1e11, 1e12})
    for (const int ranks : {1, 8, 64, 512}) {
      const LatticeGeometry lattice = cube_of_points(points, spacing_A);
      const RankTimes times = modelled_times(options.figures, lattice, std::int64_t(options.charges), ranks);
      std::snprintf(row, sizeof row, "%8.0e %6d %10s %11.1f %11.3f %11.4f %9.1f %11.1f %9lld %11.2f %9s\n",
                    points, ranks, describe_bytes(times.most_points * std::int64_t{sizeof(float)}).c_str(),
                    times.direct_s, times.multilevel_s, times.charges_s,
                    1e6 * (times.search_s + times.ion_message_s), 1e6 * times.ion_message_s,
                    static_cast<long long>(times.ion_bytes), times.map_s,
                    describe_bytes(times.map_bytes).c_str());
      out << row;
    }
}

/// Charges in a cube, and a lattice of so many points in it.
struct ChargedCube {
  LatticeGeometry lattice;
  Structure structure{.path = "cube"};

  ChargedCube(double points, int charges) : lattice(cube_of_points(points, spacing_A)) {
    const double edge_A = spacing_A * double(lattice.counts.x - 1);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> along(0.0, edge_A), charge_e(-1.0, 1.0);
    structure.atoms.resize(std::size_t(charges));
    for (Atom& atom : structure.atoms) {
      atom.position_A = {along(random), along(random), along(random)};
      atom.charge_e = charge_e(random);
      atom.radius_A = atom_radius_A;
    }
  }
};

/// What was measured of one run, all of it as modelled_times has it.
struct MeasuredRun {
  double potential_s = 0.0, ion_s = 0.0, map_s = 0.0;
};

double stage_s(const Result& result, const std::string& name) {
  for (const auto& [stage, time_s] : result.run.timings_s)
    if (stage == name) return time_s;
  return 0.0;
}

MeasuredRun measured(const ChargedCube& cube, const RankBenchmarkOptions& options, Method method,
                     RankGroup* ranks) {
  std::vector<double> potential_s, ion_s, map_s;
  for (int n = 0; n < options.measure.repeats; ++n) {
    Job job{.structure = cube.structure};
    job.ions = {{{"NA", "NA", 1.0}, options.ions}};
    SummationOptions source;
    source.method = method;
    job.source = source;
    job.lattice.box = extents(cube.lattice);
    job.lattice.spacing_A = spacing_A;
    job.exclusion = {.ion_solute_A = 3.0, .ion_ion_A = 3.0};
    job.backend.backend = Backend::cpu;
    job.field = {.every_point = true, .threads = options.measure.threads, .simd = options.measure.simd};
    const Result result = run(job, {{}, ranks});
    if (std::ssize(result.placement.ions) < options.ions)
      fail("only ", result.placement.ions.size(), " of ", options.ions,
           " ions found room; give more --points or fewer --ions");
    potential_s.push_back(stage_s(result, "potential"));
    ion_s.push_back(stage_s(result, "placement") / options.ions);
    map_s.push_back(seconds([&] { map_of(result, MapContents::solute_and_ions); }));
  }
  const auto least = [](const std::vector<double>& all) { return *std::min_element(all.begin(), all.end()); };
  return {least(potential_s), least(ion_s), least(map_s)};
}

/// Orders and answers of nothing, and of much: the least of several times, for others may have the
/// processors.
void measure_messages(RankGroup& group, RankFigures& figures) {
  constexpr int batches = 10, rounds = 50;
  constexpr std::size_t large = std::size_t(1) << 23;
  RankOrders orders(group);
  const auto least_s = [&](int count, std::span<std::byte> payload) {
    double least = 1e300;
    for (int batch = 0; batch < batches; ++batch)
      least = std::min(least, seconds([&] {
                                for (int n = 0; n < count; ++n) {
                                  orders.give_with({.task = RankTask::exact_tie, .rank = -1},
                                                   payload);  // nobody's
                                  orders.together([] {});
                                }
                              }) / count);
    return least;
  };
  const double small_s = least_s(rounds, {});
  const double steps = std::bit_width(unsigned(group.count() - 1));
  figures.latency_s = small_s / (steps + 1.0);
  figures.answer_s = 0.0;  // in that
  std::vector<std::byte> payload(large);
  figures.bytes_per_s = double(large) / std::max(1e-9, least_s(1, payload) - small_s);
}

/// One process's figures: what the model takes.
RankFigures figures_alone(const RankBenchmarkOptions& options, std::ostream& out) {
  constexpr double half = 0.5;
  const ChargedCube whole(options.points, options.few_charges),
      part(half * options.points, options.few_charges);
  const double points = double(whole.lattice.size()), fewer = double(part.lattice.size());
  RankFigures figures;
  const MeasuredRun direct = measured(whole, options, Method::direct, nullptr);
  figures.pairs_per_s = points * options.few_charges / direct.potential_s;
  const MeasuredRun multilevel = measured(whole, options, Method::multilevel, nullptr),
                    of_part = measured(part, options, Method::multilevel, nullptr);
  // Where times are so uneven that fewer points took longer, all of it is the points'.
  const double slope_s = (multilevel.potential_s - of_part.potential_s) / (points - fewer);
  const double point_s = slope_s > 0.0 ? slope_s : multilevel.potential_s / points;
  figures.points_per_s = 1.0 / point_s;
  figures.charge_s = std::max(0.0, multilevel.potential_s - points * point_s) / options.few_charges;
  figures.search_point_s = std::max(0.0, (multilevel.ion_s - of_part.ion_s) / (points - fewer));
  figures.search_s = std::max(0.0, multilevel.ion_s - points * figures.search_point_s);
  char row[200];
  std::snprintf(
      row, sizeof row,
      "one process: %.3g pairs/s, %.3g points/s and %.3g s a charge, %.1f us an ion; a map %.1f ms\n",
      figures.pairs_per_s, figures.points_per_s, figures.charge_s, 1e6 * multilevel.ion_s,
      1e3 * multilevel.map_s);
  out << row;
  return figures;
}

void print_row(std::ostream& out, const char* what, double model, double measured) {
  char row[120];
  std::snprintf(row, sizeof row, "%-28s %12.4g %12.4g %8.2f\n", what, model, measured, measured / model);
  out << row;
}

/// The same run by the ranks that there are.
void check_model(RankGroup& group, const RankBenchmarkOptions& options, std::ostream& out) {
  RankFigures figures = figures_alone(options, out);
  measure_messages(group, figures);
  const ChargedCube half(0.5 * options.points, options.few_charges);
  const RankTimes of_half = modelled_times(figures, half.lattice, options.few_charges, group.count());
  figures.map_bytes_per_s =
      double(of_half.map_bytes) / measured(half, options, Method::multilevel, &group).map_s;
  const ChargedCube cube(options.points, options.few_charges);
  // Those without planes leave their processors to others.
  const std::int64_t computing =
      std::min<std::int64_t>(group.count_on_host(), blocks_along(cube.lattice.counts.z));
  figures.crowding = std::max(1.0, double(computing * options.measure.threads) /
                                       std::max(1.0, double(sysconf(_SC_NPROCESSORS_ONLN))));
  const RankTimes model = modelled_times(figures, cube.lattice, options.few_charges, group.count());
  const MeasuredRun direct = measured(cube, options, Method::direct, &group);
  const RankTraffic before = group.traffic;
  RankBenchmarkOptions once = options;
  once.measure.repeats = 1;
  measured(cube, once, Method::multilevel, &group);
  const RankTraffic& after = group.traffic;
  const auto calls = [](const RankCalls& all, const RankCalls& earlier) {
    return std::to_string(all.calls - earlier.calls) + " (" + std::to_string(all.bytes - earlier.bytes) +
           " bytes)";
  };
  out << "messages of a run with its map, as the first rank counts them: broadcasts "
      << calls(after.broadcasts, before.broadcasts) << ", gathers " << calls(after.gathers, before.gathers)
      << " of each rank, received from one " << calls(after.received, before.received) << '\n';
  const MeasuredRun multilevel = measured(cube, options, Method::multilevel, &group);
  char row[200];
  std::snprintf(row, sizeof row,
                "an order and its answers %.1f us; %.3g bytes/s to all, %.3g to the first; %lld points, %d "
                "charges\n",
                1e6 * figures.latency_s * (std::bit_width(unsigned(group.count() - 1)) + 1.0),
                figures.bytes_per_s, figures.map_bytes_per_s, static_cast<long long>(cube.lattice.size()),
                options.few_charges);
  out << row;
  std::snprintf(row, sizeof row, "%-28s %12s %12s %8s\n", (std::to_string(group.count()) + " ranks").c_str(),
                "model", "measured", "ratio");
  out << row;
  print_row(out, "direct sum [s]", model.direct_s + model.charges_s, direct.potential_s);
  print_row(out, "multilevel sum [s]", model.multilevel_s + model.charges_s, multilevel.potential_s);
  print_row(out, "an ion [us]", 1e6 * (model.search_s + model.ion_message_s), 1e6 * multilevel.ion_s);
  print_row(out, "gathering the map [s]", model.map_s, multilevel.map_s);
}

}  // namespace

void ranks_benchmark(const std::vector<std::string>& arguments, std::ostream& out, RankGroup* ranks) {
  RankBenchmarkOptions options;
  RankFigures& figures = options.figures;
  CommandLine line({.name = "ranks",
                    .synopsis = "[--latency-us T] [--bandwidth B] ...",
                    .about =
                        "Computes what a run takes that ranks share, each with a GPU: 8 to 512 of them and\n"
                        "lattices of 1e10 to 1e12 points, from figures of one GPU and of a network. Started\n"
                        "by mpirun it measures instead: the figures of one process on this machine, and\n"
                        "the same run by all ranks beside what the model says of it.",
                    .examples = "  ionwell-bench ranks\n"
                                "      for H200s\n"
                                "  ionwell-bench ranks --latency-us 30 --bandwidth 1.2e9\n"
                                "      on a network of 10 Gb/s\n"
                                "  mpirun -n 8 ionwell-bench ranks --points 4e6\n"
                                "      the model against 8 ranks on processors\n",
                    .program = "ionwell-bench"});
  OptionGroup& model = line.group("Model");
  double latency_us = 1e6 * figures.latency_s;
  model.add("charges", options.charges, "N", "charges of the solute");
  model.add("pairs", figures.pairs_per_s, "R", "pairs/s of a device's direct sum");
  model.add("points-per-s", figures.points_per_s, "R", "points/s of its multilevel sum");
  model.add("charge-time", figures.charge_s, "S", "more for each charge [s]");
  model.add("search-time", figures.search_s, "S", "of an ion [s]");
  model.add("search-point-time", figures.search_point_s, "S", "more for each point [s]");
  model.add("latency-us", latency_us, "T", "of a message [us]");
  model.add("bandwidth", figures.bytes_per_s, "B", "bytes/s between two ranks");
  model.add("answer-time", figures.answer_s, "S", "that the first takes for each rank's answer [s]");
  OptionGroup& measured_runs = line.group("Under mpirun");
  measured_runs.add("points", options.points, "N", "of the lattice, about");
  measured_runs.add("few-charges", options.few_charges, "N", "charges in it");
  measured_runs.add("ions", options.ions, "N", "that are placed");
  add_measure_options(measured_runs, options.measure);
  if (!line.parse(arguments, out)) return;
  figures.latency_s = 1e-6 * latency_us;
  figures.map_bytes_per_s = figures.bytes_per_s;
  require_positive("--few-charges", options.few_charges);
  require_positive("--ions", options.ions);
  if (!(options.points >= 1e4 && options.points <= 1e10))
    fail<UsageError>("--points is ", options.points, "; it must be from 1e4 to 1e10");
  set_defaults(options.measure);
  if (ranks == nullptr) return print_model(out, options);
  print_machine(out, options.measure);
  check_model(*ranks, options, out);
}

}  // namespace ionwell
