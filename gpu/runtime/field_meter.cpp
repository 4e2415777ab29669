// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/field_meter.hpp"

#include <algorithm>

#include "gpu/runtime/gpu_numbers.hpp"

namespace ionwell::gpu {

void FieldMeter::count_memory(std::ptrdiff_t bytes) {
  const std::lock_guard lock(mutex_);
  allocated_bytes_ += bytes;
  use_.peak_bytes = std::max(use_.peak_bytes, allocated_bytes_);
}

void FieldMeter::count_to_device(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  use_.to_device_bytes += std::int64_t(bytes);
}

void FieldMeter::count_to_host(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  use_.to_host_bytes += std::int64_t(bytes);
}

void FieldMeter::count_between_devices(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  use_.between_devices_bytes += std::int64_t(bytes);
}

void FieldMeter::add_time(int device, const std::string& stage, double seconds) {
  const std::lock_guard lock(mutex_);
  use_.add_time(device == main_device_ ? stage : stage + " on GPU " + std::to_string(number_of(device)),
                seconds);
}

DeviceUse FieldMeter::use() const {
  const std::lock_guard lock(mutex_);
  return use_;
}

std::shared_ptr<FieldMeter>& current_meter() {
  thread_local std::shared_ptr<FieldMeter> meter;
  return meter;
}

}  // namespace ionwell::gpu
