// SPDX-License-Identifier: BSD-3-Clause
#include "potential/sources/filled_field.hpp"

#include <utility>

#include "compute/backend_lattice.hpp"
#include "compute/checkpoint/saved_sum.hpp"
#include "compute/cost_model.hpp"
#include "compute/ranks/ranked_lattice.hpp"
#include "core/lattice_extents.hpp"
#include "core/periodic/images_near_box.hpp"
#include "placement/host_field.hpp"

namespace ionwell {
namespace {

/// Of the atoms that keep ions away from a lattice: those of the structure, and their images that are near.
std::vector<Vec3<double>> excluding_atoms(const PotentialRequest& request, const LatticeGeometry& lattice) {
  std::vector<Vec3<double>> positions_A;
  for (const Atom& atom : request.structure.atoms) positions_A.push_back(atom.position_A);
  if (request.distance_cell)
    for (const PointImage& image :
         images_near_box(positions_A, *request.distance_cell, extents(lattice), *request.solute_distance_A))
      positions_A.push_back(image.position_A);
  return positions_A;
}

/// Whether summing takes so long that it is worth saving: a multilevel sum, or one on a GPU, does not.
bool is_slow_sum(const PotentialRequest& request, const Plan& plan) {
  return std::holds_alternative<SummationOptions>(request.origin) && plan.backend.owner == nullptr &&
         plan.summation.method == Method::direct;
}

/// The plan's lattice, of this process alone or of all ranks.
std::unique_ptr<MaskedLattice> make_lattice(const PotentialRequest& request, const Plan& plan,
                                            const LatticeGeometry& lattice, Checkpoint* checkpoint,
                                            std::shared_ptr<RankOrders> ranks) {
  if (ranks == nullptr && plan.group != nullptr && plan.group->is_free())
    ranks = std::make_shared<RankOrders>(*plan.group);
  if (ranks == nullptr && is_slow_sum(request, plan))
    return make_host_lattice(lattice, plan.pair, request.field,
                             saved_source(make_cpu_source, saving_to(checkpoint)));
  if (ranks == nullptr) return ionwell::make_lattice(plan.backend, lattice, plan.pair, request.field);
  RankLattice ranked{lattice, plan.pair, request.field, request.backend, request.structure.atoms.size()};
  ranked.imported = !std::holds_alternative<SummationOptions>(request.origin);
  if (plan.backend.owner == nullptr)
    ranked.backend = {.backend = Backend::cpu};
  else if (plan.summation.method == Method::multilevel)
    ranked.grid_bytes = device_grid_bytes(lattice, corner_charges(request.structure.atoms),
                                          plan.summation.multilevel, plan.backend.owner->memory());
  return make_ranked_lattice(std::move(ranks), ranked, plan.backend);
}

}  // namespace

MapUse map_use(const PotentialRequest& request) {
  if (!request.field.every_point) return MapUse::none;
  return request.map_names.empty() ? MapUse::gathered : MapUse::written;
}

std::unique_ptr<PotentialField> fill_field(const PotentialRequest& request, const Plan& plan,
                                           const LatticeGeometry& lattice,
                                           const std::function<SolutePotential()>& potential, Stages& stages,
                                           std::shared_ptr<RankOrders> ranks) {
  auto masked = make_lattice(request, plan, lattice, stages.checkpoint(), std::move(ranks));
  if (request.solute_distance_A)
    stages.run("exclusion", [&](const Progress&) {
      masked->exclude(excluding_atoms(request, lattice), *request.solute_distance_A);
    });
  return stages.run("potential",
                    [&](const Progress& progress) { return fill(std::move(masked), potential(), progress); });
}

std::shared_ptr<PotentialField> fill_keeping(std::shared_ptr<const void> values,
                                             const PotentialRequest& request, const Plan& plan,
                                             const std::function<SolutePotential()>& potential,
                                             Stages& stages, std::shared_ptr<RankOrders> ranks) {
  struct FieldAndValues {
    std::shared_ptr<const void> values;
    std::unique_ptr<PotentialField> field;  // goes first
  };
  const auto both = std::make_shared<FieldAndValues>();
  both->values = std::move(values);
  both->field = fill_field(request, plan, plan.lattice, potential, stages, std::move(ranks));
  return {both, both->field.get()};
}

}  // namespace ionwell
