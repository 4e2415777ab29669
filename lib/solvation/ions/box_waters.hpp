// SPDX-License-Identifier: BSD-3-Clause
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

}  // namespace ionwell
