// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/distribute.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "gpu/electrostatics/block_traffic.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/pinned_buffer.hpp"
#include "gpu/runtime/stage_timer.hpp"
#include "parallel/on_threads.hpp"

namespace ionwell::gpu {
namespace {

struct Range {
  std::int64_t first = 0, count = 0;
};

/// Hands out blocks: many at first, and fewer towards the end, so that all devices end together.
class BlockQueue {
 public:
  /// At most `most` together.
  BlockQueue(std::int64_t blocks, std::int64_t most, std::size_t devices)
      : blocks_(blocks), most_(most), takers_(std::int64_t(devices) * block_lanes) {}

  std::int64_t most() const { return std::min(most_, blocks_); }
  bool empty() const { return taken_ >= blocks_; }
  double part_taken() const { return double(std::min<std::int64_t>(taken_, blocks_)) / double(blocks_); }

  Range next() {
    constexpr std::int64_t fewest = 256;
    for (std::int64_t first = taken_;;) {
      if (first >= blocks_) return {};
      const std::int64_t left = blocks_ - first;
      const std::int64_t count = std::min({left, most_, std::max(left / (2 * takers_), fewest)});
      if (taken_.compare_exchange_weak(first, first + count)) return {first, count};
    }
  }

  /// Nobody gets any more: a device failed.
  void stop() { taken_ = blocks_; }

 private:
  std::int64_t blocks_, most_, takers_;
  std::atomic<std::int64_t> taken_{0};
};

/// Blocks on their way through a device. Several lanes together keep it busy while others copy.
struct Lane {
  Stream stream;
  std::int32_t* numbers = nullptr;
  float* values = nullptr;
  PinnedBuffer<float> arrived;
  Range range;

  Lane() = default;
  ~Lane() { cudaStreamSynchronize(stream); }  // an exception may leave copies on their way
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void clear_values() {
    check(cudaMemsetAsync(values, 0, value_bytes(), stream), "clearing a part of the lattice");
  }
  std::size_t number_bytes() const { return std::size_t(range.count) * sizeof(std::int32_t); }
  std::size_t value_bytes() const { return std::size_t(range.count * block_points) * sizeof(float); }
};

using Lanes = std::array<Lane, block_lanes>;

/// Memory for so many blocks of each lane, in one piece: devices would wait for each other's pieces.
DeviceBuffer<float> room_of(Lanes& lanes, std::int64_t blocks) {
  static_assert(sizeof(std::int32_t) == sizeof(float));
  constexpr std::int64_t aligned = 64;  // numbers, as memory of its own would be
  const std::int64_t of_lane = blocks * block_points + (blocks + aligned - 1) / aligned * aligned;
  DeviceBuffer<float> room(std::size_t(of_lane) * lanes.size(), "a part of the lattice");
  float* next = room.data();
  for (Lane& lane : lanes) {
    lane.values = next;
    lane.numbers = reinterpret_cast<std::int32_t*>(next + blocks * block_points);
    next += of_lane;
  }
  return room;
}

// Three places that blocks can be in. `take_room` gives the lanes what they need there, `bring` makes a
// lane's range blocks of the current device, `send_back` returns their values once they are computed,
// `finish` does what is left when the lane's stream is done.

/// On this device.
struct Here {
  DeviceBlocks blocks;

  DeviceBuffer<float> take_room(Lanes&, std::int64_t) const { return {}; }
  DeviceBlocks bring(Lane& lane) const {
    return {blocks.lattice, blocks.numbers + lane.range.first, lane.range.count,
            blocks.values + block_points * lane.range.first};
  }
  void send_back(Lane&) const {}
  void finish(Lane&) const {}
};

/// On another device.
struct There {
  DeviceBlocks blocks;
  int home, device;
  bool untouched;

  void copy(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
            cudaStream_t stream) const {
    check(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream), "a copy between devices");
    count_between_devices(bytes);
  }
  DeviceBuffer<float> take_room(Lanes& lanes, std::int64_t most) const { return room_of(lanes, most); }
  DeviceBlocks bring(Lane& lane) const {
    copy(lane.numbers, device, blocks.numbers + lane.range.first, home, lane.number_bytes(), lane.stream);
    if (untouched)
      lane.clear_values();
    else
      copy(lane.values, device, blocks.values + block_points * lane.range.first, home, lane.value_bytes(),
           lane.stream);
    return {blocks.lattice, lane.numbers, lane.range.count, lane.values};
  }
  void send_back(Lane& lane) const {
    copy(blocks.values + block_points * lane.range.first, home, lane.values, device, lane.value_bytes(),
         lane.stream);
  }
  void finish(Lane&) const {}
};

/// In host memory.
struct OnHost {
  HostBlocks blocks;

  DeviceBuffer<float> take_room(Lanes& lanes, std::int64_t most) const {
    for (Lane& lane : lanes) lane.arrived = PinnedBuffer<float>(std::size_t(most * block_points));
    return room_of(lanes, most);
  }
  DeviceBlocks bring(Lane& lane) const {
    check(cudaMemcpyAsync(lane.numbers, &blocks.numbers[std::size_t(lane.range.first)], lane.number_bytes(),
                          cudaMemcpyHostToDevice, lane.stream),
          "a copy to the device");
    count_to_device(lane.number_bytes());
    lane.clear_values();
    return {blocks.lattice, lane.numbers, lane.range.count, lane.values};
  }
  void send_back(Lane& lane) const {
    check(cudaMemcpyAsync(lane.arrived.data(), lane.values, lane.value_bytes(), cudaMemcpyDeviceToHost,
                          lane.stream),
          "a copy from the device");
    count_to_host(lane.value_bytes());
  }
  void finish(Lane& lane) const {
    float* values = blocks.values + block_points * lane.range.first;
    const float* arrived = lane.arrived.data();
    for (std::int64_t i = 0; i < block_points * lane.range.count; ++i) values[i] += arrived[i];
  }
};

/// What the current device does: takes blocks until there are none.
template <typename Place>
void work(const Place& place, const DeviceSum& sum, BlockQueue& queue, const Progress& progress) {
  DeviceBuffer<float> room;
  Lanes lanes;  // after their room, which they use until they are destroyed
  room = place.take_room(lanes, queue.most());
  const auto finish = [&](Lane& lane) {
    check(cudaStreamSynchronize(lane.stream), "the potential");
    place.finish(lane);
    lane.range = {};
  };
  for (std::size_t n = 0; !queue.empty(); n = (n + 1) % lanes.size()) {
    Lane& lane = lanes[n];
    finish(lane);
    lane.range = queue.next();
    if (lane.range.count == 0) break;
    sum.add_to(place.bring(lane), lane.stream);
    place.send_back(lane);
    if (progress) progress(queue.part_taken());
  }
  for (Lane& lane : lanes) finish(lane);
}

std::int64_t usual_blocks(const ChargeSum& potential) {
  return potential.plan != nullptr ? usual_multilevel_blocks : usual_direct_blocks;
}

/// Lets every device do help(n), the first one on this thread.
template <typename Help>
void by_all(std::span<const int> devices, BlockQueue& queue, const Help& help) {
  const std::shared_ptr<FieldMeter> meter = current_meter();
  on_threads(devices.size(), [&](std::size_t n) {
    try {
      const DeviceScope scope(devices[n], meter);
      help(n);
    } catch (...) {
      queue.stop();
      throw;
    }
  });
}

}  // namespace

void distribute(const DeviceBlocks& blocks, bool untouched, std::span<const int> devices,
                const ChargeSum& potential, const PointCharge* charges_d, const Progress& progress) {
  if (blocks.count > 0 && !potential.charges.empty()) {
    BlockQueue queue(blocks.count, usual_blocks(potential), devices.size());
    by_all(devices, queue, [&](std::size_t n) {
      if (n == 0) {
        work(Here{blocks}, DeviceSum(blocks.lattice, blocks.count, potential, charges_d), queue, progress);
        return;
      }
      const DeviceSum sum(blocks.lattice, blocks.count, potential, nullptr);
      const Stream stream;
      StageTimer timer("potential", stream);
      work(There{blocks, devices[0], devices[n], untouched}, sum, queue, {});
      timer.stop();
    });
  }
  if (progress) progress(1.0);
}

void distribute(const HostBlocks& blocks, std::int64_t blocks_at_once, std::span<const int> devices,
                const ChargeSum& potential, const Progress& progress) {
  const std::int64_t count = std::ssize(blocks.numbers);
  if (count > 0 && !potential.charges.empty()) {
    BlockQueue queue(count, blocks_at_once > 0 ? blocks_at_once : usual_blocks(potential), devices.size());
    by_all(devices, queue, [&](std::size_t n) {
      const Stream stream;
      StageTimer timer("potential", stream);
      const DeviceSum sum(blocks.lattice, count, potential, nullptr);
      work(OnHost{blocks}, sum, queue, n == 0 ? progress : Progress{});
      timer.stop();
    });
  }
  if (progress) progress(1.0);
}

}  // namespace ionwell::gpu
