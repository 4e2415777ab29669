// SPDX-License-Identifier: BSD-3-Clause
#include "placement/place_ions.hpp"

#include <cmath>

#include "core/cell_list.hpp"
#include "core/lattice_extents.hpp"
#include "core/periodic/images_near_box.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "placement/periodic_neighbours.hpp"

namespace ionwell {

void find_neighbours(Placement& placement, std::span<const Atom> atoms, int threads,
                     const PeriodicCell* cell) {
  if (cell != nullptr) {
    find_periodic_neighbours(placement.ions, atoms, *cell, thread_count(threads));
    return;
  }
  std::vector<Vec3<double>> atoms_A, ions_A;
  for (const Atom& atom : atoms) atoms_A.push_back(atom.position_A);
  for (const PlacedIon& ion : placement.ions) ions_A.push_back(ion.position_A);
  constexpr double near_atoms_A = 6.0, near_ions_A = 10.0;  // most ions have neighbours nearer than this
  const CellList atom_cells(atoms_A, near_atoms_A), ion_cells(ions_A, near_ions_A);
  parallel_for({thread_count(threads), 64}, std::ssize(ions_A), [&](std::int64_t i) {
    PlacedIon& ion = placement.ions[std::size_t(i)];
    const auto any = [](std::uint32_t) { return true; };
    const auto another = [i](std::uint32_t other) { return other != std::uint32_t(i); };
    const CellList::Nearest atom = atom_cells.nearest(atoms_A, ion.position_A, near_atoms_A, any);
    ion.nearest_atom = atom.number;
    ion.nearest_solute_A = std::sqrt(atom.distance2_A2);
    ion.nearest_ion_A =
        std::sqrt(ion_cells.nearest(ions_A, ion.position_A, near_ions_A, another).distance2_A2);
  });
}

void exclude_around_images(PotentialField& field, const Vec3<double>& position_A, const PeriodicCell& cell,
                           double distance_A) {
  for (const PointImage& image :
       images_near_box({&position_A, 1}, cell, extents(field.lattice()), distance_A))
    field.add_ion({image.position_A, 0.0}, distance_A);
}

Placement place_ions(PotentialField& field, const Structure& structure,
                     const std::vector<IonRequest>& requests, const ExclusionOptions& options,
                     const PlacementSteps& steps, double most_kT, int threads) {
  Placement placement;
  std::vector<PlacedIon>& ions = placement.ions;
  for (const IonRequest& request : requests) placement.requested += request.count;
  const auto put = [&](const PlacedIon& ion) {
    field.add_ion({ion.position_A, ion.species.charge_e}, options.ion_ion_A);
    if (steps.cell != nullptr) exclude_around_images(field, ion.position_A, *steps.cell, options.ion_ion_A);
    ions.push_back(ion);
    if (steps.placed) steps.placed(ions);
  };
  for (const IonRequest& request : requests) {
    for (std::int64_t i = 0; i < request.count; ++i) {
      if (ions.size() < steps.begun.size()) {
        put(steps.begun[ions.size()]);
        continue;
      }
      const std::optional<LowestPoint> point = field.lowest_energy_point(request.species.charge_e);
      const double charge_e = request.species.charge_e;
      if (point && charge_e * point->potential_kT_e > most_kT)
        placement.refused_kT = charge_e * point->potential_kT_e;
      if (!point || placement.refused_kT) {
        find_neighbours(placement, structure.atoms, threads, steps.cell);
        return placement;
      }
      PlacedIon ion;
      ion.species = request.species;
      ion.lattice_index = point->index;
      ion.position_A = field.lattice().position_A(point->index);
      ion.energy_kT = charge_e * point->potential_kT_e;
      put(ion);
    }
  }
  find_neighbours(placement, structure.atoms, threads, steps.cell);
  return placement;
}

}  // namespace ionwell
