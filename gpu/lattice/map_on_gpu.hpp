// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "lattice/map_on_device.hpp"

namespace ionwell::gpu {

/// Values that outlive the field they were taken of.
class MapOnGpu final : public MapOnDevice {
 public:
  /// Uninitialised; `device` as CUDA counts, `meter` of the field. Throws Error when there is not enough
  /// memory.
  MapOnGpu(std::size_t points, int device, std::shared_ptr<FieldMeter> meter);
  ~MapOnGpu() override { scope_.open_if_possible(); }

  int ordinal() const override { return scope_.device(); }
  float* data() override { return values_.data(); }
  std::unique_ptr<MapOnDevice> copy() const override;
  void copy_to(std::span<float> host) const override;

 private:
  FieldScope scope_;
  DeviceBuffer<float> values_;
};

}  // namespace ionwell::gpu
