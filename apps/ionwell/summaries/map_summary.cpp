// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/map_summary.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "core/lattice_extents.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "maps/map_interpolation.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

struct Range {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest, sum = 0.0;

  friend Range operator+(const Range& a, const Range& b) {
    return {std::min(a.lowest, b.lowest), std::max(a.highest, b.highest), a.sum + b.sum};
  }
};

Range range_of(const Map& map) {
  return parallel_reduce(
      thread_count(0), std::int64_t(map.values.size()), Range{},
      [&](std::int64_t first, std::int64_t last) {
        Range part;
        for (std::int64_t n = first; n < last; ++n) {
          const double value = map.values[std::size_t(n)];
          part = part + Range{value, value, value};
        }
        return part;
      },
      std::plus<>());
}

}  // namespace

void print_map(std::ostream& out, const Map& map) {
  const std::string unit = map.unit ? ' ' + std::string(to_string(*map.unit)) : std::string();
  const Range values = range_of(map);
  print_row(out, "map", map.path);
  print_row(out, "format", map.format);
  print_row(out, "unit",
            map.unit ? to_string(*map.unit) : "not stated; give it to 'place' and 'convert' with --map-unit");
  if (map.temperature_K) print_row(out, "temperature", *map.temperature_K, " K");
  print_lattice(out, map.lattice);
  print_row(out, "extents", extents(map.lattice), " A");
  print_row(out, "values", values.lowest, " to ", values.highest, ", mean ",
            values.sum / double(map.values.size()), unit);
  for (const auto& [key, value] : map.provenance) print_row(out, key, value);
}

}  // namespace ionwell
