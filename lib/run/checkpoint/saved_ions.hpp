#pragma once

#include <span>
#include <vector>

#include "core/lattice.hpp"
#include "placement/ion.hpp"
#include "placement/place_ions.hpp"
#include "run/checkpoint/saved_state.hpp"

namespace ionwell {

/// Puts positions, energies and lattice points of ions into a state.
void save_ions(SavedState& state, std::span<const PlacedIon> ions);

/// The ions of a state, which are the first of `requests`. Throws DamagedState for more than were asked for, and for
/// points that the lattice has not.
std::vector<PlacedIon> saved_ions(const SavedState& state, const std::vector<IonRequest>& requests,
                                  const LatticeGeometry& lattice);

}  // namespace ionwell
