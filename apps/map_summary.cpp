#include "map_summary.hpp"

#include <algorithm>

#include "potential/map_interpolation.hpp"
#include "run_summary.hpp"

namespace ionwell {

void print_map(std::ostream& out, const Map& map) {
  const std::string unit = map.unit ? ' ' + std::string(to_string(*map.unit)) : std::string();
  double lowest = map.values[0], highest = lowest, sum = 0.0;
#pragma omp parallel for schedule(static) reduction(min : lowest) reduction(max : highest) reduction(+ : sum)
  for (std::size_t n = 0; n < map.values.size(); ++n) {
    lowest = std::min(lowest, map.values[n]);
    highest = std::max(highest, map.values[n]);
    sum += map.values[n];
  }
  print_row(out, "map", map.path);
  print_row(out, "format", map.format);
  print_row(out, "unit",
            map.unit ? to_string(*map.unit) : "not said; --map-unit tells 'place' and 'convert'");
  if (map.temperature_K) print_row(out, "temperature", *map.temperature_K, " K");
  print_lattice(out, map.lattice);
  print_row(out, "extents", extents(map.lattice), " A");
  print_row(out, "values", lowest, " to ", highest, ", mean ", sum / double(map.values.size()), unit);
  for (const auto& [key, value] : map.provenance) print_row(out, key, value);
}

}  // namespace ionwell
