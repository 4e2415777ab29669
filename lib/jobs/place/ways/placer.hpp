// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compute/plan.hpp"
#include "compute/stages.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/place/job/result.hpp"
#include "potential/request/potential_request.hpp"

namespace ionwell {

/// A way of placing a job's ions on a lattice: in one potential, between the solutions of a solver, by a
/// model of sites, or with all images of a cell. It refers to the job, which outlives it.
class Placer {
 public:
  virtual ~Placer() = default;

  /// Lattice, backend, method and memory. Throws UsageError for what does not go together.
  virtual Plan plan(const Backends& backends) const = 0;

  /// Says in the result what the ions are placed by.
  virtual void describe(const Plan& plan, Result& result) const = 0;

  /// What to tell the user before anything is computed.
  virtual std::vector<std::string> warnings(const Plan&) const { return {}; }

  /// What to tell the user of ions that were placed.
  virtual std::vector<std::string> warnings(const Placement&) const { return {}; }

  /// Places the job's ions; fills in `result` as far as it comes. To be called once.
  virtual void place(const Plan& plan, Result& result, Stages& stages) = 0;
};

/// The job's way; reads its maps, in the stage "read", or finds its solver. Throws UsageError for what does
/// not go together.
std::unique_ptr<Placer> open_placer(const Job& job, Stages& stages);

/// The potential that a job's ions are placed in, with no values where the solute keeps them away. Not of a
/// model of sites.
PotentialRequest potential_request(const Job& job);

}  // namespace ionwell
