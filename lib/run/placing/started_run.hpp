#pragma once

#include <memory>

#include "run/job.hpp"
#include "run/placing/placer.hpp"
#include "run/plan.hpp"
#include "run/result.hpp"
#include "run/stages.hpp"

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
