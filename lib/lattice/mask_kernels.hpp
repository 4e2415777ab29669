// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/block_frame.hpp"
#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {

/// The inner loop of the mask; plain arrays, see simd_level.hpp.
struct MaskKernels {
  /// Clears the bits of the points with d^2 <= `limit_A2` from any of `count` centres (x, y, z in turn), in
  /// fp64; `available` are the 512 bits of a block. Returns false when no point is left. Fastest with the
  /// nearest centres first.
  bool (*exclude)(const BlockFrame& frame, const double* centres_A, std::size_t count, double limit_A2,
                  std::uint64_t* available);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const MaskKernels& mask_kernels(SimdLevel level);

}  // namespace ionwell
