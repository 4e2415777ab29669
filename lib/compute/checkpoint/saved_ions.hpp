// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "compute/checkpoint/checkpoint.hpp"
#include "core/lattice.hpp"
#include "core/state/saved_state.hpp"
#include "placement/ion.hpp"
#include "placement/place_ions.hpp"

namespace ionwell {

/// Puts positions, energies and lattice points of ions into a state.
void save_ions(SavedState& state, std::span<const PlacedIon> ions);

/// Whether a state has ions: that of a sum before them has none.
bool has_saved_ions(const SavedState& state);

/// The ions of a state, but for their species. Throws DamagedState for points that are not below `points`.
std::vector<PlacedIon> saved_ions(const SavedState& state, std::int64_t points);

/// The ions of a state, which are the first of `requests`. Throws DamagedState for more than were requested.
std::vector<PlacedIon> saved_ions(const SavedState& state, const std::vector<IonRequest>& requests,
                                  const LatticeGeometry& lattice);

/// The ions of a placement that a checkpoint saves, as they are placed.
class SavedPlacement {
 public:
  /// `begun` are those that it continues from. `checkpoint` may be null, and then nothing is done.
  SavedPlacement(Checkpoint* checkpoint, std::vector<PlacedIon> begun)
      : is_saved_(checkpoint != nullptr), ions_(std::move(begun)), part_(checkpoint, [this] {
          SavedState state;
          save_ions(state, ions_);
          return state;
        }) {}

  void take(std::span<const PlacedIon> placed) {
    if (is_saved_ && placed.size() > ions_.size()) ions_.push_back(placed.back());
  }

 private:
  bool is_saved_;
  std::vector<PlacedIon> ions_;
  Checkpoint::Part part_;
};

void save_lattice(SavedState& state, const LatticeGeometry& lattice);

/// Throws DamagedState for one without points or spacing.
LatticeGeometry saved_lattice(const SavedState& state);

}  // namespace ionwell
