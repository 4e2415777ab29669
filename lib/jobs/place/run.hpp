// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compute/backend.hpp"
#include "compute/plan.hpp"
#include "compute/stages.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/place/job/result.hpp"

/// From a job to its result: plan (lattice, backend, method, memory), mask, potential, ions.
/// Runs of several threads do not disturb each other, but for one that starts a Poisson-Boltzmann solver:
/// of these there can be one at a time (see SignalNotes).
namespace ionwell {

/// Does the job; `stages` tells of it and keeps its times, and may have done stages before, such as reading
/// the structure. `backends` are used where the job's options and the cost model say so; without any the CPU
/// is. Cost: O(points charges) for the direct sum, O(points + charges) for the multilevel sum, and then
/// little for each ion. Throws UsageError and Error, before anything is computed, for a job that makes no
/// sense or needs more memory than there is; later Error when a solver or a device fails, Interrupted when a
/// signal was noted while a solver ran, and whatever a function of the observer throws.
Result run(const Job& job, Stages& stages, const Backends& backends = {});

/// The same for a caller who does not want to be told.
Result run(const Job& job, const Backends& backends = {});

/// What `run` would choose, without computing anything. Reads the maps, or looks for the solver, of a job
/// that has them. Does not ask whether there is the memory.
Plan plan(const Job& job, const Backends& backends = {});

}  // namespace ionwell
