#include "run/box/box_json.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

nlohmann::ordered_json water_json(const BoxResult& box) {
  Json stays = Json::object();
  for (int reason = 1; reason < stay_reasons; ++reason)
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
  Json requests = Json::array(), ions = Json::array();
  for (const SaltRequest& salt : box.salts) requests.push_back(salt.text);
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
          {"scheme", to_string(box.salt.scheme)},
          {"neutralized_only", box.salt.neutralized_only},
          {"placed_by", box.salt_placement == SaltPlacement::random ? "chance" : "energy"},
          {"seed", box.seed},
          {"ions", ions}};
}

}  // namespace ionwell
