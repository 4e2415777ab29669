// SPDX-License-Identifier: BSD-3-Clause
#include "potential/potential_json.hpp"

#include "compute/json_parts.hpp"
#include "core/version.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;  // the order in which a reader wants to see it

template <typename T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json electrostatics_json(const ElectrostaticsOptions& options) {
  return {{"kind", options.ddd_per_A          ? "distance_dependent"
                   : options.ionic_strength_M ? "debye_hueckel"
                                              : "coulomb"},
          {"dielectric", options.ddd_per_A ? Json(nullptr)
                                           : Json(options.dielectric.value_or(
                                                 options.ionic_strength_M ? water_dielectric : 1.0))},
          {"ddd_per_A", optional_json(options.ddd_per_A)},
          {"ionic_strength_M", optional_json(options.ionic_strength_M)},
          {"temperature_K", options.temperature_K}};
}

Json solver_json(const PoissonBoltzmann& solver) {
  Json json = {{"solver", to_string(solver.solved_by)},
               {"program", solver.program},
               {"every", solver.every},
               {"solves", solver.solves},
               {"ionic_strength_M", solver.ionic_strength_M},
               {"options", solver.options}};
  if (solver.convergence) {
    json["iterations"] = solver.convergence->iterations;
    json["residual"] = solver.convergence->residual;
    json["seconds"] = solver.convergence->seconds;
  }
  if (solver.solvation_energy_kJ_mol) json["solvation_energy_kJ_mol"] = *solver.solvation_energy_kJ_mol;
  if (solver.solvation_energy_with_ions_kJ_mol)
    json["solvation_energy_with_ions_kJ_mol"] = *solver.solvation_energy_with_ions_kJ_mol;
  return json;
}

Json statistics_json(const FieldStatistics& statistics) {
  return {{"available_points", statistics.available_points},
          {"blocks", statistics.blocks},
          {"blocks_updated", statistics.blocks_updated},
          {"candidates", statistics.candidates},
          {"exact_sums", statistics.exact_sums},
          {"refinement_s", with_decimals(statistics.refinement_s, 9)},
          {"measured_error_kT_e", statistics.measured_error_kT_e}};
}

Json ranks_json(const std::vector<RankShare>& ranks) {
  Json json = Json::array();
  for (const RankShare& rank : ranks)
    json.push_back({{"rank", rank.rank},
                    {"host", rank.host},
                    {"computed_on", rank.computed_on},
                    {"planes", rank.planes}});
  return json;
}

Json imported_json(const ImportedMaps& imported) {
  return {{"maps", imported.paths},
          {"interpolation", !imported.interpolated ? "none"
                            : imported.tricubic    ? "tricubic"
                                                   : "trilinear"},
          {"ions_act", imported.ions_act}};
}

}  // namespace

Json potential_json(const RunRecord& run, const Structure& structure, const PotentialRecord& potential,
                    const std::optional<FieldStatistics>& statistics) {
  Json json = report_head(run);
  json["structure"] = structure_json(structure);
  json["lattice"] = lattice_json(potential.lattice);
  json["electrostatics"] = electrostatics_json(potential.electrostatics);
  json["method"] = potential.method;
  json["refined"] = false;
  add_run(json, run);
  json["backend"]["lattice_on"] = to_string(run.lattice_on);
  if (potential.imported) {
    json["imported"] = imported_json(*potential.imported);
    if (!potential.imported->ions_act) json["electrostatics"] = nullptr;
  }
  if (potential.solver) json["poisson_boltzmann"] = solver_json(*potential.solver);
  if (potential.multilevel)
    json["multilevel"] = {{"basis", std::string(to_string(potential.multilevel->basis))},
                          {"cutoff_A", potential.multilevel->cutoff_A},
                          {"spacing_A", potential.multilevel->spacing_A}};
  if (potential.accuracy) json["accuracy"] = *potential.accuracy;
  if (statistics) json["statistics"] = statistics_json(*statistics);
  if (run.ranks > 1 && statistics && !statistics->ranks.empty())
    json["ranks"] = ranks_json(statistics->ranks);
  return json;
}

Json json_without_ions(const RunRecord& run, const Structure& structure, const PotentialRecord& potential,
                       const std::optional<FieldStatistics>& statistics) {
  Json json = potential_json(run, structure, potential, statistics);
  json["requested_ions"] = 0;
  json["net_charge_after_e"] = with_decimals(net_charge_e(structure.atoms), charge_decimals);
  json["ions"] = Json::array();
  return json;
}

}  // namespace ionwell
