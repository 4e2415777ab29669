#include "ionwell/summaries/set_table.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include "core/text/count_text.hpp"
#include "core/text/quoting.hpp"

namespace ionwell {
namespace {

constexpr double interval_at_A = 3.0;  // what the literature counts as found

template <typename... Values>
void print_cell(std::ostream& out, const char* format, Values... values) {
  char text[96];
  std::snprintf(text, sizeof text, format, values...);
  out << text;
}

void print_size(std::ostream& out, const SetComparison& comparison) {
  std::int64_t most_sites = 0;
  for (const SetRow& row : comparison.rows) most_sites = std::max(most_sites, row.all.sites);
  std::set<std::string> families;
  for (const SetEntry& entry : comparison.set.entries) families.insert(entry.family);
  const auto entries = std::ssize(comparison.set.entries);
  out << grouped(entries) << (entries == 1 ? " entry, " : " entries, ") << count_of(most_sites, "site");
  if (comparison.set.has_families)
    out << ", " << grouped(std::ssize(families)) << (families.size() == 1 ? " family" : " families");
  out << '\n';
}

}  // namespace

void print_set(std::ostream& out, const SetComparison& comparison) {
  print_size(out, comparison);
  std::size_t names = 8;
  for (const SetRow& row : comparison.rows) names = std::max(names, row.name.size());
  const int width = int(names);
  out << std::string(names + 24, ' ') << "% of the sites with an ion of their own within\n";
  print_cell(out, "%-*s %7s %6s %8s", width, "protocol", "entries", "ions", "time [s]");
  for (const double distance_A : site_distances_A) {
    print_cell(out, "%5g A", distance_A);
    if (distance_A == interval_at_A) out << "  (95 %)     ";
  }
  const bool is_weighted = std::any_of(comparison.rows.begin(), comparison.rows.end(),
                                       [](const SetRow& row) { return !row.all.weighted_recall.empty(); });
  if (is_weighted) print_cell(out, "  by weight, %g A", interval_at_A);
  out << '\n';
  for (const SetRow& row : comparison.rows) {
    print_cell(out, "%-*s", width, one_line(row.name).c_str());
    if (!row.not_run.empty()) {
      out << " not run: " << one_line(row.not_run) << '\n';
      continue;
    }
    const PooledScore& all = row.all;
    print_cell(out, " %7s %6s %8.2f", grouped(all.entries).c_str(), grouped(all.ions).c_str(), all.seconds);
    for (std::size_t d = 0; d < site_distances_A.size(); ++d) {
      print_cell(out, "%7.1f", 100.0 * all.recall[d]);
      if (site_distances_A[d] != interval_at_A) continue;
      const Interval& range = all.recall_95[d];
      print_cell(out, " (%4.1f to %4.1f)", 100.0 * range.low, 100.0 * range.high);
    }
    for (std::size_t d = 0; d < all.weighted_recall.size(); ++d)
      if (site_distances_A[d] == interval_at_A) print_cell(out, "%16.1f", 100.0 * all.weighted_recall[d]);
    out << '\n';
  }
  out << "the interval is of 2000 draws of families, each with all of its entries\n";
}

}  // namespace ionwell
