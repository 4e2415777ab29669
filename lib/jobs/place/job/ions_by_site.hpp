// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/place/job/likely_ions.hpp"
#include "placement/crystal_sites/site_model.hpp"
#include "placement/ion.hpp"
#include "placement/placement.hpp"

namespace ionwell {

/// Whether the model places such ions.
bool is_for(const SiteModel& model, const IonSpecies& species);

/// The ions of a run with a site model: those that it places, and the others, whose number may depend on how
/// many those are.
class IonsBySite {
 public:
  /// Reads texts as read_likely_ions and parse_ion_requests do, and throws what they throw; UsageError, too,
  /// where none of the ions is for the model.
  IonsBySite(const std::vector<std::string>& texts, double solute_charge_e, IonNaming naming,
             const SiteModel& model);

  /// Those that the model places, in the order that was asked for; of likely ones, the most there can be.
  const std::vector<IonRequest>& at_sites() const { return at_sites_; }
  const std::optional<double>& least_probability() const { return likely_.least_probability; }
  bool has_others() const { return !others_.empty() || !likely_.others.empty(); }

  /// Warnings about these and, where none is likely, about the others.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// The others, in the order that was asked for, once the first are placed: after likely ions `neutralize`
  /// counts those that there are.
  IonRequests others(const Placement& at_sites) const;

 private:
  SiteModel model_;
  LikelyIons likely_;
  double solute_charge_e_;
  IonNaming naming_;
  std::vector<IonRequest> at_sites_, others_;
  std::vector<std::string> warnings_;
};

}  // namespace ionwell
