#pragma once

#include <memory>

#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "run/ranks/rank_coefficients.hpp"
#include "run/ranks/rank_orders.hpp"

namespace ionwell {

/// Equations that the ranks of a group solve together, as the first rank sees them: it orders, the others
/// follow (RankEquations). While this exists, the group is in use.
class RankedEquations {
 public:
  explicit RankedEquations(RankGroup& group) : orders_(group) {}

  int ranks() const { return orders_.group().count(); }

  /// Dielectric and accessibility of a system, of which each rank computes a part, to the bits of one
  /// process.
  void set_coefficients(const PbModelOptions& options, std::span<const Atom> atoms, int threads,
                        PbSystem* system) {
    ionwell::set_coefficients(orders_, options, atoms, threads, system);
  }

  /// PbVectors of a system that has been checked, and stays where it is; of `equations`, which these keep.
  /// Each rank has some of the planes on its processor, this one the first of them, and vectors of these
  /// only. All numbers are those of one process, bit for bit. Throws Error when a rank has not the memory,
  /// with which one. The lattice must be one whose planes can be shared (planes_of_ranks).
  static std::unique_ptr<PbVectors> vectors(const std::shared_ptr<RankedEquations>& equations,
                                            PbSystem& system, const PbSolverOptions& options);

 private:
  friend class RankedPbVectors;

  RankOrders orders_;
  std::int64_t made_ = 0;
  std::shared_ptr<HostWorkspace> workspace_ = std::make_shared<HostWorkspace>();
};

}  // namespace ionwell
