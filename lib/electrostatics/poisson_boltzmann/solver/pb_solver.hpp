// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/instruction_set.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

enum class PbEquation { linear, nonlinear };

struct PbSolverOptions {
  PbEquation equation = PbEquation::linear;
  double tolerance = 1e-6;   // of the true residual (in fp64), relative to the right side; both 2-norms
  int max_iterations = 200;  // of conjugate gradients, in all
  int threads = 0;           // 0: see thread_count
  SimdLevel simd = SimdLevel::automatic;
};

/// How a solution was come by.
struct PbConvergence {
  double residual = 0.0;  // true, relative to the right side: charges and given potentials
  int iterations = 0;     // of conjugate gradients, one V-cycle each
  int newton_steps = 0;
  std::vector<double> history;  // residual before and after each iteration or, nonlinear, Newton step
};

/// Makes the vectors of a system that has been checked, in whatever memory.
using MakePbVectors = std::function<std::unique_ptr<PbVectors>(PbSystem&, const PbSolverOptions&)>;

/// Is told the residual after each iteration or, nonlinear, Newton step: relative to the right side.
using TellResidual = std::function<void(double)>;

/// Solves the equation of a PbSystem, again and again while the system's charges, boundary or coefficients
/// change. Where processes share it (shared_host_vectors), each has one of its own slab, and all call the
/// same functions at the same time, and get the same numbers. Memory: host_vectors_bytes. The same bits for
/// any number of threads.
class PbSolver {
 public:
  /// Makes the coarser lattices: O(points). The system must stay where it is, and its arrays of one size.
  /// Throws Error for what is no such equation (a dielectric that is not positive, an accessibility outside
  /// [0, 1], arrays of wrong sizes, ions that are not neutral together) and UsageError for options that make
  /// no sense.
  PbSolver(PbSystem& system, const PbSolverOptions& options);

  /// Where `make` puts it, for example on a device.
  PbSolver(PbSystem& system, const PbSolverOptions& options, const MakePbVectors& make);

  /// To be called when dielectric or accessibility were changed at these points: makes anew what depends on
  /// them. Charges and boundary may change without it.
  void update(const PointBox& changed);

  /// Starts from the inner values of the system's boundary_kT_e and leaves the solution there; a lattice
  /// without inner points is its own solution. Throws Error when it does not converge, with the values as
  /// they were; so also for what `progress` and `residual` throw.
  PbConvergence solve(const Progress& progress = {}, const TellResidual& residual = {});

  /// The last solution in a device's memory, until the next one; nothing when it is in the host's alone.
  std::optional<DeviceValues> solution_on_device() const {
    return vectors_ ? vectors_->values_on_device() : std::nullopt;
  }

 private:
  PbSystem& system_;
  PbSolverOptions options_;
  std::unique_ptr<PbVectors> vectors_;  // null without inner points
};

}  // namespace ionwell
