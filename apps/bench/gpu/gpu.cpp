// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <random>

#include "bench/benchmarks.hpp"
#include "bench/gpu/gpu_chains.hpp"
#include "bench/gpu/gpu_forces.hpp"
#include "bench/gpu/gpu_multilevel.hpp"
#include "bench/gpu/gpu_points.hpp"
#include "bench/measure.hpp"
#include "compute/backend.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "gpu/backend.hpp"
#include "placement/place_ions.hpp"

namespace ionwell {
namespace {

struct GpuOptions {
  int repeats = 5;
  std::string only;  // rows whose name begins so
  double direct_pairs = 1.535e13;
};

constexpr double spacing_A = 0.5;
constexpr std::uint64_t seed = 1;

/// Device time of one stage of a field so far [s].
double stage_s(const PotentialField& field, const std::string& stage) {
  for (const auto& [name, seconds] : field.statistics().device.stage_s)
    if (name == stage) return seconds;
  return 0.0;
}

LatticeGeometry cube(std::int64_t points) {
  return {{0, 0, 0}, {spacing_A, spacing_A, spacing_A}, {points, points, points}};
}

/// Charges of both signs in the lattice, coordinates with three decimals; in a sphere in its middle, or
/// anywhere.
std::vector<PointCharge> random_charges(std::size_t count, double edge_A, std::optional<double> radius_A) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> along(0.0, edge_A), charge_e(-1.0, 1.0);
  const auto rounded = [](double x) { return std::round(1000.0 * x) / 1000.0; };
  std::vector<PointCharge> charges;
  while (charges.size() < count) {
    const Vec3<double> p{rounded(along(random)), rounded(along(random)), rounded(along(random))};
    const Vec3<double> middle{0.5 * edge_A, 0.5 * edge_A, 0.5 * edge_A};
    if (radius_A && distance_squared(p, middle) > *radius_A * *radius_A) continue;
    charges.push_back({p, charge_e(random)});
  }
  return charges;
}

class Table {
 public:
  explicit Table(std::ostream& out) : out_(out) { row("work", "measured", "bar", "achieved/bar", "check"); }
  /// `larger`: whether more is better.
  void add(const std::string& work, const std::string& unit, double measured, double bar, bool larger,
           const std::string& check) {
    char value[64], goal[64], ratio[64];
    std::snprintf(value, sizeof value, "%.4g %s", measured, unit.c_str());
    std::snprintf(goal, sizeof goal, "%s %.4g", larger ? ">=" : "<=", bar);
    std::snprintf(ratio, sizeof ratio, "%.2f", larger ? measured / bar : bar / measured);
    row(work, value, goal, ratio, check);
  }

 private:
  void row(const std::string& a, const std::string& b, const std::string& c, const std::string& d,
           const std::string& e) {
    char text[320];
    std::snprintf(text, sizeof text, "%-52s %20s %12s %13s   %s\n", a.c_str(), b.c_str(), c.c_str(),
                  d.c_str(), e.c_str());
    out_ << text << std::flush;
  }
  std::ostream& out_;
};

void time_direct(Table& table, const GpuOptions& options, const std::string& name, const PairPotential& pair,
                 double bar) {
  const LatticeGeometry lattice = cube(425);
  const std::size_t count = std::size_t(options.direct_pairs / double(lattice.size()));
  const std::vector<PointCharge> charges = random_charges(count, 424 * spacing_A, {});
  std::vector<double> times;
  double error = 0.0;
  for (int n = -1; n < options.repeats; ++n) {
    auto masked = gpu_backend().make_lattice({}, lattice, pair, {.every_point = true});
    const auto field = fill(std::move(masked), DirectSum{charges}, {});
    if (n >= 0) times.push_back(stage_s(*field, "potential"));
    if (n == 0) error = sampled_error(lattice, pair, charges, field->values(), 200);
  }
  char check[64];
  std::snprintf(check, sizeof check, "largest error %.1e of the largest (bound 2e-6)", error);
  table.add(name + ", " + std::to_string(count) + " charges, 425^3", "pairs/s",
            double(lattice.size()) * double(count) / median(times), bar, true, check);
}

/// The direct sum by one GPU and by several: host time from charges there to values on the first GPU.
void time_devices(Table& table, const GpuOptions& options, const std::string& name,
                  const std::vector<int>& several) {
  const LatticeGeometry lattice = cube(425);
  const std::size_t count = std::size_t(options.direct_pairs / double(lattice.size()));
  const std::vector<PointCharge> charges = random_charges(count, 424 * spacing_A, {});
  const std::vector<int> devices[2] = {{several.front()}, several};
  std::vector<double> times_s[2];
  std::vector<float> values[2];
  for (int n = -1; n < options.repeats; ++n)
    for (const int which : {0, 1}) {
      auto masked = gpu_backend().make_lattice({.devices = devices[which]}, lattice, pair_potential({}),
                                               {.every_point = true});
      std::unique_ptr<PotentialField> field;
      const double time_s = seconds([&] { field = fill(std::move(masked), DirectSum{charges}, {}); });
      if (n >= 0) times_s[which].push_back(time_s);
      if (n < 0) values[which] = field->values();
    }
  const double one_s = median(times_s[0]), several_s = median(times_s[1]);
  char check[96];
  std::snprintf(check, sizeof check, "%.3f s and %.3f s; values %s", one_s, several_s,
                values[0] == values[1] ? "are the same" : "DIFFER");
  constexpr double bar = 0.95;  // of as many times as fast
  table.add(name + " GPUs, direct, " + std::to_string(count) + " charges, 425^3", "times one",
            one_s / several_s, bar * double(several.size()), true, check);
}

/// One ion after the other around a sphere of charges: host and device time of each.
void time_placement(Table& table, const std::string& name, std::int64_t points, std::size_t count, int ions,
                    double bar_us) {
  const LatticeGeometry lattice = cube(points);
  const double edge_A = double(points - 1) * spacing_A;
  constexpr double atoms_per_A3 = 0.05;
  const double radius_A =
      std::min(0.42 * edge_A, std::cbrt(3.0 * double(count) / (4.0 * M_PI * atoms_per_A3)));
  std::vector<PointCharge> charges = random_charges(count, edge_A, radius_A);
  for (PointCharge& q : charges) q.charge_e = 0.5 * q.charge_e - 0.02;
  std::vector<Vec3<double>> centres;
  for (const PointCharge& q : charges) centres.push_back(q.position_A);
  auto masked = gpu_backend().make_lattice({}, lattice, pair_potential({}), {});
  masked->exclude(centres, 5.0);
  const auto field = fill(std::move(masked), MultilevelSum{charges, {}}, {});
  std::vector<double> host_us, device_us;
  for (int n = 0; n < ions; ++n) {
    const double before = stage_s(*field, "placement");
    const double time_s = seconds([&] {
      const std::optional<LowestPoint> point = field->lowest_energy_point(2.0);
      field->add_ion({lattice.position_A(point->index), 2.0}, 5.0);
    });
    host_us.push_back(1e6 * time_s);
    device_us.push_back(1e6 * (stage_s(*field, "placement") - before));
  }
  double total = 0.0;
  for (const double t : host_us) total += t;
  const FieldStatistics s = field->statistics();
  char check[160];
  std::snprintf(check, sizeof check,
                "mean %.1f us on the host, median on the device %.1f us; %.1f blocks, %.1f sums an ion",
                total / ions, median(device_us), double(s.blocks_updated) / ions,
                double(s.exact_sums) / ions);
  table.add(name, "us an ion", median(host_us), bar_us, false, check);
}

}  // namespace

void gpu_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  GpuOptions options;
  CommandLine line(
      {.name = "gpu",
       .synopsis = "[--repeats N]",
       .about = "Times what the GPU does, by CUDA events, against what an H100 or H200 did, and compares\n"
                "sample points with fp64. Takes a few minutes.",
       .examples = "  ionwell-bench gpu\n"
                   "      the whole table\n"
                   "  ionwell-bench gpu --only ion\n"
                   "      its rows that begin so\n",
       .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("repeats", options.repeats, "N", "how often to measure; the median counts");
  group.add("only", options.only, "TEXT",
            "only rows that begin so: direct, two, four, eight, ion, msm, points, forces, chains");
  group.add("direct-pairs", options.direct_pairs, "N",
            "size of the direct sum, in pairs of charge and point");
  if (!line.parse(arguments, out)) return;
  require_positive("--repeats", options.repeats);
  if (!(options.direct_pairs >= 1e9))
    fail<UsageError>("--direct-pairs is ", options.direct_pairs, "; it must be at least 1e9");
  const DeviceList& known = gpu_backend().devices();
  if (known.devices.empty()) fail(known.problem);
  const Device device = gpu_backend().started(known.devices.front());
  out << "ionwell " << version() << ", " << device.name << ", starting CUDA took "
      << gpu_backend().start_up_s() << " s\n\n";
  Table table(out);
  const auto wanted = [&](const char* name) { return std::string(name).rfind(options.only, 0) == 0; };
  if (wanted("direct")) {
    time_direct(table, options, "direct", pair_potential({}), 5.0e12);
    GpuOptions less = options;
    less.direct_pairs /= 10;
    time_direct(table, less, "direct, distance-dependent", pair_potential({.ddd_per_A = 3.0}), 4.0e12);
    time_direct(table, less, "direct, Debye-Hueckel", pair_potential({.ionic_strength_M = 0.15}), 2.6e12);
  }
  std::vector<int> several;
  for (const Device& one : known.devices) {
    several.push_back(one.number);
    for (const auto& [name, devices] : {std::pair{"two", 2}, {"four", 4}, {"eight", 8}})
      if (std::ssize(several) == devices && wanted(name)) time_devices(table, options, name, several);
  }
  if (wanted("ion")) {
    time_placement(table, "ion at 456^3, 260,790 charges", 456, 260790, 500, 60.0);
    time_placement(table, "ion at 1000^3, 1,534,539 charges", 1000, 1534539, 300, 120.0);
  }
  if (wanted("msm")) print_multilevel_rows(out, options.repeats);
  if (wanted("points")) print_point_rows(out, options.repeats);
  if (wanted("forces")) print_force_rows(out, options.repeats);
  if (wanted("chains")) print_chain_rows(out, options.repeats);
}

}  // namespace ionwell
