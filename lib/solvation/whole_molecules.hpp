// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// Puts together molecules that a simulation left on both sides of a periodic boundary, in place. Only bonds
/// that residues and the links of a topology tell of (ResidueBonds) show that something is broken. Where one
/// of them joins parts that are apart in the file, all parts are then joined by the shortest of their
/// distances up to 10 A, image by image, and what remains is put next to the largest. A structure with no
/// such parts is not touched. The cell must be a simulation's: in a crystal's, neighbours are other
/// molecules. Returns how many atoms were moved. O(atoms), 1 s for 250,000.
std::int64_t make_whole(std::span<Atom> atoms, const PeriodicCell& cell,
                        std::span<const AtomLink> links = {});

}  // namespace ionwell
