// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "compute/backend.hpp"
#include "compute/backend_options.hpp"
#include "compute/cost_model.hpp"

namespace ionwell {

/// backend.devices(), of which those that do not pay are hidden first where that can be (show_only).
const DeviceList& devices_for(const DeviceBackend& backend, const BackendOptions& options,
                              const FieldDemand& demand);

/// Starts the devices that the options name, or the first, of some that there are; of several only as many as
/// take the least time with their start, or all where the first has not the memory. Throws Error for a device
/// that does not start, UsageError for one that is not there.
std::vector<Device> started_devices(const DeviceBackend& backend, const BackendOptions& options,
                                    const FieldDemand& demand);

}  // namespace ionwell
