#pragma once

#include <optional>

#include "core/lattice.hpp"

namespace ionwell {

/// The lattice as a user asks for it: a border around the solute, or a box in its place.
struct LatticeRequest {
  std::optional<double> spacing_A;  // not given: LatticeOptions' default, or that of the maps to place in
  std::optional<double> border_A;   // not given: LatticeOptions' default, or where the maps end
  std::optional<Box> box;
};

/// Throws UsageError for a spacing, border or box that no solute could make sense of.
void validate(const LatticeRequest& request);

/// The lattice for this solute, where no map decides. Throws UsageError when the box misses it.
LatticeGeometry choose_lattice(const Structure& structure, const LatticeRequest& request);

}  // namespace ionwell
