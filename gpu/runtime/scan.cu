#include "gpu/runtime/scan.hpp"

#include "gpu/runtime/device_buffer.hpp"

namespace ionwell::gpu {
namespace {

constexpr int threads = 256, per_thread = 8, tile = threads * per_thread;

/// Exclusive sums over a thread block; `total` gets the sum of all.
__device__ std::uint32_t scan_block(std::uint32_t value, std::uint32_t* shared, std::uint32_t& total) {
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  std::uint32_t inclusive = value;
  for (int d = 1; d < 32; d *= 2) {
    const std::uint32_t other = __shfl_up_sync(0xffffffffu, inclusive, unsigned(d));
    if (lane >= d) inclusive += other;
  }
  __syncthreads();  // `shared` may still be read by who called this before
  if (lane == 31) shared[warp] = inclusive;
  __syncthreads();
  std::uint32_t before = 0;
  total = 0;
  for (int w = 0; w < threads / 32; ++w) {
    if (w < warp) before += shared[w];
    total += shared[w];
  }
  return before + inclusive - value;
}

__global__ void sum_tiles(const std::uint32_t* data, std::int64_t count, std::uint32_t* sums) {
  __shared__ std::uint32_t shared[threads / 32];
  const std::int64_t first = std::int64_t(blockIdx.x) * tile + per_thread * threadIdx.x;
  std::uint32_t sum = 0, total;
  for (int i = 0; i < per_thread; ++i)
    if (first + i < count) sum += data[first + i];
  scan_block(sum, shared, total);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

__global__ void scan_sums(std::uint32_t* sums, std::int64_t count, std::uint32_t* total) {
  __shared__ std::uint32_t shared[threads / 32];
  std::uint32_t before = 0;
  for (std::int64_t first = 0; first < count; first += threads) {
    const std::int64_t i = first + threadIdx.x;
    const std::uint32_t value = i < count ? sums[i] : 0;
    std::uint32_t sum;
    const std::uint32_t exclusive = scan_block(value, shared, sum);
    if (i < count) sums[i] = before + exclusive;
    before += sum;
  }
  if (threadIdx.x == 0) *total = before;
}

__global__ void scan_tiles(std::uint32_t* data, std::int64_t count, const std::uint32_t* sums) {
  __shared__ std::uint32_t shared[threads / 32];
  const std::int64_t first = std::int64_t(blockIdx.x) * tile + per_thread * threadIdx.x;
  std::uint32_t value[per_thread], sum = 0, total;
  for (int i = 0; i < per_thread; ++i) {
    value[i] = first + i < count ? data[first + i] : 0;
    sum += value[i];
  }
  std::uint32_t at = sums[blockIdx.x] + scan_block(sum, shared, total);
  for (int i = 0; i < per_thread; ++i) {
    if (first + i < count) data[first + i] = at;
    at += value[i];
  }
}

}  // namespace

void exclusive_scan(std::uint32_t* data, std::int64_t count, cudaStream_t stream) {
  const std::int64_t tiles = (count + tile - 1) / tile;
  DeviceBuffer<std::uint32_t> sums(std::size_t(tiles), "partial sums");
  if (tiles > 0) sum_tiles<<<unsigned(tiles), threads, 0, stream>>>(data, count, sums.data());
  scan_sums<<<1, threads, 0, stream>>>(sums.data(), tiles, data + count);
  if (tiles > 0) scan_tiles<<<unsigned(tiles), threads, 0, stream>>>(data, count, sums.data());
  check_launch("adding up counts");
  check(cudaStreamSynchronize(stream), "adding up counts");
}

}  // namespace ionwell::gpu
