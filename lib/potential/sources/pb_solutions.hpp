// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/plan.hpp"
#include "compute/stages.hpp"
#include "potential/request/potential_record.hpp"
#include "potential/request/potential_request.hpp"
#include "potential/sources/pb_potential.hpp"

namespace ionwell {

/// A Poisson-Boltzmann solver that was found, for a request's solute, with what it will be requested.
class PbSolutions {
 public:
  /// `solves`: how many there will be. Refers to the request, which must outlive this. Throws Error when APBS
  /// is to solve and is not installed, with the package that has it; UsageError for options that the solver
  /// has no use for.
  PbSolutions(const PotentialRequest& request, const PbOptions& options, std::int64_t solves);

  /// Of all solves, and of the ions that are placed between them.
  Plan plan(const Backends& backends) const;

  void describe(PotentialRecord& record) const;

  PbPotential& solver() const { return *potential_; }
  const std::shared_ptr<PbPotential>& shared_solver() const { return potential_; }
  std::int64_t solves() const { return solves_; }

  /// Which solve, or which energy, of how many.
  struct Step {
    std::string what;  // "solve" or "energy"
    std::int64_t number = 0, of = 0;
  };
  /// Runs work(PbSolve) as a stage of the run.
  template <typename Work>
  auto run_step(const Step& step, const Plan& plan, Stages& stages, const SignalNotes& notes,
                const Work& work) const {
    const std::string name = step.what + ' ' + std::to_string(step.number), of = std::to_string(step.of);
    return stages.run(step.what, name + '/' + of, [&](const Progress& progress) {
      return work(PbSolve{.name = name + " of " + of,
                          .backend = plan.backend,
                          .options = request_.backend,
                          .group = plan.group,
                          .threads = threads(),
                          .notes = notes,
                          .progress = progress,
                          .residual = stages.observer().residual});
    });
  }

 private:
  int threads() const;

  const PotentialRequest& request_;
  PbOptions options_;
  std::int64_t solves_;
  ElectrostaticsOptions electrostatics_;  // of the request, in the solution that the solver is told of
  IonUpdate update_;
  double ionic_strength_M_;
  std::shared_ptr<PbPotential> potential_;
};

}  // namespace ionwell
