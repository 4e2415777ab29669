#include "gpu/lattice/linear.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/pinned_buffer.hpp"

namespace ionwell::gpu {
namespace {

constexpr std::int64_t points_at_once = 1 << 22;

class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

__global__ void linear_kernel(DeviceBlocks blocks, const std::int32_t* slot_of, std::int64_t first,
                              std::int64_t count, float* out) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const Vec3<std::int64_t> p = blocks.lattice.point(first + n);
  const std::int64_t nx = blocks_along(blocks.lattice.counts.x), ny = blocks_along(blocks.lattice.counts.y);
  const std::int64_t slot = slot_of[p.x / block_edge + nx * (p.y / block_edge + ny * (p.z / block_edge))];
  const int point = int(p.x % block_edge + block_edge * (p.y % block_edge + block_edge * (p.z % block_edge)));
  out[n] = slot < 0 ? 0.0f : blocks.values[block_points * slot + point];
}

}  // namespace

void copy_linear(const DeviceBlocks& blocks, const std::int32_t* slot_of, std::span<float> host,
                 cudaStream_t stream) {
  const std::int64_t points = std::ssize(host), at_once = std::min(points, points_at_once);
  std::array<DeviceBuffer<float>, 2> linear{DeviceBuffer<float>(std::size_t(at_once), "the map"),
                                            DeviceBuffer<float>(std::size_t(at_once), "the map")};
  std::array<PinnedBuffer<float>, 2> pinned{PinnedBuffer<float>(std::size_t(at_once)),
                                            PinnedBuffer<float>(std::size_t(at_once))};
  std::array<Event, 2> arrived;
  // While one part is copied out of pinned memory the next one arrives there.
  const std::int64_t parts = (points + at_once - 1) / at_once;
  for (std::int64_t part = 0; part <= parts; ++part) {
    if (part < parts) {
      const std::int64_t first = part * at_once, count = std::min(at_once, points - first);
      float* out = linear[part % 2].data();
      linear_kernel<<<blocks_for(count), usual_threads, 0, stream>>>(blocks, slot_of, first, count, out);
      check_launch("putting the map in order");
      check(cudaMemcpyAsync(pinned[part % 2].data(), out, std::size_t(count) * sizeof(float),
                            cudaMemcpyDeviceToHost, stream),
            "a copy from the device");
      check(cudaEventRecord(arrived[part % 2], stream), "a copy from the device");
      count_to_host(std::size_t(count) * sizeof(float));
    }
    if (part == 0) continue;
    const std::int64_t first = (part - 1) * at_once, count = std::min(at_once, points - first);
    check(cudaEventSynchronize(arrived[(part - 1) % 2]), "a copy from the device");
    std::memcpy(host.data() + first, pinned[(part - 1) % 2].data(), std::size_t(count) * sizeof(float));
  }
}

}  // namespace ionwell::gpu
