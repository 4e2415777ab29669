// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/sites_first.hpp"

#include <limits>

namespace ionwell {

Job job_at_sites(const Job& job, SiteOptions sites, const IonsBySite& ions) {
  if (ions.least_probability()) stop_below(&sites, *ions.least_probability());
  Job first = job;
  first.ions = ions.at_sites();
  first.source = std::move(sites);
  first.electrostatics = {};
  first.exclusion = {};
  if (first.boundary == Boundary::periodic) first.boundary.reset();  // distances follow a cell by themselves
  first.most_kT = std::numeric_limits<double>::infinity();
  first.field.refine = true;
  first.hydration = {};
  first.warnings = ions.warnings();
  return first;
}

void continue_around(Job& job, const Result& sites, const IonsBySite& ions) {
  const IonRequests others = ions.others(sites.placement);
  job.sites = &sites;
  job.ions = others.requests;
  job.warnings = others.warnings;
}

}  // namespace ionwell
