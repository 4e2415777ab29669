// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/ways/place_in_field.hpp"

#include "jobs/place/job/periodic_images.hpp"

namespace ionwell {

Placement place_in_field(PotentialField& field, const Job& job, const std::vector<IonRequest>& ions,
                         std::span<const PlacedIon> before, Stages& stages, const PlacementSteps& steps) {
  std::int64_t requested = 0;
  for (const IonRequest& request : ions) requested += request.count;
  const std::optional<PeriodicCell> cell = distance_cell(job);
  for (const PlacedIon& ion : before) {
    field.add_ion({ion.position_A, 0.0}, job.exclusion.ion_ion_A);
    if (cell) exclude_around_images(field, ion.position_A, *cell, job.exclusion.ion_ion_A);
  }
  return stages.run("placement", [&](const Progress& progress) {
    const auto placed = [&](std::span<const PlacedIon> so_far) {
      if (steps.placed) steps.placed(so_far);
      progress(double(so_far.size()) / double(requested));
    };
    return place_ions(field, job.structure, ions, job.exclusion,
                      {.placed = placed, .begun = steps.begun, .cell = cell ? &*cell : nullptr}, job.most_kT,
                      job.field.threads);
  });
}

}  // namespace ionwell
