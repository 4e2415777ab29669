// SPDX-License-Identifier: BSD-3-Clause
#include "output/engine_input.hpp"

#include "core/error.hpp"
#include "input/gromacs_topology.hpp"
#include "output/folder_checks.hpp"

namespace ionwell {
namespace {

/// As pdb2gmx has the water's model. It has no word for tip4pew, and cannot name the sites of tip5p.
std::string gromacs_water(std::string_view model, std::string_view force_field) {
  if (model.empty()) return "tip3p";
  const bool is_charmm = force_field.starts_with("charmm");
  if (model == "tip3p" || model == "spce" || (is_charmm && model == "tips3p")) return std::string(model);
  fail<UsageError>(
      "--water-model ", model, ": pdb2gmx cannot make a topology of an entry with this water in ",
      force_field, "; take ", is_charmm ? "tip3p, spce or tips3p" : "tip3p or spce",
      ", or make a topology (.top) with it and give that with its coordinates instead of the entry");
}

Pdb2gmxOptions pdb2gmx_options(const SystemOutput& output, std::string_view water_model) {
  return {.force_field = output.force_field, .water = gromacs_water(water_model, output.force_field)};
}

}  // namespace

void check_engine_files(const SystemOutput& output, const std::vector<std::string>& files,
                        std::string_view water_model) {
  if (!output.engine) return;
  const std::optional<TopologyFile> topology = find_topology(files);
  if (*output.engine == Engine::gromacs && !topology)
    check_pdb2gmx(pdb2gmx_options(output, water_model));
  else
    check_engine(*output.engine, topology, water_model);
}

void complete_for_engine(const SystemOutput& output, Input& input, std::string_view water_model,
                         const std::function<void(double seconds)>& progress) {
  if (!output.engine) return;
  if (*output.engine == Engine::gromacs && !input.topology && input.is_entry)
    make_gromacs_topology(input, pdb2gmx_options(output, water_model), progress);
  check_engine(*output.engine, input.topology, water_model);
  check_engine_input(*output.engine, input);
}

}  // namespace ionwell
