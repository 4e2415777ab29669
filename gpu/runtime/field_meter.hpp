// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "core/device_use.hpp"

namespace ionwell::gpu {

/// What one field has devices do: their time by stage, memory and copies. Several threads may count at a
/// time.
class FieldMeter {
 public:
  /// The stages of `main_device` go without a number.
  explicit FieldMeter(int main_device) : main_device_(main_device) {}

  void count_memory(std::ptrdiff_t bytes);
  void count_to_device(std::size_t bytes);
  void count_to_host(std::size_t bytes);
  void count_between_devices(std::size_t bytes);

  /// Adds to a stage of a device; for another than the main one it is called as in "potential on GPU 1".
  void add_time(int device, const std::string& stage, double seconds);

  DeviceUse use() const;

 private:
  mutable std::mutex mutex_;
  int main_device_;
  std::int64_t allocated_bytes_ = 0;
  DeviceUse use_;
};

/// The meter of the field that this thread works for; null between calls. See DeviceScope.
std::shared_ptr<FieldMeter>& current_meter();

}  // namespace ionwell::gpu
