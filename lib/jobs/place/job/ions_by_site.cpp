// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/ions_by_site.hpp"

#include "core/error.hpp"

namespace ionwell {

bool is_for(const SiteModel& model, const IonSpecies& species) {
  return (species.name == model.ion || species.element == model.ion) && species.charge_e == model.charge_e;
}

IonsBySite::IonsBySite(const std::vector<std::string>& texts, double solute_charge_e, IonNaming naming,
                       const SiteModel& model)
    : model_(model), likely_(read_likely_ions(texts)), solute_charge_e_(solute_charge_e), naming_(naming) {
  IonRequests ions = parse_ion_requests(likely_.texts, solute_charge_e, naming);
  warnings_ = std::move(ions.warnings);
  for (const IonRequest& request : ions.requests)
    (is_for(model, request.species) ? at_sites_ : others_).push_back(request);
  if (at_sites_.empty())
    fail<UsageError>("--model sites places ", model.ion,
                     ", but no such ion is requested; add for example --ion ", model.ion,
                     ":6, use --model electrostatics, or give your own model with --tune model-file");
}

IonRequests IonsBySite::others(const Placement& at_sites) const {
  if (!likely_.least_probability) return {others_, {}};
  double charge_e = solute_charge_e_;
  for (const PlacedIon& ion : at_sites.ions) charge_e += ion.species.charge_e;
  IonRequests ions = parse_ion_requests(likely_.others, charge_e, naming_);
  for (const IonRequest& request : ions.requests)
    if (is_for(model_, request.species))
      fail<UsageError>(
          "--ion ", likely_.others[std::size_t(&request - ions.requests.data())],
          " is given after ions whose number follows from their probability; give one of the two");
  return ions;
}

}  // namespace ionwell
