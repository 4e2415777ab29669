// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/large_array.hpp"
#include "core/structure.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "electrostatics/solute_potential.hpp"

namespace ionwell {

/// The arrays of a PbSystem.
enum class PbArray { eps_x, eps_y, eps_z, accessibility, charge, potential };

std::vector<float>& array_of(PbSystem& system, PbArray which);

/// An equation to look at, whoever has it.
class PbArrays {
 public:
  virtual ~PbArrays() = default;

  /// The system, or what this process has of it: its lattice may be a slab.
  virtual const PbSystem& system() const = 0;

  /// One value for each point of the whole lattice.
  virtual LargeArray<float> values(PbArray which) = 0;
};

/// A solute's equation on two lattices, to be solved again and again with more ions in it: on this process,
/// or on several that share it. As PbArrays it is that of the inner lattice.
class SolutePb : public PbArrays {
 public:
  /// Makes anew only what these atoms, or ions, change.
  virtual void add(std::span<const Atom> added) = 0;

  /// From the last solution on. Iterations are those on both lattices, the residual is the larger one. Throws
  /// Error when it does not converge, and then has the solution of before.
  virtual PbConvergence solve(const Progress& progress, const TellResidual& residual) = 0;

  /// The last solution on the inner lattice [kT/e], until the next one: on a device where it may stay there
  /// and one has it, or in the potential of `room`, or in parts.
  virtual ImportedMap potential(bool may_stay_on_device, int threads, HostWorkspace& room) = 0;

  /// The last solutions [kT/e], and to start from others, of these sizes.
  struct Solutions {
    std::vector<float> outer, inner;
  };
  virtual Solutions solutions_kT_e() = 0;
  virtual void start_from(Solutions solutions_kT_e) = 0;

  /// Of all charges in the last solution on the inner lattice [kT]: PbModel::charge_energy_kT.
  virtual double charge_energy_kT() = 0;

  /// The solute and all that was added.
  virtual std::span<const Atom> atoms() const = 0;
};

}  // namespace ionwell
