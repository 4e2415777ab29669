// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/ways/placer.hpp"

#include "jobs/place/job/periodic_images.hpp"
#include "jobs/place/ways/in_potential.hpp"
#include "jobs/place/ways/pb_rounds.hpp"
#include "jobs/place/ways/periodic_placer.hpp"
#include "jobs/place/ways/site_placer.hpp"
#include "jobs/place/ways/sites_before.hpp"

namespace ionwell {
namespace {

/// What a job's potential comes from, as a request names it.
struct Origin {
  PotentialOrigin operator()(const SiteOptions&) const { return SummationOptions{}; }
  template <typename T>
  PotentialOrigin operator()(const T& options) const {
    return options;
  }
};

}  // namespace

PotentialRequest potential_request(const Job& job) {
  PotentialRequest request{.structure = job.structure,
                           .origin = std::visit(Origin{}, job.source),
                           .electrostatics = job.electrostatics,
                           .update = job.update,
                           .lattice = job.lattice,
                           .backend = job.backend,
                           .field = job.field,
                           .command = job.command,
                           .map_names = job.map_names};
  if (job.places_ions()) {
    request.solute_distance_A = job.exclusion.ion_solute_A;
    request.distance_cell = distance_cell(job);
  }
  for (const IonRequest& ions : job.ions) request.added_charges += ions.count;
  request.added_charges += std::ssize(ions_before(job));
  return request;
}

std::unique_ptr<Placer> open_placer(const Job& job, Stages& stages) {
  if (repeats(job)) return std::make_unique<PeriodicPlacer>(job);
  if (const auto* sites = std::get_if<SiteOptions>(&job.source))
    return std::make_unique<SitePlacer>(job, *sites);
  if (const auto* pb = std::get_if<PbOptions>(&job.source); pb != nullptr && !job.ions.empty())
    return std::make_unique<PbRounds>(job, *pb);
  return std::make_unique<InPotential>(job, stages);
}

}  // namespace ionwell
