// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "placement/place_ions.hpp"

namespace ionwell {

/// Fills in the nearest atom and the nearest other ion of each ion, by whatever image, once all are placed.
/// O(atoms + ions).
void find_periodic_neighbours(std::span<PlacedIon> ions, std::span<const Atom> atoms,
                              const PeriodicCell& cell, int threads);

}  // namespace ionwell
