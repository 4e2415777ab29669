// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "gpu/runtime/field_meter.hpp"

namespace ionwell::gpu {

/// While it exists this thread works on one device and for one field's meter. After it the thread is where it
/// was before: on the same device, or on none if it had not started CUDA, which setting a device would do.
class DeviceScope {
 public:
  /// `device` as CUDA counts. Throws Error when it does not start.
  DeviceScope(int device, std::shared_ptr<FieldMeter> meter);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  CUcontext context_before_ = nullptr;
  int device_before_ = 0;
  bool has_changed_ = false;
  std::shared_ptr<FieldMeter> meter_before_;
};

/// A field's device and meter, for its calls; the first member, so that it outlives what was made on the
/// device.
class FieldScope {
 public:
  /// Stages of `main_device` go without a number.
  FieldScope(int device, int main_device) : FieldScope(device, std::make_shared<FieldMeter>(main_device)) {}
  /// For another field's meter, or what is left of one.
  FieldScope(int device, std::shared_ptr<FieldMeter> meter) : device_(device), meter_(std::move(meter)) {
    open_.emplace(device_, meter_);
  }
  ~FieldScope() = default;

  int device() const { return device_; }
  const std::shared_ptr<FieldMeter>& meter() const { return meter_; }

  /// For one call.
  DeviceScope enter() const { return {device_, meter_}; }

  /// Open while other members are made and destroyed. A device that has failed for good does not open again;
  /// then there is nothing left on it to free.
  void close() { open_.reset(); }
  void open_if_possible() noexcept {
    try {
      open_.emplace(device_, meter_);
    } catch (const std::exception&) {
    }
  }

 private:
  int device_;
  std::shared_ptr<FieldMeter> meter_;
  std::optional<DeviceScope> open_;
};

}  // namespace ionwell::gpu
