#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/sources/pb_potential.hpp"
#include "run/sources/solute_source.hpp"

/// Placing with a Poisson-Boltzmann solver in the loop: solve, place some ions, solve again with them in it;
/// without ions, the potential of the solute.
namespace ionwell {

// Of the published protocols (Stone et al. 2007): at most 1 A apart, 8 A beyond the solute.
constexpr double published_pb_spacing_A = 1.0, published_pb_border_A = 8.0;

/// Solutions of a solver that was found and knows a radius for every ion.
class PbSource final : public SoluteSource {
 public:
  /// Throws Error when APBS is to solve and is not installed, with the package that has it; UsageError for an
  /// ion without a radius, and for options that the solver has no use for.
  PbSource(const Job& job, const PbOptions& options);

  Plan plan(const Backends& backends) const override;
  void describe(const Plan& plan, Result& result) const override;
  using SoluteSource::warnings;
  std::vector<std::string> warnings(const Plan&) const override { return potential_->warnings(); }

  /// `result.placement` holds the ions placed so far also when this throws.
  void place(const Plan& plan, Result& result, Stages& stages) override;

 private:
  /// One at least: of the solute.
  std::int64_t solves() const {
    return job_.ions.empty() ? 1 : (requested_ + options_.every - 1) / options_.every;
  }
  std::vector<Atom> atoms_of(std::span<const PlacedIon> ions) const;

  /// What one solution gave.
  struct Round {
    Placement added;
    FieldStatistics statistics;
  };
  /// Which solve, or which energy, of how many.
  struct Step {
    std::string what;  // "solve" or "energy"
    std::int64_t number = 0, of = 0;
  };
  /// Runs work(PbSolve) as a stage of the run.
  template <typename Work>
  auto run_step(const Step& step, const Plan& plan, Stages& stages, const SignalNotes& notes,
                const Work& work) const;
  /// What there is of a loop when a round is over: all of it that others go on from.
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
  PbOptions options_;
  ElectrostaticsOptions electrostatics_;  // of the job, in the solution that the solver is told of
  IonUpdate update_;
  std::vector<std::pair<std::string, double>> radius_A_;  // by the ion's name
  std::int64_t requested_ = 0;
  double ionic_strength_M_;
  std::shared_ptr<PbPotential> potential_;
};

}  // namespace ionwell
