// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/structure.hpp"

namespace ionwell {

/// Atoms this close to one before them lie on top of it.
constexpr double overlap_A = 0.01;

struct OverlappingAtoms {
  std::int64_t count = 0;
  std::size_t first = 0, second = 0;  // numbers of the first pair: `second` lies on `first`
};

/// Counts atoms that lie closer than overlap_A to one before them which does not overlap itself. Any number
/// of atoms; O(atoms) on threads, with 8 bytes for each, and up to 48 for each of those that have another
/// within half an Angstrom or so.
OverlappingAtoms find_overlapping_atoms(std::span<const Atom> atoms);

}  // namespace ionwell
