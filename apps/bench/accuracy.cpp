// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "bench/pb_accuracy.hpp"
#include "bench/random_walk.hpp"
#include "core/error.hpp"
#include "electrostatics/charge_table.hpp"
#include "electrostatics/simd/direct_kernels.hpp"
#include "lattice/mask.hpp"
#include "parallel/thread_count.hpp"
#include "placement/place_ions.hpp"
#include "placement/placement_rules.hpp"
#include "structures/formats/read_structure.hpp"

namespace ionwell {
namespace {

struct AccuracyOptions {
  std::string structure;
  int residues = 512;  // of the random walk
  int samples = 2000;
  LatticeOptions lattice;
  bool all_points = true;
  MeasureOptions measure{.repeats = 1};
};

struct Sample {
  std::int64_t index;
  double exact_kT_e;
};

/// A solute, its lattice, and fp64 potentials at random points where an ion can go.
class AccuracyProblem {
 public:
  explicit AccuracyProblem(const AccuracyOptions& options)
      : options_(options),
        structure_(options.structure.empty() ? random_walk_polyanion(options.residues)
                                             : read_structure(options.structure)),
        charges_(point_charges(structure_.atoms)),
        lattice_(enclosing_lattice(structure_.atoms, options.lattice)) {
    for (const Atom& atom : structure_.atoms) centres_.push_back(atom.position_A);
    take_samples();
  }

  const Structure& structure() const { return structure_; }
  const LatticeGeometry& lattice() const { return lattice_; }

  struct Result {
    double mean = 0.0, percentile_99 = 0.0, largest = 0.0;  // |value - fp64| / |fp64|
    double placement_s = 0.0, all_points_s = 0.0;
  };

  Result run(const MultilevelOptions& set) const {
    Result result;
    std::vector<double> placement_s, all_points_s;
    for (int n = 0; n < options_.measure.repeats; ++n) {
      auto masked = make_host_lattice(lattice_, pair_,
                                      {.threads = options_.measure.threads, .simd = options_.measure.simd});
      masked->exclude(centres_, ExclusionOptions{}.ion_solute_A);
      std::unique_ptr<PotentialField> field;
      placement_s.push_back(seconds([&] {
        field = fill(std::move(masked), MultilevelSum{charges_, set}, {});
      }));
      if (n == 0) deviate(field->values(), &result);
    }
    for (int n = 0; n < options_.measure.repeats && options_.all_points; ++n) {
      auto masked = make_host_lattice(
          lattice_, pair_,
          {.every_point = true, .threads = options_.measure.threads, .simd = options_.measure.simd});
      std::unique_ptr<PotentialField> field;  // freed when the time is taken
      all_points_s.push_back(seconds([&] {
        field = fill(std::move(masked), MultilevelSum{charges_, set}, {});
      }));
    }
    result.placement_s = median(placement_s);
    if (options_.all_points) result.all_points_s = median(all_points_s);
    return result;
  }

 private:
  void take_samples() {
    const BlockGrid grid(lattice_);
    const DirectKernels& kernels = direct_kernels(options_.measure.simd);
    Mask available(grid, options_.measure.simd, thread_count(0));
    const double r = ExclusionOptions{}.ion_solute_A;
    available.exclude(centres_, solute_limit_A2(r));
    ChargeTable table(pair_);
    table.append(charges_);
    std::mt19937_64 random(1);
    while (samples_.size() < std::size_t(options_.samples)) {
      const std::int64_t block = std::int64_t(random() % std::uint64_t(grid.size()));
      const int p = int(random() % block_points);
      if (!is_set(available.of_block(block), p)) continue;
      samples_.push_back({grid.lattice_index(block, p), 0.0});
    }
#pragma omp parallel for schedule(dynamic, 8) num_threads(options_.measure.threads)
    for (std::size_t n = 0; n < samples_.size(); ++n) {
      const Vec3<double> at = lattice_.position_A(samples_[n].index);
      const double position_A[3] = {at.x, at.y, at.z};
      samples_[n].exact_kT_e = kernels.exact(position_A, table.arrays(), pair_);
    }
  }

  void deviate(const std::vector<float>& values, Result* result) const {
    std::vector<double> deviations;
    for (const Sample& sample : samples_)
      deviations.push_back(std::abs(double(values[std::size_t(sample.index)]) / sample.exact_kT_e - 1.0));
    std::sort(deviations.begin(), deviations.end());
    for (const double d : deviations) result->mean += d / double(deviations.size());
    result->percentile_99 = deviations[deviations.size() * 99 / 100];
    result->largest = deviations.back();
  }

  AccuracyOptions options_;
  Structure structure_;
  std::vector<PointCharge> charges_;
  std::vector<Vec3<double>> centres_;
  LatticeGeometry lattice_;
  PairPotential pair_ = pair_potential({});
  std::vector<Sample> samples_;
};

/// The published set first, then B-splines with cutoffs of 4 to 8 spacings.
std::vector<MultilevelOptions> option_sets() {
  std::vector<MultilevelOptions> sets{published_multilevel};
  for (const MultilevelBasis basis :
       {MultilevelBasis::bspline4, MultilevelBasis::bspline6, MultilevelBasis::bspline8})
    for (const double spacing_A : {1.0, 1.25, 1.5, 2.0})
      for (const double cutoff_A : {5.0, 5.5, 6.0, 8.0, 12.0})
        if (cutoff_A >= 3.9 * spacing_A && cutoff_A <= 8.1 * spacing_A)
          sets.push_back({basis, cutoff_A, spacing_A});
  return sets;
}

}  // namespace

void accuracy_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  AccuracyOptions options;
  bool placement_only = false, poisson_boltzmann = false;
  CommandLine line(
      {.name = "accuracy",
       .synopsis = "[STRUCTURE] [--samples N] | --pb",
       .about = "How far multilevel summation is from fp64 sums at random points where an ion can go\n"
                "(farther than 5 A from all atoms), relative to the potential there, and how long it\n"
                "takes: the published set, then others. Without STRUCTURE: around a random walk.\n"
                "With --pb: how far Poisson-Boltzmann is from a sphere's exact potential.",
       .examples = "  ionwell-bench accuracy\n"
                   "      a random walk of 512 residues\n"
                   "  ionwell-bench accuracy ribosome.pqr.gz --placement-only\n"
                   "      without the times for a map of all points\n",
       .program = "ionwell-bench"});
  line.add_optional_file("STRUCTURE", options.structure);
  OptionGroup& group = line.group("Options");
  group.add("samples", options.samples, "N", "points that are compared");
  group.add("residues", options.residues, "N", "length of the random walk");
  group.add("spacing", options.lattice.spacing_A, "A", "of the lattice");
  group.add_flag("placement-only", placement_only, "do not time all points as well");
  group.add_flag("pb", poisson_boltzmann, "measure Poisson-Boltzmann instead");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  require_positive("--samples", options.samples);
  require_positive("--residues", options.residues);
  set_defaults(options.measure);
  options.all_points = !placement_only;
  if (poisson_boltzmann) return print_pb_accuracy(options.measure, out);

  const AccuracyProblem problem(options);
  const Vec3<std::int64_t>& n = problem.lattice().counts;
  print_machine(out, options.measure);
  out << problem.structure().path << ": " << problem.structure().atoms.size() << " atoms, " << n.x << " x "
      << n.y << " x " << n.z << " points, " << options.samples
      << " of them compared\n"
         "deviation from fp64; time for points where an ion can go, and for all; ratio to the published "
         "set\n\n";
  char row[200];
  std::snprintf(row, sizeof row, "%-9s %5s %6s   %9s %9s %9s   %9s %6s", "basis", "h [A]", "a [A]",
                "mean [%]", "99th", "largest", "ions [s]", "ratio");
  out << row;
  if (options.all_points) {
    std::snprintf(row, sizeof row, "   %9s %6s", "all [s]", "ratio");
    out << row;
  }
  out << std::endl;
  AccuracyProblem::Result published;
  for (const MultilevelOptions& set : option_sets()) {
    const AccuracyProblem::Result r = problem.run(set);
    if (set.basis == MultilevelBasis::cubic) published = r;
    std::snprintf(row, sizeof row, "%-9s %5.4g %6.4g   %9.5f %9.5f %9.5f   %9.4f %6.3f",
                  std::string(to_string(set.basis)).c_str(), set.spacing_A, set.cutoff_A, 100 * r.mean,
                  100 * r.percentile_99, 100 * r.largest, r.placement_s,
                  r.placement_s / published.placement_s);
    out << row;
    if (options.all_points) {
      std::snprintf(row, sizeof row, "   %9.4f %6.3f", r.all_points_s,
                    r.all_points_s / published.all_points_s);
      out << row;
    }
    out << std::endl;
  }
}

}  // namespace ionwell
