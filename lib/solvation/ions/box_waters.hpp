#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// A water among the atoms of a box: atoms [begin, end), and its oxygen.
struct BoxWater {
  std::uint32_t begin = 0, end = 0, oxygen = 0;
  std::uint32_t run = 0;  // waters that follow each other in one chain and segment
};

/// The waters of a structure, in their order, virtual sites and all. Throws Error for a water without an
/// oxygen. O(atoms).
std::vector<BoxWater> find_waters(std::span<const Atom> atoms);

/// Whether the waters of a box, and not those of a crystal, fill it: at 30 A^3 each they take a fifth of the
/// cell or more. Simulated membranes have a third, crystals' waters a twentieth of the crystal's cell.
bool fills_box(std::int64_t waters, double cell_A3);

}  // namespace ionwell
