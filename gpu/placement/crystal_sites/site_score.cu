// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/direct_sum.cuh"
#include "gpu/placement/crystal_sites/site_work.hpp"
#include "gpu/runtime/launch.hpp"
#include "placement/crystal_sites/site_features.hpp"
#include "placement/crystal_sites/site_sums.hpp"

namespace ionwell::gpu {
namespace {

constexpr int warps_at_once = 4;  // of a thread block, a point each
constexpr int half_warp = warp_size / 2;
static_assert(half_warp == site_row);

struct TreesOnDevice {
  int trees;
  double baseline;
  const std::uint32_t *first_branch, *first_leaf, *right;
  const std::int32_t* features;
  const float* thresholds;
  const double* leaves;
};

/// What a warp has of its point. Each half of it sums every other atom.
struct PointWork {
  float by_class[2][site_atom_classes * site_row];
  float nearest2[2][site_atom_classes];
  float of_charges[site_moments * site_row];
  float features[site_feature_count];
};

/// Lane l has the column l modulo site_row of all rows.
__device__ void sum_around(const SiteCells& atoms, const Vec3<double>& point_A, const float* by_class,
                           const float* of_charges, PointWork& work) {
  const int lane = int(threadIdx.x) % warp_size, column = lane % half_warp, half = lane / half_warp;
  for (int n = column; n < site_atom_classes * site_row; n += half_warp) work.by_class[half][n] = 0.0f;
  constexpr float limit_A2 = float(site_reach_A * site_reach_A);
  if (column < site_atom_classes) work.nearest2[half][column] = limit_A2;
  __syncwarp();
  float moments[site_moments] = {};
  const CellRange range = atoms.grid.within({point_A, point_A}, site_reach_A);
  for (std::int64_t k = range.first.z; k <= range.last.z; ++k)
    for (std::int64_t j = range.first.y; j <= range.last.y; ++j) {
      const std::int64_t row = cell_number(atoms.grid.counts, {0, j, k});
      const std::uint32_t end = range.empty() ? 0 : atoms.start[row + range.last.x + 1];
      for (std::uint32_t from = range.empty() ? 0 : atoms.start[row + range.first.x]; from < end;
           from += warp_size) {
        const std::uint32_t n = from + std::uint32_t(lane);
        float x = 0.0f, y = 0.0f, z = 0.0f, r2 = limit_A2, charge_e = 0.0f;
        int kind = 0;
        if (n < end) {
          const Vec3<double> d = point_A - atoms.positions_A[n];
          x = float(d.x), y = float(d.y), z = float(d.z);
          r2 = x * x + y * y + z * z;
          kind = atoms.kinds[n];
          charge_e = atoms.charges_e[n];
        }
        for (unsigned left = __ballot_sync(full_warp, r2 < limit_A2); left != 0;) {
          const int first = __ffs(int(left)) - 1;
          left &= left - 1;
          const int second = left != 0 ? __ffs(int(left)) - 1 : -1;
          left &= left - 1;
          const int mine = half == 0 ? first : second;
          const int source = mine < 0 ? first : mine;
          const float of_r2 = __shfl_sync(full_warp, r2, source);
          const float dx = __shfl_sync(full_warp, x, source), dy = __shfl_sync(full_warp, y, source),
                      dz = __shfl_sync(full_warp, z, source), q = __shfl_sync(full_warp, charge_e, source);
          const int of_kind = __shfl_sync(full_warp, kind, source);
          if (mine < 0) continue;
          const int at = site_row * int(of_r2 * site_bins_per_A2) + column;
          work.by_class[half][site_row * of_kind + column] += by_class[at];
          if (column == 0) work.nearest2[half][of_kind] = fminf(work.nearest2[half][of_kind], of_r2);
          const float value = q * of_charges[at];
          const float along_x = dx * value, along_y = dy * value, along_z = dz * value;
          moments[0] += value;
          moments[1] += along_x;
          moments[2] += along_y;
          moments[3] += along_z;
          moments[4] += dx * along_x;
          moments[5] += dy * along_y;
          moments[6] += dz * along_z;
          moments[7] += dx * along_y;
          moments[8] += dx * along_z;
          moments[9] += dy * along_z;
        }
      }
    }
  __syncwarp();
  for (int m = 0; m < site_moments; ++m) {
    const float both = moments[m] + __shfl_xor_sync(full_warp, moments[m], half_warp);
    if (half == 0) work.of_charges[site_row * m + column] = both;
  }
  for (int n = lane; n < site_atom_classes * site_row; n += warp_size)
    work.by_class[0][n] += work.by_class[1][n];
  if (lane < site_atom_classes)
    work.nearest2[0][lane] = fminf(work.nearest2[0][lane], work.nearest2[1][lane]);
  __syncwarp();
}

/// The log-odds of a point with these features, for all lanes.
__device__ double sum_of_trees(const TreesOnDevice& trees, const float* features) {
  double sum = 0.0;
  for (int t = int(threadIdx.x) % warp_size; t < trees.trees; t += warp_size) {
    std::uint32_t left = ~0u;
    for (std::uint32_t b = trees.first_branch[t]; b < trees.first_branch[t + 1]; ++b)
      if (features[trees.features[b]] > trees.thresholds[b]) left &= trees.right[b];
    sum += trees.leaves[trees.first_leaf[t] + std::uint32_t(__ffs(int(left)) - 1)];
  }
  for (int d = warp_size / 2; d > 0; d /= 2) sum += __shfl_xor_sync(full_warp, sum, d);
  return trees.baseline + sum;
}

/// A warp to a point.
__global__ void __launch_bounds__(warps_at_once* warp_size)
    score_points(DeviceBlocks blocks, SiteCells atoms, const std::int64_t* places, const float* weights,
                 std::int64_t count, const float* by_class, const float* of_charges, TreesOnDevice trees,
                 float* minus_log_odds) {
  __shared__ PointWork all_work[warps_at_once];
  PointWork& work = all_work[threadIdx.x / warp_size];
  const std::int64_t n = std::int64_t(blockIdx.x) * warps_at_once + threadIdx.x / warp_size;
  if (n >= count) return;  // whole warps
  const std::int64_t place = places[n];
  const BlockFrameD frame = frame_of_block(blocks.lattice, blocks.numbers[place / block_points]);
  const int p = int(place % block_points);
  const Vec3<double> point_A = blocks.lattice.position_A(frame.first_point.x + p % block_edge,
                                                         frame.first_point.y + p / block_edge % block_edge,
                                                         frame.first_point.z + p / (block_edge * block_edge));
  sum_around(atoms, point_A, by_class, of_charges, work);
  if (threadIdx.x % warp_size == 0) {
    float* feature = work.features;
    put_features({work.by_class[0], work.nearest2[0], work.of_charges, blocks.values[place],
                  float(-log(double(weights[n])))},
                 [&](float value) { *feature++ = value; });
  }
  __syncwarp();
  const double log_odds = sum_of_trees(trees, work.features);
  if (threadIdx.x % warp_size == 0) minus_log_odds[n] = float(-log_odds);
}

}  // namespace

DeviceSiteScore::DeviceSiteScore(const SiteScore& score, cudaStream_t stream) {
  const BoostedTrees::Arrays arrays = score.trees.arrays();
  constexpr std::string_view what = "the score";
  const SiteTables& tables = site_tables();
  baseline_ = arrays.baseline;
  trees_ = score.trees.empty() ? 0 : int(arrays.first_branch.size()) - 1;
  by_class_ = DeviceBuffer<float>(std::span(tables.by_class.data(), tables.by_class.size()), stream, what);
  of_charges_ =
      DeviceBuffer<float>(std::span(tables.of_charges.data(), tables.of_charges.size()), stream, what);
  first_branch_ = DeviceBuffer<std::uint32_t>(arrays.first_branch, stream, what);
  first_leaf_ = DeviceBuffer<std::uint32_t>(arrays.first_leaf, stream, what);
  right_ = DeviceBuffer<std::uint32_t>(arrays.right, stream, what);
  features_ = DeviceBuffer<std::int32_t>(arrays.features, stream, what);
  thresholds_ = DeviceBuffer<float>(arrays.thresholds, stream, what);
  leaves_ = DeviceBuffer<double>(arrays.leaves, stream, what);
}

DeviceBuffer<float> DeviceSiteScore::of(const ChosenPoints& points, const DeviceBlocks& blocks,
                                        const SiteCells& atoms, cudaStream_t stream) const {
  DeviceBuffer<float> scores(std::size_t(points.size()), "the score");
  if (points.size() == 0) return scores;
  const TreesOnDevice trees{trees_,        baseline_,        first_branch_.data(), first_leaf_.data(),
                            right_.data(), features_.data(), thresholds_.data(),   leaves_.data()};
  const auto thread_blocks = unsigned((points.size() + warps_at_once - 1) / warps_at_once);
  score_points<<<thread_blocks, warps_at_once * warp_size, 0, stream>>>(
      blocks, atoms, points.places.data(), points.weights.data(), points.size(), by_class_.data(),
      of_charges_.data(), trees, scores.data());
  check_launch("the score");
  return scores;
}

}  // namespace ionwell::gpu
