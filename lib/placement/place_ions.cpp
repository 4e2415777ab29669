#include "placement/place_ions.hpp"

#include <cmath>

#include "core/error.hpp"

namespace ionwell {
namespace {

void require_distance(const char* option, double distance_A) {
  if (!(distance_A >= 0.0 && std::isfinite(distance_A)))
    fail<UsageError>(option, " is ", distance_A, " A (a distance must not be negative); 5 is usual");
}

/// Fills in who is nearest to each ion, once all are placed.
void find_neighbours(Placement& placement, const std::vector<Atom>& atoms) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < placement.ions.size(); ++i) {
    PlacedIon& ion = placement.ions[i];
    double nearest2 = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < atoms.size(); ++a) {
      const double d2 = distance_squared(atoms[a].position_A, ion.position_A);
      if (d2 < nearest2) {
        nearest2 = d2;
        ion.nearest_atom = a;
      }
    }
    ion.nearest_solute_A = std::sqrt(nearest2);
    nearest2 = std::numeric_limits<double>::infinity();
    for (const PlacedIon& other : placement.ions)
      if (&other != &ion) nearest2 = std::min(nearest2, distance_squared(other.position_A, ion.position_A));
    ion.nearest_ion_A = std::sqrt(nearest2);
  }
}

}  // namespace

void validate(const ExclusionOptions& options) {
  require_distance("--ion-solute", options.ion_solute_A);
  require_distance("--ion-ion", options.ion_ion_A);
}

Placement place_ions(PotentialField& field, const Structure& structure,
                     const std::vector<IonRequest>& requests, const ExclusionOptions& options,
                     const std::function<void(std::int64_t)>& progress) {
  Placement placement;
  for (const IonRequest& request : requests) placement.requested += request.count;
  for (const IonRequest& request : requests) {
    for (std::int64_t i = 0; i < request.count; ++i) {
      const std::optional<Site> site = field.lowest_energy_point(request.species.charge_e);
      if (!site) {
        find_neighbours(placement, structure.atoms);
        return placement;
      }
      PlacedIon ion;
      ion.species = request.species;
      ion.lattice_index = site->index;
      ion.position_A = field.lattice().position_A(site->index);
      ion.energy_kT = request.species.charge_e * site->potential_kT_e;
      field.add_ion({ion.position_A, ion.species.charge_e}, options.ion_ion_A);
      placement.ions.push_back(ion);
      if (progress) progress(std::int64_t(placement.ions.size()));
    }
  }
  find_neighbours(placement, structure.atoms);
  return placement;
}

}  // namespace ionwell
