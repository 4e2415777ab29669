#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/filled_field.hpp"
#include "run/job.hpp"
#include "run/plan.hpp"
#include "run/result.hpp"
#include "run/stages.hpp"

namespace ionwell {

/// Where a job's potential of the solute comes from: one class for each alternative of SourceOptions. It
/// refers to the job, which outlives it.
class SoluteSource {
 public:
  virtual ~SoluteSource() = default;

  /// Lattice, backend, method and memory. Throws UsageError for what does not go together.
  virtual Plan plan(const Backends& backends) const = 0;

  /// Says in the result what the potential is.
  virtual void describe(const Plan& plan, Result& result) const = 0;

  /// What to tell the user before anything is computed.
  virtual std::vector<std::string> warnings(const Plan& plan) const = 0;

  /// What to tell the user of ions that were placed.
  virtual std::vector<std::string> warnings(const Placement&) const { return {}; }

  /// Fills a field and places the job's ions in it; fills in `result` as far as it comes. To be called once.
  virtual void place(const Plan& plan, Result& result, Stages& stages) = 0;
};

/// Reads the maps, in the stage "read", or finds the solver of a job that has them.
std::unique_ptr<SoluteSource> open_source(const Job& job, Stages& stages);

// Parts of `place` for a source that fills one field for all ions.

/// Fills the result's field (fill_field), which keeps `values` alive: what it was filled with and still
/// refers to.
void fill_result(const Job& job, const Plan& plan, const std::function<SolutePotential()>& filling,
                 std::shared_ptr<const void> values, Result& result, Stages& stages,
                 std::shared_ptr<RankOrders> ranks = nullptr);

/// Lets the observer see the solute's potential, then places the ions, if there are any.
void place_in_result(const Job& job, Result& result, Stages& stages);

}  // namespace ionwell
