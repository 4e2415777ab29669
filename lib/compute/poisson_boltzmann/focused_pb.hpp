// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/backend.hpp"
#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "compute/poisson_boltzmann/solute_pb.hpp"
#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"
#include "parallel/rank_group.hpp"

namespace ionwell {

/// The ranks that share the planes of both lattices, and on whose devices.
struct PbRanks {
  RankGroup* group = nullptr;             // null: this process is alone
  const DeviceBackend* owner = nullptr;   // null: on processors
  std::vector<LevelPlanes> outer, inner;  // by rank
};

/// The SolutePb of this process, or of one of several ranks: then each calls the same functions at the same
/// time, has slabs of both lattices, and makes them itself; the result has the same bits as that of one
/// process. 24 bytes a point of either lattice that is here, and what the solvers' vectors take.
class FocusedPb final : public SolutePb {
 public:
  /// O(points + atoms). Throws Error as PbModel and PbSolver do; AgreedFailure (plane_exchange), on all
  /// ranks, where one of them has failed. `make`: the vectors of this process, or of its part.
  FocusedPb(const OwnPbCalculation& calculation, std::span<const Atom> atoms, const MakePbVectors& make,
            PbRanks ranks = {});
  FocusedPb(const FocusedPb&) = delete;
  FocusedPb& operator=(const FocusedPb&) = delete;

  void add(std::span<const Atom> added) override;
  PbConvergence solve(const Progress& progress, const TellResidual& residual) override;
  ImportedMap potential(bool may_stay_on_device, int threads, HostWorkspace& room) override;
  std::span<const Atom> atoms() const override { return inner_.model.atoms(); }
  double charge_energy_kT() override;
  const PbSystem& system() const override { return inner_.model.system(); }

  /// Of several ranks, the first has all values, and the others nothing.
  LargeArray<float> values(PbArray which) override { return values_of<LargeArray<float>>(inner_, which); }
  Solutions solutions_kT_e() override;

  /// Of several ranks, the first gives all values, and the others nothing.
  void start_from(Solutions solutions_kT_e) override;

  /// Of several ranks: the last solution on the inner lattice, in planes that each wants of it.
  LargeArray<double> values_in(std::span<const LatticeGeometry> slabs);

 private:
  /// One of the lattices.
  struct Part {
    Part(const LatticeGeometry& lattice, std::span<const Atom> atoms, const PbModelOptions& options,
         const PbSolverOptions& solver_options, const MakePbVectors& make, const SolventExcluded* surface,
         RankGroup* group, std::vector<LevelPlanes> planes_of_ranks);
    void add(std::span<const Atom> added, RankGroup* group);

    LatticeGeometry lattice;          // the whole
    std::vector<LevelPlanes> planes;  // by rank
    PbModel model;
    PbSolver solver;
  };

  /// `surface` is that of both lattices, and needed no longer than this takes.
  FocusedPb(const OwnPbCalculation& calculation, std::span<const Atom> atoms, const MakePbVectors& make,
            PbRanks ranks, const std::shared_ptr<const SolventExcluded>& surface);

  std::size_t rank() const { return std::size_t(ranks_.group->rank()); }
  std::span<float> own_solution(Part& part) const;
  void focus();
  template <typename Array>
  Array values_of(Part& part, PbArray which) const;
  void start_from(Part& part, std::vector<float> solution_kT_e) const;

  PbRanks ranks_;
  ChargeAssignment charges_;
  int threads_;
  Part outer_, inner_;
};

}  // namespace ionwell
