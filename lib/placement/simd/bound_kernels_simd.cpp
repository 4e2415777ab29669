// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "placement/simd/bound_kernels.hpp"

#include "electrostatics/simd/simd.hpp"
#include "placement/simd/inflate_simd.hpp"

namespace ionwell {
namespace {

/// Slope of the straight line through values whose counts and sums at 0, 1, ... 7 along an axis are given.
inline float line_slope(const float* count, const float* sum) {
  double points = 0, x = 0, xx = 0, value = 0, x_value = 0;
  for (int a = 0; a < edge; ++a) {
    points += double(count[a]);
    x += a * double(count[a]);
    xx += a * a * double(count[a]);
    value += double(sum[a]);
    x_value += a * double(sum[a]);
  }
  const double variance = points * xx - x * x;
  return variance > 0.0 ? float((points * x_value - x * value) / variance) : 0.0f;
}

void slope(const float* values, const std::uint64_t* available, float* slope) {
  // Any slope will do, so fp32 is enough; values are taken from one of them, to lose no digits to a level.
  float level = 0.0f;
  for (int k = 0; k < edge; ++k)
    if (available[k] != 0) {
      level = values[edge * edge * k + __builtin_ctzll(available[k])];
      break;
    }
  alignas(64) float column_count[edge * edge], column_sum[edge * edge];  // over k
  FloatVector sum_of_plane[edge] = {};                                   // by k
  for (int v = 0; v < plane_vectors; ++v) {
    FloatVector counts{}, sums{};
    for (int k = 0; k < edge; ++k) {
      const IntVector mask = lanes_of_bits(unsigned(available[k] >> (width * v)));
      const FloatVector value = mask ? load(values + edge * edge * k + width * v) - level : FloatVector{};
      counts += mask ? broadcast(1.0f) : FloatVector{};
      sums += value;
      sum_of_plane[k] += value;
    }
    store(column_count + width * v, counts);
    store(column_sum + width * v, sums);
  }
  float count[edge], sum[edge];
  for (int k = 0; k < edge; ++k) {
    count[k] = float(__builtin_popcountll(available[k]));
    sum[k] = sum_of_lanes(sum_of_plane[k]);
  }
  slope[2] = line_slope(count, sum);
  Row count_by_i{}, sum_by_i{};
  for (int j = 0; j < edge; ++j) {
    const Row counts = reinterpret_cast<const Row&>(column_count[edge * j]);
    const Row sums = reinterpret_cast<const Row&>(column_sum[edge * j]);
    count_by_i += counts;
    sum_by_i += sums;
    count[j] = sum[j] = 0.0f;
    for (int i = 0; i < edge; ++i) {
      count[j] += counts[i];
      sum[j] += sums[i];
    }
  }
  slope[1] = line_slope(count, sum);
  for (int i = 0; i < edge; ++i) {
    count[i] = count_by_i[i];
    sum[i] = sum_by_i[i];
  }
  slope[0] = line_slope(count, sum);
}

ValueRange range(const float* values, const std::uint64_t* available, const float* slope) {
  constexpr float huge = __builtin_huge_valf();
  constexpr float middle = 0.5f * (edge - 1);
  alignas(64) float x[edge], y[edge];
  for (int a = 0; a < edge; ++a) x[a] = slope[0] * (float(a) - middle);
  for (int a = 0; a < edge; ++a) y[a] = slope[1] * (float(a) - middle);
  FloatVector lowest = broadcast(huge), highest = broadcast(-huge);
  for (int v = 0; v < plane_vectors; ++v) {
    const FloatVector xy = plane_sum(x, y, v);
    for (int k = 0; k < edge; ++k) {
      const int p = edge * edge * k + width * v;
      const FloatVector value = load(values + p) - (xy + slope[2] * (float(k) - middle));
      const IntVector mask = lanes_of_bits(unsigned(available[k] >> (width * v)));
      lowest = smaller(mask ? value : broadcast(huge), lowest);
      highest = larger(mask ? value : broadcast(-huge), highest);
    }
  }
  ValueRange range{huge, -huge};
  for (int l = 0; l < width; ++l) {
    if (lowest[l] < range.lowest) range.lowest = lowest[l];
    if (highest[l] > range.highest) range.highest = highest[l];
  }
  return range;
}

}  // namespace

extern const BoundKernels IONWELL_OF_LEVEL(bound_kernels);
const BoundKernels IONWELL_OF_LEVEL(bound_kernels){slope, range, inflate};

}  // namespace ionwell
