#include "run/sources/own_pb_potential.hpp"

#include <algorithm>
#include <chrono>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"

namespace ionwell {
namespace {

// Of the published protocol's lattice around 1gid, on one thread of a 2023 server processor.
constexpr double point_solve_s = 1.5e-6;

constexpr std::int64_t system_bytes_per_point = 24;  // see PbSystem

/// Where the run's lattice is: on its first device, or on this host.
MakePbVectors vectors_on(const BackendChoice& backend) {
  return [&backend](PbSystem& system, const PbSolverOptions& options) {
    const bool is_nonlinear = options.equation == PbEquation::nonlinear;
    return backend.owner == nullptr
               ? host_vectors(system, is_nonlinear, options.simd, options.threads)
               : backend.owner->pb_vectors(backend.layout.devices.front(), system, is_nonlinear);
  };
}

}  // namespace

OwnPbPotential::OwnPbPotential(OwnPbCalculation calculation, std::vector<Atom> solute)
    : calculation_(std::move(calculation)), solute_(std::move(solute)) {}

PbCosts OwnPbPotential::costs() const {
  const std::int64_t points = calculation_.lattice.size() + calculation_.outer.size();
  const bool is_nonlinear = calculation_.solver.equation == PbEquation::nonlinear;
  return {.host_bytes = system_bytes_per_point * points +
                        host_vectors_bytes(calculation_.lattice, is_nonlinear) +
                        host_vectors_bytes(calculation_.outer, is_nonlinear) +
                        calculation_.lattice.size() * std::int64_t{sizeof(double)},
          .device_points = points,
          .cpu_s = point_solve_s * double(points)};
}

PbValues OwnPbPotential::solve(std::span<const Atom> added, const PbSolve& solve, PoissonBoltzmann* solver) {
  const auto start = std::chrono::steady_clock::now();
  solve.notes.check();
  if (equation_ == nullptr) {
    calculation_.solver.threads = solve.threads;
    equation_ = std::make_unique<FocusedPb>(calculation_, solute_, vectors_on(solve.backend));
    solute_ = {};
  }
  PbConvergence convergence;
  try {
    equation_->add(added);
    convergence = equation_->solve([&](double part) {
      solve.notes.check();
      solve.progress(part);
    });
  } catch (const Interrupted&) {
    throw;
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    fail("Poisson-Boltzmann, ", solve.name, ": ", error.what());
  }
  const std::span<const float> potential_kT_e = equation_->potential_kT_e();
  if (values_kT_e_.size() == 0) values_kT_e_ = LargeArray<double>(potential_kT_e.size());
  std::copy(potential_kT_e.begin(), potential_kT_e.end(), values_kT_e_.data());
  if (!solver->convergence) solver->convergence.emplace();
  solver->convergence->iterations += convergence.iterations;
  solver->convergence->residual = std::max(solver->convergence->residual, convergence.residual);
  solver->convergence->seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {lattice(), {values_kT_e_.data(), values_kT_e_.size()}};
}

}  // namespace ionwell
