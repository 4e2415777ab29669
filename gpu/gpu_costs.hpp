// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compute/backend.hpp"

namespace ionwell::gpu {

/// What the cost model asks of GPUs: how fast they are and what takes memory. Needs none, nor CUDA.
class GpuCosts : public DeviceBackend {
 public:
  Backend kind() const final { return Backend::gpu; }
  double expected_start_s() const final { return 0.4; }  // 0.2 to 0.4 s (H200, CUDA 13)
  double further_start_s() const final { return 0.1; }   // three more at once: 0.3 s (H100)
  SummationRates rates(const PairPotential& pair) const final;
  DeviceMemory memory() const final;
  DevicePointRates point_rates(const PairPotential& pair) const final;
  DeviceChainRates chain_rates() const final;
};

}  // namespace ionwell::gpu
