// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "gpu/electrostatics/multilevel.hpp"
#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace ionwell::gpu {

/// What is to be added to a lattice: the direct sum of charges or, with a plan, their multilevel sum.
struct ChargeSum {
  PairPotential pair;
  std::span<const PointCharge> charges;  // host memory
  const MultilevelPlan* plan = nullptr;
  bool short_range = true;  // with a plan; see DeviceMultilevel
};

/// The charges that count: not those whose potential at 1 A is below 1e-12 kT/e.
std::vector<PointCharge> counted(const PairPotential& pair, std::span<const PointCharge> charges);

/// A potential, ready to be added to any blocks in the memory of one device: the one that is current when it
/// is made. The values do not depend on the device, or on which blocks come together.
class DeviceSum {
 public:
  /// For blocks of `lattice`, `all_blocks` of them in the end. `charges_d` are the charges where the device
  /// has them already; otherwise they are copied there.
  DeviceSum(const LatticeGeometry& lattice, std::int64_t all_blocks, const ChargeSum& potential,
            const PointCharge* charges_d);

  void add_to(const DeviceBlocks& blocks, cudaStream_t stream) const;

 private:
  PairPotential pair_;
  std::int64_t count_;
  int direct_parts_;
  Stream stream_;
  DeviceBuffer<PointCharge> charges_;
  const PointCharge* charges_d_;
  std::optional<DeviceMultilevel> multilevel_;
};

}  // namespace ionwell::gpu
