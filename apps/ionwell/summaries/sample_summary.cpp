// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/sample_summary.hpp"

#include <cmath>
#include <cstdio>
#include <iomanip>

#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "ionwell/summaries/chemistry_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/structure_summary.hpp"
#include "jobs/sample/sampling_files.hpp"

namespace ionwell {
namespace {

std::string number_text(double value, const char* format = "%.4g") {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// "21.95 +- 0.04".
std::string mean_text(const SeriesMean& mean) {
  if (!std::isfinite(mean.error)) return number_text(mean.mean, "%.2f");
  return number_text(mean.mean, "%.2f") + " +- " + number_text(mean.error, "%.2f");
}

/// Digits by the error: a coefficient and what is known of it.
std::string precise_text(double value, double error) {
  return number_text(value, "%.3f") + " +- " + number_text(error, "%.3f");
}

void print_salts(std::ostream& out, const SamplingResult& result) {
  for (std::size_t n = 0; n < result.salts.size(); ++n) {
    const BulkBath& bath = result.bulk.baths[n];
    print_row(out, n == 0 ? "bath" : "", result.salts[n].text, ": mu excess ",
              precise_text(bath.bath.excess_kT, bath.error_kT), " kT a formula unit, activity coefficient ",
              number_text(bath.activity_coefficient, "%.3f"), "; from ", grouped(result.bulk.ions),
              " ions in a cube of ", number_text(result.bulk.edge_A, "%.1f"), " A");
  }
}

void print_moves(std::ostream& out, const SamplingResult& result) {
  const SampleResult& sample = result.sample;
  TextStream text;
  text << grouped(sample.moves);
  if (sample.seconds > 0.0)
    text << " in " << std::fixed << std::setprecision(1) << sample.seconds << " s, " << std::setprecision(2)
         << 1e-6 * double(sample.moves) / sample.seconds << " million a second";
  if (result.options.method == SampleMethod::brownian) {
    print_row(out, "moves of ions", text.str());
    return;
  }
  print_row(out, "moves", text.str());
  TextStream accepted;
  for (std::size_t kind = 0; kind < move_kinds; ++kind) {
    const MoveTally& tally = sample.tallies[kind];
    if (tally.tried == 0) continue;
    accepted << (accepted.str().empty() ? "" : ", ") << to_string(MoveKind(kind)) << ' '
             << number_text(100.0 * tally.share(), "%.3g") << " %";
  }
  print_row(out, "accepted", accepted.str());
}

void print_counts(std::ostream& out, const SamplingResult& result) {
  const std::vector<SampledSpecies>& species = result.model.species;
  const std::vector<double>& within_A = result.observables.within_A;
  char cell[96];
  out << '\n';
  std::snprintf(cell, sizeof cell, "%-8s%8s%20s", "ions", "radius", "in the box");
  out << cell;
  for (const double distance_A : within_A) {
    const std::string title = "within " + number_text(distance_A, "%g") + " A";
    std::snprintf(cell, sizeof cell, "%18s", title.c_str());
    out << cell;
  }
  out << '\n';
  const auto row = [&](const std::string& name, const std::string& radius, const std::string& all,
                       const std::vector<SeriesMean>& within) {
    std::snprintf(cell, sizeof cell, "%-8s%8s%20s", name.c_str(), radius.c_str(), all.c_str());
    std::string line = cell;
    for (const SeriesMean& mean : within) {
      std::snprintf(cell, sizeof cell, "%18s", mean_text(mean).c_str());
      line += cell;
    }
    while (line.back() == ' ') line.pop_back();
    out << line << '\n';
  };
  for (std::size_t s = 0; s < species.size(); ++s)
    row(species[s].ion.name, number_text(species[s].radius_A, "%.2f"), mean_text(result.sample.count[s]),
        result.sample.within[s]);
  if (!result.sample.charge_within_e.empty()) row("charge", "", "", result.sample.charge_within_e);
  out << '\n';
}

}  // namespace

void print_sample(std::ostream& out, const SamplingResult& result, std::span<const ChemistryRow> chemistry) {
  const SampleResult& sample = result.sample;
  print_structure(out, result.structure,
                  result.model.boundary == SampleBoundary::periodic ? CellUse::images : CellUse::unused);
  print_decisions(out, chemistry);
  print_lattice(out, result.potential.lattice);
  print_row(out, "potential", result.potential.description, "; ",
            to_string(result.potential.field->interpolation()));
  print_row(out, "ions act by", result.pair_description, "; ", to_string(result.model.repulsion),
            " spheres; ", to_string(result.model.boundary), " box ", result.model.box, " A");
  print_salts(out, result);
  print_row(out, "sampled by",
            result.options.method == SampleMethod::monte_carlo ? "Monte Carlo" : "Brownian dynamics", ", ",
            count_of(result.options.replicas, "replica"), " of ", grouped(result.options.length),
            result.options.method == SampleMethod::monte_carlo ? " sweeps" : " steps", " after ",
            grouped(result.options.equilibration), " sweeps, ", count_of(sample.samples, "sample"), ", seed ",
            result.options.seed);
  print_computed_on(out, result.run);
  if (result.run.ranks > 1)
    print_row(out, "ranks", result.run.ranks, " like this one, each with its own replicas");
  print_moves(out, result);
  print_row(out, "energy", mean_text(sample.energy_kT), " kT, lowest found ",
            number_text(sample.lowest_kT, "%.2f"), " kT, correlated over ",
            number_text(sample.energy_kT.samples_apart * double(result.options.every), "%.3g"),
            result.options.method == SampleMethod::monte_carlo ? " sweeps" : " steps");
  print_counts(out, result);
}

}  // namespace ionwell
