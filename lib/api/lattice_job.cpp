// SPDX-License-Identifier: BSD-3-Clause
#include "api/lattice_job.hpp"

#include <utility>

#include "compute/hand_over.hpp"
#include "compute/stages.hpp"
#include "core/error.hpp"
#include "jobs/place/job/result_map.hpp"
#include "jobs/place/run.hpp"
#include "potential/lattice_potential.hpp"
#include "potential/potential_map.hpp"
#include "structures/assign_radii.hpp"

namespace ionwell {
namespace {

RunObserver observer_of(const LatticeJob& job) {
  RunObserver observer;
  if (job.progress)
    observer.stage = [&job](const std::string& name, const std::string&) -> Progress {
      return [&job, name](double done) { job.progress(name, done); };
    };
  return observer;
}

PbOptions pb_options(const PbJob& equation) {
  PbOptions options;
  options.options = equation.options;
  if (equation.every) options.every = *equation.every;
  return options;
}

SourceOptions source_of(const LatticeJob& job) {
  if (job.equation && !job.map_paths.empty())
    fail<UsageError>(
        "the job has both maps and an equation for the potential of the solute; leave one of them out");
  if (job.equation) return pb_options(*job.equation);
  if (!job.map_paths.empty()) return MapFiles{.paths = job.map_paths};
  return SummationOptions{};
}

/// The structure; `completed` is one with radii where an equation needs them.
const Structure& solute_of(const LatticeJob& job, Structure& completed) {
  if (!job.equation) return job.structure;
  completed = job.structure;
  complete_radii(completed);
  return completed;
}

JobSummary summary_of(RunRecord&& run) {
  return {run.backend, std::move(run.device), std::move(run.warnings)};
}

}  // namespace

PlacedIons place(const LatticeJob& job, const std::vector<const DeviceBackend*>& gpus) {
  if (job.keeps_map && job.equation)
    fail<UsageError>("the job keeps one map, but its equation is solved repeatedly; leave keeps_map out");
  Structure completed;
  const Structure& solute = solute_of(job, completed);
  Stages stages(observer_of(job));
  Result result = run({.structure = solute,
                       .ions = job.ions,
                       .source = source_of(job),
                       .electrostatics = job.electrostatics,
                       .lattice = job.lattice,
                       .exclusion = job.exclusion,
                       .most_kT = job.most_kT,
                       .backend = job.backend,
                       .field = {.every_point = job.keeps_map, .threads = job.threads},
                       .command = job.command},
                      stages, gpus);
  PlacedIons placed;
  if (job.keeps_map) placed.map = map_of(result, MapContents::solute_and_ions);
  placed.placement = std::move(result.placement);
  placed.summary = summary_of(std::move(result.run));
  return placed;
}

SoluteMap solute_map(const LatticeJob& job, const std::vector<const DeviceBackend*>& gpus) {
  if (!job.ions.empty()) fail<UsageError>("a map of the solute has no ions; leave them out, or use place");
  if (!job.map_paths.empty())
    fail<UsageError>("the potential is requested from maps; read them with read_map instead");
  Structure completed;
  const Structure& solute = solute_of(job, completed);
  PotentialRequest request{.structure = solute,
                           .electrostatics = job.electrostatics,
                           .lattice = job.lattice,
                           .backend = job.backend,
                           .field = {.every_point = true, .threads = job.threads},
                           .command = job.command};
  if (job.equation) request.origin = pb_options(*job.equation);
  Stages stages(observer_of(job));
  return handing_over(request, [&](const PotentialRequest& now) -> SoluteMap {
    LatticePotential made = compute_potential(now, stages, gpus);
    ResultMap map = map_of(made);
    return {std::move(map), summary_of(std::move(made.run))};
  });
}

}  // namespace ionwell
