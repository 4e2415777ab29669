#pragma once

#include "run/sources/solute_source.hpp"

namespace ionwell {

/// Ions are placed by a site model, on the CPU.
class SiteSource final : public SoluteSource {
 public:
  /// Throws UsageError for ions that the model is not for.
  SiteSource(const Job& job, const SiteOptions& options);

  Plan plan(const Backends& backends) const override;
  void describe(const Plan& plan, Result& result) const override;
  using SoluteSource::warnings;
  std::vector<std::string> warnings(const Plan& plan) const override;
  void place(const Plan& plan, Result& result, Stages& stages) override;

 private:
  const Job& job_;
  const SiteOptions& options_;
};

}  // namespace ionwell
