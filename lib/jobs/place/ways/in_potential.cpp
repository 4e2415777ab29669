// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/ways/in_potential.hpp"

#include "compute/checkpoint/saved_ions.hpp"
#include "jobs/place/job/periodic_images.hpp"
#include "jobs/place/ways/place_in_field.hpp"
#include "jobs/place/ways/sites_before.hpp"

namespace ionwell {
namespace {

/// Places all ions of the job, or those that a checkpoint has not. Once there are ions they are all that is
/// saved: the potential comes again from the structure.
Placement place_and_save(const Job& job, const Result& result, Stages& stages) {
  std::vector<PlacedIon> begun;
  Checkpoint* const checkpoint = stages.checkpoint();
  if (checkpoint != nullptr)
    begun = checkpoint->read_resumed([&](const SavedState& state) {
      return has_saved_ions(state) ? saved_ions(state, job.ions, result.potential.lattice)
                                   : std::vector<PlacedIon>{};
    });
  SavedPlacement saved(checkpoint, begun);
  const auto take = [&](std::span<const PlacedIon> placed) { saved.take(placed); };
  return place_in_field(*result.field, job, job.ions, {}, stages, {.placed = take, .begun = begun});
}

}  // namespace

InPotential::InPotential(const Job& job, Stages& stages)
    : job_(job), request_(potential_request(job)), source_(open_source(request_, stages)) {}

void InPotential::place(const Plan& plan, Result& result, Stages& stages) {
  const RunObserver& observer = stages.observer();
  result.field = source_->fill(plan, result.potential, result.run, stages);
  if (observer.filled)
    stages.run("write", [&](const Progress& progress) { observer.filled(result, progress); });
  if (!job_.ions.empty()) {
    add_ions_before(job_, *result.field);
    result.placement = place_and_save(job_, result, stages);
    join_ions_before(job_, result.placement, [&](Placement& all) {
      const std::optional<PeriodicCell> cell = distance_cell(job_);
      find_neighbours(all, job_.structure.atoms, job_.field.threads, cell ? &*cell : nullptr);
    });
  }
  result.statistics = result.field->statistics();
  warn(result.run, observer, warnings(result.placement));
}

}  // namespace ionwell
