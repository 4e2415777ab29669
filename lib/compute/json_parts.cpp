// SPDX-License-Identifier: BSD-3-Clause
#include "compute/json_parts.hpp"

#include <cmath>

#include "core/chemistry/free_nucleotides.hpp"
#include "core/text/note.hpp"
#include "core/version.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

Json kind_json(const KindCount& count) {
  return {{"residues", count.residues},
          {"atoms", count.atoms},
          {"charge_e", with_decimals(count.charge_e, charge_decimals)}};
}

Json composition_json(const Composition& composition) {
  Json water = kind_json(composition.water);
  water["left_out"] = composition.water_left_out;
  Json ions = Json::array(), names = Json::array();
  for (const IonCount& ion : composition.ion_kinds)
    ions.push_back({{"name", ion.name.view()},
                    {"element", ion.element.empty() ? Json(nullptr) : Json(ion.element)},
                    {"charge_e", with_decimals(ion.charge_e, charge_decimals)},
                    {"count", ion.count}});
  Json unknown = kind_json(composition.unknown);
  for (const NameCount& name : composition.unknown_names) {
    names.push_back({{"name", name.name.view()}, {"residues", name.residues}});
    if (is_free_nucleotide(name.name.view())) names.back()["is"] = "nucleotide";
  }
  unknown["names"] = names;
  return {{"protein", kind_json(composition.protein)},
          {"nucleic_acid", kind_json(composition.nucleic_acid)},
          {"lipid", kind_json(composition.lipid)},
          {"water", water},
          {"ions", ions},
          {"unknown", unknown}};
}

std::string_view kind_text(CellKind kind) {
  constexpr std::string_view texts[] = {"undecided", "simulation", "crystal"};
  return texts[std::size_t(kind)];
}

/// What devices did, and how long they took to start.
Json device_json(const DeviceUse& use, double start_up_s) {
  Json stages = Json::object();
  for (const auto& [stage, seconds] : use.stage_s) stages[stage] = seconds;
  return {{"start_up_s", start_up_s},
          {"timings_s", stages},
          {"bytes_to_device", use.to_device_bytes},
          {"bytes_to_host", use.to_host_bytes},
          {"bytes_between_devices", use.between_devices_bytes}};
}

}  // namespace

double with_decimals(double value, int decimals) {
  const double factor = std::pow(10.0, decimals);
  const double result = std::round(value * factor) / factor;
  return std::isfinite(result) ? result : value;
}

nlohmann::ordered_json vector_json(const Vec3<double>& v, int decimals) {
  return {with_decimals(v.x, decimals), with_decimals(v.y, decimals), with_decimals(v.z, decimals)};
}

nlohmann::ordered_json structure_json(const Structure& structure) {
  Json json = {{"path", structure.path},
               {"atoms", structure.atoms.size()},
               {"net_charge_e", with_decimals(net_charge_e(structure.atoms), charge_decimals)}};
  if (structure.composition) json["composition"] = composition_json(*structure.composition);
  if (structure.cell)
    json["cell"] = {
        {"lengths_A", vector_json(lengths_A(*structure.cell))},
        {"angles_deg", vector_json(angles_deg(*structure.cell))},
        {"vectors_A",
         {vector_json(structure.cell->a), vector_json(structure.cell->b), vector_json(structure.cell->c)}},
        {"kind", kind_text(structure.cell->kind)},
        {"used", false}};
  return json;
}

nlohmann::ordered_json lattice_json(const LatticeGeometry& lattice) {
  return {{"origin_A", vector_json(lattice.origin_A)},
          {"spacing_A", vector_json(lattice.spacing_A)},
          {"counts", {lattice.counts.x, lattice.counts.y, lattice.counts.z}}};
}

nlohmann::ordered_json report_head(const RunRecord& run) {
  constexpr int schema_version = 1;
  return {{"schema_version", schema_version}, {"version", version()}, {"command", run.command}};
}

void add_run(nlohmann::ordered_json& json, const RunRecord& run) {
  Json timings = Json::object();
  for (const auto& [stage, seconds] : run.timings_s) timings[stage] = seconds;
  json["backend"] = {{"kind", to_string(run.backend)}, {"device", run.device}, {"threads", run.threads}};
  if (run.ranks > 1) json["backend"]["ranks"] = run.ranks;
  json["timings_s"] = timings;
  json["memory_bytes"] = {{"host_peak", run.host_peak_bytes},
                          {"device_peak", run.device_use ? Json(run.device_use->peak_bytes) : Json(nullptr)}};
  if (run.device_use) json["device"] = device_json(*run.device_use, run.device_start_up_s);
}

void add_messages(nlohmann::ordered_json& json, std::span<const std::string> messages) {
  json["warnings"] = warnings_of(messages);
  json["notes"] = notes_of(messages);
}

std::string report_text(const nlohmann::ordered_json& json) {
  constexpr int indent = 2;
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace ionwell
