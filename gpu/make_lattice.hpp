// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "compute/backend.hpp"

namespace ionwell::gpu {

/// A lattice laid out as `layout` says, whose devices are as CUDA counts and at least one. The ions do not
/// depend on it; values differ by fp32 rounding at most. Throws Error when a device has not the memory.
std::unique_ptr<MaskedLattice> make_lattice(const FieldLayout& layout, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options);

}  // namespace ionwell::gpu
