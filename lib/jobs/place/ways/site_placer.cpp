// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/ways/site_placer.hpp"

#include <algorithm>
#include <cmath>

#include "compute/cost_model.hpp"
#include "core/cell_list.hpp"
#include "core/chemistry/composition.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/error.hpp"
#include "core/lattice_extents.hpp"
#include "core/periodic/images_near_box.hpp"
#include "core/text/charge_text.hpp"
#include "jobs/place/job/ions_by_site.hpp"
#include "jobs/place/job/likely_ions.hpp"
#include "jobs/place/job/periodic_images.hpp"
#include "jobs/place/ways/site_atoms.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "placement/crystal_sites/place_sites.hpp"
#include "placement/crystal_sites/site_features.hpp"
#include "placement/crystal_sites/site_field.hpp"
#include "placement/crystal_sites/site_score.hpp"
#include "placement/host_field.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell {
namespace {

ElectrostaticsOptions electrostatics_of(const SiteModel& model) {
  return {.dielectric = model.dielectric, .ionic_strength_M = model.ionic_strength_M};
}

/// Adds the periodic images of atoms that sites near a lattice can meet: they take room and make contacts,
/// but have no charges, since the model's potential is that of the solute alone.
void add_images(std::vector<SiteAtom>& atoms, const PeriodicCell& cell, const Box& box,
                const SiteModel& model) {
  std::vector<Vec3<double>> positions_A;
  for (const SiteAtom& atom : atoms) positions_A.push_back(atom.position_A);
  const double reach_A = std::max({model.cutoff_A, model.ion_heavy_atom_A, site_features_reach_A()});
  for (const PointImage& image : images_near_box(positions_A, cell, box, reach_A))
    atoms.push_back({image.position_A, 0.0, atoms[image.point].kind});
}

/// What the model says of the points where ions were put, and what the ions before each add to it.
void add_site_energies(const SiteModel& model, std::span<const SiteAtom> atoms, const BasinPoints& points,
                       Placement& placement, int threads) {
  const SiteEnergy energy(model, atoms);
  parallel_for({threads, 1}, std::ssize(placement.ions), [&](std::int64_t n) {
    PlacedIon& ion = placement.ions[std::size_t(n)];
    const auto at = std::lower_bound(points.index.begin(), points.index.end(), ion.lattice_index);
    const double of_solute_kT = points.basin_kT[std::size_t(at - points.index.begin())];
    ion.site_energy_kT = energy.at(ion.position_A) + (ion.energy_kT - of_solute_kT);
    if (model.score) ion.probability = model.score->probability(ion.energy_kT);
  });
}

/// Where the structure has ions of its own, with the images that ions on the lattice can meet.
std::vector<Vec3<double>> own_ions_A(std::span<const Atom> atoms, const LatticeGeometry& lattice,
                                     double reach_A, const PeriodicCell* cell) {
  std::vector<Vec3<double>> ions_A;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    if (residue.kind == ResidueKind::ion && residue.end - begin == 1)
      ions_A.push_back(atoms[begin].position_A);
    begin = residue.end;
  }
  if (cell == nullptr) return ions_A;
  const std::vector<Vec3<double>> in_cell_A = ions_A;
  for (const PointImage& image : images_near_box(in_cell_A, *cell, extents(lattice), reach_A))
    ions_A.push_back(image.position_A);
  return ions_A;
}

/// Takes out the points that are nearer to one of these ions than ions may be to each other.
void keep_from_ions(const std::vector<Vec3<double>>& ions_A, const LatticeGeometry& lattice,
                    double distance_A, BasinPoints& points) {
  if (ions_A.empty() || !(distance_A > 0.0)) return;
  const double limit_A2 = ion_limit_A2(distance_A);
  const CellList list(ions_A, distance_A);
  std::size_t kept = 0;
  for (std::size_t n = 0; n < points.index.size(); ++n) {
    const Vec3<double> at_A = lattice.position_A(points.index[n]);
    bool is_free = true;
    list.near({at_A, at_A}, distance_A, [&](std::uint32_t ion) {
      is_free = is_free && distance_squared(ions_A[ion], at_A) > limit_A2;
    });
    if (!is_free) continue;
    points.index[kept] = points.index[n];
    points.basin_kT[kept++] = points.basin_kT[n];
  }
  points.index.resize(kept);
  points.basin_kT.resize(kept);
}

}  // namespace

SitePlacer::SitePlacer(const Job& job, const SiteOptions& options) : job_(job), options_(options) {
  const SiteModel& model = options.model;
  for (const IonRequest& request : job.ions)
    if (!is_for(model, request.species))
      fail<UsageError>("--model sites is for ", model.ion, " with ", charge_text(model.charge_e),
                       " e, not for ", request.species.name, " with ", charge_text(request.species.charge_e),
                       " e: crystals have too little data on it; place it around the ", model.ion,
                       " by its energy, or give your own model with --tune model-file");
}

Plan SitePlacer::plan(const Backends& backends) const {
  if (job_.backend.devices.size() > 1) fail<UsageError>("--model sites uses one GPU; name one in --devices");
  Plan plan{.lattice = choose_lattice(job_.structure, job_.lattice),
            .acting = electrostatics_of(options_.model),
            .pair = pair_potential_of(options_.model)};
  Summation sum{plan.lattice, job_.structure, plan.pair, {.method = options_.method}, job_.field, true};
  plan.backend = choose_backend(job_.backend, sum, backends);
  plan.summation = sum.options = choose_method(sum, plan.backend);
  plan.host_bytes = host_bytes(sum, plan.backend);
  return plan;
}

void SitePlacer::describe(const Plan& plan, Result& result) const {
  const SiteModel& model = options_.model;
  result.potential.method = "sites";
  if (plan.summation.method == Method::multilevel) result.potential.multilevel = plan.summation.multilevel;
  result.exclusion = ExclusionOptions{model.ion_heavy_atom_A, model.ion_ion_A};
  result.sites = SiteResult{
      .model = model, .path = options_.path, .multilevel = plan.summation.method == Method::multilevel};
}

std::vector<std::string> SitePlacer::warnings(const Plan&) const {
  const std::vector<Atom>& atoms = job_.structure.atoms;
  const bool any_nucleotide = std::any_of(atoms.begin(), atoms.end(), [](const Atom& atom) {
    return residue_kind(atom.residue.view()) == ResidueKind::nucleic_acid;
  });
  if (any_nucleotide || !options_.path.empty()) return {};
  return {"there is no nucleic acid in " + job_.structure.path +
          ": the site model was fitted to folded RNA and is not reliable for other molecules"};
}

void SitePlacer::place(const Plan& plan, Result& result, Stages& stages) {
  const SiteModel& model = options_.model;
  const int threads = thread_count(job_.field.threads);
  const SimdLevel simd = job_.field.simd;
  std::vector<SiteAtom> atoms = site_atoms(job_.structure.atoms);
  const std::int64_t most_points = model.score ? scored_points(*model.score, atoms) : 0;
  const std::optional<PeriodicCell> cell = distance_cell(job_);
  const std::vector<Vec3<double>> own_A =
      own_ions_A(job_.structure.atoms, plan.lattice, model.ion_ion_A, cell ? &*cell : nullptr);
  if (cell) add_images(atoms, *cell, extents(plan.lattice), model);
  const SiteProblem problem{
      plan.lattice,
      model,
      atoms,
      {.multilevel = plan.summation.method == Method::multilevel, .simd = simd, .threads = threads}};
  const std::unique_ptr<SiteField> field = stages.run("potential", [&](const Progress& progress) {
    if (plan.backend.owner == nullptr) return make_host_site_field(problem, progress);
    return plan.backend.owner->make_site_field(plan.backend.devices.front().number, problem, progress);
  });
  if (job_.ions.empty()) return;
  IonRequest request{job_.ions.front().species, 0};
  for (const IonRequest& one : job_.ions) request.count += one.count;

  // Half of those in the sphere that an ion takes away at the usual spacing; it takes about 430 of them to
  // place one of 741 around a ribosome.
  constexpr std::int64_t points_at_least = 20000, points_for_an_ion = 2000, more = 8;
  std::int64_t count = model.score ? most_points : points_at_least + points_for_an_ion * request.count;
  for (bool complete = false; !complete; count *= more) {
    BasinPoints points;
    bool are_all = false;
    if (model.score) {
      ScoredBasins scored = stages.run("score", [&](const Progress& progress) {
        return field->scored_basins(*model.score, count, progress);
      });
      points = std::move(scored.points);
      are_all = scored.every_point;
    } else {
      points = stages.run("basins",
                          [&](const Progress& progress) { return field->lowest_basins(count, progress); });
      are_all = std::isinf(points.complete_below_kT);
    }
    stages.run("placement", [&](const Progress& progress) {
      keep_from_ions(own_A, plan.lattice, model.ion_ion_A, points);
      SitePlacement placed = place_sites(
          plan.lattice, model, points, request, std::min(job_.most_kT, highest_likely_kT(options_)),
          [&](std::int64_t ions) { progress(double(ions) / double(request.count)); },
          cell ? &*cell : nullptr);
      const bool found_room =
          std::ssize(placed.placement.ions) == request.count || placed.placement.refused_kT.has_value();
      complete = placed.complete && (found_room || are_all);
      if (!complete) return;
      add_site_energies(model, atoms, points, placed.placement, threads);
      find_neighbours(placed.placement, job_.structure.atoms, threads, cell ? &*cell : nullptr);
      if (options_.least_probability) placed.placement.requested = std::ssize(placed.placement.ions);
      result.sites->refused_kT = placed.placement.refused_kT;
      result.placement = std::move(placed.placement);
    });
  }
  result.run.device_use = field->device_use();
}

}  // namespace ionwell
