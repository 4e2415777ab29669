// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/ways/box_run.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <memory>

#include "compute/checkpoint/saved_ions.hpp"
#include "compute/cost_model.hpp"
#include "compute/device_estimates.hpp"
#include "compute/periodic_potential.hpp"
#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "electrostatics/open_sum.hpp"
#include "jobs/place/job/report.hpp"
#include "jobs/place/ways/box_room.hpp"
#include "parallel/in_background.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "placement/at_points/open_action.hpp"
#include "placement/at_points/periodic_action.hpp"
#include "potential/request/temperature_warnings.hpp"
#include "solvation/ions/place_in_box.hpp"
#include "solvation/simulation_cell.hpp"

namespace ionwell {
namespace {

/// The cell that distances are of. Where space does not repeat it is so large that no image is ever nearer.
PeriodicCell cell_of(const Job& job) {
  if (job.box->options.boundary == Boundary::periodic) {
    if (!job.structure.cell || job.structure.cell->kind != CellKind::simulation)
      fail<UsageError>(why_not_periodic(job.structure));
    return PeriodicCell(*job.structure.cell);
  }
  const Box around = bounding_box(job.box->atoms);
  const Vec3<double> extent = around.highest_A - around.lowest_A;
  const double longest_A = std::max({extent.x, extent.y, extent.z}), edge_A = 4.0 * longest_A + 1e4;
  return PeriodicCell(cell_vectors({{edge_A, edge_A, edge_A}}));
}

/// The box must have room for what is in it: nothing may reach around the cell and meet itself.
std::vector<std::string> cell_warnings(const PeriodicCell& cell, const ExclusionOptions& exclusion) {
  std::vector<std::string> warnings;
  const double nearest_A = 2.0 * cell.inscribed_radius_A();
  if (nearest_A < exclusion.ion_ion_A)
    warnings.push_back("the images of the cell are " + std::to_string(nearest_A) +
                       " A apart, closer than ions may be to each other; is it the cell of this box?");
  return warnings;
}

std::vector<PointCharge> acting_charges(const Job& job, const ReplaceableWaters& waters) {
  std::vector<PointCharge> charges = point_charges(job.structure.atoms);
  if (!job.box->options.waters_act) return charges;
  for (const BoxWater& water : waters.waters)
    for (std::size_t i = water.begin; i < water.end; ++i) {
      const Atom& atom = job.box->atoms[i];
      if (atom.charge_e != 0.0) charges.push_back({atom.position_A, atom.charge_e});
    }
  return charges;
}

/// What a water's own charges are to its oxygen is none of an ion's energy: the water goes.
void leave_own_water_out(const Job& job, const ReplaceableWaters& waters, const IonAction& action,
                         int threads, std::vector<double>& potential_kT_e) {
  parallel_for({threads, 256}, std::ssize(waters.waters), [&](std::int64_t n) {
    const auto w = std::size_t(n);
    const BoxWater& water = waters.waters[w];
    const Vec3<double>& oxygen_A = job.box->atoms[water.oxygen].position_A;
    for (std::size_t i = water.begin; i < water.end; ++i) {
      const Atom& atom = job.box->atoms[i];
      potential_kT_e[w] -= atom.charge_e * action.at(oxygen_A - atom.position_A);
    }
  });
}

/// Where the waters begin that follow each other up to the first that can be replaced.
std::size_t begin_of_replaceable(const ReplaceableWaters& waters) {
  std::size_t begin = 0, end = 0;
  for (std::size_t w = 0; w < waters.waters.size(); ++w) {
    const BoxWater& water = waters.waters[w];
    if (w == 0 || water.begin != end) begin = water.begin;
    end = water.end;
    if (waters.stays[w] == WaterStays::replaceable) return begin;
  }
  return begin;
}

/// Where the potential is summed, and estimated for the search.
BackendChoice choose_box_backend(const Job& job, const ReplaceableWaters& waters, int threads,
                                 const Backends& backends) {
  if (job.box->options.boundary == Boundary::open) return {};
  constexpr double atom_s = 3.6e-6;  // of one thread; ionwell-bench periodic, 1,066,628 atoms
  const double atoms = double(job.structure.atoms.size() + waters.waters.size());
  const LatticeGeometry none{.origin_A = {}, .spacing_A = {1.0, 1.0, 1.0}, .counts = {1, 1, 1}};
  return choose_backend(job.backend, atom_s * atoms / double(threads),
                        {.lattice = none, .charges = job.structure.atoms.size()}, backends);
}

BoxResult described(const Job& job, const SolvatedBox& box, const ReplaceableWaters& waters) {
  const BoxOptions& options = job.box->options;
  const bool repeats = options.boundary == Boundary::periodic;
  return {.boundary = options.boundary,
          .cell = job.structure.cell,
          .volume_A3 = repeats ? box.cell.volume_A3() : 0.0,
          .waters_act = options.waters_act,
          .charge_e = net_charge_e(job.box->atoms),
          .waters = std::ssize(waters.waters),
          .stays = waters.count,
          .has_membrane = waters.membrane.has_value(),
          .ions_before = begin_of_replaceable(waters),
          .salts = options.salt.salts,
          .salt_placement = options.salt.placement,
          .seed = options.salt.seed,
          .solvation = job.box->solvation,
          .sites = job.box->sites};
}

void take_placement(BoxPlacement&& placed, const ReplaceableWaters& waters, Result& result) {
  BoxResult& box = *result.box;
  result.placement = std::move(placed.placement);
  box.salt = std::move(placed.salt);
  box.groups_updated = placed.groups_updated;
  box.exact_sums = placed.exact_sums;
  for (const std::uint32_t water : placed.replaced) box.replaced.push_back(waters.waters[water]);
}

}  // namespace

double BoxResult::molarity(std::int64_t ions) const {
  const std::int64_t left = waters - std::ssize(replaced);
  return left > 0 ? water_M * double(ions) / double(left) : 0.0;
}

Result run_in_box(const Job& job, Stages& stages, const Backends& backends) {
  const RunObserver& observer = stages.observer();
  const int threads = thread_count(job.field.threads);
  const PairPotential pair = pair_potential(job.electrostatics);
  const SolvatedBox box{job.box->atoms, job.structure.atoms, cell_of(job), job.box->first_of_box,
                        job.box->first_of_shells};
  BoxOptions options = job.box->options;
  const ReplaceableWaters waters = stages.run("exclusion", [&](const Progress&) {
    const bool is_periodic = options.boundary == Boundary::periodic;
    std::future<void> images = in_background(threads, [&] {
      if (is_periodic) require_no_image_on_atom(box, job.structure.path, threads);
    });
    ReplaceableWaters found = find_replaceable(box, options, job.exclusion, threads);
    if (is_periodic) require_volume(box, std::ssize(found.waters), job.structure.path, threads);
    images.get();
    return found;
  });
  const SimdLevel simd = usable_simd_level(job.field.simd);
  const std::vector<PointCharge> charges = acting_charges(job, waters);
  const BackendChoice backend =
      charges.empty() ? BackendChoice{} : choose_box_backend(job, waters, threads, backends);
  Result result{.run = {.command = job.command,
                        .backend_reason = backend.reason,
                        .device = std::string(to_string(simd)),
                        .threads = threads},
                .structure = job.structure,
                .potential = {.electrostatics = job.electrostatics,
                              .method = options.boundary == Boundary::periodic ? "periodic" : "direct"},
                .exclusion = job.exclusion,
                .box = described(job, box, waters)};
  if (backend.owner != nullptr) {
    result.run.backend = backend.backend;
    result.run.device = backend.devices.front().name;
  }
  warn(result.run, observer, temperature_warnings(job.electrostatics.temperature_K));
  warn(result.run, observer, job.structure.warnings);
  warn(result.run, observer, job.warnings);
  warn(result.run, observer, warnings(job.exclusion));
  warn(result.run, observer, cell_warnings(box.cell, job.exclusion));
  if (waters.replaceable() == 0)
    fail("none of the ", count_of(std::ssize(waters.waters), "water"),
         " can be replaced: all are nearer to the solute than --ion-solute or --tune keep-water, or excluded "
         "by --near, --not-near and --inside-z; loosen one of these");
  if (observer.planned) observer.planned(result);

  std::future<SaltCounts> salt =
      in_background(threads, [&] { return salt_of(box, waters, job.ions, options, result.box->charge_e); });
  std::unique_ptr<IonAction> action;
  EstimatesMaker estimates;
  std::vector<double> potential_kT_e;
  stages.run("potential", [&](const Progress& progress) {
    std::vector<Vec3<double>> oxygens_A;
    oxygens_A.reserve(waters.waters.size());
    for (const BoxWater& water : waters.waters) oxygens_A.push_back(job.box->atoms[water.oxygen].position_A);
    if (options.boundary == Boundary::open) {
      action = std::make_unique<OpenAction>(pair, simd);
      potential_kT_e = open_potential(pair, charges, oxygens_A, {.threads = threads, .simd = simd}, progress);
    } else {
      // While a device sums, the host has nothing else to do.
      std::future<std::unique_ptr<PeriodicAction>> making = std::async(
          backend.owner != nullptr ? std::launch::async | std::launch::deferred : std::launch::deferred, [&] {
            return std::make_unique<PeriodicAction>(box.cell, pair,
                                                    PeriodicPairOptions{.threads = threads, .simd = simd});
          });
      PeriodicPotential summed{.values_kT_e = std::vector<double>(oxygens_A.size(), 0.0)};
      if (!charges.empty())
        summed = periodic_potential(backend, box.cell, pair, charges, oxygens_A,
                                    {.threads = threads, .simd = simd}, progress);
      potential_kT_e = std::move(summed.values_kT_e);
      std::unique_ptr<PeriodicAction> periodic = making.get();
      estimates = device_estimates(backend, *periodic);
      action = std::move(periodic);
      if (!summed.note.empty()) {
        warn(result.run, observer, {summed.note});
        result.run.backend = Backend::cpu;
        estimates = {};
      }
    }
    if (options.waters_act) leave_own_water_out(job, waters, *action, threads, potential_kT_e);
  });
  double largest_kT_e = 0.0;
  for (const double v : potential_kT_e) largest_kT_e = std::max(largest_kT_e, std::abs(v));
  if (largest_kT_e == 0.0 && options.salt.placement == SaltPlacement::energy) {
    options.salt.placement = result.box->salt_placement = SaltPlacement::random;
    warn(result.run, observer,
         {note("nothing in the box has a charge, so all positions have the same energy: salt is placed at "
               "random")});
  }

  constexpr double tie =
      1e-9;  // of the largest potential: what is left of it when the order of a sum changes
  Checkpoint* const checkpoint = stages.checkpoint();
  std::vector<PlacedIon> begun;
  if (checkpoint != nullptr)
    begun = checkpoint->read_resumed(
        [&](const SavedState& state) { return saved_ions(state, std::ssize(waters.waters)); });
  const BoxTask task{.box = box,
                     .waters = waters,
                     .potential_kT_e = potential_kT_e,
                     .action = *action,
                     .tie_kT_e = tie * largest_kT_e,
                     .requests = job.ions,
                     .salt = salt.get(),
                     .exclusion = job.exclusion,
                     .options = options,
                     .most_kT = job.most_kT,
                     .threads = threads,
                     .simd = simd,
                     .estimates = estimates,
                     .begun = begun};
  std::int64_t requested = 0;
  for (const IonRequest& request : job.ions) requested += request.count;
  for (const SaltIons& ions : task.salt.ions) requested += ions.added;
  SavedPlacement saved(checkpoint, begun);
  stages.run("placement", [&](const Progress& progress) {
    const auto take = [&](std::span<const PlacedIon> placed) {
      saved.take(placed);
      progress(double(placed.size()) / double(requested));
    };
    BoxPlacement placed = place_in_box(task, take);
    if (!placed.note.empty()) warn(result.run, observer, {describe_host_search(placed.note)});
    take_placement(std::move(placed), waters, result);
  });
  warn(result.run, observer, result.box->salt.warnings);
  const double after_e = charge_after_e(result);
  constexpr double neutral_e = 0.01;
  if (options.boundary == Boundary::periodic && std::abs(after_e) > neutral_e)
    warn(result.run, observer,
         {"the box has a charge of " + charge_text(after_e) +
          " e after placement, but a periodic simulation should be neutral; neutralize it with --salt or "
          "--ion NAME:neutralize"});
  update_costs(result, stages);
  return result;
}

}  // namespace ionwell
