// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compute/backend.hpp"

namespace ionwell::gpu {

/// Seconds, of an H100 with CUDA 13: three more that are started at once take 0.3, and where four are looked
/// for it takes 0.9, in place of 0.2 for one.
constexpr double further_started_s = 0.1, further_seen_s = 0.24;

/// What the cost model asks of GPUs: how fast they are and what takes memory. Needs none, nor CUDA.
class GpuCosts : public DeviceBackend {
 public:
  Backend kind() const final { return Backend::gpu; }
  double expected_start_s() const final { return 0.4; }  // 0.2 to 0.4 s (H200, CUDA 13)
  SummationRates rates(const PairPotential& pair) const final;
  DeviceMemory memory() const final;
  DevicePointRates point_rates(const PairPotential& pair) const final;
  DeviceChainRates chain_rates() const final;
};

}  // namespace ionwell::gpu
