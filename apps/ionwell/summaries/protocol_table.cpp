// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/protocol_table.hpp"

#include <algorithm>
#include <cstdio>
#include <iomanip>

#include "core/text/count_text.hpp"
#include "core/text/quoting.hpp"
#include "core/text/text_stream.hpp"

namespace ionwell {
namespace {

/// How far the ions of each protocol are from those of each other one.
void print_mean_distances(std::ostream& out, const std::vector<ProtocolResult>& results) {
  std::vector<const ProtocolResult*> placed;
  for (const ProtocolResult& result : results)
    if (!result.ions.empty()) placed.push_back(&result);
  if (placed.size() < 2) return;
  const auto column_of = [](const ProtocolResult& result) {
    constexpr std::size_t number = 7;
    return std::setw(int(2 + std::max(number, result.name.size())));
  };
  constexpr int names = 13;
  out << "\nmean distance [A] between the ions of two protocols\n" << std::setw(names) << "";
  for (const ProtocolResult* const other : placed) out << column_of(*other) << other->name;
  out << '\n';
  for (const ProtocolResult* const row : placed) {
    out << std::left << std::setw(names) << row->name << std::right;
    for (const ProtocolResult* const other : placed) {
      TextStream distance;
      if (other == row)
        distance << '-';
      else
        distance << std::fixed << std::setprecision(2) << mean_distance_A(row->ions, other->ions);
      out << column_of(*other) << distance.str();
    }
    out << '\n';
  }
}

}  // namespace

void print_protocols(std::ostream& out, const std::vector<ProtocolResult>& results) {
  const auto cell = [&](const char* format, auto... values) {
    char text[64];
    std::snprintf(text, sizeof text, format, values...);
    out << text;
  };
  const bool has_sites =
      std::any_of(results.begin(), results.end(), [](const auto& r) { return r.sites.has_value(); });
  if (has_sites) out << std::string(30, ' ') << "  sites with an ion of their own within\n";
  cell("%-14s %8s %6s", "protocol", "time [s]", "ions");
  if (has_sites)
    for (const double distance_A : site_distances_A) cell("%5g A", distance_A);
  out << '\n';
  for (const ProtocolResult& row : results) {
    cell("%-14s ", row.name.c_str());
    if (!row.not_run.empty()) {
      out << "not run: " << one_line(row.not_run) << '\n';
      continue;
    }
    cell("%8.2f %6s", row.seconds, grouped(std::ssize(row.ions)).c_str());
    if (row.sites)
      for (const SitesWithin& within : row.sites->within) cell("%7s", grouped(within.matched).c_str());
    out << '\n';
  }
  print_mean_distances(out, results);
}

}  // namespace ionwell
