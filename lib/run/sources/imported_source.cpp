#include "run/sources/imported_source.hpp"

#include <algorithm>
#include <cmath>

#include "core/text/count_text.hpp"
#include "parallel/thread_count.hpp"
#include "run/cost_model.hpp"
#include "run/ranks/rank_shares.hpp"

namespace ionwell {
namespace {

std::string unreached_warning(std::int64_t points, const LatticeGeometry& lattice) {
  return grouped(points) + " of the " + count_of(lattice.size(), "point") + " of the map to save " +
         (points == 1 ? "lies" : "lie") + " where no map of --map reaches, and " +
         (points == 1 ? "is" : "are") + " 0 in it; a --box inside of the maps has none of them";
}

}  // namespace

ImportedSource::ImportedSource(const Job& job, const MapFiles& files)
    : job_(job),
      maps_(std::make_shared<ImportedPotential>(files, job.electrostatics.temperature_K, job.field.threads)) {
}

Plan ImportedSource::plan(const Backends& backends) const {
  Plan plan{.lattice = maps_->choose_lattice(job_.structure, job_.lattice),
            .acting = update_electrostatics(job_.update, job_.electrostatics),
            .summation = {.method = Method::direct}};  // nothing is summed, so nothing more is needed
  plan.pair = update_potential(plan.acting);
  std::int64_t ions = 0;
  for (const IonRequest& request : job_.ions) ions += request.count;
  const PlannedShare share = planned_share(free_rank_group(), plan.lattice, job_.backend, backends);
  plan.ranks = share.ranks;
  plan.backend =
      choose_backend_for_map(share.backend, share.lattice, ions, thread_count(job_.field.threads), backends);
  const std::int64_t share_bytes =
      host_bytes({share.lattice, job_.structure, plan.pair, plan.summation, job_.field}, plan.backend);
  plan.host_bytes = host_bytes_of_ranks(share_bytes, share, plan.lattice, map_use(job_)) +
                    maps_->bytes_for(plan.lattice) +
                    (share.ranks_on_host - 1) * share.lattice.size() * std::int64_t{sizeof(double)};
  return plan;
}

void ImportedSource::describe(const Plan& plan, Result& result) const {
  result.method = "map";
  result.imported = maps_->description(plan.lattice);
  result.imported->ions_act = plan.acting.has_value();
}

std::vector<std::string> ImportedSource::warnings(const Plan& plan) const {
  std::vector<std::string> warnings = maps_->warnings(job_.structure);
  if (!plan.acting || job_.update.rule != Update::automatic) return warnings;
  const std::vector<std::string> unlike = maps_->unlike(*plan.acting);
  warnings.insert(warnings.end(), unlike.begin(), unlike.end());
  return warnings;
}

void ImportedSource::place(const Plan& plan, Result& result, Stages& stages) {
  std::int64_t unreached = 0;
  const auto filling = [&]() -> SolutePotential {
    const std::span<const double> values = maps_->values_on(plan.lattice, job_.field.threads);
    if (job_.field.every_point)
      unreached = std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); });
    return ImportedMap{values};
  };
  fill_result(job_, plan, filling, maps_, result, stages);
  if (unreached > 0) warn(result, stages.observer(), {unreached_warning(unreached, plan.lattice)});
  place_in_result(job_, result, stages);
  warn(result, stages.observer(), warnings(result.placement));
}

}  // namespace ionwell
