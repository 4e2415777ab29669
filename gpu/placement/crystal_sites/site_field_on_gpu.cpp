// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/placement/crystal_sites/site_field_on_gpu.hpp"

#include "gpu/electrostatics/device_sum.hpp"
#include "gpu/runtime/stage_timer.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell::gpu {
namespace {

void tell(const Progress& progress, double done) {
  if (progress) progress(done);
}

}  // namespace

void DeviceSiteField::fill(const SiteProblem& problem, const Progress& progress) {
  const DeviceScope scope = store_.enter();
  choose_points(problem.atoms);
  store_.make_blocks(0);
  if (store_.blocks().count == 0) return;
  tell(progress, 0.1);
  add_potential(problem);
  tell(progress, 0.8);
  StageTimer timer("terms", store_.stream());
  atoms_.emplace(problem.atoms, store_.stream());
  add_site_terms(store_.blocks(), model_, atoms_->cells(), store_.stream());
  timer.stop();
  weights_.emplace(problem.lattice);
  tell(progress, 1.0);
}

void DeviceSiteField::choose_points(std::span<const SiteAtom> atoms) {
  const cudaStream_t stream = store_.stream();
  StageTimer timer("exclusion", stream);
  const std::vector<Vec3<double>> heavy_A = positions_of(atoms, heavy_atoms);
  DeviceMask beyond(store_.grid(), stream);
  beyond.exclude(heavy_A, model_.cutoff_A * model_.cutoff_A, stream);
  store_.mask().exclude(heavy_A, ion_limit_A2(model_.ion_heavy_atom_A), stream);
  take_away(store_.mask().words(), beyond.words(), mask_words * store_.grid().size(), stream);
  timer.stop();
}

void DeviceSiteField::add_potential(const SiteProblem& problem) {
  StageTimer timer("potential", store_.stream());
  const PairPotential pair = pair_potential_of(model_);
  const std::vector<PointCharge> charges = counted(pair, charges_of(problem.atoms));
  std::optional<MultilevelPlan> plan;
  if (problem.options.multilevel) plan = multilevel_plan(problem.lattice, charges, pair, {});
  const DeviceBlocks blocks = store_.blocks();
  const DeviceSum sum(problem.lattice, blocks.count,
                      {.pair = pair, .charges = charges, .plan = plan ? &*plan : nullptr}, nullptr);
  sum.add_to(blocks, store_.stream());
  timer.stop();
}

ChosenPoints DeviceSiteField::choose(std::int64_t count) {
  const cudaStream_t stream = store_.stream();
  StageTimer timer("basins", stream);
  set_boltzmann(*weights_, store_.blocks(), store_.mask().words(), stream);
  smooth(*weights_, model_.basin_width_A, stream);
  ChosenPoints chosen = choose_largest(*weights_, store_.blocks(), store_.mask().words(), count, stream);
  timer.stop();
  return chosen;
}

BasinPoints DeviceSiteField::lowest_basins(std::int64_t count, const Progress& progress) {
  const DeviceScope scope = store_.enter();
  if (!weights_) return {};
  const ChosenPoints chosen = choose(count);
  tell(progress, 0.5);
  return to_basins(chosen, store_.blocks(), store_.stream());
}

ScoredBasins DeviceSiteField::scored_basins(const SiteScore& score, std::int64_t count,
                                            const Progress& progress) {
  const DeviceScope scope = store_.enter();
  if (!weights_) return {{}, true};
  const cudaStream_t stream = store_.stream();
  ChosenPoints chosen = choose(count);
  tell(progress, 0.3);
  {
    StageTimer timer("score", stream);
    const DeviceSiteScore on_device(score, stream);
    const DeviceBuffer<float> minus_log_odds = on_device.of(chosen, store_.blocks(), atoms_->cells(), stream);
    set_scores(*weights_, chosen, store_.blocks(), minus_log_odds, stream);
    timer.stop();
  }
  tell(progress, 0.8);
  StageTimer timer("basins", stream);
  smooth(*weights_, model_.basin_width_A, stream);
  get_weights(*weights_, chosen, store_.blocks(), stream);
  ScoredBasins result;
  result.every_point = chosen.least == 0.0f;
  chosen.least = 0.0f;  // of the points with a score these are all
  timer.stop();
  result.points = to_basins(chosen, store_.blocks(), stream);
  return result;
}

}  // namespace ionwell::gpu
