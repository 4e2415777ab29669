// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/box_json.hpp"

#include "compute/json_parts.hpp"
#include "solvation/ions/replaceable_waters.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

nlohmann::ordered_json water_json(const BoxResult& box) {
  Json stays = Json::object();
  for (int reason = 1; reason < stay_reasons; ++reason)
    if (WaterStays(reason) != WaterStays::shell || box.sites != nullptr)
      stays[std::string(to_string(WaterStays(reason)))] = box.stays[std::size_t(reason)];
  return {{"boundary", to_string(box.boundary)},
          {"volume_A3", box.volume_A3 > 0.0 ? Json(box.volume_A3) : Json(nullptr)},
          {"acts", box.waters_act},
          {"before", box.waters},
          {"replaceable", box.stays[std::size_t(WaterStays::replaceable)]},
          {"stay", stays},
          {"replaced", box.replaced.size()},
          {"left", box.waters - std::ssize(box.replaced)}};
}

nlohmann::ordered_json salt_json(const BoxResult& box) {
  Json requests = Json::array(), asked = Json::array(), ions = Json::array();
  for (const SaltRequest& salt : box.salts) {
    requests.push_back(salt.text);
    asked.push_back({{"salt", salt.text}, {"asked_M", salt.concentration_M}});
  }
  for (const SaltIons& of_kind : box.salt.ions)
    ions.push_back({{"name", of_kind.species.name},
                    {"charge_e", of_kind.species.charge_e},
                    {"compartment", to_string(of_kind.compartment)},
                    {"of_concentration", of_kind.bath},
                    {"by_scheme", of_kind.wanted},
                    {"there_or_asked_for", of_kind.there},
                    {"added", of_kind.added},
                    {"in_the_end_M", box.molarity(of_kind.there + of_kind.added)}});
  return {{"salts", requests},
          {"concentrations", asked},
          {"scheme", to_string(box.salt.scheme)},
          {"neutralized_only", box.salt.neutralized_only},
          {"placed_by", box.salt_placement == SaltPlacement::random ? "chance" : "energy"},
          {"seed", box.seed},
          {"ions", ions}};
}

nlohmann::ordered_json solvation_json(const Solvation& solvation) {
  const WaterModel& model = solvation.waters.tiles.model();
  const FillCounts& counts = solvation.counts;
  const Rotation& turn = solvation.rotation;
  return {{"cell",
           {{"lengths_A", vector_json(lengths_A(solvation.cell))},
            {"angles_deg", vector_json(angles_deg(solvation.cell))},
            {"vectors_A",
             {vector_json(solvation.cell.a), vector_json(solvation.cell.b), vector_json(solvation.cell.c)}},
            {"volume_A3", with_decimals(solvation.volume_A3, position_decimals)}}},
          {"solute",
           {{"rotation", {vector_json(turn.x), vector_json(turn.y), vector_json(turn.z)}},
            {"translation_A", vector_json(solvation.translation_A)},
            {"atoms_made_whole", solvation.made_whole},
            {"own_image_A", with_decimals(solvation.own_image_A, position_decimals)},
            {"volume_A3", with_decimals(solvation.solute_volume_A3, position_decimals)}}},
          {"water",
           {{"model", model.name},
            {"source", model.source},
            {"molecules", solvation.waters.size()},
            {"density_g_cm3", solvation.density_g_cm3},
            {"left_out",
             {{"overlapping", counts.overlapping},
              {"among_lipid_tails", counts.among_tails},
              {"in_small_cavities", counts.in_cavities},
              {"at_faces", counts.seam}}}}}};
}

}  // namespace ionwell
