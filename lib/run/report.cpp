#include "run/report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "core/version.hpp"
#include "run/average/average_report.hpp"
#include "run/box/box_json.hpp"
#include "run/hydration_report.hpp"
#include "run/json_parts.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;  // the order in which a reader wants to see it

constexpr int schema_version = 1;

template <typename T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json atom_json(const Atom& atom) {
  return {{"name", atom.name.view()},
          {"residue", atom.residue.view()},
          {"residue_number", atom.residue_number},
          {"insertion_code", std::string(atom.insertion_code == ' ' || atom.insertion_code == '\0' ? 0 : 1,
                                         atom.insertion_code)},
          {"chain", atom.chain.view()}};
}

Json ions_json(const Result& result) {
  const Structure& structure = result.structure;
  Json ions = Json::array();
  for (const PlacedIon& ion : result.placement.ions) {
    ions.push_back(
        {{"index", ions.size() + 1},
         {"name", ion.species.name},
         {"element", ion.species.element},
         {"charge_e", ion.species.charge_e},
         {"position_A", position_json(ion.position_A)},
         {"lattice_index", result.box ? Json(nullptr) : Json(ion.lattice_index)},
         {"energy_kT", ion.energy_kT},
         {"above_zero", is_repelled(ion)},
         {"nearest_solute_A", with_decimals(ion.nearest_solute_A, position_decimals)},
         {"nearest_atom", std::isfinite(ion.nearest_solute_A) ? atom_json(structure.atoms[ion.nearest_atom])
                                                              : Json(nullptr)},  // in water alone
         {"nearest_ion_A", with_decimals(ion.nearest_ion_A, position_decimals)}});
    if (ion.site_energy_kT) ions.back()["site_energy_kT"] = *ion.site_energy_kT;
    if (ion.probability) ions.back()["probability"] = *ion.probability;
    if (result.box) {
      ions.back()["replaced_water"] = ion.lattice_index + 1;
      ions.back()["placed_by"] = ion.by_chance ? "chance" : "energy";
    }
  }
  return ions;
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

Json sites_json(const SiteResult& sites) {
  const SiteModel& model = sites.model;
  Json terms = Json::array();
  for (const SiteTerm& term : model.terms)
    terms.push_back({{"energy_kT", term.energy_kT}, {"centre_A", term.centre_A}, {"width_A", term.width_A}});
  return {{"ion", model.ion},
          {"file", sites.path.empty() ? Json(nullptr) : Json(sites.path)},
          {"provenance", model.provenance},
          {"terms", terms},
          {"cutoff_A", model.cutoff_A},
          {"basin_width_A", model.basin_width_A},
          {"learned_score", model.score != nullptr}};
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

template <typename... Parts>
std::string joined(const Parts&... parts) {
  TextStream text;
  text.precision(10);
  (text << ... << parts);
  return text.str();
}

std::string electrostatics_text(const ElectrostaticsOptions& options) {
  const std::string temperature = joined(" at ", options.temperature_K, " K");
  if (options.ddd_per_A)
    return joined("distance-dependent dielectric ", *options.ddd_per_A, " r", temperature);
  if (options.ionic_strength_M)
    return joined("Debye-Hueckel, ionic strength ", *options.ionic_strength_M, " M, dielectric ",
                  options.dielectric.value_or(water_dielectric), temperature);
  return joined("Coulomb, dielectric ", options.dielectric.value_or(1.0), temperature);
}

std::string describe_sites(const SiteResult& sites, bool multilevel) {
  TextStream text;
  text << "site model of " << sites.model.ion << (sites.path.empty() ? ", built in" : " from " + sites.path)
       << ", " << (multilevel ? "multilevel" : "direct") << " sum, basins of " << sites.model.basin_width_A
       << " A";
  return text.str();
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// "0.5", or "0.5 x 0.4 x 0.3" where the axes differ.
std::string spacing_text(const Vec3<double>& h) {
  return h.x == h.y && h.x == h.z ? joined(h.x) : joined(h.x, " x ", h.y, " x ", h.z);
}

/// "3 MG (+2), 14 NA (+1)", in the order of placement.
std::string composition(const Placement& placement) {
  std::vector<std::pair<IonSpecies, std::int64_t>> counts;
  for (const PlacedIon& ion : placement.ions) {
    const auto same = [&](const auto& entry) {
      return entry.first.name == ion.species.name && entry.first.charge_e == ion.species.charge_e;
    };
    const auto found = std::find_if(counts.begin(), counts.end(), same);
    found == counts.end() ? void(counts.emplace_back(ion.species, 1)) : void(++found->second);
  }
  std::string text;
  for (const auto& [species, count] : counts)
    text +=
        joined(text.empty() ? "" : ", ", count, ' ', species.name, " (", charge_text(species.charge_e), ')');
  return text.empty() ? "none" : text;
}

}  // namespace

double charge_before_e(const Result& result) {
  return result.box ? result.box->charge_e : net_charge_e(result.structure.atoms);
}

double charge_after_e(const Result& result) {
  double sum_e = charge_before_e(result);
  for (const PlacedIon& ion : result.placement.ions) sum_e += ion.species.charge_e;
  return sum_e;
}

std::string json_report(const Result& result) {
  Json timings = Json::object();
  for (const auto& [stage, seconds] : result.timings_s) timings[stage] = seconds;
  Json json = {
      {"schema_version", schema_version},
      {"version", version()},
      {"command", result.command},
      {"structure", structure_json(result.structure)},
      {"lattice", result.box ? Json(nullptr) : lattice_json(result.lattice)},
      {"electrostatics", electrostatics_json(result.electrostatics)},
      {"method", result.method},
      {"refined", result.refined},
      {"backend",
       {{"kind", result.backend},
        {"device", result.device},
        {"lattice_on", result.lattice_on},
        {"threads", result.threads}}},
      {"timings_s", timings},
      {"memory_bytes",
       {{"host_peak", result.host_peak_bytes},
        {"device_peak", result.device_use ? Json(result.device_use->peak_bytes) : Json(nullptr)}}},
  };
  if (result.imported) {
    json["imported"] = {{"maps", result.imported->paths},
                        {"interpolation", !result.imported->interpolated ? "none"
                                          : result.imported->tricubic    ? "tricubic"
                                                                         : "trilinear"},
                        {"ions_act", result.imported->ions_act}};
    if (!result.imported->ions_act) json["electrostatics"] = nullptr;
  }
  if (result.solver) json["poisson_boltzmann"] = solver_json(*result.solver);
  if (result.sites) json["site_model"] = sites_json(*result.sites);
  if (result.exclusion)
    json["exclusion"] = {{"ion_solute_A", result.exclusion->ion_solute_A},
                         {"ion_ion_A", result.exclusion->ion_ion_A}};
  if (result.multilevel)
    json["multilevel"] = {{"basis", std::string(to_string(result.multilevel->basis))},
                          {"cutoff_A", result.multilevel->cutoff_A},
                          {"spacing_A", result.multilevel->spacing_A}};
  if (result.device_use) json["device"] = device_json(*result.device_use, result.device_start_up_s);
  if (result.ranks > 1) json["backend"]["ranks"] = result.ranks;
  if (result.statistics) json["statistics"] = statistics_json(*result.statistics);
  if (result.ranks > 1 && result.statistics && !result.statistics->ranks.empty())
    json["ranks"] = ranks_json(result.statistics->ranks);
  json["requested_ions"] = result.placement.requested;
  json["net_charge_after_e"] = with_decimals(charge_after_e(result), charge_decimals);
  if (result.is_periodic || result.distances_repeat) json["structure"]["cell"]["used"] = true;
  if (result.box) {
    json["structure"]["cell"]["used"] = result.box->boundary == Boundary::periodic;
    if (result.box->solvation != nullptr) json["solvation"] = solvation_json(*result.box->solvation);
    json["water"] = water_json(*result.box);
    if (!result.box->salts.empty()) json["salt"] = salt_json(*result.box);
  }
  if (result.average) json["average"] = average_json(*result.average);
  if (result.hydration) json["hydration"] = hydration_json(*result.hydration, result.structure);
  json["ions"] = ions_json(result);
  json["warnings"] = result.warnings;
  return report_text(json);
}

std::string describe_electrostatics(const ElectrostaticsOptions& options) {
  TextStream text;
  if (options.ddd_per_A)
    text << "distance-dependent dielectric, eps = " << *options.ddd_per_A << " r";
  else if (options.ionic_strength_M)
    text << "Debye-Hueckel, " << *options.ionic_strength_M
         << " M, eps = " << options.dielectric.value_or(water_dielectric);
  else
    text << "Coulomb, eps = " << options.dielectric.value_or(1.0);
  text << ", " << options.temperature_K << " K";
  return text.str();
}

std::string describe_method(const Result& result) {
  TextStream text;
  if (result.solver) {
    text << "Poisson-Boltzmann by " << result.solver->program << ", " << result.solver->ionic_strength_M
         << " M";
    if (result.exclusion)
      text << ", solved " << count_of(result.solver->solves, "time")
           << (result.solver->solves == 1 ? ", for " : ", for every ")
           << count_of(result.solver->every, "ion");
  } else if (result.imported)
    text << (!result.imported->interpolated ? "map, as it is"
             : result.imported->tricubic    ? "map, tricubic interpolation"
                                            : "map, trilinear interpolation");
  else if (result.box)
    text << (result.box->boundary == Boundary::periodic ? "periodic sum in double precision (Ewald)"
                                                        : "direct sum in double precision, open boundaries");
  else if (result.is_periodic)
    text << "periodic sum in double precision (Ewald)";
  else if (result.average && result.average->boundary == Boundary::periodic)
    text << "periodic sum (Ewald)";
  else if (result.sites)
    text << describe_sites(*result.sites, result.multilevel.has_value());
  else if (result.multilevel)
    text << "multilevel sum (" << to_string(result.multilevel->basis) << ", cutoff "
         << result.multilevel->cutoff_A << " A, grid " << result.multilevel->spacing_A << " A)";
  else
    text << "direct sum";
  return text.str();
}

std::string describe_placement(const Result& result) {
  return describe_method(result) + (result.refined ? "" : ", not refined: positions are approximate");
}

std::vector<std::string> protocol_remarks(const Result& result) {
  const LatticeGeometry& lattice = result.lattice;
  std::vector<std::string> remarks = {
      joined("Ions placed by ionwell ", version(), " around ", result.structure.path),
      result.imported
          ? joined("Potential: ", describe_placement(result), result.solver ? "" : ", of ",
                   listed(result.imported->paths), "; ions act by ",
                   result.imported->ions_act ? electrostatics_text(result.electrostatics) : "nothing")
          : joined("Electrostatics: ", electrostatics_text(result.electrostatics), "; ",
                   describe_placement(result))};
  if (result.exclusion)
    remarks.push_back(joined("Distances: ion to solute more than ", result.exclusion->ion_solute_A,
                             " A, ion to ion at least ", result.exclusion->ion_ion_A, " A"));
  if (result.box)
    remarks.push_back(joined("Ions are in the places of ", result.box->replaced.size(), " of ",
                             result.box->waters, " waters"));
  else
    remarks.push_back(joined("Lattice: ", lattice.counts.x, " x ", lattice.counts.y, " x ", lattice.counts.z,
                             lattice.size() == 1 ? " point, " : " points, ", spacing_text(lattice.spacing_A),
                             " A apart, from ", lattice.origin_A.x, ' ', lattice.origin_A.y, ' ',
                             lattice.origin_A.z, " A"));
  remarks.push_back(joined("Ions: ", composition(result.placement)));
  if (result.hydration) remarks.push_back(hydration_remark(*result.hydration));
  remarks.push_back(joined("Net charge: ", charge_text(charge_before_e(result)), " e before, ",
                           charge_text(charge_after_e(result)), " e after"));
  return remarks;
}

}  // namespace ionwell
