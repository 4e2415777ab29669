// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "gpu/electrostatics/device_blocks.hpp"
#include "gpu/lattice/mask.hpp"
#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/stream.hpp"
#include "lattice/map_on_device.hpp"

namespace ionwell::gpu {

/// A lattice in the memory of one GPU: the mask, and values by block. Slots are in rising order of the
/// blocks' numbers. What works on it does so within a scope that `enter` gives.
class DeviceStore {
 public:
  /// `device` as CUDA counts; stages of `main_device` go without a number. With `every_point` all blocks get
  /// values, otherwise those with an available point.
  DeviceStore(const LatticeGeometry& lattice, bool every_point, int device, int main_device);
  ~DeviceStore();
  DeviceStore(const DeviceStore&) = delete;
  DeviceStore& operator=(const DeviceStore&) = delete;

  DeviceScope enter() const { return scope_.enter(); }
  FieldScope& scope() { return scope_; }
  cudaStream_t stream() const { return stream_; }
  const std::shared_ptr<FieldMeter>& meter() const { return scope_.meter(); }

  const BlockGrid& grid() const { return grid_; }
  DeviceMask& mask() { return mask_; }

  /// Lists the blocks that get values and sets them to 0; once, when the mask holds all of the solute. Each
  /// needs `extra_bytes_per_block` beside its values. Throws Error when the device has not enough memory.
  void make_blocks(std::int64_t extra_bytes_per_block);

  /// All blocks with values.
  DeviceBlocks blocks() {
    return {grid_.lattice, numbers_.data(), std::int64_t(numbers_.size()), values_.data()};
  }

  /// The slot of each block of the lattice, -1 for none; device memory.
  const std::int32_t* slot_of() const { return slot_of_.data(); }

  /// Takes away the points where a map is NaN; `map`, device memory, has a value for each lattice point.
  void keep_known_points(const double* map);

  /// values := map, 0 where it is NaN.
  void set_values(const double* map);

  /// One value per point of the lattice to host memory, in its order; 0 where there is none.
  void copy_values(std::span<float> values);

  /// The same times `factor` in device memory of its own, complete when it returns.
  std::unique_ptr<MapOnDevice> map_in_order(double factor);

 private:
  void require_memory(std::int64_t blocks, std::int64_t bytes_per_block) const;

  FieldScope scope_;
  BlockGrid grid_;
  bool every_point_;
  Stream stream_;
  DeviceMask mask_;
  DeviceBuffer<std::int32_t> slot_of_, numbers_;
  DeviceBuffer<float> values_;
};

}  // namespace ionwell::gpu
