// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "potential/sources/solute_source.hpp"

namespace ionwell {

/// The solute's charges, summed by the direct or the multilevel method.
class SummedSource final : public SoluteSource {
 public:
  SummedSource(const PotentialRequest& request, const SummationOptions& options)
      : request_(request), options_(options) {}

  Plan plan(const Backends& backends) const override;
  void describe(const Plan& plan, PotentialRecord& record) const override;
  std::shared_ptr<PotentialField> fill(const Plan& plan, PotentialRecord& record, RunRecord& run,
                                       Stages& stages) override;

 private:
  const PotentialRequest& request_;
  SummationOptions options_;
};

}  // namespace ionwell
