#include "run/ranks/rank_equations.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"
#include "parallel/thread_count.hpp"
#include "run/cost_model.hpp"
#include "run/ranks/rank_shares.hpp"

namespace ionwell {

MessageWriter& operator<<(MessageWriter& message, const RankEquation& equation) {
  return message << equation.system.lattice << std::span(equation.system.ions) << equation.system.bjerrum_A
                 << equation.solver;
}

RankEquation read_rank_equation(MessageReader& message) {
  RankEquation equation;
  equation.system.lattice = message.value<LatticeGeometry>();
  equation.system.ions = message.values<MobileIon>();
  equation.system.bjerrum_A = message.value<double>();
  equation.solver = message.value<PbSolverOptions>();
  return equation;
}

std::vector<LevelPlanes> planes_of_ranks(const LatticeGeometry& lattice, int ranks) {
  const PlaneShares shares =
      share_planes(lattice.counts, plan_coarsening(lattice.counts, lattice.spacing_A), ranks);
  std::vector<LevelPlanes> planes;
  if (shares.shared_levels() > 0)
    for (int rank = 0; rank < ranks; ++rank)
      planes.push_back(planes_of(shares, 0, rank, int(lattice.counts.z)));
  return planes;
}

bool is_worth_sharing(const LatticeGeometry& lattice, int ranks) {
  return is_worth_sharing(lattice.counts, plan_coarsening(lattice.counts, lattice.spacing_A), ranks);
}

void RankEquations::make(std::int64_t number, MessageReader message) {
  Equation equation{read_rank_equation(message), {}, nullptr};
  PbSystem& system = equation.of.system;
  equation.of.solver.threads = own_threads(equation.of.solver.threads);
  equation.planes = planes_of_ranks(system.lattice, group_.count())[std::size_t(group_.rank())];
  const LatticeGeometry slab = system.lattice.slab(equation.planes.first, equation.planes.count);
  require_memory(shared_vectors_bytes(system.lattice, group_.count(), group_.rank()), slab);
  system.lattice = slab;
  for (std::vector<float>* array : {&system.eps_x, &system.eps_y, &system.eps_z, &system.accessibility,
                                    &system.charge_e, &system.boundary_kT_e})
    array->resize(std::size_t(slab.size()));
  equations_.insert_or_assign(number, std::move(equation));
}

void RankEquations::follow(const RankOrder& order, std::span<const std::byte> payload) {
  if (EquationStep(order.rank) == EquationStep::drop) {
    equations_.erase(order.index);
    return;
  }
  Equation& equation = equations_.at(order.index);
  PbSystem& system = equation.of.system;
  const PbSolverOptions& options = equation.of.solver;
  MessageReader message(payload);
  switch (EquationStep(order.rank)) {
    case EquationStep::receive_coefficients:
      return receive_coefficients(equation, message.value<PlaneSpan>());
    case EquationStep::make_vectors:
      if (workspace_ == nullptr) workspace_ = std::make_shared<HostWorkspace>();
      equation.vectors = shared_host_vectors(system, options.equation == PbEquation::nonlinear, options.simd,
                                             options.threads, group_, workspace_);
      return;
    case EquationStep::update:
      return equation.vectors->update(message.value<PointBox>());
    case EquationStep::load:
      group_.receive(std::as_writable_bytes(std::span(system.charge_e)), 0);
      group_.receive(std::as_writable_bytes(std::span(system.boundary_kT_e)), 0);
      equation.vectors->load();
      return;
    case EquationStep::compute_residual:
      equation.vectors->compute_residual();
      return;
    case EquationStep::linearise:
      return equation.vectors->linearise();
    case EquationStep::start_gradients:
      return equation.vectors->start_gradients();
    case EquationStep::iterate:
      equation.vectors->iterate();
      return;
    case EquationStep::add_correction:
      return equation.vectors->add_correction();
    case EquationStep::add_newton_step:
      return equation.vectors->add_newton_step();
    case EquationStep::points_beyond_cap:
      equation.vectors->points_beyond_cap();
      return;
    case EquationStep::store: {
      equation.vectors->store();
      const std::int64_t plane = system.lattice.index(0, 0, 1);
      const PlaneSpan own = equation.planes.own;
      return group_.send(
          std::as_bytes(std::span(system.boundary_kT_e)
                            .subspan(std::size_t(own.begin * plane), std::size_t(own.count() * plane))),
          0);
    }
    case EquationStep::drop:
      break;
  }
}

void RankEquations::receive_coefficients(Equation& equation, const PlaneSpan& sent) {
  const int first = std::max(sent.begin - equation.planes.first, 0),
            end = std::min(sent.end - equation.planes.first, equation.planes.count);
  if (first >= end) return;
  PbSystem& system = equation.of.system;
  const std::int64_t plane = system.lattice.index(0, 0, 1);
  for (std::vector<float>* array : {&system.eps_x, &system.eps_y, &system.eps_z, &system.accessibility})
    group_.receive(std::as_writable_bytes(std::span(*array).subspan(std::size_t(first * plane),
                                                                    std::size_t((end - first) * plane))),
                   0);
}

void RankEquations::clear() {
  equations_.clear();
  workspace_.reset();
}

}  // namespace ionwell
