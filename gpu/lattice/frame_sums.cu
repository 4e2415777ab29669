// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/lattice/frame_sums.hpp"

#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr int difference_threads = 256;
constexpr int difference_blocks = 1024;

__global__ void add_map_kernel(const float* values, std::int64_t count, double* sum, double* squares,
                               double* block) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const double value = double(values[n]);
  sum[n] += value;
  if (squares != nullptr) squares[n] += value * value;
  if (block != nullptr) block[n] += value;
}

__global__ void end_block_kernel(std::int64_t count, double frames, double* block, double* means,
                                 double* squares) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const double mean = block[n] / frames;
  means[n] += mean;
  squares[n] += mean * mean;
  block[n] = 0.0;
}

/// mean_before = sum / frames; sums[b], counts[b] = what a thread block has of the squared differences,
/// always of the same points in the same order.
__global__ void __launch_bounds__(difference_threads)
    difference_kernel(LatticeGeometry lattice, double frames, const std::uint8_t* watched, const double* sum,
                      double* mean_before, double* sums, std::int64_t* counts) {
  __shared__ double shared_sum[difference_threads];
  __shared__ std::int64_t shared_count[difference_threads];
  const std::int64_t size = lattice.size(), step = std::int64_t(gridDim.x) * difference_threads;
  double squares = 0.0;
  std::int64_t points = 0;
  for (std::int64_t n = std::int64_t(blockIdx.x) * difference_threads + threadIdx.x; n < size; n += step) {
    const PlaceInBlock place = place_in_block(lattice, n);
    const std::int64_t at = block_points * place.block + place.point;
    const double mean = sum[at] / frames, difference = mean - mean_before[at];
    mean_before[at] = mean;
    if (watched != nullptr && watched[n] == 0) continue;
    squares += difference * difference;
    ++points;
  }
  const int thread = threadIdx.x;
  shared_sum[thread] = squares;
  shared_count[thread] = points;
  for (int half = difference_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread >= half) continue;
    shared_sum[thread] += shared_sum[thread + half];
    shared_count[thread] += shared_count[thread + half];
  }
  if (thread != 0) return;
  sums[blockIdx.x] = shared_sum[0];
  counts[blockIdx.x] = shared_count[0];
}

double* of(const FrameSumArrays& sums, FrameSum which) {
  return sums[std::size_t(which)];
}

}  // namespace

void add_map_to_sums(const float* values, std::int64_t count, const FrameSumArrays& sums,
                     cudaStream_t stream) {
  add_map_kernel<<<blocks_for(count), usual_threads, 0, stream>>>(
      values, count, of(sums, FrameSum::sum), of(sums, FrameSum::squares), of(sums, FrameSum::block_sum));
  check_launch("adding a map up");
}

void end_block_of_sums(std::int64_t count, std::int64_t frames, const FrameSumArrays& sums,
                       cudaStream_t stream) {
  if (of(sums, FrameSum::block_sum) == nullptr) return;
  end_block_kernel<<<blocks_for(count), usual_threads, 0, stream>>>(
      count, double(frames), of(sums, FrameSum::block_sum), of(sums, FrameSum::block_means),
      of(sums, FrameSum::block_squares));
  check_launch("the mean of a block of frames");
}

FrameMaps::SquaredDifference difference_of_means(const LatticeGeometry& lattice, std::int64_t frames,
                                                 const std::uint8_t* watched, const FrameSumArrays& sums,
                                                 cudaStream_t stream) {
  DeviceBuffer<double> squares(difference_blocks);
  DeviceBuffer<std::int64_t> counts(difference_blocks);
  difference_kernel<<<difference_blocks, difference_threads, 0, stream>>>(
      lattice, double(frames), watched, of(sums, FrameSum::sum), of(sums, FrameSum::mean_before),
      squares.data(), counts.data());
  check_launch("comparing two means");
  FrameMaps::SquaredDifference difference;
  const std::vector<double> parts = squares.to_host(stream);
  const std::vector<std::int64_t> points = counts.to_host(stream);
  for (const double part : parts) difference.sum += part;
  for (const std::int64_t part : points) difference.points += part;
  return difference;
}

}  // namespace ionwell::gpu
