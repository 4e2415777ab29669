// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compute/json_parts.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "core/version.hpp"
#include "jobs/place/job/box_json.hpp"
#include "jobs/place/job/hydration_report.hpp"
#include "jobs/place/job/likely_ions.hpp"
#include "potential/potential_json.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;  // the order in which a reader wants to see it

Json atom_json(const Atom& atom) {
  return {{"name", atom.name.view()},
          {"residue", atom.residue.view()},
          {"residue_number", atom.residue_number},
          {"insertion_code", std::string(atom.insertion_code == ' ' || atom.insertion_code == '\0' ? 0 : 1,
                                         atom.insertion_code)},
          {"chain", atom.chain.view()}};
}

Json ions_json(const Result& result, bool has_lattice) {
  const Structure& structure = result.structure;
  Json ions = Json::array();
  for (const PlacedIon& ion : result.placement.ions) {
    ions.push_back(
        {{"index", ions.size() + 1},
         {"name", ion.species.name},
         {"element", ion.species.element},
         {"charge_e", ion.species.charge_e},
         {"position_A", position_json(ion.position_A)},
         {"lattice_index", has_lattice ? Json(ion.lattice_index) : Json(nullptr)},
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

Json exclusion_json(const ExclusionOptions& exclusion) {
  return {{"ion_solute_A", exclusion.ion_solute_A}, {"ion_ion_A", exclusion.ion_ion_A}};
}

Json expected_json(const ExpectedSites& expected) {
  Json json = {{"ions_near_site", expected.near_site}, {"precision", expected.precision}};
  if (expected.recall) json["recall"] = *expected.recall;
  if (expected.next_probability) json["next_probability"] = *expected.next_probability;
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

/// Ions that were at sites before there was a box, where they are in it.
Json sites_before_json(const Result& sites) {
  Json json = {{"model", sites_json(*sites.sites)},
               {"method", describe_method(sites)},
               {"exclusion", exclusion_json(*sites.exclusion)},
               {"requested_ions", sites.placement.requested},
               {"ions", ions_json(sites, false)}};
  if (const auto expected = expected_sites(sites)) json["expected_sites"] = expected_json(*expected);
  if (sites.hydration) json["hydration"] = hydration_json(*sites.hydration, sites.structure);
  return json;
}

std::string describe_sites(const SiteResult& sites) {
  TextStream text;
  text << "site model of " << sites.model.ion << (sites.path.empty() ? ", built in" : " from " + sites.path)
       << ", " << (sites.multilevel ? "multilevel" : "direct") << " sum, basins of "
       << sites.model.basin_width_A << " A";
  return text.str();
}

/// Whether ions are placed by a site model, and no others around them.
bool are_all_at_sites(const Result& result) {
  return result.sites && result.potential.method == "sites";
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

}  // namespace

std::string describe_ions(const Placement& placement) {
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

double charge_before_e(const Result& result) {
  if (!result.box) return net_charge_e(result.structure.atoms);
  double sum_e = result.box->charge_e;
  if (result.box->sites != nullptr)
    for (const PlacedIon& ion : result.box->sites->placement.ions) sum_e -= ion.species.charge_e;
  return sum_e;
}

double charge_after_e(const Result& result) {
  double sum_e = result.box ? result.box->charge_e : charge_before_e(result);
  for (const PlacedIon& ion : result.placement.ions) sum_e += ion.species.charge_e;
  return sum_e;
}

std::string json_report(const Result& result) {
  const Result* const before = result.box ? result.box->sites : nullptr;
  Json json = potential_json(result.run, result.structure, result.potential, result.statistics);
  if (before != nullptr) {
    json["structure"]["atoms"] = before->structure.atoms.size();
    json["structure"]["net_charge_e"] = with_decimals(net_charge_e(before->structure.atoms), charge_decimals);
  }
  json["refined"] = result.refined;
  if (result.box) json["lattice"] = nullptr;
  if (result.sites) json["site_model"] = sites_json(*result.sites);
  if (result.sites && !are_all_at_sites(result)) {
    const SiteModel& model = result.sites->model;
    json["site_model"]["exclusion"] = exclusion_json({model.ion_heavy_atom_A, model.ion_ion_A});
  }
  if (const auto expected = expected_sites(result)) json["expected_sites"] = expected_json(*expected);
  if (result.exclusion) json["exclusion"] = exclusion_json(*result.exclusion);
  json["requested_ions"] = result.placement.requested;
  json["net_charge_after_e"] = with_decimals(charge_after_e(result), charge_decimals);
  if (result.potential.is_periodic || result.distances_repeat) json["structure"]["cell"]["used"] = true;
  if (result.box) {
    json["structure"]["cell"]["used"] = result.box->boundary == Boundary::periodic;
    if (result.box->solvation != nullptr) json["solvation"] = solvation_json(*result.box->solvation);
    json["water"] = water_json(*result.box);
    if (!result.box->salts.empty()) json["salt"] = salt_json(*result.box);
  }
  if (before != nullptr) json["sites"] = sites_before_json(*before);
  if (result.hydration) json["hydration"] = hydration_json(*result.hydration, result.structure);
  json["ions"] = ions_json(result, !result.box);
  add_messages(json, result.run.warnings);
  return report_text(json);
}

std::string describe_method(const Result& result) {
  const PotentialRecord& potential = result.potential;
  if (potential.solver && result.exclusion)
    return describe_method(potential) + ", solved " + count_of(potential.solver->solves, "time") +
           (potential.solver->solves == 1 ? ", for " : ", for every ") +
           count_of(potential.solver->every, "ion");
  if (result.box)
    return result.box->boundary == Boundary::periodic ? "periodic sum in double precision (Ewald)"
                                                      : "direct sum in double precision, open boundaries";
  if (are_all_at_sites(result)) return describe_sites(*result.sites);
  if (result.sites)
    return describe_sites(*result.sites) + ", before the other ions; these by " + describe_method(potential);
  return describe_method(potential);
}

std::string describe_placement(const Result& result) {
  return describe_method(result) + (result.refined ? "" : ", not refined: positions are approximate");
}

std::vector<std::string> protocol_remarks(const Result& result) {
  const LatticeGeometry& lattice = result.potential.lattice;
  std::vector<std::string> remarks = {
      joined("Ions placed by ionwell ", version(), " around ", result.structure.path),
      result.potential.imported
          ? joined("Potential: ", describe_placement(result), result.potential.solver ? "" : ", of ",
                   listed(result.potential.imported->paths), "; ions act by ",
                   result.potential.imported->ions_act ? electrostatics_text(result.potential.electrostatics)
                                                       : "nothing")
          : joined("Electrostatics: ", electrostatics_text(result.potential.electrostatics), "; ",
                   describe_placement(result))};
  if (result.exclusion)
    remarks.push_back(joined("Distances: ion to solute more than ", result.exclusion->ion_solute_A,
                             " A, ion to ion at least ", result.exclusion->ion_ion_A, " A"));
  if (result.box)
    remarks.push_back(
        joined("Ions replaced ", result.box->replaced.size(), " of ", result.box->waters, " waters"));
  else
    remarks.push_back(joined("Lattice: ", lattice.counts.x, " x ", lattice.counts.y, " x ", lattice.counts.z,
                             lattice.size() == 1 ? " point, " : " points, ", spacing_text(lattice.spacing_A),
                             " A apart, from ", lattice.origin_A.x, ' ', lattice.origin_A.y, ' ',
                             lattice.origin_A.z, " A"));
  if (result.box && result.box->sites != nullptr) {
    const Result& sites = *result.box->sites;
    remarks.push_back(joined("Ions at sites: ", describe_ions(sites.placement),
                             ", placed before the water by the ", describe_method(sites)));
    if (sites.hydration) remarks.push_back(hydration_remark(*sites.hydration));
  }
  remarks.push_back(joined("Ions: ", describe_ions(result.placement)));
  if (result.hydration) remarks.push_back(hydration_remark(*result.hydration));
  remarks.push_back(joined("Net charge: ", charge_text(charge_before_e(result)), " e before, ",
                           charge_text(charge_after_e(result)), " e after"));
  return remarks;
}

}  // namespace ionwell
