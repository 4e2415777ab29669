#include "run/filled_field.hpp"

#include <utility>

#include "core/lattice_extents.hpp"
#include "core/periodic/images_near_box.hpp"
#include "placement/host_field.hpp"
#include "run/checkpoint/saved_sum.hpp"
#include "run/cost_model.hpp"
#include "run/periodic_images.hpp"
#include "run/ranks/ranked_lattice.hpp"

namespace ionwell {
namespace {

/// Of the atoms that keep ions away from a lattice: those of the structure, and their images that are near.
std::vector<Vec3<double>> excluding_atoms(const Job& job, const LatticeGeometry& lattice) {
  std::vector<Vec3<double>> positions_A;
  for (const Atom& atom : job.structure.atoms) positions_A.push_back(atom.position_A);
  if (const std::optional<PeriodicCell> cell = distance_cell(job))
    for (const PointImage& image :
         images_near_box(positions_A, *cell, extents(lattice), job.exclusion.ion_solute_A))
      positions_A.push_back(image.position_A);
  return positions_A;
}

/// Whether summing takes so long that it is worth saving: a multilevel sum, or one on a GPU, does not.
bool is_slow_sum(const Job& job, const Plan& plan) {
  return std::holds_alternative<SummationOptions>(job.source) && plan.backend.owner == nullptr &&
         plan.summation.method == Method::direct;
}

/// The plan's lattice, of this process alone or of all ranks.
std::unique_ptr<MaskedLattice> make_lattice(const Job& job, const Plan& plan, const LatticeGeometry& lattice,
                                            Checkpoint* checkpoint, std::shared_ptr<RankOrders> ranks) {
  RankGroup* const group = plan.ranks > 1 && ranks == nullptr ? free_rank_group() : nullptr;
  if (group != nullptr) ranks = std::make_shared<RankOrders>(*group);
  if (ranks == nullptr && is_slow_sum(job, plan))
    return make_host_lattice(lattice, plan.pair, job.field,
                             saved_source(make_cpu_source, saving_to(checkpoint)));
  if (ranks == nullptr) return ionwell::make_lattice(plan.backend, lattice, plan.pair, job.field);
  RankLattice ranked{lattice, plan.pair, job.field, job.backend, job.structure.atoms.size()};
  ranked.imported = !std::holds_alternative<SummationOptions>(job.source);
  if (plan.backend.owner == nullptr)
    ranked.backend = {.backend = Backend::cpu};
  else if (plan.summation.method == Method::multilevel)
    ranked.grid_bytes = device_grid_bytes(lattice, point_charges(job.structure.atoms),
                                          plan.summation.multilevel, plan.backend.owner->memory());
  return make_ranked_lattice(std::move(ranks), ranked, plan.backend);
}

}  // namespace

std::unique_ptr<MaskedLattice> make_lattice(const BackendChoice& backend, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options) {
  if (backend.owner == nullptr) return make_host_lattice(lattice, pair, options);
  return backend.owner->make_lattice(backend.layout, lattice, pair, options);
}

std::unique_ptr<PotentialField> fill_field(const Job& job, const Plan& plan, const LatticeGeometry& lattice,
                                           const std::function<SolutePotential()>& potential, Stages& stages,
                                           std::shared_ptr<RankOrders> ranks) {
  auto masked = make_lattice(job, plan, lattice, stages.checkpoint(), std::move(ranks));
  if (job.places_ions())
    stages.run("exclusion", [&](const Progress&) {
      masked->exclude(excluding_atoms(job, lattice), job.exclusion.ion_solute_A);
    });
  return stages.run("potential",
                    [&](const Progress& progress) { return fill(std::move(masked), potential(), progress); });
}

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
