// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cmath>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <limits>

#include "gpu/electrostatics/direct_sum.cuh"
#include "gpu/placement/crystal_sites/site_work.hpp"
#include "gpu/runtime/launch.hpp"
#include "placement/crystal_sites/basins.hpp"

namespace ionwell::gpu {
namespace {

constexpr int weight_bins = basin_bin(0x7f800000u) + 1;  // up to that of infinity

/// Index in the lattice of a place among the values of blocks; -1 outside of it.
__device__ std::int64_t index_of_place(const DeviceBlocks& blocks, std::int64_t place) {
  const Vec3<std::int64_t> first =
      frame_of_block(blocks.lattice, blocks.numbers[place / block_points]).first_point;
  const int p = int(place % block_points);
  const Vec3<std::int64_t> at{first.x + p % block_edge, first.y + p / block_edge % block_edge,
                              first.z + p / (block_edge * block_edge)};
  const Vec3<std::int64_t>& counts = blocks.lattice.counts;
  if (at.x >= counts.x || at.y >= counts.y || at.z >= counts.z) return -1;
  return at.x + counts.x * (at.y + counts.y * at.z);
}

__device__ bool is_available(const DeviceBlocks& blocks, const std::uint64_t* mask, std::int64_t place) {
  const int p = int(place % block_points);
  return (mask[mask_words * std::int64_t(blocks.numbers[place / block_points]) + p / 64] >> (p % 64) & 1) !=
         0;
}

__device__ float boltzmann(float energy_kT) {
  return expf(fminf(fmaxf(-energy_kT, -80.0f), 80.0f));
}

__global__ void scatter_boltzmann(DeviceBlocks blocks, const std::uint64_t* mask, float* weights) {
  const std::int64_t place = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (place >= blocks.count * block_points || !is_available(blocks, mask, place)) return;
  weights[index_of_place(blocks, place)] = boltzmann(blocks.values[place]);
}

/// to[n] = Sum over l of taps[l] from[n + (l - reach) stride], of points that are on the same line along an
/// axis of `count` points.
__global__ void smooth_kernel(const float* from, float* to, std::int64_t size, std::int64_t stride,
                              std::int64_t count, const float* taps, int reach) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= size) return;
  const std::int64_t at = n / stride % count;
  const int low = int(at < reach ? at : reach), high = int(count - 1 - at < reach ? count - 1 - at : reach);
  float sum = 0.0f;
  for (int l = -low; l <= high; ++l) sum += taps[reach + l] * from[n + l * stride];
  to[n] = sum;
}

/// The weight of an available point, otherwise 0.
__device__ float weight_at(const DeviceBlocks& blocks, const std::uint64_t* mask, const float* weights,
                           std::int64_t place) {
  return is_available(blocks, mask, place) ? weights[index_of_place(blocks, place)] : 0.0f;
}

__global__ void count_weights(DeviceBlocks blocks, const std::uint64_t* mask, const float* weights,
                              unsigned long long* bins) {
  extern __shared__ std::uint32_t mine[];
  for (int b = int(threadIdx.x); b < weight_bins; b += int(blockDim.x)) mine[b] = 0;
  __syncthreads();
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x, all = blocks.count * block_points;
  for (std::int64_t place = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; place < all; place += step) {
    const float weight = weight_at(blocks, mask, weights, place);
    if (weight > 0.0f) atomicAdd(&mine[basin_bin(__float_as_uint(weight))], 1u);
  }
  __syncthreads();
  for (int b = int(threadIdx.x); b < weight_bins; b += int(blockDim.x))
    if (mine[b] != 0) atomicAdd(&bins[b], static_cast<unsigned long long>(mine[b]));
}

/// A warp to 32 places: how many of them are chosen.
__global__ void count_chosen(DeviceBlocks blocks, const std::uint64_t* mask, const float* weights,
                             float least, std::int64_t* counts) {
  const std::int64_t place = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (place >= blocks.count * block_points) return;  // whole warps
  const float weight = weight_at(blocks, mask, weights, place);
  const unsigned chosen = __ballot_sync(full_warp, weight > 0.0f && weight >= least);
  if (place % warp_size == 0) counts[place / warp_size] = __popc(chosen);
}

__global__ void write_chosen(DeviceBlocks blocks, const std::uint64_t* mask, const float* weights,
                             float least, const std::int64_t* first, std::int64_t* places, float* chosen) {
  const std::int64_t place = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (place >= blocks.count * block_points) return;
  const float weight = weight_at(blocks, mask, weights, place);
  const bool is_chosen = weight > 0.0f && weight >= least;
  const unsigned all = __ballot_sync(full_warp, is_chosen);
  if (!is_chosen) return;
  const std::int64_t at = first[place / warp_size] + __popc(all & ((1u << (place % warp_size)) - 1));
  places[at] = place;
  chosen[at] = weight;
}

__global__ void scatter_scores(DeviceBlocks blocks, const std::int64_t* places, const float* minus_log_odds,
                               std::int64_t count, float* weights) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) weights[index_of_place(blocks, places[n])] = boltzmann(minus_log_odds[n]);
}

__global__ void gather_weights(DeviceBlocks blocks, const std::int64_t* places, std::int64_t count,
                               const float* weights, float* chosen) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) chosen[n] = weights[index_of_place(blocks, places[n])];
}

__global__ void find_indices(DeviceBlocks blocks, const std::int64_t* places, std::int64_t count,
                             std::int64_t* indices) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) indices[n] = index_of_place(blocks, places[n]);
}

/// A sum or a sort of CUB, which asks for its memory first.
template <typename Call>
void with_space(const Call& call, const char* what) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes), what);
  DeviceBuffer<unsigned char> space(std::max<std::size_t>(bytes, 1), what);
  check(call(static_cast<void*>(space.data()), bytes), what);
  check(cudaDeviceSynchronize(), what);  // the space is freed now
}

/// The weight that the `count` points of largest weight have at least; 0 when there are not more.
float least_weight(const std::vector<unsigned long long>& bins, std::int64_t count) {
  std::int64_t above = 0;
  std::size_t bin = bins.size();
  while (bin > 0 && above < count) above += std::int64_t(bins[--bin]);
  return above < count ? 0.0f : std::bit_cast<float>(basin_bin_start(std::uint32_t(bin)));
}

}  // namespace

DenseWeights::DenseWeights(const LatticeGeometry& of)
    : lattice(of),
      values(std::size_t(of.size()), "the lattice's weights"),
      other(std::size_t(of.size()), "the lattice's weights") {}

void set_boltzmann(DenseWeights& weights, const DeviceBlocks& blocks, const std::uint64_t* mask,
                   cudaStream_t stream) {
  weights.values.zero(stream);
  scatter_boltzmann<<<blocks_for(blocks.count * block_points), usual_threads, 0, stream>>>(
      blocks, mask, weights.values.data());
  check_launch("weighing points");
}

void smooth(DenseWeights& weights, double width_A, cudaStream_t stream) {
  const Vec3<std::int64_t>& counts = weights.lattice.counts;
  const Vec3<double>& spacing_A = weights.lattice.spacing_A;
  const struct {
    double spacing_A;
    std::int64_t stride, count;
  } axes[] = {{spacing_A.x, 1, counts.x},
              {spacing_A.y, counts.x, counts.y},
              {spacing_A.z, counts.x * counts.y, counts.z}};
  for (const auto& axis : axes) {
    const std::vector<float> taps = basin_taps(width_A, axis.spacing_A);
    const DeviceBuffer<float> taps_d(taps, stream);
    smooth_kernel<<<blocks_for(weights.lattice.size()), usual_threads, 0, stream>>>(
        weights.values.data(), weights.other.data(), weights.lattice.size(), axis.stride, axis.count,
        taps_d.data(), int(taps.size() / 2));
    check_launch("smoothing weights");
    check(cudaStreamSynchronize(stream), "smoothing weights");  // the Gaussian is freed now
    std::swap(weights.values, weights.other);
  }
}

ChosenPoints choose_largest(const DenseWeights& weights, const DeviceBlocks& blocks,
                            const std::uint64_t* mask, std::int64_t count, cudaStream_t stream) {
  const std::int64_t all = blocks.count * block_points, warps = all / warp_size;
  if (all == 0) return {};
  DeviceBuffer<unsigned long long> bins(weight_bins);
  bins.zero(stream);
  constexpr unsigned enough = 2048;
  count_weights<<<std::min(enough, blocks_for(all)), usual_threads, weight_bins * sizeof(std::uint32_t),
                  stream>>>(blocks, mask, weights.values.data(), bins.data());
  check_launch("counting weights");
  ChosenPoints chosen;
  chosen.least = least_weight(bins.to_host(stream), count);

  DeviceBuffer<std::int64_t> first(std::size_t(warps) + 1, "the chosen points");
  first.zero(stream);
  count_chosen<<<blocks_for(all), usual_threads, 0, stream>>>(blocks, mask, weights.values.data(),
                                                              chosen.least, first.data());
  check_launch("counting points");
  check(cudaStreamSynchronize(stream), "counting points");
  with_space(
      [&](void* space, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(space, bytes, first.data(), first.data(), warps + 1, stream);
      },
      "counting points");
  std::int64_t size = 0;
  first.copy_to({&size, 1}, stream, std::size_t(warps));
  chosen.places = DeviceBuffer<std::int64_t>(std::size_t(size), "the chosen points");
  chosen.weights = DeviceBuffer<float>(std::size_t(size), "the chosen points");
  write_chosen<<<blocks_for(all), usual_threads, 0, stream>>>(blocks, mask, weights.values.data(),
                                                              chosen.least, first.data(),
                                                              chosen.places.data(), chosen.weights.data());
  check_launch("choosing points");
  check(cudaStreamSynchronize(stream), "choosing points");  // the counts are freed now
  return chosen;
}

void set_scores(DenseWeights& weights, const ChosenPoints& points, const DeviceBlocks& blocks,
                const DeviceBuffer<float>& minus_log_odds, cudaStream_t stream) {
  weights.values.zero(stream);
  scatter_scores<<<blocks_for(points.size()), usual_threads, 0, stream>>>(
      blocks, points.places.data(), minus_log_odds.data(), points.size(), weights.values.data());
  check_launch("weighing points");
}

void get_weights(const DenseWeights& weights, ChosenPoints& points, const DeviceBlocks& blocks,
                 cudaStream_t stream) {
  gather_weights<<<blocks_for(points.size()), usual_threads, 0, stream>>>(
      blocks, points.places.data(), points.size(), weights.values.data(), points.weights.data());
  check_launch("weighing points");
}

BasinPoints to_basins(const ChosenPoints& points, const DeviceBlocks& blocks, cudaStream_t stream) {
  const std::size_t count = std::size_t(points.size());
  BasinPoints basins;
  if (points.least > 0.0f) basins.complete_below_kT = -std::log(double(points.least));
  if (count == 0) return basins;
  DeviceBuffer<std::int64_t> indices(count, "the chosen points"), sorted(count, "the chosen points");
  DeviceBuffer<float> weights(count, "the chosen points");
  find_indices<<<blocks_for(points.size()), usual_threads, 0, stream>>>(blocks, points.places.data(),
                                                                        points.size(), indices.data());
  check_launch("sorting points");
  check(cudaStreamSynchronize(stream), "sorting points");
  with_space(
      [&](void* space, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(space, bytes, indices.data(), sorted.data(),
                                               points.weights.data(), weights.data(), points.size(), 0,
                                               std::bit_width(std::uint64_t(blocks.lattice.size())), stream);
      },
      "sorting points");
  basins.index = sorted.to_host(stream);
  basins.basin_kT.reserve(count);
  for (const float weight : weights.to_host(stream)) basins.basin_kT.push_back(-std::log(double(weight)));
  return basins;
}

}  // namespace ionwell::gpu
