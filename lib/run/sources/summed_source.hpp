#pragma once

#include "run/sources/solute_source.hpp"

namespace ionwell {

/// The solute's charges, summed by the direct or the multilevel method.
class SummedSource final : public SoluteSource {
 public:
  SummedSource(const Job& job, const SummationOptions& options) : job_(job), options_(options) {}

  Plan plan(const Backends& backends) const override;
  void describe(const Plan& plan, Result& result) const override;
  using SoluteSource::warnings;
  std::vector<std::string> warnings(const Plan&) const override { return {}; }
  void place(const Plan& plan, Result& result, Stages& stages) override;

 private:
  const Job& job_;
  SummationOptions options_;
};

}  // namespace ionwell
