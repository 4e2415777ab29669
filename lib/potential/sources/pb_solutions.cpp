// SPDX-License-Identifier: BSD-3-Clause
#include "potential/sources/pb_solutions.hpp"

#include "compute/poisson_boltzmann/own_pb_options.hpp"

#include "compute/cost_model.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "core/error.hpp"
#include "parallel/thread_count.hpp"
#include "placement/host_field.hpp"
#include "potential/request/pb_request.hpp"
#include "potential/sources/apbs_potential.hpp"
#include "potential/sources/filled_field.hpp"
#include "potential/sources/own_pb_potential.hpp"

namespace ionwell {
namespace {

Box pb_box(const Structure& structure, const LatticeRequest& lattice) {
  if (lattice.box) return *lattice.box;
  const double border_A = lattice.border_A.value_or(published_pb_border_A);
  const Box atoms = bounding_box(structure.atoms);
  const Vec3<double> border{border_A, border_A, border_A};
  return {atoms.lowest_A - border, atoms.highest_A + border};
}

std::unique_ptr<PbPotential> open_apbs(const PotentialRequest& request, const ElectrostaticsOptions& solution,
                                       double ionic_strength_M, const PbOptions& options) {
  ApbsCalculation calculation =
      apbs_calculation(pb_box(request.structure, request.lattice), bounding_box(request.structure.atoms),
                       request.lattice.spacing_A.value_or(published_pb_spacing_A));
  calculation.temperature_K = solution.temperature_K;
  calculation.ionic_strength_M = ionic_strength_M;
  calculation.options = options.options;
  calculation.fine = with_grid_options(calculation.fine, options.options);
  return std::make_unique<ApbsPotential>(options.apbs, calculation, request.structure.atoms);
}

}  // namespace

PbSolutions::PbSolutions(const PotentialRequest& request, const PbOptions& options, std::int64_t solves)
    : request_(request),
      options_(options),
      solves_(solves),
      electrostatics_(request.electrostatics),
      update_(with_hybrid_default(request.update)) {
  adopt_solution(options, electrostatics_, update_);
  ionic_strength_M_ = electrostatics_.ionic_strength_M.value_or(usual_ionic_strength_M);
  if (options.solved_by == PbSolvedBy::apbs)
    potential_ = open_apbs(request, electrostatics_, ionic_strength_M_, options);
  else
    potential_ = std::make_shared<OwnPbPotential>(
        own_pb_calculation(request.structure, request.lattice, electrostatics_, options.options),
        request.structure.atoms);
}

int PbSolutions::threads() const {
  return thread_count(request_.field.threads);
}

Plan PbSolutions::plan(const Backends& backends) const {
  Plan plan{.lattice = potential_->lattice(),
            .acting = update_electrostatics(update_, electrostatics_),
            .summation = {.method = Method::direct}};
  plan.pair = update_potential(plan.acting);
  const PbCosts costs = potential_->costs();
  const std::int64_t at_once =
      options_.solvation_energy ? 2 : 1;  // the equation, and that of the uniform medium
  const double cpu_s = placing_in_map_s(plan.lattice, request_.added_charges, threads()) +
                       costs.cpu_s * double(solves_ + 2 * (at_once - 1)) / double(threads());
  const std::size_t atoms = request_.structure.atoms.size();
  FieldDemand demand{.lattice = plan.lattice, .imported = true};
  if (costs.device_points > 0) {
    demand.equations = at_once;
    demand.equation_points = at_once * costs.device_points;
    demand.equation_atoms = at_once * std::int64_t(atoms);
  }
  BackendOptions options = request_.backend;
  RankGroup* const group = backends.free_ranks();
  PlannedShare share{.lattice = plan.lattice, .backend = request_.backend};
  std::optional<PbPotential::Shared> shared;
  const DeviceBackend* const owner = group != nullptr ? backend_of(options, backends) : nullptr;
  if (owner != nullptr && (options.backend != Backend::automatic || is_worth_starting(*owner, cpu_s)) &&
      lacks_memory(*owner, options, demand))
    shared = potential_->shared_with(*group, owner);
  if (shared) {
    share = planned_share(group, plan.lattice, options, backends);
    options = share.backend;
    if (options.devices.size() > 1) options.devices.resize(1);
    demand.lattice = share.lattice;
    demand.equation_points = at_once * shared->device_points;
    demand.equations = demand.equation_atoms = 0;  // hosts make these
  }
  plan.backend = choose_backend(options, cpu_s, demand, backends);
  if (group != nullptr && plan.backend.owner == nullptr) {
    shared = potential_->shared_with(*group, nullptr);
    if (shared) share = planned_share(group, plan.lattice, {.backend = Backend::cpu}, backends);
  }
  if (!shared) {
    plan.host_bytes = at_once * costs.host_bytes + host_field_bytes(plan.lattice, atoms);
    return plan;
  }
  plan.group = group;
  constexpr std::int64_t of_solution = 2 * sizeof(double);  // what a slab gets, and what it comes from
  plan.host_bytes =
      at_once * shared->host_bytes +
      host_bytes_of_ranks(host_field_bytes(share.lattice, atoms) + share.lattice.size() * of_solution, share,
                          plan.lattice, map_use(request_));
  return plan;
}

void PbSolutions::describe(PotentialRecord& record) const {
  const bool is_own = options_.solved_by == PbSolvedBy::own;
  record.method = is_own ? "pb" : "apbs";
  record.imported = ImportedMaps{.ions_act = false};
  record.solver = PoissonBoltzmann{.program = is_own ? "ionwell" : options_.apbs.program,
                                   .every = options_.every,
                                   .solves = solves_,
                                   .ionic_strength_M = ionic_strength_M_,
                                   .options = options_.options,
                                   .solved_by = options_.solved_by,
                                   .convergence = {}};
}

}  // namespace ionwell
