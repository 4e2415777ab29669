// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/ways/periodic_placer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "compute/checkpoint/checkpoint.hpp"
#include "compute/checkpoint/saved_ions.hpp"
#include "compute/cost_model.hpp"
#include "compute/device_estimates.hpp"
#include "compute/periodic_potential.hpp"
#include "core/error.hpp"
#include "core/periodic/periodic_cell_list.hpp"
#include "jobs/place/ways/sites_before.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "placement/at_points/periodic_action.hpp"
#include "placement/at_points/scattered_points.hpp"
#include "placement/periodic_neighbours.hpp"
#include "placement/placement_rules.hpp"
#include "solvation/simulation_cell.hpp"

namespace ionwell {
namespace {

/// Numbers of the lattice's points where an ion can go: one image of each, and none within the ion-solute
/// distance of an atom. In their order.
std::vector<std::int64_t> free_points(const Job& job, const LatticeGeometry& lattice,
                                      const PeriodicCell& cell, int threads) {
  std::vector<Vec3<double>> atoms_A;
  for (const Atom& atom : job.structure.atoms) atoms_A.push_back(atom.position_A);
  const double limit_A2 = solute_limit_A2(job.exclusion.ion_solute_A), reach_A = std::sqrt(limit_A2);
  const PeriodicCellList atoms(cell, atoms_A, std::max(reach_A, 3.0));
  const Vec3<double> last_A = lattice.position_A(lattice.size() - 1);
  const Vec3<double> middle_A = 0.5 * (lattice.first_point_A() + last_A);
  const auto is_free = [&](const Vec3<double>& position_A) {
    const Vec3<double> f = cell.fractional(position_A - middle_A);
    if (!(f.x >= -0.5 && f.x < 0.5 && f.y >= -0.5 && f.y < 0.5 && f.z >= -0.5 && f.z < 0.5)) return false;
    bool has_room = true;
    atoms.near(position_A, reach_A,
               [&](std::uint32_t, const Vec3<double>& d) { has_room &= dot(d, d) > limit_A2; });
    return has_room;
  };
  const std::int64_t rows = lattice.counts.y * lattice.counts.z;
  std::vector<std::vector<std::int64_t>> of_row(static_cast<std::size_t>(rows));
  parallel_for({threads, 16}, rows, [&](std::int64_t row) {
    for (std::int64_t i = 0; i < lattice.counts.x; ++i)
      if (const std::int64_t p = row * lattice.counts.x + i; is_free(lattice.position_A(p)))
        of_row[std::size_t(row)].push_back(p);
  });
  std::vector<std::int64_t> points;
  for (const std::vector<std::int64_t>& some : of_row) points.insert(points.end(), some.begin(), some.end());
  return points;
}

/// About how many there are, and not fewer: of a large lattice those of every eighth plane are counted.
std::int64_t most_free_points(const Job& job, const LatticeGeometry& lattice, const PeriodicCell& cell,
                              int threads) {
  constexpr std::int64_t few = 1'000'000, step = 8;
  if (lattice.size() <= few) return lattice.size();
  const Vec3<std::int64_t>& n = lattice.counts;
  const LatticeGeometry coarse{lattice.origin_A,
                               double(step) * lattice.spacing_A,
                               {(n.x - 1) / step + 1, (n.y - 1) / step + 1, (n.z - 1) / step + 1}};
  const double part = double(free_points(job, coarse, cell, threads).size()) / double(coarse.size());
  constexpr double more = 1.2, least = 0.01;  // as fine a part as so few planes can miss
  return std::min(lattice.size(), std::int64_t((more * part + least) * double(lattice.size())));
}

/// Places the ions of a job, or those that a checkpoint has not.
class PeriodicIons {
 public:
  PeriodicIons(const Job& job, std::vector<std::int64_t> numbers, ScatteredPoints& points)
      : job_(job), numbers_(std::move(numbers)), points_(points) {}

  Placement place(std::span<const PlacedIon> begun,
                  const std::function<void(std::span<const PlacedIon>)>& placed) {
    for (const PlacedIon& ion : ions_before(job_)) {
      const PointCharge charge{ion.position_A, ion.species.charge_e};
      points_.add_ion({&charge, 1}, ion_limit_A2(job_.exclusion.ion_ion_A));
    }
    for (const IonRequest& request : job_.ions) placement_.requested += request.count;
    for (const IonRequest& request : job_.ions)
      for (std::int64_t i = 0; i < request.count; ++i) {
        if (!put(request.species, begun)) return std::move(placement_);
        placed(placement_.ions);
      }
    return std::move(placement_);
  }

 private:
  /// False when no point is left, or none of low enough energy.
  bool put(const IonSpecies& species, std::span<const PlacedIon> begun) {
    std::optional<std::size_t> at;
    double energy_kT = 0.0;
    if (const std::size_t n = placement_.ions.size(); n < begun.size()) {
      const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), begun[n].lattice_index);
      if (found == numbers_.end() || *found != begun[n].lattice_index)
        fail("ion ", n + 1, " of the checkpoint is where no ion can be; the checkpoint is of another run");
      at = std::size_t(found - numbers_.begin());
      energy_kT = begun[n].energy_kT;
    } else {
      at = points_.lowest_energy_point(species.charge_e);
      if (!at) return false;
      energy_kT = species.charge_e * points_.potential_kT_e(*at);
      if (energy_kT > job_.most_kT) {
        placement_.refused_kT = energy_kT;
        return false;
      }
    }
    const Vec3<double> position_A = points_.position_A(*at);
    const PointCharge charge{position_A, species.charge_e};
    points_.add_ion({&charge, 1}, ion_limit_A2(job_.exclusion.ion_ion_A));
    points_.take_away(*at);
    placement_.ions.push_back({.species = species,
                               .lattice_index = numbers_[*at],
                               .position_A = position_A,
                               .energy_kT = energy_kT});
    return true;
  }

  const Job& job_;
  std::vector<std::int64_t> numbers_;  // of the lattice's points, by point
  ScatteredPoints& points_;
  Placement placement_;
};

}  // namespace

Plan PeriodicPlacer::plan(const Backends& backends) const {
  Plan plan{.lattice = choose_lattice(job_.structure, job_.lattice),
            .acting = job_.electrostatics,
            .pair = pair_potential(job_.electrostatics)};
  if (!job_.field.refine)
    fail<UsageError>("--tune no-refine is for a lattice in single precision, but in the cell of ",
                     job_.structure.path,
                     ", with periodic images, every sum is in double precision; leave it out, or use "
                     "--boundary open to ignore the periodic images");
  constexpr double point_s = 3.6e-6;             // of one thread, as for the waters of a box
  constexpr std::int64_t bytes_per_point = 200;  // of a point where an ion can go, and of its potential
  const int threads = thread_count(job_.field.threads);
  const LatticeGeometry none{.origin_A = {}, .spacing_A = {1.0, 1.0, 1.0}, .counts = {1, 1, 1}};
  plan.backend = choose_backend(job_.backend, point_s * double(plan.lattice.size()) / double(threads),
                                {.lattice = none, .charges = job_.structure.atoms.size()}, backends);
  const PeriodicCell cell(*simulation_cell(job_.structure));
  plan.host_bytes = bytes_per_point * most_free_points(job_, plan.lattice, cell, threads);
  return plan;
}

void PeriodicPlacer::describe(const Plan&, Result& result) const {
  result.potential.method = "periodic";
  result.refined = true;
  result.potential.is_periodic = true;
}

void PeriodicPlacer::place(const Plan& plan, Result& result, Stages& stages) {
  const PeriodicCell cell(*simulation_cell(job_.structure));
  const int threads = thread_count(job_.field.threads);
  const SimdLevel simd = usable_simd_level(job_.field.simd);
  std::vector<std::int64_t> numbers = stages.run(
      "exclusion", [&](const Progress&) { return free_points(job_, plan.lattice, cell, threads); });
  std::vector<Vec3<double>> positions_A;
  for (const std::int64_t p : numbers) positions_A.push_back(plan.lattice.position_A(p));
  PeriodicPotential summed;
  if (!positions_A.empty())
    summed = stages.run("potential", [&](const Progress& progress) {
      return periodic_potential(plan.backend, cell, plan.pair, point_charges(job_.structure.atoms),
                                positions_A, {.threads = threads, .simd = simd}, progress);
    });
  if (!summed.note.empty()) {
    warn(result.run, stages.observer(), {summed.note});
    result.run.backend = Backend::cpu;
  }
  double largest_kT_e = 0.0;
  for (const double v : summed.values_kT_e) largest_kT_e = std::max(largest_kT_e, std::abs(v));

  std::vector<PlacedIon> begun;
  Checkpoint* const checkpoint = stages.checkpoint();
  if (checkpoint != nullptr)
    begun = checkpoint->read_resumed(
        [&](const SavedState& state) { return saved_ions(state, job_.ions, plan.lattice); });
  SavedPlacement saved(checkpoint, begun);
  result.placement = stages.run("placement", [&](const Progress& progress) {
    constexpr double tie = 1e-9;  // of the largest potential: what the order of a sum changes
    const PeriodicAction action(cell, plan.pair, PeriodicPairOptions{.threads = threads, .simd = simd});
    std::vector<std::uint8_t> available(positions_A.size(), 1);
    const bool on_device = summed.computed_on != Backend::cpu;
    ScatteredPoints points(std::move(positions_A), std::move(summed.values_kT_e), std::move(available),
                           action,
                           {.tie_kT_e = tie * largest_kT_e,
                            .threads = threads,
                            .simd = simd,
                            .estimates = on_device ? device_estimates(plan.backend, action) : nullptr});
    std::int64_t requested = 0;
    for (const IonRequest& request : job_.ions) requested += request.count;
    PeriodicIons placer(job_, std::move(numbers), points);
    Placement placement = placer.place(begun, [&](std::span<const PlacedIon> placed) {
      saved.take(placed);
      progress(double(placed.size()) / double(requested));
    });
    if (!points.note().empty()) warn(result.run, stages.observer(), {describe_host_search(points.note())});
    const auto find_neighbours = [&](Placement& all) {
      find_periodic_neighbours(all.ions, job_.structure.atoms, cell, threads);
    };
    find_neighbours(placement);
    join_ions_before(job_, placement, find_neighbours);
    return placement;
  });
}

}  // namespace ionwell
