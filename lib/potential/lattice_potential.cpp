// SPDX-License-Identifier: BSD-3-Clause
#include "potential/lattice_potential.hpp"

#include "compute/checkpoint/checkpoint.hpp"
#include "compute/cost_model.hpp"
#include "core/available_memory.hpp"
#include "potential/request/temperature_warnings.hpp"
#include "potential/sources/solute_source.hpp"

namespace ionwell {
namespace {

LatticePotential compute(const PotentialRequest& request, Stages& stages, const Backends& backends) {
  const std::unique_ptr<SoluteSource> source = open_source(request, stages);
  const Plan plan = source->plan(backends);
  require_memory(plan.host_bytes, plan.lattice);
  LatticePotential made{.structure = request.structure,
                        .run = planned_record(plan, request.field, request.command),
                        .potential = planned_potential(plan, request.electrostatics)};
  source->describe(plan, made.potential);
  const RunObserver& observer = stages.observer();
  warn(made.run, observer, temperature_warnings(request.electrostatics.temperature_K));
  warn(made.run, observer, request.structure.warnings);
  warn(made.run, observer, request.warnings);
  warn(made.run, observer, source->warnings(plan));
  warn(made.run, observer, map_warnings(request.map_names, plan.lattice));
  if (observer.potential_planned) observer.potential_planned(made);
  made.field = source->fill(plan, made.potential, made.run, stages);
  update_costs(made, stages);
  return made;
}

}  // namespace

LatticePotential compute_potential(const PotentialRequest& request, Stages& stages,
                                   const Backends& backends) {
  validate(request);
  try {
    return compute(request, stages, backends);
  } catch (...) {
    if (stages.checkpoint() != nullptr) stages.checkpoint()->save();
    throw;
  }
}

void update_costs(LatticePotential& made, const Stages& stages) {
  if (made.field != nullptr) made.statistics = made.field->statistics();
  update_costs(made.run, stages, made.statistics ? &made.statistics->device : nullptr);
}

}  // namespace ionwell
