// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/box.hpp"
#include "core/lattice.hpp"

namespace ionwell {

/// The box from a lattice's first to its last point.
inline Box extents(const LatticeGeometry& lattice) {
  const auto& [nx, ny, nz] = lattice.counts;
  return {lattice.origin_A, lattice.position_A(nx - 1, ny - 1, nz - 1)};
}

}  // namespace ionwell
