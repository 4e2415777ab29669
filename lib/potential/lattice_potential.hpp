// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "compute/backend.hpp"
#include "compute/run_record.hpp"
#include "compute/stages.hpp"
#include "placement/field.hpp"
#include "potential/request/potential_record.hpp"
#include "potential/request/potential_request.hpp"

/// The potential of a structure on a lattice.
namespace ionwell {

/// A potential that was computed, or is about to be.
struct LatticePotential {
  const Structure& structure;  // not copied: it must outlive this
  RunRecord run;
  PotentialRecord potential;
  std::optional<FieldStatistics> statistics;
  std::shared_ptr<PotentialField> field;  // [kT/e]
};

/// Computes it; `stages` tells of it and keeps its times. `backends` are used where the request's options and
/// the cost model say so; without any the CPU is. Cost: O(points charges) for the direct sum, O(points +
/// charges) for the multilevel sum. Throws UsageError and Error, before anything is computed, for a request
/// that makes no sense or needs more memory than there is; later Error when a solver fails, Interrupted when
/// a signal was noted while a solver ran, and whatever a function of the observer throws. Throws
/// DeviceFailure when a device fails, here or where the field is used: see handing_over.
LatticePotential compute_potential(const PotentialRequest& request, Stages& stages,
                                   const Backends& backends = {});

/// Brings times, memory and statistics up to date, when the field was used or files were written.
void update_costs(LatticePotential& potential, const Stages& stages);

}  // namespace ionwell
