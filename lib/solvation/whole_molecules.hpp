#pragma once

#include <cstdint>
#include <span>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"

namespace ionwell {

/// Puts together molecules that a simulation left on both sides of a periodic boundary, in place. Bonds are
/// not known: atoms within 2.2 A of each other (1.4 A for hydrogen), by whatever image, belong to one
/// molecule, unless one of them is an ion. Where that joins parts that are apart in the file, all parts are
/// then joined by the shortest of their distances up to 10 A, image by image, and what remains is put next to
/// the largest. A structure with no such parts is not touched. Returns how many atoms were moved. O(atoms), 1
/// s for 250,000.
std::int64_t make_whole(std::span<Atom> atoms, const PeriodicCell& cell);

}  // namespace ionwell
