// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ionwell {

/// Where the field is stored and computed. `automatic` uses a GPU if there is one and the work is worth its
/// start-up time.
enum class Backend { automatic, cpu, gpu };

/// "auto", "cpu", "gpu": as on the command line and in the report.
std::string_view to_string(Backend backend);

struct BackendOptions {
  Backend backend = Backend::automatic;
  std::vector<int> devices;       // by number; empty: the first one
  std::int64_t memory_bytes = 0;  // of each device that may be used; 0: what is free
};

/// What holds the lattice: the first device; several devices, one slab each; or the host, from which the
/// devices compute slab after slab.
enum class LatticeOn { device, devices, host };

/// "device", "devices", "host": as in the report.
std::string_view to_string(LatticeOn place);

}  // namespace ionwell
