// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "core/lattice.hpp"

namespace ionwell {

/// The lattice that a user requests: a border around the solute, or a box instead.
struct LatticeRequest {
  std::optional<double> spacing_A;  // not given: LatticeOptions' default, or that of the maps to place in
  std::optional<double> border_A;   // not given: LatticeOptions' default, or where the maps end
  std::optional<Box> box;
};

/// Throws UsageError for a spacing, border or box that is invalid for any solute.
void validate(const LatticeRequest& request);

/// The lattice for this solute if no map determines it. Throws UsageError if the box does not overlap the
/// solute.
LatticeGeometry choose_lattice(const Structure& structure, const LatticeRequest& request);

}  // namespace ionwell
