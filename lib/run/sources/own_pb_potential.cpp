#include "run/sources/own_pb_potential.hpp"

#include <algorithm>
#include <chrono>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"
#include "parallel/parallel_for.hpp"
#include "run/ranks/rank_equations.hpp"

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

/// Where the run's lattice is: on its devices, or on this host; shared with `ranked`, which may be null,
/// where that takes less time.
MakePbVectors vectors_on(const BackendChoice& backend, std::shared_ptr<HostWorkspace> workspace,
                         std::shared_ptr<RankedEquations> ranked) {
  return [&backend, workspace = std::move(workspace), ranked = std::move(ranked)](
             PbSystem& system, const PbSolverOptions& options) {
    const bool is_nonlinear = options.equation == PbEquation::nonlinear;
    if (ranked != nullptr && ranked->is_to_be_shared(system.lattice))
      return RankedEquations::vectors(ranked, system, options);
    if (backend.owner != nullptr)
      return backend.owner->pb_vectors(backend.layout.devices, system, is_nonlinear);
    return host_vectors(system, is_nonlinear, options.simd, options.threads, workspace);
  };
}

/// All ranks together, where there are some.
SetCoefficients coefficients_by(std::shared_ptr<RankedEquations> ranked) {
  if (ranked == nullptr) return {};
  return [ranked = std::move(ranked)](const PbModelOptions& options, std::span<const Atom> atoms, int threads,
                                      PbSystem* system) {
    ranked->set_coefficients(options, atoms, threads, system);
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
          " is outside of it or nearer to its end than three spacings; leave out --box, or give a "
          "larger lattice");
}

}  // namespace

OwnPbPotential::OwnPbPotential(OwnPbCalculation calculation, std::vector<Atom> solute)
    : calculation_(std::move(calculation)),
      solute_(std::move(solute)),
      workspace_(workspace_for(calculation_)) {}

PbCosts OwnPbPotential::costs() const {
  const std::int64_t points = calculation_.lattice.size() + calculation_.outer.size();
  return {.host_bytes = pb_system_bytes(calculation_.lattice) + pb_system_bytes(calculation_.outer) +
                        host_vectors_bytes(calculation_.lattice) + host_vectors_bytes(calculation_.outer) +
                        calculation_.lattice.size() * std::int64_t{sizeof(double)},
          .device_points = points,
          .cpu_s = point_solve_s * double(points)};
}

std::optional<PbPotential::Shared> OwnPbPotential::shared_with(const RankGroup& group,
                                                               const DeviceBackend* owner) const {
  bool is_shared = false;
  Shared all{.ranks = group.count(),
             .host_bytes = calculation_.lattice.size() * std::int64_t{sizeof(double)}};
  for (const LatticeGeometry& lattice : {calculation_.lattice, calculation_.outer}) {
    all.host_bytes += pb_system_bytes(lattice);
    const PlaneShares shares = shares_of_ranks(lattice, group.count(), owner);
    if (!are_to_be_shared(shares, owner)) {
      if (owner == nullptr) all.host_bytes += host_vectors_bytes(lattice);
      all.device_points += lattice.size();
      continue;
    }
    is_shared = true;
    all.device_points += points_of_rank(shares, lattice, 0);
    if (owner != nullptr) all.host_bytes += lattice.size() * std::int64_t{sizeof(double)};  // in fp64
    const std::vector<LevelPlanes> planes = planes_of_ranks(shares, lattice);
    for (int rank = 0; rank < group.count_on_host(); ++rank)
      all.host_bytes += owner == nullptr ? shared_vectors_bytes(lattice, group.count(), rank)
                        : rank == 0      ? 0  // it has the system
                                         : pb_system_bytes(lattice.slab(0, planes[std::size_t(rank)].count));
  }
  if (!is_shared) return std::nullopt;
  return all;
}

std::shared_ptr<RankedEquations> OwnPbPotential::ranks_for(const PbSolve& solve) const {
  RankGroup* const group = free_rank_group();
  const BackendChoice& backend = solve.backend;
  if (group == nullptr || solve.ranks == 1) return nullptr;
  if (backend.owner == nullptr) return std::make_shared<RankedEquations>(*group);
  return std::make_shared<RankedEquations>(
      *group, RankedEquations::Place{backend.owner, backend.devices.front().number, solve.options});
}

void OwnPbPotential::make_equation(const PbSolve& solve) {
  calculation_.solver.threads = solve.threads;
  ranked_ = ranks_for(solve);
  equation_ = std::make_unique<FocusedPb>(
      calculation_, solute_, vectors_on(solve.backend, workspace_, ranked_), coefficients_by(ranked_));
  solute_ = {};
}

void OwnPbPotential::save(SavedState& state) const {
  if (equation_ == nullptr) return;
  const FocusedPb::Solutions solutions = equation_->solutions_kT_e();
  state.put(outer_solution, std::vector<float>(solutions.outer.begin(), solutions.outer.end()));
  state.put(inner_solution, std::vector<float>(solutions.inner.begin(), solutions.inner.end()));
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
  const std::optional<DeviceValues> on_device = equation_->potential_on_device();
  if (on_device && solve.backend.owner != nullptr && solve.backend.layout.lattice_on == LatticeOn::device)
    return {lattice(), {.values_kT_e = {}, .on_device = on_device}};
  const std::span<const float> potential_kT_e = equation_->potential_kT_e();
  const std::span<const double> exact_kT_e = equation_->exact_potential_kT_e();
  // The last solve is done with it, and the next one comes later.
  double* const values_kT_e = workspace_->potential().data();
  parallel_for({solve.threads}, std::ssize(potential_kT_e), [&](std::int64_t p) {
    const std::size_t at = std::size_t(p);
    values_kT_e[p] = exact_kT_e.empty() ? double(potential_kT_e[at]) : exact_kT_e[at];
  });
  return {lattice(), {.values_kT_e = {values_kT_e, potential_kT_e.size()}}};
}

void OwnPbPotential::solve_equation(FocusedPb& equation, std::span<const Atom> added, const PbSolve& solve,
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
    FocusedPb reference(uniform, equation_->atoms(),
                        vectors_on(solve.backend, workspace_for(uniform), ranked_), coefficients_by(ranked_));
    solve_equation(reference, {}, solve, solver);
    energy_kT -= reference.charge_energy_kT();
  }
  return energy_kT * thermal_energy_kJ_mol(calculation_.model.temperature_K);
}

}  // namespace ionwell
