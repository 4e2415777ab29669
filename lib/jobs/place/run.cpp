// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/run.hpp"

#include "compute/checkpoint/checkpoint.hpp"
#include "compute/cost_model.hpp"
#include "compute/hand_over.hpp"
#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "jobs/place/job/hydration_report.hpp"
#include "jobs/place/job/periodic_images.hpp"
#include "jobs/place/started_run.hpp"
#include "jobs/place/ways/box_run.hpp"
#include "jobs/place/ways/placer.hpp"
#include "parallel/thread_count.hpp"
#include "potential/request/temperature_warnings.hpp"

namespace ionwell {

StartedRun start_run(const Job& job, Stages& stages, const Backends& backends) {
  std::unique_ptr<Placer> placer = open_placer(job, stages);
  const Plan plan = placer->plan(backends);
  require_memory(plan.host_bytes, plan.lattice);

  StartedRun started{std::move(placer), plan,
                     Result{.run = planned_record(plan, job.field, job.command),
                            .structure = job.structure,
                            .potential = planned_potential(plan, job.electrostatics)}};
  Result& result = started.result;
  if (job.places_ions()) result.exclusion = job.exclusion;
  result.distances_repeat = distance_cell(job).has_value();
  result.refined = job.field.refine && job.places_ions();  // a map has the lattice's values
  started.placer->describe(plan, result);
  const RunObserver& observer = stages.observer();
  RunRecord& run = result.run;
  if (job.sites != nullptr) {  // which has given the warnings about the structure
    result.sites = job.sites->sites;
    run.warnings = job.sites->run.warnings;
  }
  warn(run, observer, temperature_warnings(job.electrostatics.temperature_K));
  if (job.sites == nullptr) warn(run, observer, job.structure.warnings);
  warn(run, observer, job.warnings);
  warn(run, observer, boundary_warnings(job));
  if (job.places_ions()) warn(run, observer, warnings(job.exclusion));
  warn(run, observer, started.placer->warnings(plan));
  warn(run, observer, map_warnings(job.map_names, plan.lattice));
  if (observer.planned) observer.planned(result);
  return started;
}

namespace {

Result run_on_lattice(const Job& job, Stages& stages, const Backends& backends) {
  StartedRun started = start_run(job, stages, backends);
  Result& result = started.result;
  const RunObserver& observer = stages.observer();

  try {
    started.placer->place(started.plan, result, stages);
  } catch (const DeviceFailure&) {
    throw;  // the run goes on without that device
  } catch (const Error&) {
    if (observer.stopped) observer.stopped(result);
    throw;
  }
  if (!job.hydration.requests.empty()) {
    result.hydration = stages.run("hydration", [&](const Progress& progress) {
      const std::optional<PeriodicCell> cell = distance_cell(job);
      return hydrate(job.structure.atoms, result.placement.ions, job.hydration,
                     {.cell = cell ? &*cell : nullptr,
                      .temperature_K = job.electrostatics.temperature_K,
                      .threads = thread_count(job.field.threads)},
                     progress);
    });
    warn(result.run, observer,
         hydration_warnings(*result.hydration, "a larger --ion-solute or --ion-ion leaves more room"));
  }
  update_costs(result, stages);
  return std::move(started.result);
}

}  // namespace

Result run(const Job& job, Stages& stages, const Backends& backends) {
  validate(job);
  try {
    const auto run_once = [&](const Job& now) {
      return now.box ? run_in_box(now, stages, backends) : run_on_lattice(now, stages, backends);
    };
    return job.hands_over ? handing_over(job, run_once) : run_once(job);
  } catch (...) {
    if (stages.checkpoint() != nullptr) stages.checkpoint()->save();
    throw;
  }
}

Result run(const Job& job, const Backends& backends) {
  Stages stages;
  return run(job, stages, backends);
}

Plan plan(const Job& job, const Backends& backends) {
  validate(job);
  Stages stages;
  return open_placer(job, stages)->plan(backends);
}

}  // namespace ionwell
