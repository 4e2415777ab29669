// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/points_summary.hpp"

#include <cmath>
#include <cstdio>
#include <iomanip>

#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "ionwell/summaries/chemistry_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/structure_summary.hpp"

namespace ionwell {
namespace {

/// Four digits, as a table needs them.
std::string value_text(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string percent_text(double share) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f %%", 100.0 * share);
  return text;
}

void print_error(std::ostream& out, const PointResult& result) {
  if (!result.sum || !result.sum->error) return;
  const SampledError& error = *result.sum->error;
  char text[128];
  std::snprintf(text, sizeof text,
                "%.1e (rms) and at most %.1e of the potential's rms, %.3g kT/e, at %d sample points",
                error.rms, error.largest, error.potential_rms_kT_e, error.samples);
  print_row(out, "error", text);
}

/// In whole square or cubic Angstrom, where it has them.
std::string size_text(double value) {
  constexpr double four_digits = 1000.0;
  return value < four_digits ? value_text(value) : grouped(std::llround(value));
}

/// "2.5 % less area": of triangles, compared with the surface that they approximate.
std::string difference_text(double of_triangles, double of_surface, const char* what) {
  const double share = of_triangles / of_surface - 1.0;
  return percent_text(std::abs(share)) + (share > 0.0 ? " more " : " less ") + what;
}

void print_surface(std::ostream& out, const PointResult& result) {
  if (!result.surface) return;
  const SurfaceMeasure &surface = *result.surface, triangles = measure_of_triangles(result.points);
  print_row(out, "area, volume", "about ", size_text(surface.area_A2), " A^2, ", size_text(surface.volume_A3),
            " A^3 of the surface; the flat triangles have ",
            difference_text(triangles.area_A2, surface.area_A2, "area"), " and ",
            difference_text(triangles.volume_A3, surface.volume_A3, "volume"));
}

void print_histogram(std::ostream& out, const PointStatistics& statistics) {
  constexpr double full_bar = 40.0;
  double largest = 0.0;
  for (const HistogramBin& bin : statistics.histogram) largest = std::max(largest, bin.share);
  constexpr std::int64_t too_few = 20;
  if (!(largest > 0.0) || statistics.histogram.size() < 2 || statistics.valued < too_few) return;
  out << '\n'
      << (statistics.area_A2 > 0.0 ? "share of the area by potential [kT/e]\n"
                                   : "share of the points by potential [kT/e]\n");
  for (std::size_t n = 0; n < statistics.histogram.size(); ++n) {
    const HistogramBin& bin = statistics.histogram[n];
    const bool is_first = n == 0, is_last = n + 1 == statistics.histogram.size();
    const std::string from = is_first ? std::string() : value_text(bin.from_kT_e),
                      to = is_last ? std::string() : value_text(bin.to_kT_e);
    char row[128];
    std::snprintf(row, sizeof row, "%10s to %10s %8s  ", from.c_str(), to.c_str(),
                  percent_text(bin.share).c_str());
    std::string line = row + std::string(std::size_t(std::lround(full_bar * bin.share / largest)), '#');
    while (line.back() == ' ') line.pop_back();
    out << line << '\n';
  }
}

void print_patches(std::ostream& out, const PointStatistics& statistics) {
  if (statistics.patches.empty()) return;
  const bool has_areas = statistics.area_A2 > 0.0;
  char row[192];
  out << '\n'
      << (has_areas ? "most negative patches" : "most negative points, 5 A apart or more")
      << (has_areas ? "\n    lowest      mean  area [A^2]" : "\n potential")
      << "     x [A]     y [A]     z [A]  nearest atom\n";
  for (const LowPatch& patch : statistics.patches) {
    if (has_areas)
      std::snprintf(row, sizeof row, "%10s%10s%12.1f", value_text(patch.lowest_kT_e).c_str(),
                    value_text(patch.mean_kT_e).c_str(), patch.area_A2);
    else
      std::snprintf(row, sizeof row, "%10s", value_text(patch.lowest_kT_e).c_str());
    out << row;
    std::snprintf(row, sizeof row, "%10.3f%10.3f%10.3f  ", patch.centre_A.x, patch.centre_A.y,
                  patch.centre_A.z);
    out << row << patch.nearest_atom << '\n';
  }
}

}  // namespace

void print_points(std::ostream& out, const PointResult& result, std::span<const ChemistryRow> chemistry) {
  const PointStatistics& statistics = result.statistics;
  print_structure(out, result.structure);
  print_decisions(out, chemistry);
  const auto points = std::ssize(result.points.positions_A);
  if (result.points.triangles.empty())
    print_row(out, "points", grouped(points), " of ", result.points.path, " (",
              to_string(result.points.format), ")");
  else
    print_row(out, "surface", grouped(points), " points, ",
              count_of(std::ssize(result.points.triangles), "triangle"), ", ", value_text(statistics.area_A2),
              " A^2; ", result.points.path);
  print_surface(out, result);
  print_row(out, "electrostatics", result.model);
  print_row(out, "method", describe_method(result));
  if (result.alpb_size_A)
    print_row(out, "solute's size", value_text(*result.alpb_size_A), " A (ALPB's sphere)");
  print_error(out, result);
  print_computed_on(out, result.run);
  print_row(out, "potential", value_text(statistics.lowest_kT_e), " to ", value_text(statistics.highest_kT_e),
            " kT/e, mean ", value_text(statistics.mean_kT_e), ", deviation ",
            value_text(statistics.deviation_kT_e), statistics.area_A2 > 0.0 ? " (by area)" : "");
  print_histogram(out, statistics);
  print_patches(out, statistics);
  out << '\n';
}

}  // namespace ionwell
