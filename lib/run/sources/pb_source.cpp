#include "run/sources/pb_source.hpp"

#include <algorithm>

#include "core/chemistry/ion_radius.hpp"
#include "core/error.hpp"
#include "parallel/thread_count.hpp"
#include "placement/host_field.hpp"
#include "run/cost_model.hpp"

namespace ionwell {
namespace {

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

}  // namespace

PbSource::PbSource(const Job& job, const PbOptions& options)
    : job_(job),
      options_(options),
      apbs_(options.apbs),
      electrostatics_(job.electrostatics),
      update_(with_hybrid_default(job.update)),
      radius_A_(options.radius_A) {
  adopt_solution(options, electrostatics_, update_);
  calculation_ = apbs_calculation(pb_box(job.structure, job.lattice), bounding_box(job.structure.atoms),
                                  job.lattice.spacing_A.value_or(published_pb_spacing_A));
  calculation_.temperature_K = electrostatics_.temperature_K;
  if (electrostatics_.ionic_strength_M) calculation_.ionic_strength_M = *electrostatics_.ionic_strength_M;
  calculation_.options = options.options;
  calculation_.fine = with_grid_options(calculation_.fine, options.options);
  for (const auto& given : radius_A_)  // Clang before 16 captures no structured bindings
    if (std::none_of(job.ions.begin(), job.ions.end(),
                     [&](const IonRequest& request) { return request.species.name == given.first; }))
      fail<UsageError>("--pb-radius gives ", given.first,
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
                       " e is not known; give it with --pb-radius ", species.name, ":R");
    radius_A_.emplace_back(species.name, *radius);
  }
}

Plan PbSource::plan(const Backends& backends) const {
  Plan plan{.lattice = calculation_.fine,
            .acting = update_electrostatics(update_, electrostatics_),
            .summation = {.method = Method::direct}};
  plan.pair = update_potential(plan.acting);
  plan.backend = choose_backend_for_map(job_.backend, plan.lattice, requested_,
                                        thread_count(job_.field.threads), backends);
  plan.host_bytes =
      std::max(apbs_bytes(plan.lattice), host_field_bytes(plan.lattice, job_.structure.atoms.size()) +
                                             2 * plan.lattice.size() * std::int64_t{sizeof(double)});
  return plan;
}

void PbSource::describe(const Plan& plan, Result& result) const {
  result.method = "apbs";
  result.imported = ImportedMaps{.ions_act = plan.acting.has_value()};
  result.solver = PoissonBoltzmann{options_.apbs.program, options_.every, solves(),
                                   calculation_.ionic_strength_M, options_.options};
}

std::vector<Atom> PbSource::atoms_with(const Placement& placement) const {
  std::vector<Atom> atoms = job_.structure.atoms;
  for (const PlacedIon& ion : placement.ions) {
    const auto radius = std::find_if(radius_A_.begin(), radius_A_.end(),
                                     [&](const auto& entry) { return entry.first == ion.species.name; });
    atoms.push_back(
        {.position_A = ion.position_A, .charge_e = ion.species.charge_e, .radius_A = radius->second});
  }
  return atoms;
}

PbSource::Round PbSource::place_in_map(const Plan& plan, const Map& map, std::span<const PlacedIon> before,
                                       Stages& stages) const {
  Stages fast;  // what takes no time beside a solve is not reported
  const auto field = fill_field(
      job_, plan, map.lattice, [&]() -> SolutePotential { return ImportedMap{map.all()}; }, fast);
  // The map has the ions of before in it; they only keep the others away.
  Placement added =
      place_in_field(*field, job_, batch(job_.ions, std::ssize(before), options_.every), before, stages);
  return {std::move(added), field->statistics()};
}

void PbSource::place(const Plan& plan, Result& result, Stages& stages) {
  Placement& placement = result.placement;
  placement.requested = requested_;
  result.statistics = FieldStatistics{};
  std::optional<LatticeGeometry> lattice;
  const SignalNotes notes;
  for (std::int64_t number = 0; number < solves(); ++number) {
    const std::string solve = "solve " + std::to_string(number + 1), all = std::to_string(solves());
    const Map map = stages.run("solve", solve + '/' + all, [&](const Progress& progress) {
      return apbs_.solve(calculation_, atoms_with(placement), solve + " of " + all,
                         thread_count(job_.field.threads), notes, progress);
    });
    notes.check();
    if (lattice && *lattice != map.lattice)
      fail("APBS's map of solve ", number + 1,
           " has another lattice than the first one's; give the grid's centre and "
           "length as numbers in --pb-option");
    lattice = map.lattice;
    const auto [added, of_map] = place_in_map(plan, map, placement.ions, stages);
    placement.ions.insert(placement.ions.end(), added.ions.begin(), added.ions.end());
    placement.refused_kT = added.refused_kT;
    if (number == 0) result.statistics = of_map;
    if (number > 0) result.statistics->add(of_map);
    find_neighbours(placement, job_.structure.atoms, job_.field.threads);
    notes.check();
    if (std::ssize(added.ions) < added.requested) break;
  }
  result.lattice = lattice.value_or(plan.lattice);
}

}  // namespace ionwell
