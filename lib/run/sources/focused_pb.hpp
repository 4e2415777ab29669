#pragma once

#include <span>

#include "run/sources/own_pb_options.hpp"

namespace ionwell {

/// A solute's equation on two lattices, ready to be solved again and again with more ions in it. 24 bytes a
/// point of either, and what the solvers' vectors take.
class FocusedPb {
 public:
  /// O(points + atoms). Throws Error as PbModel and PbSolver do. `set`: see PbModel.
  FocusedPb(const OwnPbCalculation& calculation, std::span<const Atom> atoms, const MakePbVectors& make,
            const SetCoefficients& set = {});
  FocusedPb(const FocusedPb&) = delete;
  FocusedPb& operator=(const FocusedPb&) = delete;

  /// Makes anew only what these atoms, or ions, change.
  void add(std::span<const Atom> added);

  /// From the last solution on. Iterations are those on both lattices, the residual is the larger one. Throws
  /// Error when it does not converge, and then has the solution of before.
  PbConvergence solve(const Progress& progress, const TellResidual& residual);

  /// The potentials [kT/e] of the last solve.
  struct Solutions {
    std::span<const float> outer, inner;
  };
  Solutions solutions_kT_e() const {
    return {outer_.model.system().boundary_kT_e, inner_.model.system().boundary_kT_e};
  }

  /// In place of a solve. The sizes are those of the lattices.
  void start_from(const Solutions& solutions_kT_e);

  /// That of the inner lattice.
  const PbSystem& equation() const { return inner_.model.system(); }

  /// The potential of the last solve on the inner lattice [kT/e].
  std::span<const float> potential_kT_e() const { return inner_.model.system().boundary_kT_e; }

  /// The same in a device's memory, if it is there.
  std::optional<DeviceValues> potential_on_device() const { return inner_.solver.solution_on_device(); }

  /// The same in fp64 in host memory, until the next solve of any equation; nothing where it is rounded only.
  std::span<const double> exact_potential_kT_e() const { return inner_.solver.solution_kT_e(); }

  /// Of all charges in that potential [kT]: PbModel::charge_energy_kT.
  double charge_energy_kT() const { return inner_.model.charge_energy_kT(potential_kT_e()); }

  /// The solute and all that was added.
  std::span<const Atom> atoms() const { return inner_.model.atoms(); }

 private:
  /// One of the lattices.
  struct Part {
    Part(const LatticeGeometry& lattice, std::span<const Atom> atoms, const PbModelOptions& options,
         const PbSolverOptions& solver_options, const MakePbVectors& make, const SolventExcluded* surface,
         const SetCoefficients& set);
    void add(std::span<const Atom> added);

    PbModel model;
    PbSolver solver;
  };

  /// `surface` is that of both lattices, and needed no longer than this takes.
  FocusedPb(const OwnPbCalculation& calculation, std::span<const Atom> atoms, const MakePbVectors& make,
            const std::shared_ptr<const SolventExcluded>& surface, const SetCoefficients& set);

  Part outer_, inner_;
};

}  // namespace ionwell
