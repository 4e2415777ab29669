#include "run/sources/solute_source.hpp"

#include "run/checkpoint/saved_ions.hpp"
#include "run/periodic_images.hpp"
#include "run/sources/imported_source.hpp"
#include "run/sources/pb_source.hpp"
#include "run/sources/periodic_source.hpp"
#include "run/sources/site_source.hpp"
#include "run/sources/summed_source.hpp"

namespace ionwell {
namespace {

struct Opener {
  const Job& job;
  Stages& stages;

  std::unique_ptr<SoluteSource> operator()(const SummationOptions& options) const {
    if (repeats(job)) return std::make_unique<PeriodicSource>(job);
    return std::make_unique<SummedSource>(job, options);
  }
  std::unique_ptr<SoluteSource> operator()(const MapFiles& files) const {
    return stages.run("read", [&](const Progress&) { return std::make_unique<ImportedSource>(job, files); });
  }
  std::unique_ptr<SoluteSource> operator()(const PbOptions& options) const {
    return std::make_unique<PbSource>(job, options);
  }
  std::unique_ptr<SoluteSource> operator()(const SiteOptions& options) const {
    return std::make_unique<SiteSource>(job, options);
  }
};

}  // namespace

namespace {

/// Places all ions of the job, or those that a checkpoint has not. Once there are ions they are all that is
/// saved: the potential comes again from the structure.
Placement place_and_save(const Job& job, const Result& result, Stages& stages) {
  std::vector<PlacedIon> begun;
  Checkpoint* const checkpoint = stages.checkpoint();
  if (checkpoint != nullptr)
    begun = checkpoint->read_resumed([&](const SavedState& state) {
      return has_saved_ions(state) ? saved_ions(state, job.ions, result.lattice) : std::vector<PlacedIon>{};
    });
  SavedPlacement saved(checkpoint, begun);
  const auto take = [&](std::span<const PlacedIon> placed) { saved.take(placed); };
  return place_in_field(*result.field, job, job.ions, {}, stages, {.placed = take, .begun = begun});
}

}  // namespace

std::unique_ptr<SoluteSource> open_source(const Job& job, Stages& stages) {
  if (!std::holds_alternative<SummationOptions>(job.source))
    repeats(job);  // refuses what does not go together
  return std::visit(Opener{job, stages}, job.source);
}

void fill_result(const Job& job, const Plan& plan, const std::function<SolutePotential()>& filling,
                 std::shared_ptr<const void> values, Result& result, Stages& stages,
                 std::shared_ptr<RankOrders> ranks) {
  struct FieldAndValues {
    std::shared_ptr<const void> values;
    std::unique_ptr<PotentialField> field;  // goes first
  };
  const auto both = std::make_shared<FieldAndValues>();
  both->values = std::move(values);
  both->field = fill_field(job, plan, plan.lattice, filling, stages, std::move(ranks));
  result.field = {both, both->field.get()};
}

void place_in_result(const Job& job, Result& result, Stages& stages) {
  const RunObserver& observer = stages.observer();
  if (observer.filled)
    stages.run("write", [&](const Progress& progress) { observer.filled(result, progress); });
  if (!job.ions.empty()) result.placement = place_and_save(job, result, stages);
  result.statistics = result.field->statistics();
}

}  // namespace ionwell
