// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "electrostatics/poisson_boltzmann/solver/point_box.hpp"
#include "electrostatics/solute_potential.hpp"

namespace ionwell {

/// One equation with all that a solver needs of it, in host memory or on a device: the matrix on all levels,
/// the potential in fp64, the residual and the vectors of conjugate gradients. What is done to them, in which
/// order, is PbSolver's. All norms are 2-norms over the inner points. For a lattice that has some.
class PbVectors {
 public:
  virtual ~PbVectors() = default;

  /// Makes anew what depends on dielectrics and accessibilities of these points of the system.
  virtual void update(const PointBox& changed) = 0;

  /// Takes charges, boundary and start from the system; returns the norm of the right side.
  virtual double load() = 0;

  /// Computes the residual of the start in fp64, from which conjugate gradients continue; returns its norm.
  virtual double compute_residual() = 0;

  /// For the nonlinear equation: the matrix becomes the derivative at the potential of the last residual.
  virtual void linearise() = 0;

  /// Forgets the directions of conjugate gradients and what they found.
  virtual void start_gradients() = 0;

  /// One iteration of conjugate gradients; returns the norm of the residual as it follows from the last one.
  /// Not a number when a value has overflowed. `is_followed`: another one follows in any case, which may
  /// begin before this returns.
  virtual double iterate(bool is_followed) = 0;

  /// potential += what conjugate gradients found, which becomes zero; returns the norm of the residual then,
  /// in fp64, from which they continue.
  virtual double add_correction() = 0;

  /// The same by IonicSolution::bounded_step, for the nonlinear equation.
  virtual double add_newton_step() = 0;

  /// Points where ions can be and the potential is beyond IonicSolution::cap.
  virtual std::int64_t points_beyond_cap() = 0;

  /// Writes the potential to the system's boundary_kT_e.
  virtual void store() = 0;

  /// The potential where a device has it, until the next solve; nothing in host memory.
  virtual std::optional<DeviceValues> values_on_device() const { return {}; }
};

}  // namespace ionwell
