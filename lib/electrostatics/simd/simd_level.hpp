// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/instruction_set.hpp"

/// Inner loops are compiled once for each instruction set, from one source, and chosen at run time: tables of
/// functions (direct_kernels.hpp, grid_kernels.hpp, lattice/mask_kernels.hpp,
/// placement/simd/bound_kernels.hpp). They take plain arrays only: a source compiled for AVX-512 must not
/// leave inline library code behind that the linker could give to the rest of the program.
namespace ionwell {

/// `level`, or what `automatic` stands for. Throws UsageError when this processor lacks instructions that the
/// level may use.
SimdLevel usable_simd_level(SimdLevel level);

/// Whether the kernels of a level are in this build and a processor with these SimdFeature bits runs them.
bool runs_on(SimdLevel level, std::uint32_t features);

/// In a source that is compiled for each level: the name of its own table.
#define IONWELL_JOIN_NAMES(name, level) name##_##level
#define IONWELL_JOIN(name, level) IONWELL_JOIN_NAMES(name, level)
#define IONWELL_OF_LEVEL(name) IONWELL_JOIN(name, IONWELL_SIMD_LEVEL)

}  // namespace ionwell
