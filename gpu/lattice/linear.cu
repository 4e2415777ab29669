// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/lattice/linear.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/event.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/pinned_buffer.hpp"

namespace ionwell::gpu {
namespace {

constexpr std::int64_t points_at_once = 1 << 22;

template <typename T>
__global__ void linear_kernel(LatticeGeometry lattice, const T* values, const std::int32_t* slot_of,
                              std::int64_t first, std::int64_t count, T* out) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const PlaceInBlock place = place_in_block(lattice, first + n);
  const std::int64_t slot = slot_of != nullptr ? slot_of[place.block] : place.block;
  out[n] = slot < 0 ? T(0) : values[block_points * slot + place.point];
}

__global__ void scaled_linear_kernel(LatticeGeometry lattice, const float* values,
                                     const std::int32_t* slot_of, double factor, float* out) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= lattice.size()) return;
  const PlaceInBlock place = place_in_block(lattice, n);
  const std::int64_t slot = slot_of[place.block];
  out[n] = slot < 0 ? 0.0f : float(factor * double(values[block_points * slot + place.point]));
}

__global__ void from_linear_kernel(LatticeGeometry lattice, const double* linear, std::int64_t first,
                                   std::int64_t count, double* values) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const PlaceInBlock place = place_in_block(lattice, first + n);
  values[block_points * place.block + place.point] = linear[n];
}

}  // namespace

template <typename T>
void copy_linear(const LatticeGeometry& lattice, const T* values, const std::int32_t* slot_of,
                 std::span<T> host, cudaStream_t stream) {
  const std::int64_t points = std::ssize(host), at_once = std::min(points, points_at_once);
  std::array<DeviceBuffer<T>, 2> linear{DeviceBuffer<T>(std::size_t(at_once), "the map"),
                                        DeviceBuffer<T>(std::size_t(at_once), "the map")};
  std::array<PinnedBuffer<T>, 2> pinned{PinnedBuffer<T>(std::size_t(at_once)),
                                        PinnedBuffer<T>(std::size_t(at_once))};
  std::array<Event, 2> arrived;
  // While one part is copied out of pinned memory the next one arrives there.
  const std::int64_t parts = (points + at_once - 1) / at_once;
  for (std::int64_t part = 0; part <= parts; ++part) {
    if (part < parts) {
      const std::int64_t first = part * at_once, count = std::min(at_once, points - first);
      T* out = linear[part % 2].data();
      linear_kernel<<<blocks_for(count), usual_threads, 0, stream>>>(lattice, values, slot_of, first, count,
                                                                     out);
      check_launch("putting the map in order");
      check(cudaMemcpyAsync(pinned[part % 2].data(), out, std::size_t(count) * sizeof(T),
                            cudaMemcpyDeviceToHost, stream),
            "a copy from the device");
      arrived[part % 2].record(stream);
      count_to_host(std::size_t(count) * sizeof(T));
    }
    if (part == 0) continue;
    const std::int64_t first = (part - 1) * at_once, count = std::min(at_once, points - first);
    arrived[(part - 1) % 2].wait("a copy from the device");
    std::memcpy(host.data() + first, pinned[(part - 1) % 2].data(), std::size_t(count) * sizeof(T));
  }
}

void put_in_order(const LatticeGeometry& lattice, const float* values, const std::int32_t* slot_of,
                  double factor, float* out, cudaStream_t stream) {
  scaled_linear_kernel<<<blocks_for(lattice.size()), usual_threads, 0, stream>>>(lattice, values, slot_of,
                                                                                 factor, out);
  check_launch("putting the map in order");
}

void copy_from_linear(const LatticeGeometry& lattice, std::span<const double> host, double* values,
                      cudaStream_t stream) {
  const std::int64_t points = std::ssize(host), at_once = std::min(points, points_at_once);
  DeviceBuffer<double> linear(std::size_t(at_once), "the map");
  for (std::int64_t first = 0; first < points; first += at_once) {
    const std::int64_t count = std::min(at_once, points - first);
    linear.copy_from(host.subspan(std::size_t(first), std::size_t(count)), stream);
    from_linear_kernel<<<blocks_for(count), usual_threads, 0, stream>>>(lattice, linear.data(), first, count,
                                                                        values);
    check_launch("putting the map in blocks");
    check(cudaStreamSynchronize(stream), "putting the map in blocks");
  }
}

template void copy_linear(const LatticeGeometry&, const float*, const std::int32_t*, std::span<float>,
                          cudaStream_t);
template void copy_linear(const LatticeGeometry&, const double*, const std::int32_t*, std::span<double>,
                          cudaStream_t);

}  // namespace ionwell::gpu
