#include "output/engine_input.hpp"

#include "core/error.hpp"
#include "input/gromacs_topology.hpp"
#include "output/folder_checks.hpp"

namespace ionwell {
namespace {

/// As pdb2gmx has the water's model.
std::string gromacs_water(std::string_view model) {
  if (model.empty()) return "tip3p";
  for (const std::string_view known : {"tip3p", "spce", "tip4pew", "tip5p"})
    if (model == known) return std::string(known);
  if (model == "tips3p") return "tips3p";
  fail<UsageError>(
      "--water-model ", model,
      ": GROMACS's force fields have no such water for the topology of an entry; they have tip3p, "
      "spce, tip4pew and tip5p");
}

Pdb2gmxOptions pdb2gmx_options(const SystemOutput& output, std::string_view water_model) {
  return {.force_field = output.force_field, .water = gromacs_water(water_model)};
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
