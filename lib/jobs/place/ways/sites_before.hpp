// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>

#include "jobs/place/job/job.hpp"
#include "jobs/place/job/result.hpp"
#include "placement/field.hpp"

/// Ions that a run at sites of crystals has placed before those of a job: Job::sites.
namespace ionwell {

/// Those ions; none without such a run.
std::span<const PlacedIon> ions_before(const Job& job);

/// Lets them act in a filled field, and keep other ions at their distance.
void add_ions_before(const Job& job, PotentialField& field);

/// Puts them in front of those of a placement, which then counts all; without such a run nothing changes.
/// Nearest atoms and ions are brought up to date by `find_neighbours(placement)`.
void join_ions_before(const Job& job, Placement& placement,
                      const std::function<void(Placement&)>& find_neighbours);

}  // namespace ionwell
