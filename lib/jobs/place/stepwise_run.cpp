// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/stepwise_run.hpp"

#include "core/error.hpp"
#include "jobs/place/job/periodic_images.hpp"
#include "jobs/place/run.hpp"
#include "jobs/place/started_run.hpp"
#include "jobs/place/ways/place_in_field.hpp"

namespace ionwell {
namespace {

const Job& checked_stepwise(const Job& job) {
  if (!job.ions_follow) fail<UsageError>("a run in steps needs a job with ions_follow set");
  validate(job);
  return job;
}

}  // namespace

StepwiseRun::StepwiseRun(const Job& job, Stages& stages, const Backends& backends)
    : job_(checked_stepwise(job)),
      stages_(stages),
      run_(std::make_unique<StartedRun>(start_run(job, stages, backends))) {
  run_->placer->place(run_->plan, run_->result, stages_);
  update_costs(run_->result, stages_);
}

StepwiseRun::~StepwiseRun() = default;

const Result& StepwiseRun::result() const {
  return run_->result;
}

std::int64_t StepwiseRun::place(const std::vector<IonRequest>& ions) {
  validate_ions(ions);
  Result& result = run_->result;
  Placement& all = result.placement;
  const Placement added = place_in_field(*result.field, job_, ions, {}, stages_);
  all.requested += added.requested;
  all.refused_kT = added.refused_kT;
  all.ions.insert(all.ions.end(), added.ions.begin(), added.ions.end());
  const std::optional<PeriodicCell> cell = distance_cell(job_);
  find_neighbours(all, job_.structure.atoms, job_.field.threads, cell ? &*cell : nullptr);
  warn(result.run, stages_.observer(), run_->placer->warnings(added));
  update_costs(result, stages_);
  return std::ssize(added.ions);
}

}  // namespace ionwell
