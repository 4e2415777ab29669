// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "compute/backend.hpp"

namespace ionwell {

/// An empty lattice of the backend that was chosen. Throws Error when a device has not the memory.
std::unique_ptr<MaskedLattice> make_lattice(const BackendChoice& backend, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options);

}  // namespace ionwell
