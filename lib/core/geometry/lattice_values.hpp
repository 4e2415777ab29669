// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "core/vec3.hpp"

namespace ionwell {

/// The points first to first + counts of a lattice, by axis.
struct LatticePart {
  Vec3<std::int64_t> first, counts;

  constexpr std::int64_t size() const { return counts.x * counts.y * counts.z; }

  friend constexpr bool operator==(const LatticePart&, const LatticePart&) = default;
};

/// The values of a lattice that are not in the memory of this process and are read in parts.
class LatticeValues {
 public:
  virtual ~LatticeValues() = default;

  /// Copies one value per point of `part` to `values`, i fastest. Only for the thread that owns the lattice.
  virtual void copy(const LatticePart& part, std::span<float> values) = 0;
};

}  // namespace ionwell
