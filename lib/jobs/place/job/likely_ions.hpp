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
  std::optional<double> least_probability;  // not given: no text says `likely`
};

/// Reads NAME:likely and NAME:likely:P; other texts stay as they are. Throws UsageError for a probability
/// outside (0, 1), and where `likely` is not the only text.
LikelyIons read_likely_ions(const std::vector<std::string>& texts);

/// Lets the job stop before an ion that is near a site with a lower probability. Throws UsageError unless the
/// job's source is a site model with a calibrated score.
void stop_below(Job& job, double least_probability);

/// As many ions as were placed are as many as were to be: none was refused for lack of room.
void accept_likely(Result& result);

/// What the probabilities of the placed ions add up to.
struct ExpectedSites {
  double near_site = 0.0;                  // of the ions, within 3 A
  double precision = 0.0;                  // of one ion; 0 without ions
  std::optional<double> recall;            // of a crystal's sites, by what was measured elsewhere
  std::optional<double> next_probability;  // of the ion that was refused
};

/// Nothing without a learned score, or where no ion was placed and none was refused.
std::optional<ExpectedSites> expected_sites(const Result& result);

}  // namespace ionwell
