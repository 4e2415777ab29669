// SPDX-License-Identifier: BSD-3-Clause
#include "compute/poisson_boltzmann/focused_pb.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "compute/poisson_boltzmann/plane_exchange.hpp"
#include "compute/poisson_boltzmann/rank_coefficients.hpp"
#include "electrostatics/poisson_boltzmann/model/points_around.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_check.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

PbModelOptions with_boundary(PbModelOptions options, BoundaryKind boundary) {
  options.boundary = boundary;
  return options;
}

/// Null where ranks have the lattices: each needs another part of the surface.
std::shared_ptr<const SolventExcluded> surface_of(const OwnPbCalculation& calculation,
                                                  std::span<const Atom> atoms, const PbRanks& ranks) {
  if (ranks.group != nullptr) return nullptr;
  return common_surface(calculation.model.dielectric, atoms,
                        std::array{calculation.outer, calculation.lattice},
                        thread_count(calculation.solver.threads));
}

LatticeGeometry slab_of(const LatticeGeometry& lattice, const LevelPlanes& planes) {
  return lattice.slab(planes.first, planes.count);
}

LatticeGeometry slab_here(const LatticeGeometry& lattice, const std::vector<LevelPlanes>& planes,
                          const RankGroup* group) {
  return group != nullptr ? slab_of(lattice, planes[std::size_t(group->rank())]) : lattice;
}

/// By all ranks, where there are some.
SetCoefficients coefficients_by(RankGroup* group, const std::vector<LevelPlanes>& planes) {
  if (group == nullptr) return {};
  return
      [group, &planes](const PbModelOptions& options, std::span<const Atom> atoms, int threads,
                       PbSystem* slab) { set_coefficients(*group, planes, options, atoms, threads, slab); };
}

/// The same, when every rank's slab is an equation's.
PbSystem& checked(PbSystem& system, int threads, RankGroup* group) {
  if (group != nullptr) all_or_none(*group, [&] { check_system(system, threads); });
  return system;
}

/// Of all charges, those that a rank knows the potential of: it has the first plane that they come to.
std::vector<std::vector<std::size_t>> charges_of_ranks(std::span<const Atom> atoms,
                                                       const LatticeGeometry& lattice,
                                                       ChargeAssignment charges, const PlanesOfRanks& own) {
  std::vector<std::vector<std::size_t>> of_ranks(own.size());
  for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
    if (atoms[atom].charge_e == 0.0) continue;
    const PlaneSpan planes = planes_of_charge(lattice, atoms[atom].position_A, charges);
    if (planes.count() <= 0) continue;
    for (std::size_t rank = 0; rank < own.size(); ++rank)
      if (own[rank].begin <= planes.begin && planes.begin < own[rank].end) of_ranks[rank].push_back(atom);
  }
  return of_ranks;
}

}  // namespace

std::vector<float>& array_of(PbSystem& system, PbArray which) {
  switch (which) {
    case PbArray::eps_x:
      return system.eps_x;
    case PbArray::eps_y:
      return system.eps_y;
    case PbArray::eps_z:
      return system.eps_z;
    case PbArray::accessibility:
      return system.accessibility;
    case PbArray::charge:
      return system.charge_e;
    case PbArray::potential:
      break;
  }
  return system.boundary_kT_e;
}

FocusedPb::Part::Part(const LatticeGeometry& whole, std::span<const Atom> atoms,
                      const PbModelOptions& options, const PbSolverOptions& solver_options,
                      const MakePbVectors& make, const SolventExcluded* surface, RankGroup* group,
                      std::vector<LevelPlanes> planes_of_ranks)
    : lattice(whole),
      planes(std::move(planes_of_ranks)),
      model(slab_here(whole, planes, group), atoms, options, thread_count(solver_options.threads), surface,
            coefficients_by(group, planes)),
      solver(checked(model.system(), thread_count(solver_options.threads), group), solver_options, make) {}

void FocusedPb::Part::add(std::span<const Atom> added, RankGroup* group) {
  if (added.empty()) return;
  std::vector<PointBox> boxes;
  if (group == nullptr)
    boxes = model.add(added);
  else
    all_or_none(*group, [&] { boxes = model.add(added); });
  for (const PointBox& changed : boxes) solver.update(changed);
}

FocusedPb::FocusedPb(const OwnPbCalculation& calculation, std::span<const Atom> atoms,
                     const MakePbVectors& make, PbRanks ranks)
    : FocusedPb(calculation, atoms, make, ranks, surface_of(calculation, atoms, ranks)) {}

FocusedPb::FocusedPb(const OwnPbCalculation& calculation, std::span<const Atom> atoms,
                     const MakePbVectors& make, PbRanks ranks,
                     const std::shared_ptr<const SolventExcluded>& surface)
    : ranks_(std::move(ranks)),
      charges_(calculation.model.charges),
      threads_(thread_count(calculation.solver.threads)),
      outer_(calculation.outer, atoms, calculation.model, calculation.solver, make, surface.get(),
             ranks_.group, ranks_.outer),
      inner_(calculation.lattice, atoms, with_boundary(calculation.model, BoundaryKind::focused),
             calculation.solver, make, surface.get(), ranks_.group, ranks_.inner) {}

void FocusedPb::add(std::span<const Atom> added) {
  outer_.add(added, ranks_.group);
  inner_.add(added, ranks_.group);
}

std::span<float> FocusedPb::own_solution(Part& part) const {
  const LevelPlanes& planes = part.planes[rank()];
  const std::size_t plane = std::size_t(part.lattice.index(0, 0, 1));
  return std::span(part.model.system().boundary_kT_e)
      .subspan(plane * std::size_t(planes.own.begin), plane * std::size_t(planes.own.count()));
}

void FocusedPb::focus() {
  if (ranks_.group == nullptr) return inner_.model.focus(outer_.lattice, outer_.model.system().boundary_kT_e);
  PlanesOfRanks wanted;
  for (const LevelPlanes& planes : inner_.planes)
    wanted.push_back(planes_to_focus_from(outer_.lattice, slab_of(inner_.lattice, planes)));
  const PlaneSpan mine = wanted[rank()];
  const LatticeGeometry slab = outer_.lattice.slab(mine.begin, mine.count());
  LargeArray<float> memory;
  all_or_none(*ranks_.group, [&] { memory = LargeArray<float>(std::size_t(slab.size())); });
  const std::span<float> potential_kT_e(memory.data(), memory.size());
  exchange_planes<float>(*ranks_.group, own_planes(outer_.planes), wanted, slab.index(0, 0, 1),
                         own_solution(outer_), potential_kT_e);
  inner_.model.focus(slab, potential_kT_e);
}

PbConvergence FocusedPb::solve(const Progress& progress, const TellResidual& residual) {
  const double outer_points = double(outer_.lattice.size()), inner_points = double(inner_.lattice.size());
  const double outer_part = outer_points / (outer_points + inner_points);
  const PbConvergence first =
      outer_.solver.solve([&](double part) { progress(outer_part * part); }, residual);
  focus();
  PbConvergence both =
      inner_.solver.solve([&](double part) { progress(outer_part + (1.0 - outer_part) * part); }, residual);
  both.residual = std::max(both.residual, first.residual);
  both.iterations += first.iterations;
  both.newton_steps += first.newton_steps;
  return both;
}

ImportedMap FocusedPb::potential(bool may_stay_on_device, int threads, HostWorkspace& room) {
  const std::optional<DeviceValues> on_device = inner_.solver.solution_on_device();
  if (on_device && may_stay_on_device) return {.values_kT_e = {}, .on_device = on_device};
  const std::span<const float> values_kT_e = system().boundary_kT_e;
  room.fit(inner_.lattice.counts);
  double* const to_kT_e = room.potential().data();
  parallel_for({threads}, std::ssize(values_kT_e),
               [&](std::int64_t p) { to_kT_e[p] = double(values_kT_e[std::size_t(p)]); });
  return {.values_kT_e = {to_kT_e, values_kT_e.size()}};
}

LargeArray<double> FocusedPb::values_in(std::span<const LatticeGeometry> slabs) {
  RankGroup& group = *ranks_.group;
  PlanesOfRanks wanted;
  for (const LatticeGeometry& slab : slabs)
    wanted.push_back({int(slab.first_plane), int(slab.first_plane + slab.counts.z)});
  const PlanesOfRanks own = own_planes(inner_.planes);
  const std::int64_t plane = inner_.lattice.index(0, 0, 1);
  const std::size_t size = std::size_t(slabs[rank()].size());
  LargeArray<double> values;
  if (ranks_.owner != nullptr) {
    LargeArray<double> mine;
    all_or_none(group, [&] {
      values = LargeArray<double>(size);
      mine = LargeArray<double>(std::size_t(plane * own[rank()].count()));
      if (mine.size() == 0) return;
      const DeviceValues on_device = inner_.solver.solution_on_device().value();
      ranks_.owner->copy_to_host(on_device.ordinal,
                                 on_device.values + plane * inner_.planes[rank()].own.begin,
                                 std::as_writable_bytes(std::span(mine.data(), mine.size())));
    });
    exchange_planes<double>(group, own, wanted, plane, {mine.data(), mine.size()}, {values.data(), size});
    return values;
  }
  LargeArray<float> rounded;
  all_or_none(group, [&] {
    values = LargeArray<double>(size);
    rounded = LargeArray<float>(size);
  });
  exchange_planes<float>(group, own, wanted, plane, own_solution(inner_), {rounded.data(), size});
  parallel_for({threads_}, std::int64_t(size),
               [&](std::int64_t p) { values[std::size_t(p)] = double(rounded[std::size_t(p)]); });
  return values;
}

template <typename Array>
Array FocusedPb::values_of(Part& part, PbArray which) const {
  std::vector<float>& here = array_of(part.model.system(), which);
  const bool is_first = ranks_.group == nullptr || rank() == 0;
  Array all;
  const auto take_room = [&] { all = Array(is_first ? std::size_t(part.lattice.size()) : std::size_t{0}); };
  if (ranks_.group == nullptr) {
    take_room();
    std::copy(here.begin(), here.end(), all.data());
    return all;
  }
  all_or_none(*ranks_.group, take_room);
  const std::int64_t plane = part.lattice.index(0, 0, 1);
  const LevelPlanes& planes = part.planes[rank()];
  const std::span<float> own =
      std::span(here).subspan(std::size_t(plane * planes.own.begin), std::size_t(plane * planes.own.count()));
  exchange_planes<float>(*ranks_.group, own_planes(part.planes),
                         planes_of_first(part.lattice.counts.z, ranks_.group->count()), plane, own,
                         {all.data(), all.size()});
  return all;
}

FocusedPb::Solutions FocusedPb::solutions_kT_e() {
  Solutions both;
  both.outer = values_of<std::vector<float>>(outer_, PbArray::potential);
  both.inner = values_of<std::vector<float>>(inner_, PbArray::potential);
  return both;
}

void FocusedPb::start_from(Part& part, std::vector<float> solution_kT_e) const {
  std::vector<float>& here = part.model.system().boundary_kT_e;
  if (ranks_.group == nullptr) {
    std::copy(solution_kT_e.begin(), solution_kT_e.end(), here.begin());
    return;
  }
  exchange_planes<float>(*ranks_.group, planes_of_first(part.lattice.counts.z, ranks_.group->count()),
                         all_planes(part.planes), part.lattice.index(0, 0, 1), solution_kT_e, here);
}

void FocusedPb::start_from(Solutions solutions_kT_e) {
  start_from(outer_, std::move(solutions_kT_e.outer));
  start_from(inner_, std::move(solutions_kT_e.inner));
}

double FocusedPb::charge_energy_kT() {
  if (ranks_.group == nullptr) return inner_.model.charge_energy_kT(system().boundary_kT_e);
  RankGroup& group = *ranks_.group;
  const PlanesOfRanks own = own_planes(inner_.planes);
  PlanesOfRanks wanted = own;  // and what a charge that comes to the last of them comes to
  for (PlaneSpan& planes : wanted)
    if (planes.count() > 0)
      planes.end = std::min(planes.end + highest_spline_degree, int(inner_.lattice.counts.z));
  const LatticeGeometry slab = inner_.lattice.slab(wanted[rank()].begin, wanted[rank()].count());
  LargeArray<float> memory;
  all_or_none(group, [&] { memory = LargeArray<float>(std::size_t(slab.size())); });
  const std::span<float> potential_kT_e(memory.data(), memory.size());
  exchange_planes<float>(group, own, wanted, slab.index(0, 0, 1), own_solution(inner_), potential_kT_e);

  const std::vector<std::vector<std::size_t>> of_ranks =
      charges_of_ranks(atoms(), inner_.lattice, charges_, own);
  std::vector<std::size_t> bytes;
  for (const std::vector<std::size_t>& charges : of_ranks) bytes.push_back(charges.size() * sizeof(double));
  const auto first_of = [&](std::size_t of) {
    return std::accumulate(bytes.begin(), bytes.begin() + std::ptrdiff_t(of), std::size_t{0}) /
           sizeof(double);
  };
  std::vector<double> potentials_kT_e(first_of(of_ranks.size()));
  std::size_t at = first_of(rank());
  for (const std::size_t atom : of_ranks[rank()])
    potentials_kT_e[at++] = assigned_potential(potential_kT_e, slab, atoms()[atom].position_A, charges_);
  group.all_gather(std::as_writable_bytes(std::span(potentials_kT_e)), bytes);
  std::vector<double> of_atoms_kT_e(atoms().size());
  at = 0;
  for (const std::vector<std::size_t>& charges : of_ranks)
    for (const std::size_t atom : charges) of_atoms_kT_e[atom] = potentials_kT_e[at++];
  double sum = 0.0;  // in the order of one process
  for (std::size_t atom = 0; atom < of_atoms_kT_e.size(); ++atom)
    if (atoms()[atom].charge_e != 0.0) sum += atoms()[atom].charge_e * of_atoms_kT_e[atom];
  return 0.5 * sum;
}

}  // namespace ionwell
