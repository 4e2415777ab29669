// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "placement/field_options.hpp"

namespace ionwell {

/// One for each lattice point (i fastest) that is `distance_A` or more from all sources, zero for others;
/// empty when no point is.
std::vector<std::uint8_t> points_beyond(double distance_A, const Structure& structure,
                                        const LatticeGeometry& lattice, const FieldOptions& field);

}  // namespace ionwell
