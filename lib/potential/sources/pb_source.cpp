// SPDX-License-Identifier: BSD-3-Clause
#include "potential/sources/pb_source.hpp"

#include "potential/sources/filled_field.hpp"

namespace ionwell {

PbSource::PbSource(const PotentialRequest& request, const PbOptions& options)
    : request_(request), has_energy_(options.solvation_energy), solutions_(request, options, 1) {}

std::shared_ptr<PotentialField> PbSource::fill(const Plan& plan, PotentialRecord& record, RunRecord&,
                                               Stages& stages) {
  const SignalNotes notes;
  PbPotential& solver = solutions_.solver();
  PoissonBoltzmann& told = *record.solver;
  const PbValues solution =
      solutions_.run_step({"solve", 1, 1}, plan, stages, notes,
                          [&](const PbSolve& solve) { return solver.solve({}, solve, &told); });
  notes.check();
  if (has_energy_)
    told.solvation_energy_kJ_mol = solutions_.run_step(
        {"energy", 1, 1}, plan, stages, notes,
        [&](const PbSolve& solve) { return solver.solvation_energy_kJ_mol(solve, &told); });
  auto field = fill_keeping(
      solutions_.shared_solver(), request_, plan, [&]() -> SolutePotential { return solution.map; }, stages,
      solution.ranks);
  if (PbArrays* const equation = solver.equation()) told.equation = {solutions_.shared_solver(), equation};
  return field;
}

}  // namespace ionwell
