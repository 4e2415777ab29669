// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace ionwell {

/// A device did not do its work: it had no memory left, a kernel did not start, it is gone. Another device,
/// or the host, can do it.
struct DeviceFailure : Error {
  /// `reason` alone where others take over; `advice` after it where nobody does.
  DeviceFailure(const std::string& reason_given, const std::string& advice, int device_number)
      : Error(reason_given + "; " + advice), reason(reason_given), device(device_number) {}

  std::string reason;
  int device;  // as users count: 0, 1 ...
};

/// What devices other than the host did.
struct DeviceUse {
  std::vector<std::pair<std::string, double>> stage_s;  // device time, in the order of the stages' first time
  std::int64_t to_device_bytes = 0, to_host_bytes = 0, between_devices_bytes = 0;
  std::int64_t peak_bytes = 0;  // most device memory at one time, of all devices together

  void add_time(const std::string& stage, double seconds) {
    for (auto& [name, sum] : stage_s)
      if (name == stage) {
        sum += seconds;
        return;
      }
    stage_s.emplace_back(stage, seconds);
  }

  /// Of another field, after this one.
  void add(const DeviceUse& other) {
    for (const auto& [stage, seconds] : other.stage_s) add_time(stage, seconds);
    to_device_bytes += other.to_device_bytes;
    to_host_bytes += other.to_host_bytes;
    between_devices_bytes += other.between_devices_bytes;
    peak_bytes = std::max(peak_bytes, other.peak_bytes);
  }
};

}  // namespace ionwell
