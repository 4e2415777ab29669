// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "potential/sources/pb_solutions.hpp"
#include "potential/sources/solute_source.hpp"

namespace ionwell {

/// The solute's potential by a Poisson-Boltzmann solver.
class PbSource final : public SoluteSource {
 public:
  /// Throws as PbSolutions.
  PbSource(const PotentialRequest& request, const PbOptions& options);

  Plan plan(const Backends& backends) const override { return solutions_.plan(backends); }
  void describe(const Plan&, PotentialRecord& record) const override { solutions_.describe(record); }
  using SoluteSource::warnings;
  std::vector<std::string> warnings(const Plan&) const override { return solutions_.solver().warnings(); }
  std::shared_ptr<PotentialField> fill(const Plan& plan, PotentialRecord& record, RunRecord& run,
                                       Stages& stages) override;

 private:
  const PotentialRequest& request_;
  bool has_energy_;
  PbSolutions solutions_;
};

}  // namespace ionwell
