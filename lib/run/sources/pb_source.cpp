#include "run/sources/pb_source.hpp"

#include <algorithm>

#include "core/chemistry/ion_radius.hpp"
#include "core/error.hpp"
#include "parallel/thread_count.hpp"
#include "placement/host_field.hpp"
#include "run/checkpoint/checkpoint.hpp"
#include "run/checkpoint/saved_ions.hpp"
#include "run/cost_model.hpp"
#include "run/ranks/rank_shares.hpp"
#include "run/sources/apbs_potential.hpp"
#include "run/sources/own_pb_potential.hpp"

namespace ionwell {
namespace {

constexpr const char *rounds_done = "rounds", *ions_solved = "ions in the last solution",
                     *refused = "refused energy", *solute_energy = "energy of solvation of the solute",
                     *convergence = "iterations, residual and seconds of solves";

Box pb_box(const Structure& structure, const LatticeRequest& lattice) {
  if (lattice.box) return *lattice.box;
  const double border_A = lattice.border_A.value_or(published_pb_border_A);
  const Box atoms = bounding_box(structure.atoms);
  const Vec3<double> border{border_A, border_A, border_A};
  return {atoms.lowest_A - border, atoms.highest_A + border};
}

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

std::unique_ptr<PbPotential> open_apbs(const Job& job, const ElectrostaticsOptions& solution,
                                       double ionic_strength_M, const PbOptions& options) {
  ApbsCalculation calculation =
      apbs_calculation(pb_box(job.structure, job.lattice), bounding_box(job.structure.atoms),
                       job.lattice.spacing_A.value_or(published_pb_spacing_A));
  calculation.temperature_K = solution.temperature_K;
  calculation.ionic_strength_M = ionic_strength_M;
  calculation.options = options.options;
  calculation.fine = with_grid_options(calculation.fine, options.options);
  return std::make_unique<ApbsPotential>(options.apbs, calculation, job.structure.atoms);
}

}  // namespace

PbSource::PbSource(const Job& job, const PbOptions& options)
    : job_(job),
      options_(options),
      electrostatics_(job.electrostatics),
      update_(with_hybrid_default(job.update)),
      radius_A_(options.radius_A) {
  adopt_solution(options, electrostatics_, update_);
  ionic_strength_M_ = electrostatics_.ionic_strength_M.value_or(usual_ionic_strength_M);
  if (options.solved_by == PbSolvedBy::apbs)
    potential_ = open_apbs(job, electrostatics_, ionic_strength_M_, options);
  else
    potential_ = std::make_shared<OwnPbPotential>(
        own_pb_calculation(job.structure, job.lattice, electrostatics_, options.options),
        job.structure.atoms);
  for (const auto& given : radius_A_)  // Clang before 16 captures no structured bindings
    if (std::none_of(job.ions.begin(), job.ions.end(),
                     [&](const IonRequest& request) { return request.species.name == given.first; }))
      fail<UsageError>("--ion-radius gives ", given.first,
                       " a radius, but no --ion places that; correct the name");
  for (const IonRequest& request : job.ions) {
    requested_ += request.count;
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

Plan PbSource::plan(const Backends& backends) const {
  Plan plan{.lattice = potential_->lattice(),
            .acting = update_electrostatics(update_, electrostatics_),
            .summation = {.method = Method::direct}};
  plan.pair = update_potential(plan.acting);
  const PbCosts costs = potential_->costs();
  const int threads = thread_count(job_.field.threads);
  const std::int64_t at_once =
      options_.solvation_energy ? 2 : 1;  // the equation, and that of the uniform medium
  const double cpu_s = placing_in_map_s(plan.lattice, requested_, threads) +
                       costs.cpu_s * double(solves() + 2 * (at_once - 1)) / double(threads);
  FieldDemand demand{
      .lattice = plan.lattice, .imported = true, .equation_points = at_once * costs.device_points};
  BackendOptions options = job_.backend;
  const RankGroup* const group = free_rank_group();
  PlannedShare share{.lattice = plan.lattice, .backend = job_.backend};
  std::optional<PbPotential::Shared> shared;
  const DeviceBackend* const owner = group != nullptr ? backend_of(options, backends) : nullptr;
  if (owner != nullptr && (options.backend != Backend::automatic || is_worth_starting(*owner, cpu_s)) &&
      lacks_memory(*owner, options, demand))
    shared = potential_->shared_with(*group, owner);
  if (shared) {
    share = planned_share(group, plan.lattice, options, backends);
    options = share.backend;
    if (options.devices.size() > 1) options.devices.resize(1);
    demand.lattice = share.lattice;
    demand.equation_points = at_once * shared->device_points;
  }
  plan.backend = choose_backend(options, cpu_s, demand, backends);
  if (group != nullptr && plan.backend.owner == nullptr) {
    shared = potential_->shared_with(*group, nullptr);
    if (shared) share = planned_share(group, plan.lattice, {.backend = Backend::cpu}, backends);
  }
  const std::size_t atoms = job_.structure.atoms.size();
  if (!shared) {
    plan.host_bytes = at_once * costs.host_bytes + host_field_bytes(plan.lattice, atoms);
    return plan;
  }
  plan.ranks = shared->ranks;
  constexpr std::int64_t of_solution = 2 * sizeof(double);  // what a slab gets, and what it comes from
  plan.host_bytes =
      at_once * shared->host_bytes +
      host_bytes_of_ranks(host_field_bytes(share.lattice, atoms) + share.lattice.size() * of_solution, share,
                          plan.lattice, map_use(job_));
  return plan;
}

void PbSource::describe(const Plan& plan, Result& result) const {
  const bool is_own = options_.solved_by == PbSolvedBy::own;
  result.method = is_own ? "pb" : "apbs";
  result.imported = ImportedMaps{.ions_act = plan.acting && !job_.ions.empty()};
  result.solver = PoissonBoltzmann{.program = is_own ? "ionwell" : options_.apbs.program,
                                   .every = options_.every,
                                   .solves = solves(),
                                   .ionic_strength_M = ionic_strength_M_,
                                   .options = options_.options,
                                   .solved_by = options_.solved_by,
                                   .convergence = {}};
}

std::vector<Atom> PbSource::atoms_of(std::span<const PlacedIon> ions) const {
  std::vector<Atom> atoms;
  for (const PlacedIon& ion : ions) {
    const auto radius = std::find_if(radius_A_.begin(), radius_A_.end(),
                                     [&](const auto& entry) { return entry.first == ion.species.name; });
    atoms.push_back(
        {.position_A = ion.position_A, .charge_e = ion.species.charge_e, .radius_A = radius->second});
  }
  return atoms;
}

PbSource::Round PbSource::place_in(const Plan& plan, const PbValues& solution,
                                   std::span<const PlacedIon> before, Stages& stages) const {
  Stages fast;  // what takes no time beside a solve is not reported
  const auto field = fill_field(
      job_, plan, solution.lattice, [&]() -> SolutePotential { return solution.map; }, fast, solution.ranks);
  // The solution has the ions of before in it; they only keep the others away.
  Placement added =
      place_in_field(*field, job_, batch(job_.ions, std::ssize(before), options_.every), before, stages);
  return {std::move(added), field->statistics()};
}

template <typename Work>
auto PbSource::run_step(const Step& step, const Plan& plan, Stages& stages, const SignalNotes& notes,
                        const Work& work) const {
  const std::string name = step.what + ' ' + std::to_string(step.number), of = std::to_string(step.of);
  return stages.run(step.what, name + '/' + of, [&](const Progress& progress) {
    return work(PbSolve{.name = name + " of " + of,
                        .backend = plan.backend,
                        .options = job_.backend,
                        .ranks = plan.ranks,
                        .threads = thread_count(job_.field.threads),
                        .notes = notes,
                        .progress = progress,
                        .residual = stages.observer().residual});
  });
}

SavedState PbSource::saved(const Rounds& rounds, const Result& result) const {
  SavedState state;
  state.put(rounds_done, rounds.done);
  state.put(ions_solved, std::int64_t(rounds.solved));
  save_ions(state, result.placement.ions);
  if (result.placement.refused_kT) state.put(refused, *result.placement.refused_kT);
  if (rounds.lattice) save_lattice(state, *rounds.lattice);
  const PoissonBoltzmann& solver = *result.solver;
  if (solver.solvation_energy_kJ_mol) state.put(solute_energy, *solver.solvation_energy_kJ_mol);
  if (solver.convergence)
    state.put(convergence, std::vector{double(solver.convergence->iterations), solver.convergence->residual,
                                       solver.convergence->seconds});
  potential_->save(state);
  return state;
}

PbSource::Rounds PbSource::resume(const SavedState& state, const Plan& plan, const SignalNotes& notes,
                                  Result& result, Stages& stages) const {
  Placement& placement = result.placement;
  PoissonBoltzmann& solver = *result.solver;
  Rounds rounds{.done = state.value<std::int64_t>(rounds_done),
                .solved = std::size_t(state.value<std::int64_t>(ions_solved))};
  if (rounds.done == 0) return {};
  rounds.lattice = saved_lattice(state);
  placement.ions = saved_ions(state, job_.ions, *rounds.lattice);
  if (rounds.done > solves() || rounds.solved > placement.ions.size()) SavedState::fail_damaged(rounds_done);
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
  run_step({"solve", rounds.done, solves()}, plan, stages, notes,
           [&](const PbSolve& solve) { potential_->restore(batches, state, solve); });
  return rounds;
}

void PbSource::place(const Plan& plan, Result& result, Stages& stages) {
  Placement& placement = result.placement;
  placement.requested = requested_;
  result.statistics = FieldStatistics{};
  Rounds rounds;
  const SignalNotes notes;
  Checkpoint* const checkpoint = job_.ions.empty() ? nullptr : stages.checkpoint();
  if (checkpoint != nullptr)
    rounds = checkpoint->read_resumed(
        [&](const SavedState& state) { return resume(state, plan, notes, result, stages); });
  if (checkpoint != nullptr) require_memory(plan.host_bytes + potential_->costs().saved_bytes, plan.lattice);
  SavedState whole;  // as of the last round: in the middle of one, solutions are of neither
  const auto end_round = [&] {
    if (checkpoint != nullptr) whole = saved(rounds, result);
  };
  end_round();
  const Checkpoint::Part part(checkpoint, [&] { return whole; });

  const std::int64_t energies = !options_.solvation_energy ? 0 : (job_.ions.empty() ? 1 : 2);
  const auto solve_with_all = [&](const PbSolve& solve) {
    return potential_->solve(atoms_of(std::span(placement.ions).subspan(rounds.solved)), solve,
                             &*result.solver);
  };
  const auto energy = [&](const PbSolve& solve) {
    return potential_->solvation_energy_kJ_mol(solve, &*result.solver);
  };
  const auto is_short = [&] {  // the last round had no room for all its ions, or was refused
    return rounds.done > 0 && std::ssize(placement.ions) < std::min(rounds.done * options_.every, requested_);
  };
  while (rounds.done < solves() && !is_short()) {
    const std::int64_t number = rounds.done;
    const PbValues solution = run_step({"solve", number + 1, solves()}, plan, stages, notes, solve_with_all);
    rounds.solved = placement.ions.size();
    notes.check();
    if (rounds.lattice && *rounds.lattice != solution.lattice)
      fail("APBS's map of solve ", number + 1,
           " has another lattice than the first one's; give the grid's centre and "
           "length as numbers in --pb-option");
    rounds.lattice = solution.lattice;
    if (energies > 0 && number == 0)
      result.solver->solvation_energy_kJ_mol = run_step({"energy", 1, energies}, plan, stages, notes, energy);
    if (job_.ions.empty()) {
      fill_result(
          job_, plan, [&]() -> SolutePotential { return solution.map; }, potential_, result, stages,
          solution.ranks);
      place_in_result(job_, result, stages);
      if (PbArrays* const equation = potential_->equation()) result.solver->equation = {potential_, equation};
      return;
    }
    const auto [added, of_solution] = place_in(plan, solution, placement.ions, stages);
    placement.ions.insert(placement.ions.end(), added.ions.begin(), added.ions.end());
    placement.refused_kT = added.refused_kT;
    if (number == 0) result.statistics = of_solution;
    if (number > 0) result.statistics->add(of_solution);
    find_neighbours(placement, job_.structure.atoms, job_.field.threads);
    ++rounds.done;
    end_round();
    notes.check();
  }
  find_neighbours(placement, job_.structure.atoms, job_.field.threads);
  result.lattice = rounds.lattice.value_or(plan.lattice);
  if (energies > 1)
    result.solver->solvation_energy_with_ions_kJ_mol =
        run_step({"energy", 2, energies}, plan, stages, notes, [&](const PbSolve& solve) {
          solve_with_all(solve);
          return energy(solve);
        });
}

}  // namespace ionwell
