// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "electrostatics/potential_source.hpp"
#include "placement/field.hpp"
#include "placement/field_options.hpp"

namespace ionwell {

/// Host memory that a lattice in host memory takes at most, with its search.
std::int64_t host_field_bytes(const LatticeGeometry& lattice, std::size_t charges);

/// A lattice whose values are in host memory. `source` makes what fills it, on the CPU or elsewhere; the
/// search is the CPU's. Throws UsageError when this processor lacks the instructions that `options.simd` asks
/// for.
std::unique_ptr<MaskedLattice> make_host_lattice(const LatticeGeometry& lattice, const PairPotential& pair,
                                                 const FieldOptions& options,
                                                 SourceFactory source = make_cpu_source);

}  // namespace ionwell
