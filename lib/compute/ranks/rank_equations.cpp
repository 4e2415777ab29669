// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ranks/rank_equations.hpp"

#include <array>
#include <limits>
#include <utility>

#include "compute/cost_model.hpp"
#include "compute/poisson_boltzmann/plane_exchange.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"

namespace ionwell {
namespace {

/// Both lattices.
std::array<LatticeGeometry, 2> lattices_of(const OwnPbCalculation& calculation) {
  return {calculation.outer, calculation.lattice};
}

std::int64_t planes_of_rank(const PlaneShares& shares, const LatticeGeometry& lattice, int rank) {
  return planes_of(shares, 0, rank, int(lattice.counts.z)).count;
}

/// A rank's device, where the first has one.
BackendChoice device_for(const RankEquation& equation, RankGroup& group, const Backends& backends) {
  if (equation.backend.backend == Backend::cpu) return {};
  const LatticeGeometry& lattice = equation.calculation.lattice;
  constexpr double worth_it = std::numeric_limits<double>::infinity();  // as the first has decided
  FieldDemand demand{.lattice = lattice.slab(0, 0), .imported = true};
  if (const DeviceBackend* const owner = backend_of(equation.backend, backends))
    demand.equation_points = device_points_of_rank(equation.calculation, group.count(), group.rank(), owner);
  return choose_backend(planned_share(&group, lattice, equation.backend, backends).backend, worth_it, demand,
                        backends);
}

/// The rank has been told not to go on.
struct ToldToStop {};

}  // namespace

PlaneShares shares_of_ranks(const LatticeGeometry& lattice, int ranks, const DeviceBackend* owner) {
  if (owner != nullptr) return owner->share_planes(lattice, ranks);
  return share_planes(lattice.counts, plan_coarsening(lattice.counts, lattice.spacing_A), ranks);
}

std::vector<LevelPlanes> planes_of_ranks(const PlaneShares& shares, const LatticeGeometry& lattice) {
  std::vector<LevelPlanes> planes;
  if (shares.shared_levels() > 0)
    for (std::size_t rank = 0; rank < shares.own[0].size(); ++rank)
      planes.push_back(planes_of(shares, 0, int(rank), int(lattice.counts.z)));
  return planes;
}

bool are_to_be_shared(const OwnPbCalculation& calculation, int ranks, const DeviceBackend* owner) {
  double work = 0.0, work_alone = 0.0;
  for (const LatticeGeometry& lattice : lattices_of(calculation)) {
    const PlaneShares shares = shares_of_ranks(lattice, ranks, owner);
    if (shares.shared_levels() == 0) return false;
    work += shares.work;
    work_alone += shares.work_alone;
  }
  return owner != nullptr || work < work_alone;
}

std::int64_t host_bytes_of_rank(const OwnPbCalculation& calculation, int ranks, int rank,
                                const DeviceBackend* owner) {
  std::int64_t bytes = 0;
  for (const LatticeGeometry& lattice : lattices_of(calculation)) {
    if (owner == nullptr) {
      bytes += shared_vectors_bytes(lattice, ranks, rank);
      continue;
    }
    const LatticeGeometry slab =
        lattice.slab(0, planes_of_rank(shares_of_ranks(lattice, ranks, owner), lattice, rank));
    constexpr std::int64_t while_made = 8 * sizeof(float);  // coefficients of tiles, and those for others
    bytes += pb_system_bytes(slab) + slab.size() * while_made;
  }
  return bytes;
}

std::int64_t device_points_of_rank(const OwnPbCalculation& calculation, int ranks, int rank,
                                   const DeviceBackend* owner) {
  std::int64_t points = 0;
  for (const LatticeGeometry& lattice : lattices_of(calculation)) {
    const PlaneShares shares = shares_of_ranks(lattice, ranks, owner);
    const auto axes = plan_coarsening(lattice.counts, lattice.spacing_A)[shares.shared_levels() - 1];
    points += lattice.index(0, 0, planes_of_rank(shares, lattice, rank)) +
              std::int64_t(axes[0].coarse) * axes[1].coarse * axes[2].coarse;
  }
  return points;
}

std::unique_ptr<FocusedPb> make_part(RankGroup& group, const RankEquation& equation,
                                     const DeviceBackend* owner, int device,
                                     const std::shared_ptr<HostWorkspace>& workspace) {
  PbRanks ranks{.group = &group, .owner = owner};
  const auto planes = [&](const LatticeGeometry& lattice) {
    return planes_of_ranks(shares_of_ranks(lattice, group.count(), owner), lattice);
  };
  ranks.outer = planes(equation.calculation.outer);
  ranks.inner = planes(equation.calculation.lattice);
  const auto make = [&](PbSystem& system, const PbSolverOptions& options) {
    const bool is_nonlinear = options.equation == PbEquation::nonlinear;
    if (owner != nullptr) return owner->shared_pb_vectors(device, system, is_nonlinear, group);
    return shared_host_vectors(system, is_nonlinear, options.simd, options.threads, group, workspace);
  };
  return std::make_unique<FocusedPb>(equation.calculation, equation.atoms, make, std::move(ranks));
}

void tell_to_go_on(RankGroup& group, bool goes_on) {
  group.broadcast(bytes_of(goes_on));
}

bool is_to_go_on(RankGroup& group) {
  bool goes_on = false;
  group.broadcast(bytes_of(goes_on));
  return goes_on;
}

void RankEquations::make(std::int64_t number, RankEquation equation) {
  OwnPbCalculation& calculation = equation.calculation;
  calculation.solver.threads = own_threads(calculation.solver.threads);
  if (workspace_ == nullptr) workspace_ = std::make_shared<HostWorkspace>();
  BackendChoice choice;
  all_or_none(group_, [&] {
    choice = device_for(equation, group_, backends_);
    require_memory(host_bytes_of_rank(calculation, group_.count(), group_.rank(), choice.owner),
                   calculation.lattice);
  });
  const int device = choice.owner != nullptr ? choice.devices.front().number : 0;
  equations_.insert_or_assign(number, make_part(group_, equation, choice.owner, device, workspace_));
}

/// What does not converge does so nowhere: the first says it.
void RankEquations::solve(FocusedPb& equation) const {
  const auto ask = [this](double) {
    if (!is_to_go_on(group_)) throw ToldToStop();
  };
  try {
    equation.solve(ask, {});
  } catch (const ToldToStop&) {
  } catch (const DeviceFailure&) {
    throw;
  } catch (const Error&) {
    if (!group_.in_step) throw;
  }
}

void RankEquations::follow(const RankOrder& order, std::span<const std::byte> payload) {
  const auto step = EquationStep(order.rank);
  MessageReader message(payload);
  if (step == EquationStep::make) return make(order.index, message.value<RankEquation>());
  if (step == EquationStep::drop) {
    equations_.erase(order.index);
    return;
  }
  FocusedPb& equation = *equations_.at(order.index);
  switch (step) {
    case EquationStep::add:
      return equation.add(message.value<std::vector<Atom>>());
    case EquationStep::solve:
      return solve(equation);
    case EquationStep::values:
      equation.values(message.value<PbArray>());
      return;
    case EquationStep::solutions:
      equation.solutions_kT_e();
      return;
    case EquationStep::start_from:
      return equation.start_from({});
    case EquationStep::charge_energy:
      equation.charge_energy_kT();
      return;
    case EquationStep::values_in_slabs:
      values_kT_e_ = {};
      values_kT_e_ = equation.values_in(rank_slabs(equation.system().lattice.whole(), group_.count()));
      return;
    case EquationStep::make:
    case EquationStep::drop:
      break;
  }
}

void RankEquations::clear() {
  equations_.clear();
  workspace_.reset();
  values_kT_e_ = {};
}

}  // namespace ionwell
