// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "compute/stages.hpp"
#include "jobs/place/job/job.hpp"
#include "placement/field.hpp"

namespace ionwell {

/// Places `ions` in a filled field, in the stage "placement", where `before` are already there: their
/// potential is in the field, and they keep the others away. The result has the new ones only, with those
/// that `steps` has begun with.
Placement place_in_field(PotentialField& field, const Job& job, const std::vector<IonRequest>& ions,
                         std::span<const PlacedIon> before, Stages& stages, const PlacementSteps& steps = {});

}  // namespace ionwell
