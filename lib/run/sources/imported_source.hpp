#pragma once

#include "run/sources/imported_potential.hpp"
#include "run/sources/solute_source.hpp"

namespace ionwell {

/// Maps that another program made.
class ImportedSource final : public SoluteSource {
 public:
  /// Reads the maps.
  ImportedSource(const Job& job, const MapFiles& files);

  Plan plan(const Backends& backends) const override;
  void describe(const Plan& plan, Result& result) const override;
  std::vector<std::string> warnings(const Plan& plan) const override;
  std::vector<std::string> warnings(const Placement& placement) const override {
    return maps_->warnings(placement);
  }
  void place(const Plan& plan, Result& result, Stages& stages) override;

 private:
  const Job& job_;
  std::shared_ptr<ImportedPotential> maps_;  // shared with the field
};

}  // namespace ionwell
