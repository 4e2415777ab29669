// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "placement/ion.hpp"

namespace ionwell {

/// Smallest distances; the defaults are the published ones (Stone et al. 2007).
struct ExclusionOptions {
  double ion_solute_A = 5.0;
  double ion_ion_A = 5.0;
};

struct PlacedIon {
  IonSpecies species;
  std::int64_t lattice_index = 0;
  Vec3<double> position_A;
  bool by_chance = false;  // and not by its energy: salt in a box
  double energy_kT =
      0.0;  // charge times the potential of the solute and of the ions placed before; F of a site
  std::optional<double> site_energy_kT;  // E of a site model there (SiteModel), energy_kT being F
  std::optional<double> probability;     // that it is near a site of a crystal, by a learned score
  std::size_t nearest_atom = 0;          // index into the structure
  double nearest_solute_A = 0.0;
  double nearest_ion_A = std::numeric_limits<double>::infinity();  // among all ions placed in the end
};

struct Placement {
  std::vector<PlacedIon> ions;  // in the order of placement
  std::int64_t requested = 0;   // more than ions.size(): no free point was left, or none of low enough energy
  std::optional<double> refused_kT;  // energy of the ion that the limit on energies stopped at
};

/// Throws UsageError for a distance that is negative, infinite or NaN.
void validate(const ExclusionOptions& options);

/// Warnings about distances that are allowed but probably not intended: below 1 A, where ions overlap atoms
/// or each other.
std::vector<std::string> warnings(const ExclusionOptions& options);

/// Whether an ion has no lower energy where it was placed than far away from everything.
inline bool is_repelled(const PlacedIon& ion) {
  return ion.energy_kT > 0.0 && !ion.by_chance && !ion.probability;
}

}  // namespace ionwell
