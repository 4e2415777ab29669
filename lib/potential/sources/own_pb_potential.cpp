// SPDX-License-Identifier: BSD-3-Clause
#include "potential/sources/own_pb_potential.hpp"

#include <algorithm>
#include <chrono>

#include "compute/poisson_boltzmann/focused_pb.hpp"
#include "core/error.hpp"
#include "core/lattice_extents.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"

namespace ionwell {
namespace {

// Of the published protocol's lattice around 1gid, on one thread of a 2023 server processor.
constexpr double point_solve_s = 1.5e-6;

constexpr const char *outer_solution = "solution on the outer lattice",
                     *inner_solution = "solution on the inner lattice";

/// For both lattices, which are solved one after the other.
std::shared_ptr<HostWorkspace> workspace_for(const OwnPbCalculation& calculation) {
  return std::make_shared<HostWorkspace>(
      std::initializer_list<LatticeGeometry>{calculation.lattice, calculation.outer});
}

/// Where the run's lattice is: on its devices, or on this host.
MakePbVectors vectors_on(const BackendChoice& backend, std::shared_ptr<HostWorkspace> workspace) {
  return [&backend, workspace = std::move(workspace)](PbSystem& system, const PbSolverOptions& options) {
    const bool is_nonlinear = options.equation == PbEquation::nonlinear;
    if (backend.owner != nullptr)
      return backend.owner->pb_vectors(backend.layout.devices, system, is_nonlinear);
    return host_vectors(system, is_nonlinear, options.simd, options.threads, workspace);
  };
}

/// Adds the time of a scope to what the solves took.
class Clock {
 public:
  explicit Clock(PoissonBoltzmann* solver) : solver_(solver) {}
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  ~Clock() {
    if (solver_->convergence)
      solver_->convergence->seconds +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  PoissonBoltzmann* solver_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// All points that any assignment of charges uses.
void check_charges_are_within(std::span<const Atom> atoms, const LatticeGeometry& lattice) {
  const Box box = extents(lattice);
  const Vec3<double> margin = 0.5 * (highest_spline_degree + 1) * lattice.spacing_A;
  const Box inner{box.lowest_A + margin, box.highest_A - margin};
  for (const Atom& atom : atoms)
    if (atom.charge_e != 0.0 && extended(inner, atom.position_A) != inner)
      fail<UsageError>(
          "--pb-energy needs all charges on the lattice, and ", describe(atom),
          " is outside it or within three spacings of its faces; leave out --box, or use a larger lattice");
}

}  // namespace

OwnPbPotential::OwnPbPotential(OwnPbCalculation calculation, std::vector<Atom> solute)
    : calculation_(std::move(calculation)),
      solute_(std::move(solute)),
      workspace_(workspace_for(calculation_)) {}

PbCosts OwnPbPotential::costs() const {
  const std::int64_t points = calculation_.lattice.size() + calculation_.outer.size();
  // The last state is there until the next one is, and copied while it is written.
  constexpr std::int64_t states = 3;
  return {.host_bytes = pb_system_bytes(calculation_.lattice) + pb_system_bytes(calculation_.outer) +
                        host_vectors_bytes(calculation_.lattice) + host_vectors_bytes(calculation_.outer) +
                        calculation_.lattice.size() * std::int64_t{sizeof(double)},
          .device_points = points,
          .saved_bytes = states * points * std::int64_t{sizeof(float)},
          .cpu_s = point_solve_s * double(points)};
}

std::optional<PbPotential::Shared> OwnPbPotential::shared_with(const RankGroup& group,
                                                               const DeviceBackend* owner) const {
  if (!are_to_be_shared(calculation_, group.count(), owner)) return std::nullopt;
  Shared all;
  for (int rank = 0; rank < group.count_on_host(); ++rank)
    all.host_bytes += host_bytes_of_rank(calculation_, group.count(), rank, owner);
  if (owner != nullptr) all.device_points = device_points_of_rank(calculation_, group.count(), 0, owner);
  return all;
}

std::shared_ptr<RankedEquations> OwnPbPotential::ranks_for(const PbSolve& solve) const {
  const BackendChoice& backend = solve.backend;
  if (solve.group == nullptr || !solve.group->is_free()) return nullptr;
  const auto ranked = std::make_shared<RankedEquations>();
  ranked->orders = std::make_shared<RankOrders>(*solve.group);
  ranked->options = solve.options;
  if (backend.owner == nullptr) return ranked;
  ranked->owner = backend.owner;
  ranked->device = backend.devices.front().number;
  return ranked;
}

std::unique_ptr<SolutePb> OwnPbPotential::equation_of(const OwnPbCalculation& calculation,
                                                      std::span<const Atom> atoms, const PbSolve& solve,
                                                      const std::shared_ptr<HostWorkspace>& workspace) const {
  if (ranked_ != nullptr) return std::make_unique<RankedPb>(ranked_, calculation, atoms);
  const BackendChoice& backend = solve.backend;
  if (backend.owner != nullptr && backend.layout.devices.size() == 1)
    if (auto on_device = backend.owner->solute_pb(backend.layout.devices.front(), calculation, atoms))
      return on_device;
  return std::make_unique<FocusedPb>(calculation, atoms, vectors_on(solve.backend, workspace));
}

void OwnPbPotential::make_equation(const PbSolve& solve) {
  calculation_.solver.threads = solve.threads;
  ranked_ = ranks_for(solve);
  equation_ = equation_of(calculation_, solute_, solve, workspace_);
  solute_ = {};
}

void OwnPbPotential::save(SavedState& state) const {
  if (equation_ == nullptr) return;
  SolutePb::Solutions solutions_kT_e = equation_->solutions_kT_e();
  state.put(outer_solution, std::move(solutions_kT_e.outer));
  state.put(inner_solution, std::move(solutions_kT_e.inner));
}

void OwnPbPotential::restore(std::span<const std::vector<Atom>> added, const SavedState& state,
                             const PbSolve& solve) {
  const std::vector<float>&outer = state.get<float>(outer_solution, std::size_t(calculation_.outer.size())),
        &inner = state.get<float>(inner_solution, std::size_t(lattice().size()));
  make_equation(solve);
  // One after the other, as they came: so that all sums are of the same order.
  for (const std::vector<Atom>& atoms : added) equation_->add(atoms);
  equation_->start_from({outer, inner});
}

PbValues OwnPbPotential::solve(std::span<const Atom> added, const PbSolve& solve, PoissonBoltzmann* solver) {
  const Clock clock(solver);
  solve.notes.check();
  if (equation_ == nullptr) make_equation(solve);
  solve_equation(*equation_, added, solve, solver);
  const bool may_stay_on_device =
      solve.backend.owner != nullptr && solve.backend.layout.lattice_on == LatticeOn::device;
  // The last solve is done with the workspace's potential, and the next one comes later.
  return {lattice(), equation_->potential(may_stay_on_device, solve.threads, *workspace_),
          ranked_ != nullptr ? ranked_->orders : nullptr};
}

void OwnPbPotential::solve_equation(SolutePb& equation, std::span<const Atom> added, const PbSolve& solve,
                                    PoissonBoltzmann* solver) {
  PbConvergence convergence;
  try {
    equation.add(added);
    convergence = equation.solve(
        [&](double part) {
          solve.notes.check();
          solve.progress(part);
        },
        solve.residual);
  } catch (const Interrupted&) {
    throw;
  } catch (const UsageError&) {
    throw;
  } catch (const DeviceFailure&) {
    throw;
  } catch (const Error& error) {
    fail("Poisson-Boltzmann, ", solve.name, ": ", error.what());
  }
  if (!solver->convergence) solver->convergence.emplace();
  solver->convergence->iterations += convergence.iterations;
  solver->convergence->residual = std::max(solver->convergence->residual, convergence.residual);
}

std::optional<double> OwnPbPotential::solvation_energy_kJ_mol(const PbSolve& solve,
                                                              PoissonBoltzmann* solver) {
  const Clock clock(solver);
  check_charges_are_within(equation_->atoms(), lattice());
  double energy_kT = equation_->charge_energy_kT();
  if (calculation_.model.charges != ChargeAssignment::regularized) {
    OwnPbCalculation uniform = calculation_;
    uniform.model.dielectric.solvent_dielectric = uniform.model.dielectric.solute_dielectric;
    uniform.model.ions.clear();
    const std::unique_ptr<SolutePb> reference =
        equation_of(uniform, equation_->atoms(), solve, workspace_for(uniform));
    solve_equation(*reference, {}, solve, solver);
    energy_kT -= reference->charge_energy_kT();
  }
  return energy_kT * thermal_energy_kJ_mol(calculation_.model.temperature_K);
}

}  // namespace ionwell
