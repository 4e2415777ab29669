#include "run/pb_protocol.hpp"

#include <algorithm>

#include "core/chemistry/ion_radius.hpp"
#include "core/error.hpp"
#include "parallel/thread_count.hpp"

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

void validate(const PbOptions& options) {
  if (options.every < 1) fail<UsageError>("--pb-every is ", options.every, "; it must be at least 1");
  validate(options.apbs);
  for (const std::string& option : options.options) check_apbs_option(option);
}

void adopt_solution(const PbOptions& pb, ElectrostaticsOptions& electrostatics, IonUpdate& update) {
  const SolutionOptions solution = solution_of(pb.options);
  if (solution.ionic_strength_M && electrostatics.ionic_strength_M)
    fail<UsageError>(
        "--ionic-strength and --pb-option ion=... both say what the salt is; leave one of them out");
  if (solution.ionic_strength_M) electrostatics.ionic_strength_M = solution.ionic_strength_M;
  if (update.rule == Update::debye_hueckel && !update.dielectric) update.dielectric = solution.dielectric;
}

PbProtocol::PbProtocol(const PbOptions& options, const Structure& structure, const LatticeRequest& lattice,
                       const ElectrostaticsOptions& electrostatics, const std::vector<IonRequest>& requests)
    : options_(options), structure_(structure), apbs_(options.apbs), radius_A_(options.radius_A) {
  calculation_ = apbs_calculation(pb_box(structure, lattice), bounding_box(structure.atoms),
                                  lattice.spacing_A.value_or(published_pb_spacing_A));
  calculation_.temperature_K = electrostatics.temperature_K;
  if (electrostatics.ionic_strength_M) calculation_.ionic_strength_M = *electrostatics.ionic_strength_M;
  calculation_.options = options.options;
  calculation_.fine = with_grid_options(calculation_.fine, options.options);
  for (const auto& given : radius_A_)  // Clang before 16 captures no structured bindings
    if (std::none_of(requests.begin(), requests.end(),
                     [&](const IonRequest& request) { return request.species.name == given.first; }))
      fail<UsageError>("--pb-radius gives ", given.first,
                       " a radius, but no --ion places that; correct the name");
  for (const IonRequest& request : requests) {
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

std::vector<Atom> PbProtocol::atoms_with(const Placement& placement) const {
  std::vector<Atom> atoms = structure_.atoms;
  for (const PlacedIon& ion : placement.ions) {
    const auto radius = std::find_if(radius_A_.begin(), radius_A_.end(),
                                     [&](const auto& entry) { return entry.first == ion.species.name; });
    atoms.push_back(
        {.position_A = ion.position_A, .charge_e = ion.species.charge_e, .radius_A = radius->second});
  }
  return atoms;
}

void PbProtocol::place(const std::vector<IonRequest>& requests, const ExclusionOptions& exclusion,
                       double most_kT, const FieldMaker& make_field, int threads, Stages& stages,
                       Placement& placement) {
  std::vector<Vec3<double>> centres;
  for (const Atom& atom : structure_.atoms) centres.push_back(atom.position_A);
  placement.requested = requested_;
  const SignalNotes notes;
  for (std::int64_t number = 0; number < solves(); ++number) {
    const std::string solve = "solve " + std::to_string(number + 1), all = std::to_string(solves());
    const Map map = stages.run("solve", solve + '/' + all, [&](const Progress& progress) {
      return apbs_.solve(calculation_, atoms_with(placement), solve + " of " + all, thread_count(threads),
                         notes, progress);
    });
    notes.check();
    if (lattice_ && *lattice_ != map.lattice)
      fail("APBS's map of solve ", number + 1,
           " has another lattice than the first one's; give the grid's centre and "
           "length as numbers in --pb-option");
    lattice_ = map.lattice;
    const auto field = make_field(map.lattice);
    field->exclude(centres, exclusion.ion_solute_A);
    field->assign(map.all());
    // The map has the ions of before in it; they only keep the others away.
    for (const PlacedIon& ion : placement.ions) field->add_ion({ion.position_A, 0.0}, exclusion.ion_ion_A);
    Placement added = stages.run("placement", [&](const Progress&) {
      return place_ions(*field, structure_,
                        batch(requests, std::int64_t(placement.ions.size()), options_.every), exclusion, {},
                        most_kT, threads);
    });
    placement.ions.insert(placement.ions.end(), added.ions.begin(), added.ions.end());
    placement.refused_kT = added.refused_kT;
    const FieldStatistics statistics = field->statistics();
    if (number == 0) statistics_ = statistics;
    if (number > 0) statistics_.add(statistics);
    find_neighbours(placement, structure_.atoms, threads);
    notes.check();
    if (std::ssize(added.ions) < added.requested) return;
  }
}

}  // namespace ionwell
