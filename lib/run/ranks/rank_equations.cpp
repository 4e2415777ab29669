#include "run/ranks/rank_equations.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"
#include "parallel/thread_count.hpp"
#include "run/cost_model.hpp"
#include "run/ranks/rank_shares.hpp"

namespace ionwell {

MessageWriter& operator<<(MessageWriter& message, const RankEquation& equation) {
  return message << equation.system.lattice << std::span(equation.system.ions) << equation.system.bjerrum_A
                 << equation.solver << equation.backend;
}

RankEquation read_rank_equation(MessageReader& message) {
  RankEquation equation;
  equation.system.lattice = message.value<LatticeGeometry>();
  equation.system.ions = message.values<MobileIon>();
  equation.system.bjerrum_A = message.value<double>();
  equation.solver = message.value<PbSolverOptions>();
  equation.backend = read_backend_options(message);
  return equation;
}

PlaneShares shares_of_ranks(const LatticeGeometry& lattice, int ranks, const DeviceBackend* owner) {
  if (owner != nullptr) return owner->share_planes(lattice, ranks);
  return share_planes(lattice.counts, plan_coarsening(lattice.counts, lattice.spacing_A), ranks);
}

bool are_to_be_shared(const PlaneShares& shares, const DeviceBackend* owner) {
  return owner != nullptr ? shares.shared_levels() > 0 : shares.is_worth_it();
}

std::vector<LevelPlanes> planes_of_ranks(const PlaneShares& shares, const LatticeGeometry& lattice) {
  std::vector<LevelPlanes> planes;
  if (shares.shared_levels() > 0)
    for (std::size_t rank = 0; rank < shares.own[0].size(); ++rank)
      planes.push_back(planes_of(shares, 0, int(rank), int(lattice.counts.z)));
  return planes;
}

std::int64_t points_of_rank(const PlaneShares& shares, const LatticeGeometry& lattice, int rank) {
  if (shares.shared_levels() == 0) return lattice.size();
  const auto axes = plan_coarsening(lattice.counts, lattice.spacing_A)[shares.shared_levels() - 1];
  return lattice.index(0, 0, planes_of(shares, 0, rank, int(lattice.counts.z)).count) +
         std::int64_t(axes[0].coarse) * axes[1].coarse * axes[2].coarse;
}

void copy_own_planes(const DeviceBackend& owner, const PbVectors& vectors, const LevelPlanes& planes,
                     std::span<double> to_kT_e) {
  if (to_kT_e.empty()) return;
  const DeviceValues values = vectors.values_on_device().value();
  const std::size_t plane = to_kT_e.size() / std::size_t(planes.own.count());
  owner.copy_to_host(values.ordinal, values.values + std::size_t(planes.own.begin) * plane,
                     std::as_writable_bytes(to_kT_e));
}

void RankEquations::make(std::int64_t number, MessageReader message) {
  Equation equation{read_rank_equation(message), {}, {}, nullptr};
  PbSystem& system = equation.of.system;
  equation.of.solver.threads = own_threads(equation.of.solver.threads);
  equation.backend = device_for(equation.of);
  equation.planes = planes_of_ranks(shares_of_ranks(system.lattice, group_.count(), equation.backend.owner),
                                    system.lattice)[std::size_t(group_.rank())];
  const LatticeGeometry slab = system.lattice.slab(equation.planes.first, equation.planes.count);
  require_memory(equation.backend.owner != nullptr
                     ? pb_system_bytes(slab)
                     : shared_vectors_bytes(system.lattice, group_.count(), group_.rank()),
                 slab);
  system.lattice = slab;
  for (std::vector<float>* array : {&system.eps_x, &system.eps_y, &system.eps_z, &system.accessibility,
                                    &system.charge_e, &system.boundary_kT_e})
    array->resize(std::size_t(slab.size()));
  equations_.insert_or_assign(number, std::move(equation));
}

BackendChoice RankEquations::device_for(const RankEquation& equation) const {
  if (equation.backend.backend == Backend::cpu) return {};
  const LatticeGeometry& lattice = equation.system.lattice;
  const PlaneShares shares =
      shares_of_ranks(lattice, group_.count(), backend_of(equation.backend, backends_));
  constexpr double worth_it = std::numeric_limits<double>::infinity();  // as the first has decided
  return choose_backend(planned_share(&group_, lattice, equation.backend, backends_).backend, worth_it,
                        {.lattice = lattice.slab(0, 0),
                         .imported = true,
                         .equation_points = points_of_rank(shares, lattice, group_.rank())},
                        backends_);
}

void RankEquations::make_vectors(Equation& equation) {
  const PbSolverOptions& options = equation.of.solver;
  const bool is_nonlinear = options.equation == PbEquation::nonlinear;
  if (equation.backend.owner != nullptr) {
    equation.vectors = equation.backend.owner->shared_pb_vectors(equation.backend.devices.front().number,
                                                                 equation.of.system, is_nonlinear, group_);
    return;
  }
  if (workspace_ == nullptr) workspace_ = std::make_shared<HostWorkspace>();
  equation.vectors = shared_host_vectors(equation.of.system, is_nonlinear, options.simd, options.threads,
                                         group_, workspace_);
}

void RankEquations::send_solution(Equation& equation) {
  PbSystem& system = equation.of.system;
  const std::size_t plane = std::size_t(system.lattice.index(0, 0, 1));
  const PlaneSpan own = equation.planes.own;
  const std::size_t size = plane * std::size_t(own.count());
  if (equation.backend.owner != nullptr) {
    LargeArray<double> potential_kT_e(size);
    const std::span<double> values(potential_kT_e.data(), size);
    copy_own_planes(*equation.backend.owner, *equation.vectors, equation.planes, values);
    return group_.send(std::as_bytes(values), 0);
  }
  group_.send(std::as_bytes(std::span(system.boundary_kT_e).subspan(plane * std::size_t(own.begin), size)),
              0);
}

void RankEquations::follow(const RankOrder& order, std::span<const std::byte> payload) {
  if (EquationStep(order.rank) == EquationStep::drop) {
    equations_.erase(order.index);
    return;
  }
  Equation& equation = equations_.at(order.index);
  PbSystem& system = equation.of.system;
  MessageReader message(payload);
  switch (EquationStep(order.rank)) {
    case EquationStep::receive_coefficients:
      return receive_coefficients(equation, message.value<PlaneSpan>());
    case EquationStep::make_vectors:
      return make_vectors(equation);
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
    case EquationStep::store:
      equation.vectors->store();
      return send_solution(equation);
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
