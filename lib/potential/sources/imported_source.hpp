// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "potential/sources/imported_potential.hpp"
#include "potential/sources/solute_source.hpp"

namespace ionwell {

/// Maps that another program made.
class ImportedSource final : public SoluteSource {
 public:
  /// Reads the maps.
  ImportedSource(const PotentialRequest& request, const MapFiles& files);

  Plan plan(const Backends& backends) const override;
  void describe(const Plan& plan, PotentialRecord& record) const override;
  std::vector<std::string> warnings(const Plan& plan) const override;
  std::vector<std::string> warnings(const Placement& placement) const override {
    return maps_->warnings(placement);
  }
  std::shared_ptr<PotentialField> fill(const Plan& plan, PotentialRecord& record, RunRecord& run,
                                       Stages& stages) override;

 private:
  const PotentialRequest& request_;
  std::shared_ptr<ImportedPotential> maps_;  // shared with the field
};

}  // namespace ionwell
