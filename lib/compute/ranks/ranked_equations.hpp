// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "compute/backend.hpp"
#include "compute/ranks/rank_equations.hpp"
#include "compute/ranks/rank_orders.hpp"

namespace ionwell {

/// What equations that the ranks of a group share have in common.
struct RankedEquations {
  std::shared_ptr<RankOrders> orders;
  /// Where ranks solve: each on a device of its own of a backend, or on its processor where that is null.
  const DeviceBackend* owner = nullptr;
  int device = 0;          // the first's, by number
  BackendOptions options;  // those of the run
  std::shared_ptr<HostWorkspace> workspace = std::make_shared<HostWorkspace>();
  std::int64_t made = 0;
};

/// A solute's equation that ranks share, as the first sees it: it orders, the others follow (RankEquations).
/// No rank has the whole lattice. All numbers are those of one process, bit for bit. Its lattices must be
/// such that can be shared (planes_of_ranks).
class RankedPb final : public SolutePb, public MapInParts {
 public:
  /// Throws Error when a rank has not the memory, or its device, with which one.
  RankedPb(std::shared_ptr<RankedEquations> equations, const OwnPbCalculation& calculation,
           std::span<const Atom> atoms);
  ~RankedPb() override;
  RankedPb(const RankedPb&) = delete;
  RankedPb& operator=(const RankedPb&) = delete;

  void add(std::span<const Atom> added) override;
  PbConvergence solve(const Progress& progress, const TellResidual& residual) override;
  std::span<const Atom> atoms() const override { return part_->atoms(); }
  double charge_energy_kT() override;
  const PbSystem& system() const override { return part_->system(); }
  LargeArray<float> values(PbArray which) override;
  Solutions solutions_kT_e() override;
  void start_from(Solutions solutions_kT_e) override;

  /// In parts.
  ImportedMap potential(bool, int, HostWorkspace&) override { return {.values_kT_e = {}, .in_parts = this}; }

  /// MapInParts, of the lattice's rank_slabs.
  std::span<const double> values_of(const LatticeGeometry& slab) override;

 private:
  RankGroup& group() const { return equations_->orders->group(); }
  template <typename Work, typename... Values>
  void together(EquationStep step, const Work& work, const Values&... values);

  std::shared_ptr<RankedEquations> equations_;
  std::int64_t number_;
  std::unique_ptr<FocusedPb> part_;
  LargeArray<double> values_kT_e_;
};

}  // namespace ionwell
