// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/structure.hpp"

namespace ionwell {

/// A polyanion as folded RNA is one, for measurements without a file: a chain of `residues`, each 32 atoms
/// and -1 e, that wanders about inside an ellipsoid. Coordinates with three decimals, the same every time.
Structure random_walk_polyanion(int residues);

}  // namespace ionwell
