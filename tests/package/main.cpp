// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <filesystem>
#include <iostream>

#include "api/lattice_job.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "gpu/backend.hpp"
#include "maps/map_file.hpp"

namespace {

bool expect(bool is_so, const char* what) {
  if (!is_so) std::cerr << what << '\n';
  return is_so;
}

}  // namespace

// The potential of one charge on whatever this machine has, to a file and back; an ion beside it; a job that
// cannot be.
int main() try {
  using namespace ionwell;
  Structure structure{.path = "one charge"};
  structure.atoms.push_back({.position_A = {0, 0, 0}, .charge_e = 1.0});
  std::string stages;
  LatticeJob job{.structure = structure,
                 .lattice = {.spacing_A = 0.5, .box = Box{{0, 0, 0}, {1, 1, 2}}},
                 .progress = [&](const std::string& stage, double) { stages += stage + ' '; }};

  const SoluteMap made = solute_map(job, {&gpu_backend()});
  const float ratio = made.map.values[18] / made.map.values[36];  // at distances of 1 and 2 A
  std::cout << "ionwell " << version() << ": " << made.map.values.size() << " points on the "
            << to_string(made.summary.backend) << ", ratio " << ratio << '\n';

  const std::string path = "package_test.dx";
  write_map(path, made.map, made.map.all());
  const Map read = read_map(path);
  std::filesystem::remove(path);

  job.ions = {{{.name = "CL", .element = "CL", .charge_e = -1.0}, 1}};
  job.exclusion.ion_solute_A = 1.2;
  job.keeps_map = true;
  const PlacedIons placed = place(job, {&gpu_backend()});

  bool is_refused = false;
  try {
    solute_map(job);
  } catch (const UsageError&) {
    is_refused = true;
  }
  const bool all_good =
      expect(made.map.values.size() == 45 && ratio > 1.9999f && ratio < 2.0001f, "the potential is wrong") &
      expect(stages.find("potential") != stages.npos, "the observer was not told of a stage") &
      expect(read.lattice == made.map.lattice && read.values.size() == 45 && read.unit == MapUnit::kT_e,
             "the map that was read is another than the one written") &
      expect(placed.placement.ions.size() == 1 && placed.placement.ions.front().energy_kT < 0.0 &&
                 placed.placement.ions.front().nearest_solute_A >= 1.2,
             "the ion is not where it should be") &
      expect(placed.map && placed.map->values.size() == 45, "the map of solute and ions is missing") &
      expect(is_refused, "a map of the solute with ions was not refused");
  return all_good ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
