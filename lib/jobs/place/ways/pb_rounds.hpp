// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/state/saved_state.hpp"
#include "jobs/place/ways/placer.hpp"
#include "potential/sources/pb_solutions.hpp"

namespace ionwell {

/// Placing with a Poisson-Boltzmann solver in the loop: solve, place some ions, solve again with them in it.
class PbRounds final : public Placer {
 public:
  /// Throws as PbSolutions, and UsageError for an ion without a radius.
  PbRounds(const Job& job, const PbOptions& options);

  Plan plan(const Backends& backends) const override { return solutions_.plan(backends); }
  void describe(const Plan& plan, Result& result) const override;
  using Placer::warnings;
  std::vector<std::string> warnings(const Plan&) const override { return solutions_.solver().warnings(); }

  /// `result.placement` holds the ions placed so far also when this throws.
  void place(const Plan& plan, Result& result, Stages& stages) override;

 private:
  std::vector<Atom> atoms_of(std::span<const PlacedIon> ions) const;

  /// What one solution gave.
  struct Round {
    Placement added;
    FieldStatistics statistics;
  };
  /// What there is of a loop when a round is over: all of it that others continue from.
  struct Rounds {
    std::int64_t done = 0;
    std::optional<LatticeGeometry> lattice;  // of the solutions
    std::size_t solved = 0;                  // ions in the last solution
  };
  SavedState saved(const Rounds& rounds, const Result& result) const;
  Rounds resume(const SavedState& state, const Plan& plan, const SignalNotes& notes, Result& result,
                Stages& stages) const;
  Round place_in(const Plan& plan, const PbValues& solution, std::span<const PlacedIon> before,
                 Stages& stages) const;

  const Job& job_;
  PotentialRequest request_;
  PbOptions options_;
  std::vector<std::pair<std::string, double>> radius_A_;  // by the ion's name
  PbSolutions solutions_;
};

}  // namespace ionwell
