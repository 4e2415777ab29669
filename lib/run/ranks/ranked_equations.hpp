#pragma once

#include <memory>
#include <utility>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "run/backend.hpp"
#include "run/ranks/rank_coefficients.hpp"
#include "run/ranks/rank_orders.hpp"

namespace ionwell {

/// Equations that the ranks of a group solve together, as the first rank sees them: it orders, the others
/// follow (RankEquations). While this exists, the group is in use.
class RankedEquations {
 public:
  /// Where ranks solve: each on a device of its own of a backend, or on its processor where that is null.
  struct Place {
    const DeviceBackend* owner = nullptr;
    int device = 0;          // the first's, by number
    BackendOptions options;  // those of the run
  };

  explicit RankedEquations(RankGroup& group) : orders_(group) {}
  RankedEquations(RankGroup& group, Place place) : orders_(group), place_(std::move(place)) {}

  /// Whether an equation has planes enough; and whether it is one that they share (are_to_be_shared).
  bool can_share(const LatticeGeometry& lattice) const;
  bool is_to_be_shared(const LatticeGeometry& lattice) const;

  /// Dielectric and accessibility of a system, of which each rank computes a part, to the bits of one
  /// process.
  void set_coefficients(const PbModelOptions& options, std::span<const Atom> atoms, int threads,
                        PbSystem* system) {
    ionwell::set_coefficients(orders_, options, atoms, threads, system);
  }

  /// PbVectors of a system that has been checked, and stays where it is; of `equations`, which these keep.
  /// Each rank has some of the planes, this one the first of them, and vectors of these only. All numbers are
  /// those of one process, bit for bit. Throws Error when a rank has not the memory, or its device, with
  /// which one. The lattice must be one whose planes can be shared (planes_of_ranks).
  static std::unique_ptr<PbVectors> vectors(const std::shared_ptr<RankedEquations>& equations,
                                            PbSystem& system, const PbSolverOptions& options);

 private:
  friend class RankedPbVectors;

  RankOrders orders_;
  Place place_;
  LargeArray<double> potential_kT_e_;  // of the last solution on devices
  std::int64_t made_ = 0;
  std::shared_ptr<HostWorkspace> workspace_ = std::make_shared<HostWorkspace>();
};

}  // namespace ionwell
