#include "run/solvation_report.hpp"

#include "core/available_memory.hpp"
#include "core/version.hpp"
#include "run/json_parts.hpp"

namespace ionwell {

std::string solvation_report(const Solvation& solvation, const SolvationRun& run) {
  using Json = nlohmann::ordered_json;
  const WaterModel& model = solvation.waters.tiles.model();
  const FillCounts& counts = solvation.counts;
  const Rotation& turn = solvation.rotation;
  Json timings = Json::object();
  for (const auto& [stage, seconds] : run.timings_s) timings[stage] = seconds;
  const Json json = {{"schema_version", 1},
                     {"program", {{"name", "ionwell"}, {"version", version()}}},
                     {"command", run.command},
                     {"structure", structure_json(run.structure)},
                     {"cell",
                      {{"lengths_A", vector_json(solvation.cell.lengths_A)},
                       {"angles_deg", vector_json(solvation.cell.angles_deg)},
                       {"vectors_A",
                        {vector_json(solvation.vectors.a), vector_json(solvation.vectors.b),
                         vector_json(solvation.vectors.c)}},
                       {"volume_A3", solvation.volume_A3}}},
                     {"solute",
                      {{"rotation", {vector_json(turn.x), vector_json(turn.y), vector_json(turn.z)}},
                       {"translation_A", vector_json(solvation.translation_A)},
                       {"atoms_made_whole", solvation.made_whole},
                       {"own_image_A", solvation.own_image_A},
                       {"volume_A3", solvation.solute_volume_A3}}},
                     {"water",
                      {{"model", model.name},
                       {"source", model.source},
                       {"molecules", solvation.waters.size()},
                       {"density_g_cm3", solvation.density_g_cm3},
                       {"left_out",
                        {{"overlapping", counts.overlapping},
                         {"among_lipid_tails", counts.among_tails},
                         {"in_small_cavities", counts.in_cavities},
                         {"at_faces", counts.seam}}}}},
                     {"atoms", solvation.atoms()},
                     {"output", run.output},
                     {"warnings", run.warnings},
                     {"timings_s", timings},
                     {"memory_bytes", {{"host_peak", peak_memory_bytes()}}}};
  return report_text(json);
}

}  // namespace ionwell
