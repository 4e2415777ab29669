// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/map_invariants.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "maps/ccp4_map.hpp"
#include "maps/hdf5_map.hpp"
#include "maps/map_file.hpp"
#include "support/temporary_folder.hpp"

namespace ionwell::test {
namespace {

constexpr std::int64_t most_written_again = 1 << 16;  // points: so that large maps do not hold the fuzzer up

bool is_possible(const LatticeGeometry& lattice) {
  const auto positive = [](double h) { return h > 0.0 && std::isfinite(h); };
  const Vec3<double>&o = lattice.origin_A, &h = lattice.spacing_A;
  const Vec3<std::int64_t>& n = lattice.counts;
  return n.x > 0 && n.y > 0 && n.z > 0 && positive(h.x) && positive(h.y) && positive(h.z) &&
         std::isfinite(o.x) && std::isfinite(o.y) && std::isfinite(o.z);
}

std::string broken_invariant_of(const Map& map, const std::string& copy_path) {
  if (!is_possible(map.lattice)) return "an impossible lattice";
  if (std::int64_t(map.values.size()) != map.lattice.size()) return "not a value for each point";
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(map.all().begin(), map.all().end(), finite)) return "a value that is not finite";
  if (map.lattice.size() > most_written_again) return {};
  OutputFile file(copy_path);
  write_map(file, map, map.all(), 1, {});
  file.commit();
  const Map again = read_map(copy_path, 1);
  if (again.lattice != map.lattice) return "written again, the lattice is different";
  if (!std::equal(map.all().begin(), map.all().end(), again.all().begin(), again.all().end()))
    return "written again, the values are different";
  return {};
}

bool is_one_line_about(const std::string& path, const std::string& message) {
  return message.starts_with(path + ":") && message.find('\n') == message.npos;
}

}  // namespace

std::string broken_map_invariant(std::string_view bytes) {
  static const TemporaryFolder folder;
  for (const char* const name : {"input.dx", "input.cube", "input.grd"}) {  // formats that the name decides
    const std::string path = folder / name;
    write_text(path, bytes);
    try {
      const Map map = read_map(path, 1);
      const std::string problem = broken_invariant_of(map, folder / "copy.dxbin");
      if (!problem.empty()) return map.format + ": " + problem;
    } catch (const Error& error) {
      if (const std::string message = error.what(); !is_one_line_about(path, message))
        return "not one line about the file: " + message;
    }
    if (is_hdf5(bytes) || is_ccp4(bytes)) break;  // whatever the name
  }
  return {};
}

}  // namespace ionwell::test
