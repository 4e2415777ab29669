// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/block.hpp"

/// What blocks take on their way through a device; plain C++.
namespace ionwell {

/// The values of a block.
constexpr std::int64_t value_bytes_per_block = std::int64_t{sizeof(float)} * block_points;

/// Blocks that go through a device together: enough to fill it, few enough that all devices end together.
constexpr std::int64_t usual_direct_blocks = 2048, usual_multilevel_blocks = 8192;
/// So many times over, so that copies and sums overlap.
constexpr int block_lanes = 4;

}  // namespace ionwell
