#include "placement/place_ions.hpp"

#include <cmath>

#include "core/error.hpp"
#include "potential/cell_list.hpp"

namespace ionwell {
namespace {

void require_distance(const char* option, double distance_A) {
  if (!(distance_A >= 0.0 && std::isfinite(distance_A)))
    fail<UsageError>(option, " is ", distance_A, " A (a distance must not be negative); 5 is usual");
}

}  // namespace

void find_neighbours(Placement& placement, std::span<const Atom> atoms) {
  std::vector<Vec3<double>> positions;
  for (const Atom& atom : atoms) positions.push_back(atom.position_A);
  constexpr double usual_A = 6.0;  // most ions have an atom nearer than this
  const CellList cells(positions, usual_A);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < placement.ions.size(); ++i) {
    PlacedIon& ion = placement.ions[i];
    double nearest2 = std::numeric_limits<double>::infinity();
    // An atom that is farther away than what was searched may not be the nearest.
    for (double searched_A = 0.0; nearest2 > searched_A * searched_A;) {
      searched_A = std::max(usual_A, 2 * searched_A);
      cells.near({ion.position_A, ion.position_A}, searched_A, [&](std::uint32_t a) {
        const double d2 = distance_squared(positions[a], ion.position_A);
        if (d2 < nearest2 || (d2 == nearest2 && a < ion.nearest_atom)) {
          nearest2 = d2;
          ion.nearest_atom = a;
        }
      });
    }
    ion.nearest_solute_A = std::sqrt(nearest2);
    nearest2 = std::numeric_limits<double>::infinity();
    for (const PlacedIon& other : placement.ions)
      if (&other != &ion) nearest2 = std::min(nearest2, distance_squared(other.position_A, ion.position_A));
    ion.nearest_ion_A = std::sqrt(nearest2);
  }
}

void validate(const ExclusionOptions& options) {
  require_distance("--ion-solute", options.ion_solute_A);
  require_distance("--ion-ion", options.ion_ion_A);
}

Placement place_ions(PotentialField& field, const Structure& structure,
                     const std::vector<IonRequest>& requests, const ExclusionOptions& options,
                     const std::function<void(std::int64_t)>& progress, double most_kT) {
  Placement placement;
  for (const IonRequest& request : requests) placement.requested += request.count;
  for (const IonRequest& request : requests) {
    for (std::int64_t i = 0; i < request.count; ++i) {
      const std::optional<Site> site = field.lowest_energy_point(request.species.charge_e);
      const double charge_e = request.species.charge_e;
      if (site && charge_e * site->potential_kT_e > most_kT)
        placement.refused_kT = charge_e * site->potential_kT_e;
      if (!site || placement.refused_kT) {
        find_neighbours(placement, structure.atoms);
        return placement;
      }
      PlacedIon ion;
      ion.species = request.species;
      ion.lattice_index = site->index;
      ion.position_A = field.lattice().position_A(site->index);
      ion.energy_kT = charge_e * site->potential_kT_e;
      field.add_ion({ion.position_A, ion.species.charge_e}, options.ion_ion_A);
      placement.ions.push_back(ion);
      if (progress) progress(std::int64_t(placement.ions.size()));
    }
  }
  find_neighbours(placement, structure.atoms);
  return placement;
}

}  // namespace ionwell
