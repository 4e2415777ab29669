// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/place/ways/placer.hpp"

namespace ionwell {

/// Ions are placed by a site model, on the CPU.
class SitePlacer final : public Placer {
 public:
  /// Throws UsageError for ions that the model is not for.
  SitePlacer(const Job& job, const SiteOptions& options);

  Plan plan(const Backends& backends) const override;
  void describe(const Plan& plan, Result& result) const override;
  using Placer::warnings;
  std::vector<std::string> warnings(const Plan& plan) const override;
  void place(const Plan& plan, Result& result, Stages& stages) override;

 private:
  const Job& job_;
  const SiteOptions& options_;
};

}  // namespace ionwell
