// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/place/job/job.hpp"
#include "jobs/place/job/result.hpp"

namespace ionwell {

/// Ions whose number is left to the calibrated probability of a site model.
struct LikelyIons {
  std::vector<std::string> texts;           // as parse_ion_requests reads them, a number in place of `likely`
  std::vector<std::string> others;          // that follow NAME:likely, which is then the only one of `texts`
  std::optional<double> least_probability;  // not given: no text says `likely`
};

/// Reads NAME:likely and NAME:likely:P; other texts stay as they are. Throws UsageError for a probability
/// outside (0, 1), and where `likely` is not in the first text alone.
LikelyIons read_likely_ions(const std::vector<std::string>& texts);

/// Lets a model stop before an ion that is near a site with a lower probability. Throws UsageError for null,
/// where there is no such model, and for a model without a calibrated score.
void stop_below(SiteOptions* sites, double least_probability);

/// The highest energy F [kT] of an ion that is as likely as the options ask for; infinite where they do not.
double highest_likely_kT(const SiteOptions& sites);

/// What the probabilities of the ions placed by a site model add up to.
struct ExpectedSites {
  std::int64_t ions = 0;
  double near_site = 0.0;                  // of the ions, within 3 A
  double precision = 0.0;                  // of one ion; 0 without ions
  std::optional<double> recall;            // of a crystal's sites, by what was measured elsewhere
  std::optional<double> next_probability;  // of the ion that was refused
};

/// Nothing without a learned score, or where no ion was placed and none was refused.
std::optional<ExpectedSites> expected_sites(const Result& result);

}  // namespace ionwell
