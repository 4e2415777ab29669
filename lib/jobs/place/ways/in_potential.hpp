// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jobs/place/ways/placer.hpp"
#include "potential/sources/solute_source.hpp"

namespace ionwell {

/// All ions are placed in one potential, of charges or of maps.
class InPotential final : public Placer {
 public:
  InPotential(const Job& job, Stages& stages);

  Plan plan(const Backends& backends) const override { return source_->plan(backends); }
  void describe(const Plan& plan, Result& result) const override {
    source_->describe(plan, result.potential);
  }
  std::vector<std::string> warnings(const Plan& plan) const override { return source_->warnings(plan); }
  std::vector<std::string> warnings(const Placement& placement) const override {
    return source_->warnings(placement);
  }

  /// Lets the observer see the solute's potential before the first ion.
  void place(const Plan& plan, Result& result, Stages& stages) override;

 private:
  const Job& job_;
  PotentialRequest request_;
  std::unique_ptr<SoluteSource> source_;
};

}  // namespace ionwell
