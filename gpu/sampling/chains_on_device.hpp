// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "sampling/device_chains.hpp"

namespace ionwell::gpu {

/// DeviceChains on CUDA's device `ordinal`: a thread block for each replica. Throws as
/// DeviceBackend::make_chains does.
std::unique_ptr<DeviceChains> chains_on_device(int ordinal, ChainProblem problem);

}  // namespace ionwell::gpu
