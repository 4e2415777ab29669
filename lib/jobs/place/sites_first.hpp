// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/place/job/ions_by_site.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/place/job/result.hpp"

/// Ions at sites of crystals, and then others around these by their energy: two runs with one result.
namespace ionwell {

/// The first run: of the ions at sites, around the structure of `job` and on its lattice. Its distances are
/// the model's, and its other options are those of `job`, which is of the others. Throws UsageError for
/// likely ions of a model that has no probabilities.
Job job_at_sites(const Job& job, SiteOptions sites, const IonsBySite& ions);

/// The second run: leaves `job` with the other ions, around those that the first has placed. `sites` must
/// outlive the run of `job`, whose result has all ions. Throws as IonsBySite::others.
void continue_around(Job& job, const Result& sites, const IonsBySite& ions);

}  // namespace ionwell
