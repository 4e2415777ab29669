#include "run/run.hpp"

#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "maps/map_file.hpp"
#include "parallel/thread_count.hpp"
#include "run/box/box_run.hpp"
#include "run/checkpoint/checkpoint.hpp"
#include "run/cost_model.hpp"
#include "run/devices/hand_over.hpp"
#include "run/hydration_report.hpp"
#include "run/periodic_images.hpp"
#include "run/sources/solute_source.hpp"
#include "run/steps/started_run.hpp"

namespace ionwell {

Result planned_result(const Job& job, const Plan& plan) {
  const SimdLevel simd = job.field.simd == SimdLevel::automatic ? best_simd_level() : job.field.simd;
  Result result{.command = job.command,
                .structure = job.structure,
                .lattice = plan.lattice,
                .electrostatics = plan.acting.value_or(job.electrostatics),
                .backend_reason = plan.backend.reason,
                .device = std::string(to_string(simd)),
                .threads = thread_count(job.field.threads),
                .ranks = plan.ranks};
  if (job.places_ions()) result.exclusion = job.exclusion;
  result.distances_repeat = !job.box && distance_cell(job).has_value();
  result.refined = job.field.refine && job.places_ions();  // a map has the lattice's values
  if (plan.backend.owner == nullptr) return result;
  result.backend = to_string(plan.backend.backend);
  result.device.clear();
  for (const Device& device : plan.backend.devices)
    result.device += (result.device.empty() ? "" : ", ") + device.name;
  result.lattice_on = to_string(plan.backend.layout.lattice_on);
  result.device_start_up_s = plan.backend.owner->start_up_s();
  return result;
}

namespace {

std::vector<std::string> map_warnings(const Job& job, const LatticeGeometry& lattice) {
  std::vector<std::string> warnings;
  for (const std::string& name : job.map_names)
    if (const auto warning = placement_warning(name, lattice)) warnings.push_back(*warning);
  return warnings;
}

}  // namespace

StartedRun start_run(const Job& job, Stages& stages, const Backends& backends) {
  std::unique_ptr<SoluteSource> source = open_source(job, stages);
  const Plan plan = source->plan(backends);
  require_memory(plan.host_bytes, plan.lattice);

  StartedRun started{std::move(source), plan, planned_result(job, plan)};
  Result& result = started.result;
  started.source->describe(plan, result);
  const RunObserver& observer = stages.observer();
  warn(result, observer, temperature_warnings(job.electrostatics.temperature_K));
  warn(result, observer, job.structure.warnings);
  warn(result, observer, job.warnings);
  warn(result, observer, boundary_warnings(job));
  if (job.places_ions()) warn(result, observer, warnings(job.exclusion));
  warn(result, observer, started.source->warnings(plan));
  warn(result, observer, map_warnings(job, plan.lattice));
  if (observer.planned) observer.planned(result);
  return started;
}

namespace {

Result run_on_lattice(const Job& job, Stages& stages, const Backends& backends) {
  StartedRun started = start_run(job, stages, backends);
  Result& result = started.result;
  const RunObserver& observer = stages.observer();

  try {
    started.source->place(started.plan, result, stages);
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
    warn(result, observer, hydration_warnings(*result.hydration));
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
  return open_source(job, stages)->plan(backends);
}

void update_costs(Result& result, const Stages& stages) {
  result.timings_s = stages.times();
  result.timings_s.emplace_back("total", stages.total_seconds());
  result.host_peak_bytes = peak_memory_bytes();
  if (result.field != nullptr) result.statistics = result.field->statistics();
  if (result.backend == to_string(Backend::cpu)) return;
  if (result.statistics && !result.average)
    result.device_use = result.statistics->device;
  else if (!result.device_use)
    result.device_use = DeviceUse{};
}

}  // namespace ionwell
