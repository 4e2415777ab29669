// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/ways/sites_before.hpp"

#include "jobs/place/job/periodic_images.hpp"

namespace ionwell {

std::span<const PlacedIon> ions_before(const Job& job) {
  if (job.sites == nullptr) return {};
  return job.sites->placement.ions;
}

void add_ions_before(const Job& job, PotentialField& field) {
  const std::optional<PeriodicCell> cell = distance_cell(job);
  for (const PlacedIon& ion : ions_before(job)) {
    field.add_ion({ion.position_A, ion.species.charge_e}, job.exclusion.ion_ion_A);
    if (cell) exclude_around_images(field, ion.position_A, *cell, job.exclusion.ion_ion_A);
  }
}

void join_ions_before(const Job& job, Placement& placement,
                      const std::function<void(Placement&)>& find_neighbours) {
  if (job.sites == nullptr) return;
  const std::span<const PlacedIon> before = ions_before(job);
  placement.ions.insert(placement.ions.begin(), before.begin(), before.end());
  placement.requested += job.sites->placement.requested;
  find_neighbours(placement);
}

}  // namespace ionwell
