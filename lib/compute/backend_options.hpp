#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ionwell {

/// Where the field is kept and computed. `automatic` takes a GPU when there is one and the work pays for
/// starting it.
enum class Backend { automatic, cpu, gpu };

/// "auto", "cpu", "gpu": as the command line and the report call it.
std::string_view to_string(Backend backend);

struct BackendOptions {
  Backend backend = Backend::automatic;
  std::vector<int> devices;       // by number; empty: the first one
  std::int64_t memory_bytes = 0;  // of each device that may be used; 0: what is free
};

/// Who holds the lattice: the first device; several, a slab each; or the host, and slabs go through the
/// devices.
enum class LatticeOn { device, devices, host };

/// "device", "devices", "host": as the report calls it.
std::string_view to_string(LatticeOn place);

}  // namespace ionwell
