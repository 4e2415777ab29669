// SPDX-License-Identifier: BSD-3-Clause
#include "potential/sources/imported_source.hpp"

#include <algorithm>
#include <cmath>

#include "compute/cost_model.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "core/text/count_text.hpp"
#include "parallel/thread_count.hpp"
#include "potential/sources/filled_field.hpp"

namespace ionwell {
namespace {

std::string unreached_warning(std::int64_t points, const LatticeGeometry& lattice) {
  return grouped(points) + " of the " + count_of(lattice.size(), "point") + " of the map to save " +
         (points == 1 ? "lies outside the maps of --map and has" : "lie outside the maps of --map and have") +
         " the value 0; a --box inside the maps avoids that";
}

}  // namespace

ImportedSource::ImportedSource(const PotentialRequest& request, const MapFiles& files)
    : request_(request),
      maps_(std::make_shared<ImportedPotential>(files, request.electrostatics.temperature_K,
                                                request.field.threads)) {}

Plan ImportedSource::plan(const Backends& backends) const {
  Plan plan{.lattice = maps_->choose_lattice(request_.structure, request_.lattice),
            .acting = update_electrostatics(request_.update, request_.electrostatics),
            .summation = {.method = Method::direct}};  // nothing is summed, so nothing more is needed
  plan.pair = update_potential(plan.acting);
  const PlannedShare share = planned_share(backends.free_ranks(), plan.lattice, request_.backend, backends);
  plan.group = share.group;
  plan.backend = choose_backend_for_map(share.backend, share.lattice, request_.added_charges,
                                        thread_count(request_.field.threads), backends);
  const std::int64_t share_bytes = host_bytes(
      {share.lattice, request_.structure, plan.pair, plan.summation, request_.field}, plan.backend);
  plan.host_bytes = host_bytes_of_ranks(share_bytes, share, plan.lattice, map_use(request_)) +
                    maps_->bytes_for(plan.lattice) +
                    (share.ranks_on_host - 1) * share.lattice.size() * std::int64_t{sizeof(double)};
  return plan;
}

void ImportedSource::describe(const Plan& plan, PotentialRecord& record) const {
  record.method = "map";
  record.imported = maps_->description(plan.lattice);
  record.imported->ions_act = plan.acting.has_value();
}

std::vector<std::string> ImportedSource::warnings(const Plan& plan) const {
  std::vector<std::string> warnings = maps_->warnings(request_.structure);
  if (!plan.acting || request_.update.rule != Update::automatic) return warnings;
  const std::vector<std::string> unlike = maps_->unlike(*plan.acting);
  warnings.insert(warnings.end(), unlike.begin(), unlike.end());
  return warnings;
}

std::shared_ptr<PotentialField> ImportedSource::fill(const Plan& plan, PotentialRecord&, RunRecord& run,
                                                     Stages& stages) {
  std::int64_t unreached = 0;
  const auto filling = [&]() -> SolutePotential {
    const std::span<const double> values = maps_->values_on(plan.lattice, request_.field.threads);
    if (request_.field.every_point)
      unreached = std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); });
    return ImportedMap{values};
  };
  auto field = fill_keeping(maps_, request_, plan, filling, stages);
  if (unreached > 0) warn(run, stages.observer(), {unreached_warning(unreached, plan.lattice)});
  return field;
}

}  // namespace ionwell
