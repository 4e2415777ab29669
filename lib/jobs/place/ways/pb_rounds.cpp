// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/ways/pb_rounds.hpp"

#include <algorithm>

#include "compute/checkpoint/checkpoint.hpp"
#include "compute/checkpoint/saved_ions.hpp"
#include "compute/cost_model.hpp"
#include "core/chemistry/ion_radius.hpp"
#include "core/error.hpp"
#include "jobs/place/job/periodic_images.hpp"
#include "jobs/place/ways/place_in_field.hpp"
#include "parallel/thread_count.hpp"
#include "placement/host_field.hpp"
#include "potential/sources/filled_field.hpp"

namespace ionwell {
namespace {

constexpr const char *rounds_done = "rounds", *ions_solved = "ions in the last solution",
                     *refused = "refused energy", *solute_energy = "energy of solvation of the solute",
                     *convergence = "iterations, residual and seconds of solves";

/// The ions first to first + count of all requests.
std::vector<IonRequest> batch(const std::vector<IonRequest>& requests, std::int64_t first,
                              std::int64_t count) {
  std::vector<IonRequest> result;
  for (const IonRequest& request : requests) {
    const std::int64_t skipped = std::min(first, request.count),
                       taken = std::min(count, request.count - skipped);
    first -= skipped;
    count -= taken;
    if (taken > 0) result.push_back({request.species, taken});
  }
  return result;
}

}  // namespace

PbRounds::PbRounds(const Job& job, const PbOptions& options)
    : job_(job),
      request_(potential_request(job)),
      options_(options),
      radius_A_(options.radius_A),
      solutions_(request_, options, (request_.added_charges + options.every - 1) / options.every) {
  for (const auto& given : radius_A_)  // Clang before 16 captures no structured bindings
    if (std::none_of(job.ions.begin(), job.ions.end(),
                     [&](const IonRequest& request) { return request.species.name == given.first; }))
      fail<UsageError>("--ion-radius gives ", given.first,
                       " a radius, but no --ion places that; correct the name");
  for (const IonRequest& request : job.ions) {
    const IonSpecies& species = request.species;
    const auto known = std::find_if(radius_A_.begin(), radius_A_.end(),
                                    [&](const auto& entry) { return entry.first == species.name; });
    if (known != radius_A_.end()) continue;
    const auto radius = ionic_radius_A(species.element, species.charge_e);
    if (!radius)
      fail<UsageError>("the radius of ", species.name, " with a charge of ", species.charge_e,
                       " e is not known; give it with --ion-radius ", species.name, ":R");
    radius_A_.emplace_back(species.name, *radius);
  }
}

void PbRounds::describe(const Plan& plan, Result& result) const {
  solutions_.describe(result.potential);
  result.potential.imported->ions_act = plan.acting.has_value();
}

std::vector<Atom> PbRounds::atoms_of(std::span<const PlacedIon> ions) const {
  std::vector<Atom> atoms;
  for (const PlacedIon& ion : ions) {
    const auto radius = std::find_if(radius_A_.begin(), radius_A_.end(),
                                     [&](const auto& entry) { return entry.first == ion.species.name; });
    atoms.push_back(
        {.position_A = ion.position_A, .charge_e = ion.species.charge_e, .radius_A = radius->second});
  }
  return atoms;
}

PbRounds::Round PbRounds::place_in(const Plan& plan, const PbValues& solution,
                                   std::span<const PlacedIon> before, Stages& stages) const {
  Stages fast;  // what takes no time beside a solve is not reported
  const auto field = fill_field(
      request_, plan, solution.lattice, [&]() -> SolutePotential { return solution.map; }, fast,
      solution.ranks);
  // The solution has the ions of before in it; they only keep the others away.
  Placement added =
      place_in_field(*field, job_, batch(job_.ions, std::ssize(before), options_.every), before, stages);
  return {std::move(added), field->statistics()};
}

SavedState PbRounds::saved(const Rounds& rounds, const Result& result) const {
  SavedState state;
  state.put(rounds_done, rounds.done);
  state.put(ions_solved, std::int64_t(rounds.solved));
  save_ions(state, result.placement.ions);
  if (result.placement.refused_kT) state.put(refused, *result.placement.refused_kT);
  if (rounds.lattice) save_lattice(state, *rounds.lattice);
  const PoissonBoltzmann& solver = *result.potential.solver;
  if (solver.solvation_energy_kJ_mol) state.put(solute_energy, *solver.solvation_energy_kJ_mol);
  if (solver.convergence)
    state.put(convergence, std::vector{double(solver.convergence->iterations), solver.convergence->residual,
                                       solver.convergence->seconds});
  solutions_.solver().save(state);
  return state;
}

PbRounds::Rounds PbRounds::resume(const SavedState& state, const Plan& plan, const SignalNotes& notes,
                                  Result& result, Stages& stages) const {
  Placement& placement = result.placement;
  PoissonBoltzmann& solver = *result.potential.solver;
  Rounds rounds{.done = state.value<std::int64_t>(rounds_done),
                .solved = std::size_t(state.value<std::int64_t>(ions_solved))};
  if (rounds.done == 0) return {};
  rounds.lattice = saved_lattice(state);
  placement.ions = saved_ions(state, job_.ions, *rounds.lattice);
  if (rounds.done > solutions_.solves() || rounds.solved > placement.ions.size())
    SavedState::fail_damaged(rounds_done);
  if (state.has(refused)) placement.refused_kT = state.value<double>(refused);
  if (state.has(solute_energy)) solver.solvation_energy_kJ_mol = state.value<double>(solute_energy);
  if (state.has(convergence)) {
    const std::vector<double>& sums = state.get<double>(convergence, 3);
    solver.convergence = PbConvergenceSum{int(sums[0]), sums[1], sums[2]};
  }
  std::vector<std::vector<Atom>> batches;
  for (std::size_t first = 0; first < rounds.solved; first += std::size_t(options_.every))
    batches.push_back(
        atoms_of(std::span(placement.ions)
                     .subspan(first, std::min(std::size_t(options_.every), rounds.solved - first))));
  solutions_.run_step({"solve", rounds.done, solutions_.solves()}, plan, stages, notes,
                      [&](const PbSolve& solve) { solutions_.solver().restore(batches, state, solve); });
  return rounds;
}

void PbRounds::place(const Plan& plan, Result& result, Stages& stages) {
  Placement& placement = result.placement;
  placement.requested = request_.added_charges;
  result.statistics = FieldStatistics{};
  const std::optional<PeriodicCell> cell = distance_cell(job_);
  Rounds rounds;
  const SignalNotes notes;
  Checkpoint* const checkpoint = stages.checkpoint();
  if (checkpoint != nullptr)
    rounds = checkpoint->read_resumed(
        [&](const SavedState& state) { return resume(state, plan, notes, result, stages); });
  if (checkpoint != nullptr)
    require_memory(plan.host_bytes + solutions_.solver().costs().saved_bytes, plan.lattice);
  SavedState whole;  // as of the last round: in the middle of one, solutions are of neither
  const auto end_round = [&] {
    if (checkpoint != nullptr) whole = saved(rounds, result);
  };
  end_round();
  const Checkpoint::Part part(checkpoint, [&] { return whole; });

  const std::int64_t energies = options_.solvation_energy ? 2 : 0;
  const auto solve_with_all = [&](const PbSolve& solve) {
    return solutions_.solver().solve(atoms_of(std::span(placement.ions).subspan(rounds.solved)), solve,
                                     &*result.potential.solver);
  };
  const auto energy = [&](const PbSolve& solve) {
    return solutions_.solver().solvation_energy_kJ_mol(solve, &*result.potential.solver);
  };
  const auto is_short = [&] {  // the last round had no room for all its ions, or was refused
    return rounds.done > 0 &&
           std::ssize(placement.ions) < std::min(rounds.done * options_.every, request_.added_charges);
  };
  while (rounds.done < solutions_.solves() && !is_short()) {
    const std::int64_t number = rounds.done;
    const PbValues solution =
        solutions_.run_step({"solve", number + 1, solutions_.solves()}, plan, stages, notes, solve_with_all);
    rounds.solved = placement.ions.size();
    notes.check();
    if (rounds.lattice && *rounds.lattice != solution.lattice)
      fail("the map of APBS run ", number + 1,
           " has a different lattice from the first one; give the centre and length of the grid as numbers "
           "in --pb-option");
    rounds.lattice = solution.lattice;
    if (energies > 0 && number == 0)
      result.potential.solver->solvation_energy_kJ_mol =
          solutions_.run_step({"energy", 1, energies}, plan, stages, notes, energy);
    const auto [added, of_solution] = place_in(plan, solution, placement.ions, stages);
    placement.ions.insert(placement.ions.end(), added.ions.begin(), added.ions.end());
    placement.refused_kT = added.refused_kT;
    if (number == 0) result.statistics = of_solution;
    if (number > 0) result.statistics->add(of_solution);
    find_neighbours(placement, job_.structure.atoms, job_.field.threads, cell ? &*cell : nullptr);
    ++rounds.done;
    end_round();
    notes.check();
  }
  find_neighbours(placement, job_.structure.atoms, job_.field.threads, cell ? &*cell : nullptr);
  result.potential.lattice = rounds.lattice.value_or(plan.lattice);
  if (energies > 1)
    result.potential.solver->solvation_energy_with_ions_kJ_mol =
        solutions_.run_step({"energy", 2, energies}, plan, stages, notes, [&](const PbSolve& solve) {
          solve_with_all(solve);
          return energy(solve);
        });
}

}  // namespace ionwell
