// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// A bond between atoms of different residues, by their numbers.
struct AtomLink {
  std::uint32_t first = 0, second = 0;

  friend bool operator==(const AtomLink&, const AtomLink&) = default;
};

/// Those of `bonds` whose atoms are in different residues. O(atoms + bonds).
std::vector<AtomLink> links_between_residues(std::span<const Atom> atoms, std::span<const AtomLink> bonds);

/// The links among the atoms that are kept, by their numbers among these; all when `is_kept` is empty.
std::vector<AtomLink> links_of_kept(std::span<const AtomLink> links, std::span<const std::uint8_t> is_kept);

}  // namespace ionwell
