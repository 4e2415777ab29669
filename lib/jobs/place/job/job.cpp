// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/job.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text/text_stream.hpp"
#include "jobs/place/job/result.hpp"
#include "potential/request/potential_request.hpp"
#include "structures/structure_checks.hpp"

namespace ionwell {
namespace {

void validate_source(const SiteOptions& sites, const Job&) {
  validate(sites.model);
}

template <typename Origin>
void validate_source(const Origin& origin, const Job& job) {
  validate_origin(origin, job.update, job.electrostatics);
}

void validate_hydration(const Job& job) {
  const std::vector<HydrationRequest>& requests = job.hydration.requests;
  for (std::size_t n = 0; n < requests.size(); ++n) {
    const HydrationRequest& request = requests[n];
    const bool is_at_sites = job.sites != nullptr && job.sites->sites->model.ion == request.ion->element;
    if (!is_at_sites && std::none_of(job.ions.begin(), job.ions.end(), [&](const IonRequest& ion) {
          return ion.species.element == request.ion->element && ion.species.charge_e > 0.0;
        }))
      fail<UsageError>("--hydrate ", request.name, ": this ion is not placed; name one of --ion, or add it");
    for (std::size_t before = 0; before < n; ++before)
      if (requests[before].ion == request.ion)
        fail<UsageError>("--hydrate ", request.name, " is given twice; give it once");
  }
  if (!requests.empty() && job.box)
    fail<UsageError>(
        "--hydrate is for ions on a lattice, but here ions replace waters and are surrounded by water "
        "already");
}

void validate_ions_before(const Job& job) {
  if (job.sites == nullptr) return;
  if (!job.sites->sites)
    fail<UsageError>("ions at sites are of a run with a model of sites, and this had none");
  if (job.box || job.ions_follow || !std::holds_alternative<SummationOptions>(job.source))
    fail<UsageError>(
        "ions are placed around those at sites of crystals by the potential of charges, on a lattice, in one "
        "run; leave the map, the solver or the steps out");
}

void validate_steps(const Job& job) {
  if (!job.ions_follow) return;
  if (!job.ions.empty())
    fail<UsageError>("a job that places ions in steps must have none before the first step");
  const bool has_one_field =
      std::holds_alternative<SummationOptions>(job.source) || std::holds_alternative<MapFiles>(job.source);
  if (job.box || !has_one_field)
    fail<UsageError>(
        "ions can be placed in steps only in a fixed potential of charges or of a map; place them in one "
        "run");
}

}  // namespace

void validate_ions(const std::vector<IonRequest>& ions) {
  for (const IonRequest& request : ions)
    if (request.count < 0 || !std::isfinite(request.species.charge_e))
      fail<UsageError>("--ion ", request.species.name, ": ", request.count, " ions of ",
                       request.species.charge_e, " e cannot be placed; the count must not be negative");
}

void validate(const Job& job) {
  if (job.structure.atoms.empty() && !job.box)
    fail(job.structure.path, ": the structure has no atoms, so there is nothing to place ions around");
  validate(job.lattice);
  if (job.places_ions()) validate(job.exclusion);
  validate_ions_before(job);
  validate_steps(job);
  validate_ions(job.ions);
  if (std::isnan(job.most_kT)) fail<UsageError>("--max-energy is not a number; 0 is common");
  if (job.box) {
    validate(job.box->options);
    if (!std::holds_alternative<SummationOptions>(job.source))
      fail<UsageError>(
          "ions that replace waters are placed in the potential of charges, but a map or a solver is given; "
          "leave it out, or use --input-water ignore");
    const bool by_energy = std::any_of(job.ions.begin(), job.ions.end(),
                                       [](const IonRequest& request) { return request.count > 0; });
    if (by_energy && !job.box->options.waters_act) require_charges(job.structure);
  }
  validate_hydration(job);
  if (const auto* pb = std::get_if<PbOptions>(&job.source);
      pb != nullptr && pb->solved_by == PbSolvedBy::apbs && job.ions.empty())
    fail<UsageError>(
        "APBS is used only to place ions, but no ions are requested; request some, or use another solver");
  std::visit([&](const auto& source) { validate_source(source, job); }, job.source);
}

}  // namespace ionwell
