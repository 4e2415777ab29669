// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "placement/at_points/ion_action.hpp"
#include "placement/at_points/point_estimates.hpp"
#include "placement/place_ions.hpp"
#include "solvation/ions/box_options.hpp"
#include "solvation/ions/replaceable_waters.hpp"

namespace ionwell {

/// Ions that took the places of waters.
struct BoxPlacement {
  Placement placement;                  // PlacedIon::lattice_index is the number of the replaced water
  std::vector<std::uint32_t> replaced;  // numbers of waters, by ion
  SaltCounts salt;                      // without salts: no ions
  std::int64_t groups_updated = 0;      // see ScatteredPoints
  std::int64_t exact_sums = 0;
  std::string note;  // ScatteredPoints::note
};

/// What placing needs besides the box.
struct BoxTask {
  const SolvatedBox& box;
  const ReplaceableWaters& waters;
  const std::vector<double>& potential_kT_e;  // at each water's oxygen, of all that acts
  const IonAction& action;                    // of the ions, in the same surroundings
  double tie_kT_e;                            // energies of unit charges this near are equal
  const std::vector<IonRequest>& requests;    // to be placed by energy, before the salt
  SaltCounts salt;                            // of the options' salts: salt_of
  const ExclusionOptions& exclusion;
  const BoxOptions& options;
  double most_kT = std::numeric_limits<double>::infinity();  // stop before an ion of a higher energy
  int threads = 1;
  SimdLevel simd = SimdLevel::automatic;
  EstimatesMaker estimates;          // ScatteredOptions::estimates
  std::span<const PlacedIon> begun;  // the first ions, that another process has placed: waters and energies
};

/// How many ions of the options' salts go into a box, which may have some already, after those that are
/// requested; `charge_e` is that of all that is in it. Throws UsageError for salts that cannot be counted.
SaltCounts salt_of(const SolvatedBox& box, const ReplaceableWaters& waters,
                   const std::vector<IonRequest>& requests, const BoxOptions& options, double charge_e);

/// Puts the requested ions, then the salt's counter-ions and the bulk salt, in the places of waters: by
/// energy, each where its energy is lowest among all replaceable waters; at random, anywhere among those
/// left. An oxygen's position is the ion's. Stops early when no water is left, or when an ion's energy would
/// be above `most_kT`. What chance chooses depends on the seed alone. Throws what `placed` throws, which gets
/// all ions so far for each one more, some time after it was placed.
BoxPlacement place_in_box(const BoxTask& task, const std::function<void(std::span<const PlacedIon>)>& placed);

}  // namespace ionwell
