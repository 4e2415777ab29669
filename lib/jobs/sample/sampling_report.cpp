// SPDX-License-Identifier: BSD-3-Clause
#include "compute/json_parts.hpp"
#include "core/version.hpp"
#include "jobs/sample/sampling_files.hpp"
#include "jobs/sample/sampling_run.hpp"

namespace ionwell {
namespace {

using SamplingJson = nlohmann::ordered_json;

SamplingJson mean_json(const SeriesMean& mean, std::int64_t every) {
  return {{"mean", mean.mean},
          {"standard_error", mean.error},
          {"autocorrelation_time", mean.samples_apart * double(every)}};
}

SamplingJson species_json(const SamplingResult& result) {
  SamplingJson json = SamplingJson::array();
  const std::vector<SampledSpecies>& all = result.model.species;
  for (std::size_t s = 0; s < all.size(); ++s) {
    SamplingJson within = SamplingJson::array();
    for (std::size_t d = 0; d < result.sample.within[s].size(); ++d) {
      within.push_back(mean_json(result.sample.within[s][d], result.options.every));
      within.back()["distance_A"] = result.observables.within_A[d];
    }
    json.push_back({{"name", all[s].ion.name},
                    {"element", all[s].ion.element},
                    {"charge_e", all[s].ion.charge_e},
                    {"radius_A", all[s].radius_A},
                    {"diffusion_A2_ps", all[s].diffusion_A2_ps},
                    {"asked", result.asked[s]},
                    {"count", mean_json(result.sample.count[s], result.options.every)},
                    {"within", within}});
  }
  return json;
}

SamplingJson salts_json(const SamplingResult& result) {
  SamplingJson json = SamplingJson::array();
  for (std::size_t n = 0; n < result.salts.size(); ++n) {
    const BulkBath& bath = result.bulk.baths[n];
    json.push_back({{"salt", result.salts[n].text},
                    {"concentration_M", result.salts[n].concentration_M},
                    {"excess_chemical_potential_kT", bath.bath.excess_kT},
                    {"standard_error_kT", bath.error_kT},
                    {"mean_activity_coefficient", bath.activity_coefficient},
                    {"units_at_start", result.salt_units_at_start[n]}});
  }
  return json;
}

SamplingJson moves_json(const SamplingResult& result) {
  const SampleResult& sample = result.sample;
  if (result.options.method == SampleMethod::brownian)
    return {{"moves", sample.moves},
            {"time_step_ps", result.options.brownian.time_step_ps},
            {"cut_moves", sample.cut_moves}};
  SamplingJson json = {{"moves", sample.moves}};
  for (std::size_t kind = 0; kind < move_kinds; ++kind) {
    const MoveTally& tally = sample.tallies[kind];
    json[std::string(to_string(MoveKind(kind)))] = {
        {"tried", tally.tried}, {"accepted", tally.accepted}, {"acceptance", tally.share()}};
  }
  json["steps_A"] = sample.steps_A;
  json["largest_energy_drift_kT"] = sample.largest_drift_kT;
  return json;
}

SamplingJson lowest_json(const SamplingResult& result) {
  SamplingJson ions = SamplingJson::array();
  for (const MovingIon& ion : result.sample.lowest)
    ions.push_back({{"name", result.model.species[ion.species].ion.name},
                    {"position_A", position_json(ion.position_A)}});
  return {{"energy_kT", result.sample.lowest_kT}, {"ions", ions}};
}

}  // namespace

std::string json_report(const SamplingResult& result) {
  const SampleOptions& options = result.options;
  SamplingJson charges = SamplingJson::array();
  for (std::size_t d = 0; d < result.sample.charge_within_e.size(); ++d) {
    charges.push_back(mean_json(result.sample.charge_within_e[d], options.every));
    charges.back()["distance_A"] = result.observables.within_A[d];
  }
  SamplingJson json = report_head(result.run);
  json.update({{"structure", structure_json(result.structure)},
               {"potential",
                {{"description", result.potential.description},
                 {"lattice", lattice_json(result.potential.lattice)},
                 {"interpolation", std::string(to_string(result.potential.field->interpolation()))}}},
               {"model",
                {{"ions_act_by", result.pair_description},
                 {"repulsion", std::string(to_string(result.model.repulsion))},
                 {"boundary", std::string(to_string(result.model.boundary))},
                 {"box_A", {vector_json(result.model.box.lowest_A), vector_json(result.model.box.highest_A)}},
                 {"temperature_K", result.temperature_K}}},
               {"sampling",
                {{"method", std::string(to_string(options.method))},
                 {"length", options.length},
                 {"equilibration", options.equilibration},
                 {"every", options.every},
                 {"replicas", options.replicas},
                 {"blocks", options.blocks},
                 {"seed", options.seed},
                 {"start", std::string(to_string(result.start))},
                 {"samples", result.sample.samples},
                 {"interrupted", result.sample.is_interrupted},
                 {"seconds", result.sample.seconds},
                 {"moves", moves_json(result)}}},
               {"energy_kT", mean_json(result.sample.energy_kT, options.every)},
               {"species", species_json(result)},
               {"charge_within_e", charges},
               {"lowest", lowest_json(result)}});
  add_run(json, result.run);
  if (!result.salts.empty()) {
    json["salts"] = salts_json(result);
    json["bulk"] = {{"edge_A", result.bulk.edge_A},
                    {"ions", result.bulk.ions},
                    {"insertions_of_each_salt", result.bulk.insertions}};
  }
  add_messages(json, result.run.warnings);
  return report_text(json);
}

}  // namespace ionwell
