// SPDX-License-Identifier: BSD-3-Clause
#include "compute/hand_over.hpp"

#include <algorithm>

namespace ionwell {

BackendOptions without(const BackendOptions& options, const DeviceFailure& failure) {
  BackendOptions rest = options;
  const auto failed = std::find(rest.devices.begin(), rest.devices.end(), failure.device);
  if (failed != rest.devices.end() && rest.devices.size() > 1) {
    rest.devices.erase(failed);
    return rest;
  }
  return {.backend = Backend::cpu, .devices = {}, .memory_bytes = 0};
}

std::string handed_over_text(const DeviceFailure& failure, const BackendOptions& rest) {
  std::string text = failure.reason + "; its work continues on ";
  if (rest.devices.empty()) return text + "the CPU";
  text += rest.devices.size() == 1 ? "GPU " : "GPUs ";
  for (const int device : rest.devices)
    text += (device == rest.devices.front() ? "" : ",") + std::to_string(device);
  return text;
}

}  // namespace ionwell
