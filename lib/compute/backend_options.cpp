// SPDX-License-Identifier: BSD-3-Clause
#include "compute/backend_options.hpp"

namespace ionwell {

std::string_view to_string(Backend backend) {
  switch (backend) {
    case Backend::automatic:
      return "auto";
    case Backend::cpu:
      return "cpu";
    case Backend::gpu:
      return "gpu";
  }
  return "unknown";
}

std::string_view to_string(LatticeOn place) {
  switch (place) {
    case LatticeOn::device:
      return "device";
    case LatticeOn::devices:
      return "devices";
    case LatticeOn::host:
      return "host";
  }
  return "unknown";
}

}  // namespace ionwell
