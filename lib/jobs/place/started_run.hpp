// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "compute/plan.hpp"
#include "compute/stages.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/place/job/result.hpp"
#include "jobs/place/ways/placer.hpp"

namespace ionwell {

/// What there is of a run before anything is computed.
struct StartedRun {
  std::unique_ptr<Placer> placer;
  Plan plan;
  Result result;
};

/// Chooses lattice, backend, method and memory, and tells the observer. Throws as `run`. For valid jobs that
/// have no box.
StartedRun start_run(const Job& job, Stages& stages, const Backends& backends);

}  // namespace ionwell
