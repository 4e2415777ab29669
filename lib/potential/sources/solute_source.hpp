// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compute/plan.hpp"
#include "compute/stages.hpp"
#include "placement/field.hpp"
#include "placement/place_ions.hpp"
#include "potential/request/potential_record.hpp"
#include "potential/request/potential_request.hpp"

namespace ionwell {

/// Where the potential of a solute comes from: one class for each alternative of PotentialOrigin. It refers
/// to the request, which outlives it.
class SoluteSource {
 public:
  virtual ~SoluteSource() = default;

  /// Lattice, backend, method and memory. Throws UsageError for what does not go together.
  virtual Plan plan(const Backends& backends) const = 0;

  /// Says what the potential is.
  virtual void describe(const Plan& plan, PotentialRecord& record) const = 0;

  /// What to tell the user before anything is computed.
  virtual std::vector<std::string> warnings(const Plan&) const { return {}; }

  /// What to tell the user of ions that were placed in it.
  virtual std::vector<std::string> warnings(const Placement&) const { return {}; }

  /// Fills a field, in the stages "exclusion" and "potential" or "solve"; what there is to say of it goes
  /// into the records. To be called once.
  virtual std::shared_ptr<PotentialField> fill(const Plan& plan, PotentialRecord& record, RunRecord& run,
                                               Stages& stages) = 0;
};

/// Reads the maps, in the stage "read", or finds the solver of a request that has them.
std::unique_ptr<SoluteSource> open_source(const PotentialRequest& request, Stages& stages);

}  // namespace ionwell
