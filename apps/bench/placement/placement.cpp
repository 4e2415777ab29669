// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "bench/placement/plain_placement.hpp"
#include "bench/random_walk.hpp"
#include "core/error.hpp"
#include "placement/place_ions.hpp"
#include "placement/placement_rules.hpp"
#include "structures/formats/read_structure.hpp"

namespace ionwell {
namespace {

struct PlacementOptions {
  std::string structure;
  int ion_count = 157;
  double charge_e = 2.0;
  int residues = 316;  // of the random walk
  MeasureOptions measure{.repeats = 3};
};

struct LazyRun {
  std::vector<std::int64_t> indices;
  FieldStatistics statistics;
  double fill_s = 0.0;        // exclusion and potential
  double place_s = 0.0;       // everything that the placement needs from then on
  std::vector<float> values;  // before the first ion
};

class PlacementBenchmark {
 public:
  explicit PlacementBenchmark(const PlacementOptions& options)
      : options_(options),
        structure_(options.structure.empty() ? random_walk_polyanion(options.residues)
                                             : read_structure(options.structure)),
        charges_(point_charges(structure_.atoms)),
        lattice_(enclosing_lattice(structure_.atoms, {})) {
    for (const Atom& atom : structure_.atoms) centres_.push_back(atom.position_A);
  }

  const Structure& structure() const { return structure_; }
  const LatticeGeometry& lattice() const { return lattice_; }

  LazyRun run_lazily(bool keep_values) const {
    LazyRun run;
    auto masked = make_host_lattice(lattice_, pair_,
                                    {.threads = options_.measure.threads, .simd = options_.measure.simd});
    std::unique_ptr<PotentialField> field;
    run.fill_s = seconds([&] {
      masked->exclude(centres_, distances_.ion_solute_A);
      field = fill(std::move(masked), DirectSum{charges_}, {});
    });
    if (keep_values) run.values = field->values();
    run.place_s = seconds([&] {
      for (int n = 0; n < options_.ion_count; ++n) {
        const std::optional<LowestPoint> point = field->lowest_energy_point(options_.charge_e);
        if (!point) return;
        run.indices.push_back(point->index);
        field->add_ion({lattice_.position_A(point->index), options_.charge_e}, distances_.ion_ion_A);
      }
    });
    run.statistics = field->statistics();
    return run;
  }

  /// The same start for the plain way.
  PlainProblem plain_problem(std::vector<float> values) const {
    PlainProblem problem{.lattice = lattice_,
                         .pair = pair_,
                         .values_kT_e = std::move(values),
                         .excluded = std::vector<bool>(lattice_.size()),
                         .charge_e = options_.charge_e,
                         .ion_count = options_.ion_count,
                         .ion_ion_A = distances_.ion_ion_A,
                         .threads = options_.measure.threads};
    const double r = distances_.ion_solute_A, h = lattice_.spacing_A.x;
    const auto first = [&](double x) { return std::max<std::int64_t>(0, std::int64_t((x - r) / h)); };
    const auto last = [&](double x, std::int64_t n) {
      return std::min(n - 1, std::int64_t((x + r) / h) + 1);
    };
    for (const Vec3<double>& centre : centres_) {
      const Vec3<double> c = centre - lattice_.origin_A;
      for (std::int64_t k = first(c.z); k <= last(c.z, lattice_.counts.z); ++k)
        for (std::int64_t j = first(c.y); j <= last(c.y, lattice_.counts.y); ++j)
          for (std::int64_t i = first(c.x); i <= last(c.x, lattice_.counts.x); ++i)
            if (distance_squared(lattice_.position_A(i, j, k), centre) <= solute_limit_A2(r))
              problem.excluded[lattice_.index(i, j, k)] = true;
    }
    return problem;
  }

 private:
  PlacementOptions options_;
  Structure structure_;
  std::vector<PointCharge> charges_;
  std::vector<Vec3<double>> centres_;
  LatticeGeometry lattice_;
  PairPotential pair_ = pair_potential({});
  ExclusionOptions distances_;
};

void print_statistics(std::ostream& out, const FieldStatistics& s, std::int64_t points, std::size_t ions) {
  constexpr double points_per_block = 512.0;
  const double per_ion = double(s.blocks_updated) / double(std::max<std::size_t>(ions, 1));
  char text[512];
  std::snprintf(text, sizeof text,
                "blocks with a free point   %12lld\n"
                "blocks updated per ion     %12.1f   %.2f %% of them\n"
                "points touched per ion     %12.0f   %.3f %% of all\n"
                "fp64 sums per ion          %12.1f   %.4f s in all\n",
                static_cast<long long>(s.blocks), per_ion, 100.0 * per_ion / double(s.blocks),
                points_per_block * per_ion, 100.0 * points_per_block * per_ion / double(points),
                double(s.candidates) / double(std::max<std::size_t>(ions, 1)), s.refinement_s);
  out << text;
}

}  // namespace

void placement_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  PlacementOptions options;
  CommandLine line({.name = "placement",
                    .synopsis = "[STRUCTURE] [--ion-count N] [--charge Q]",
                    .about =
                        "Times placing ions on a lattice that holds the solute's potential: with blocks and\n"
                        "bounds, as ionwell does it, and with one pass over all points for every ion. Both\n"
                        "start from the same values; runs alternate. Without STRUCTURE: around a random\n"
                        "walk of the size and charge of a group I intron domain.",
                    .examples = "  ionwell-bench placement\n"
                                "      157 ions of charge 2 around the random walk\n"
                                "  ionwell-bench placement rna.pqr --ion-count 24 --threads 1\n"
                                "      around a structure of your own\n",
                    .program = "ionwell-bench"});
  line.add_optional_file("STRUCTURE", options.structure);
  OptionGroup& group = line.group("Options");
  group.add("ion-count", options.ion_count, "N", "number of ions");
  group.add("charge", options.charge_e, "Q", "their charge [e], greater than 0");
  group.add("residues", options.residues, "N", "length of the random walk");
  add_measure_options(group, options.measure);
  if (!line.parse(arguments, out)) return;
  require_positive("--ion-count", options.ion_count);
  require_positive("--residues", options.residues);
  if (!(options.charge_e > 0.0))
    fail<UsageError>("--charge is ", options.charge_e, "; it must be greater than 0");
  set_defaults(options.measure);

  const PlacementBenchmark benchmark(options);
  const Vec3<std::int64_t>& n = benchmark.lattice().counts;
  print_machine(out, options.measure);
  out << options.ion_count << " ions of charge " << options.charge_e << " around "
      << benchmark.structure().path << ": " << benchmark.structure().atoms.size() << " atoms, " << n.x
      << " x " << n.y << " x " << n.z << " points\nmedian of " << options.measure.repeats << " runs\n\n"
      << std::flush;
  std::vector<double> fill_s, lazy_s, plain_s;
  PlainProblem problem;
  LazyRun lazy;
  PlainResult plain;
  for (int run = 0; run < options.measure.repeats; ++run) {
    lazy = benchmark.run_lazily(run == 0);
    if (run == 0) problem = benchmark.plain_problem(std::move(lazy.values));
    plain = place_plainly(problem);
    fill_s.push_back(lazy.fill_s);
    lazy_s.push_back(lazy.place_s);
    plain_s.push_back(plain.time_s);
  }
  std::size_t same = 0;
  for (std::size_t i = 0; i < std::min(lazy.indices.size(), plain.indices.size()); ++i)
    same += lazy.indices[i] == plain.indices[i];
  char text[512];
  std::snprintf(text, sizeof text,
                "potential and exclusion    %12.4f s\n"
                "placement, point by point  %12.4f s\n"
                "placement, lazy            %12.4f s\n"
                "ratio                      %12.1f\n"
                "same points                %12zu   of %zu\n",
                median(fill_s), median(plain_s), median(lazy_s), median(plain_s) / median(lazy_s), same,
                lazy.indices.size());
  out << text;
  print_statistics(out, lazy.statistics, benchmark.lattice().size(), lazy.indices.size());
}

}  // namespace ionwell
