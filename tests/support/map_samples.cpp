// SPDX-License-Identifier: BSD-3-Clause
#include "support/map_samples.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "files/output_file.hpp"
#include "maps/map_file.hpp"
#include "support/cases.hpp"
#include "support/temporary_folder.hpp"

namespace ionwell::test {

Sample sample(Vec3<std::int64_t> counts, Vec3<double> spacing_A) {
  Sample map;
  map.header.lattice = {{-12.345678901234567, 0.001, 99.5}, spacing_A, counts};
  map.header.unit = MapUnit::kcal_mol_e;
  map.header.temperature_K = 310.5;
  map.header.provenance = {{"program", "some program 1.2"},
                           {"command", "ionwell map a.pqr -o b.dx"},
                           {"structure", "a.pqr"},
                           {"method", "direct sum"},
                           {"comment", "made by hand"}};
  Random random(7);
  for (std::int64_t n = 0; n < map.header.lattice.size(); ++n)
    map.values.push_back(random.between(-1.0, 1.0) * std::pow(10.0, random.between(-7.0, 4.0)));
  return map;
}

void write(const std::string& path, const Sample& map, int threads) {
  OutputFile file(path);
  write_map(file, map.header, std::span<const double>(map.values), threads, {});
  file.commit();
}

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {".dx", 5.1e-7},        {".dx.gz", 5.1e-7}, {".dxbin", 0.0},
      {".h5", 0.0},           {".cmap", 0.0},     {".ccp4", 6.0e-8, true},
      {".mrc", 6.0e-8, true}, {".cube", 5.1e-6},  {".grd", 5.1e-6, false}};
  return all;
}

std::string comparable_bytes(const std::string& path) {
  if (!path.ends_with(".h5") && !path.ends_with(".cmap")) return read_text(path);
  const Map map = read_map(path);
  return {reinterpret_cast<const char*>(map.all().data()), map.all().size_bytes()};
}

std::string small_dx(const std::string& values) {
  return "object 1 class gridpositions counts 2 1 2\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\ndelta 0 0 1\n"
         "object 2 class gridconnections counts 2 1 2\n"
         "object 3 class array type double rank 0 items 4 data follows\n" +
         values;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace ionwell::test
