// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "compute/ranks/ranked_equations.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"
#include "potential/sources/pb_potential.hpp"

namespace ionwell {

/// The potential of ionwell's own solver, on the lattice that ions are placed on.
class OwnPbPotential final : public PbPotential {
 public:
  OwnPbPotential(OwnPbCalculation calculation, std::vector<Atom> solute);

  const LatticeGeometry& lattice() const override { return calculation_.lattice; }
  PbCosts costs() const override;
  std::optional<Shared> shared_with(const RankGroup& group, const DeviceBackend* owner) const override;
  std::vector<std::string> warnings() const override { return calculation_.notes; }

  /// On the run's devices, if it has some, or on this host's processor, with the other ranks where that takes
  /// less time. The first solve makes the equation, the others what ions change in it.
  PbValues solve(std::span<const Atom> added, const PbSolve& solve, PoissonBoltzmann* solver) override;

  void save(SavedState& state) const override;
  void restore(std::span<const std::vector<Atom>> added, const SavedState& state,
               const PbSolve& solve) override;

  PbArrays* equation() override { return equation_.get(); }

  /// Linear equation only. Solves the equation of the uniform medium on the same lattices, where every charge
  /// has the same energy in itself; not for regularized charges, which have none.
  std::optional<double> solvation_energy_kJ_mol(const PbSolve& solve, PoissonBoltzmann* solver) override;

 private:
  std::shared_ptr<RankedEquations> ranks_for(const PbSolve& solve) const;
  std::unique_ptr<SolutePb> equation_of(const OwnPbCalculation& calculation, std::span<const Atom> atoms,
                                        const PbSolve& solve,
                                        const std::shared_ptr<HostWorkspace>& workspace) const;
  void make_equation(const PbSolve& solve);
  static void solve_equation(SolutePb& equation, std::span<const Atom> added, const PbSolve& solve,
                             PoissonBoltzmann* solver);

  OwnPbCalculation calculation_;
  std::vector<Atom> solute_;  // until the equation has it
  std::unique_ptr<SolutePb> equation_;
  std::shared_ptr<RankedEquations> ranked_;   // where other ranks have parts of the equation
  std::shared_ptr<HostWorkspace> workspace_;  // between two solves it has the potential in fp64
};

}  // namespace ionwell
