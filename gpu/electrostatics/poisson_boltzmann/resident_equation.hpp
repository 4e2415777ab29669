// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <span>
#include <vector>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "gpu/electrostatics/poisson_boltzmann/device_vectors.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/outermost_values.hpp"
#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace ionwell::gpu {

/// A PbModel and its PbSolver (lib's) with all arrays on one device, which is the current one in every call
/// but `solve`. Dielectric and accessibility are a SurfaceMaker's to set.
class ResidentEquation {
 public:
  /// Charges and potential are not set: `charge` comes first. Of a boundary there is zero,
  /// multiple_debye_hueckel and focused; charges are not regularized.
  ResidentEquation(int ordinal, const LatticeGeometry& lattice, const PbModelOptions& options,
                   const PbSolverOptions& solver);

  /// Its first charges, those of the atoms, what these do at the boundary where the options say so, and a
  /// potential of zero. May be called while a SurfaceMaker is at work; `on_device`, the same atoms, must
  /// stay.
  void charge(const SoluteAtoms& atoms, const DeviceBuffer<SoluteAtom>& on_device);

  const PbSystem& system() const { return system_; }
  const LatticeGeometry& lattice() const { return system_.lattice; }

  /// Of these points a SurfaceMaker has set them.
  void coefficients_changed(std::span<const PointBox> boxes);

  /// Adds charges and what they do at the boundary.
  void add(const SoluteAtoms& atoms);

  /// Boundary values from the solution on a larger lattice.
  void focus(const ResidentEquation& coarse);

  PbConvergence solve(const Progress& progress, const TellResidual& residual) {
    return solver_->solve(progress, residual);
  }

  /// The solution, rounded to fp32, and to start from another one.
  void copy_solution(std::span<float> to_kT_e) const;
  void start_from(std::span<const float> solution_kT_e);
  DeviceValues solution_on_device() const { return solver_->solution_on_device().value(); }

  /// The solution at each of some atoms that has a charge, in their order.
  std::vector<double> potential_at(std::span<const Atom> atoms) const;

  const ResidentArrays& arrays() const { return arrays_; }

 private:
  void add_boundary(const SoluteAtoms& atoms, const SoluteAtom* on_device);
  cudaStream_t stream() const { return arrays_.stream; }

  PbModelOptions options_;
  PbSystem system_;
  ResidentArrays arrays_{};
  BoundarySums boundary_;
  DeviceBuffer<SoluteAtom> added_;  // the last ones
  std::unique_ptr<PbSolver> solver_;
};

}  // namespace ionwell::gpu
