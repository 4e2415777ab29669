// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <fstream>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "core/error.hpp"
#include "jobs/place/job/site_model_file.hpp"
#include "jobs/place/ways/site_atoms.hpp"
#include "placement/crystal_sites/place_sites.hpp"
#include "placement/crystal_sites/site_features.hpp"
#include "placement/crystal_sites/site_score.hpp"
#include "structures/formats/read_structure.hpp"

namespace ionwell {
namespace {

/// A line that tells the names, one with the number of points; then x, y and z of each point, and the
/// features, one after the other for all points: floats of this machine.
void write_features(const std::string& path, const ScoredPoints& points) {
  std::ofstream file(path, std::ios::binary);
  for (int f = 0; f < site_feature_count; ++f) file << site_feature_name(f) << ' ';
  file << '\n' << points.positions_A.size() << '\n';
  for (const Vec3<double>& p : points.positions_A) {
    const float xyz[3] = {float(p.x), float(p.y), float(p.z)};
    file.write(reinterpret_cast<const char*>(xyz), sizeof xyz);
  }
  file.write(reinterpret_cast<const char*>(points.features.data()),
             std::streamsize(points.features.size() * sizeof(float)));
  file.close();
  if (!file) fail(path, ": the features could not be written; make room, or name another file");
}

}  // namespace

void sites_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  std::string path;
  std::optional<std::string> features, model_file;
  std::int64_t ions = 10;
  double spacing_A = LatticeOptions{}.spacing_A, points_per_heavy_atom = SiteScore{}.points_per_heavy_atom;
  MeasureOptions measure{.repeats = 3};
  CommandLine line({.name = "sites",
                    .synopsis = "STRUCTURE",
                    .about = "Times placing ions by the site model, step by step, and writes what a fit of "
                             "its score learns from.",
                    .examples = "  ionwell-bench sites ribosome.pqr.gz --ions 741\n"
                                "      seconds for each step\n"
                                "  ionwell-bench sites rna.pqr --features rna.features --repeats 1\n"
                                "      as scripts/fit-sites calls it\n",
                    .program = "ionwell-bench"});
  line.add_file("STRUCTURE", path);
  OptionGroup& options = line.group("Options");
  options.add("ions", ions, "N", "how many ions to place");
  options.add("spacing", spacing_A, "A", "of the lattice");
  options.add("model-file", model_file, "FILE.json", "a model in place of the built-in one");
  options.add("features", features, "FILE",
              "write features of the points that get a score, and their places");
  options.add("points", points_per_heavy_atom, "N", "for each heavy atom, that get a score");
  options.add("repeats", measure.repeats, "N", "how often to measure; the median counts");
  options.add("threads", measure.threads, "N", "threads to compute with, 0 for all of them");
  if (!line.parse(arguments, out)) return;
  set_defaults(measure);

  const Structure structure = read_structure(path);
  const SiteModel model = model_file ? read_site_model(*model_file) : learned_site_model();
  const std::vector<SiteAtom> atoms = site_atoms(structure.atoms);
  const LatticeGeometry lattice = enclosing_lattice(structure.atoms, {.spacing_A = spacing_A});
  SiteScore score = model.score ? *model.score : SiteScore{};
  score.points_per_heavy_atom = points_per_heavy_atom;
  std::vector<double> energy_s, basin_s, score_s, placement_s;
  for (int n = 0; n < measure.repeats; ++n) {
    std::unique_ptr<HostStore> energies;
    BasinPoints points;
    energy_s.push_back(seconds([&] {
      energies = site_energies(lattice, model, atoms, {.simd = measure.simd, .threads = measure.threads}, {});
    }));
    const auto basins = [&](std::int64_t count) {
      points = lowest_basins(*energies, model.basin_width_A, count, measure.simd, measure.threads, {});
    };
    basin_s.push_back(seconds([&] { basins(scored_points(score, atoms)); }));
    if (features && n == 0)
      write_features(*features, features_of(*energies, points, atoms, measure.simd, measure.threads));
    score_s.push_back(seconds([&] {
      if (!model.score) return;
      score_sites(*energies, points, score, atoms, measure.simd, measure.threads, {});
      basins(std::numeric_limits<std::int64_t>::max());
    }));
    placement_s.push_back(seconds([&] {
      place_sites(lattice, model, points, {{model.ion, model.ion, model.charge_e}, ions},
                  std::numeric_limits<double>::infinity(), {});
    }));
  }
  print_machine(out, measure);
  char row[200];
  std::snprintf(row, sizeof row,
                "%10s %12s %8s %12s %12s %10s %14s\n%10zu %12lld %8lld %12.3f %12.3f %10.3f %14.3f\n",
                "atoms", "points", "ions", "energies [s]", "basins [s]", "score [s]", "placement [s]",
                structure.atoms.size(), static_cast<long long>(lattice.size()), static_cast<long long>(ions),
                median(energy_s), median(basin_s), median(score_s), median(placement_s));
  out << row;
}

}  // namespace ionwell
