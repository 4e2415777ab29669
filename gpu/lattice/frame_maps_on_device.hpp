// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>

#include "gpu/electrostatics/multilevel.hpp"
#include "gpu/lattice/frame_sums.hpp"
#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/event.hpp"
#include "gpu/runtime/pinned_buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace ionwell::gpu {

/// Sums over the maps of frames in the memory of one device. While it sums one map the charges of the next
/// one come to it.
class FrameMapsOnDevice final : public FrameMaps {
 public:
  /// Device memory that it takes, at most; unless charges lie far outside of the lattice.
  static std::int64_t bytes(const FrameMapsOptions& options);

  /// `device` as CUDA counts. Throws Error when there is not the memory.
  FrameMapsOnDevice(int device, const FrameMapsOptions& options);
  ~FrameMapsOnDevice() override;
  FrameMapsOnDevice(const FrameMapsOnDevice&) = delete;
  FrameMapsOnDevice& operator=(const FrameMapsOnDevice&) = delete;

  void take(std::span<const PointCharge> charges, const Box& box) override;
  void add_map() override;
  void end_block(std::int64_t frames) override;
  SquaredDifference note_mean(std::int64_t frames, std::span<const std::uint8_t> points) override;
  void copy_to(FrameSum which, std::span<double> values) override;
  void copy_from(FrameSum which, std::span<const double> values) override;
  DeviceUse use() const override { return scope_.meter()->use(); }

 private:
  /// The charges of a map on their way. There are two, for this map and the next one.
  struct Lane {
    PinnedBuffer<PointCharge> pinned;
    DeviceBuffer<PointCharge> charges;
    std::int64_t count = 0;
    Box box;
    Event begin, arrived, end;  // of the map, and of its charges' copy
    bool is_under_way = false;  // `end` was recorded, and its time is not counted

    explicit Lane(std::int64_t most_charges)
        : pinned(std::size_t(most_charges)), charges(std::size_t(most_charges), "the charges") {}
  };

  /// Waits until the lane's last map is summed.
  void finish(Lane& lane);

  /// The plan of charges within `box`: that of the last map if it has the same grids.
  void plan_for(const Box& box);

  FrameSumArrays arrays();

  FieldScope scope_;
  FrameMapsOptions options_;
  BlockGrid grid_;
  std::int64_t count_;  // values of all blocks
  Stream stream_, copies_;
  DeviceBuffer<std::int32_t> numbers_;
  DeviceBuffer<float> values_;
  std::array<DeviceBuffer<double>, frame_sums> sums_;
  DeviceBuffer<std::uint8_t> watched_;
  LatticeGeometry multilevel_grid_{};  // the finest of multilevel_
  std::optional<DeviceMultilevel> multilevel_;
  std::optional<Lane> lanes_[2];
  int current_ = 0;
};

}  // namespace ionwell::gpu
