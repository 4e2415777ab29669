// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "electrostatics/potential_source.hpp"
#include "gpu/electrostatics/device_sum.hpp"

/// Blocks handed out to devices, some at a time, to whichever has nothing to do. Values do not depend on who
/// computed them.
namespace ionwell::gpu {

/// values += potential, for blocks on the first of `devices`, the current one; the others bring theirs back
/// to it. `charges_d` are the charges there. `untouched`: all values are 0.
void distribute(const DeviceBlocks& blocks, bool untouched, std::span<const int> devices,
                const ChargeSum& potential, const PointCharge* charges_d, const Progress& progress);

/// The same for blocks in host memory, at most `blocks_at_once` at a time (0: the usual number).
void distribute(const HostBlocks& blocks, std::int64_t blocks_at_once, std::span<const int> devices,
                const ChargeSum& potential, const Progress& progress);

}  // namespace ionwell::gpu
