// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/bricks.hpp"

#include <algorithm>
#include <utility>

#include "gpu/electrostatics/poisson_boltzmann/model/near_walk.cuh"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr const char* near_lists = "what lies near lattice points";  // in messages
constexpr int listing_warps = 4;                                     // of a thread block
constexpr double listing_rounding_A = 0.01;  // more than decides whether something reaches a point

/// Balls as they are.
struct ListedBalls {
  BallView balls;
  __device__ const std::uint32_t* start() const { return balls.start; }
  __device__ Ball at(std::int64_t n) const { return balls.at(n); }
};

/// Balls around arcs.
struct ListedArcs {
  PartsView parts;
  __device__ const std::uint32_t* start() const { return parts.arc_start; }
  __device__ Ball at(std::int64_t n) const { return parts.around_arcs[n]; }
};

/// A warp for each brick: notes what is near it; `used` is how much all bricks have, of which there is room
/// for `room`.
template <typename Items>
__global__ void __launch_bounds__(32 * listing_warps)
    list_near_kernel(BricksView bricks, Items items, CellGrid grid, double largest_A, double reach_A,
                     NearRange* ranges, std::uint32_t* places, std::uint32_t room, std::uint32_t* used) {
  constexpr std::uint32_t usual_places = 256;  // of a brick: for more it is gone through twice
  __shared__ std::uint32_t noted_of_warps[listing_warps][usual_places];
  const std::int64_t brick = std::int64_t(blockIdx.x) * listing_warps + threadIdx.x / 32;
  if (brick >= bricks.count) return;
  const BrickPlace place = bricks.at(brick);
  const Vec3<double> lowest_A = bricks.origin_of(place),
                     highest_A = bricks.position_A(place.first[0] + bricks.edge, place.first[1] + bricks.edge,
                                                   place.first[2] + bricks.edge);
  const double reach = reach_A + listing_rounding_A;
  const auto note_near = [&](std::uint32_t* to, std::uint32_t most) {
    std::uint32_t count = 0;
    over_near(grid, items.start(), lowest_A, highest_A, largest_A + reach, [&](std::int64_t n, bool is_one) {
      bool is_near = false;
      if (is_one) {
        const Ball ball = items.at(n);
        const double within_A = ball.radius_A + reach;
        is_near = distance2_to_box(lowest_A, highest_A, ball.centre_A) <= within_A * within_A;
      }
      const unsigned bits = __ballot_sync(0xffffffffu, is_near);
      const std::uint32_t at = count + std::uint32_t(bits_before_lane(bits));
      if (is_near && at < most) to[at] = std::uint32_t(n);
      count += std::uint32_t(__popc(bits));
    });
    return count;
  };
  std::uint32_t* const noted = noted_of_warps[threadIdx.x / 32];
  const std::uint32_t count = note_near(noted, usual_places), lane = threadIdx.x % 32;
  std::uint32_t begin = 0;
  if (lane == 0) {
    begin = atomicAdd(used, count);
    ranges[brick] = {begin, begin + count};
  }
  begin = __shfl_sync(0xffffffffu, begin, 0);
  if (begin + count > room) return;
  __syncwarp();
  if (count > usual_places)
    note_near(places + begin, count);
  else
    for (std::uint32_t n = lane; n < count; n += 32) places[begin + n] = noted[n];
}

}  // namespace

int Bricks::edge_for(const Vec3<double>& spacing_A) {
  constexpr double fine_A = 0.75;
  return std::max({spacing_A.x, spacing_A.y, spacing_A.z}) < fine_A ? 8 : 4;
}

PointBox Bricks::all_of_bricks(const PointBox& box, int edge) {
  const auto first = [edge](std::int64_t n) { return n / edge * edge; };
  const auto last = [edge](std::int64_t n) { return (n / edge + 1) * edge; };
  return {{first(box.low.x), first(box.low.y), first(box.low.z)},
          {last(box.high.x), last(box.high.y), last(box.high.z)}};
}

BricksView Bricks::cut(const LatticeGeometry& lattice, std::span<const PointBox> boxes, cudaStream_t stream) {
  BricksView view;
  view.edge = edge_for(lattice.spacing_A);
  view.origin_A = lattice.origin_A;
  view.spacing_A = lattice.spacing_A;
  view.nx = int(lattice.counts.x);
  view.ny = int(lattice.counts.y);
  view.nz = int(lattice.counts.z);
  std::vector<BrickBox> cut;
  for (const PointBox& box : boxes) {
    BrickBox one{{int(box.low.x), int(box.low.y), int(box.low.z)},
                 {int(box.high.x), int(box.high.y), int(box.high.z)},
                 {},
                 {},
                 view.count};
    for (int a = 0; a < 3; ++a) {
      one.first[a] = one.low[a] / view.edge * view.edge;
      one.bricks[a] = (one.high[a] - one.first[a]) / view.edge + 1;
    }
    view.count += std::int64_t(one.bricks[0]) * one.bricks[1] * one.bricks[2];
    cut.push_back(one);
  }
  make_room(boxes_, cut.size(), near_lists);
  boxes_.copy_from(cut, stream);
  view.boxes = boxes_.data();
  view.box_count = int(cut.size());
  return view;
}

template <typename T>
void NearLists::grow(DeviceBuffer<T>& buffer, std::size_t size) {
  if (buffer.size() >= size) return;
  DeviceBuffer<T> larger(size + size / 4, near_lists);
  if (buffer.size() > 0) outgrown_.push_back(std::make_shared<DeviceBuffer<T>>(std::move(buffer)));
  buffer = std::move(larger);
}

template <typename Items>
NearView NearLists::list(const BricksView& bricks, const Items& items, const CellGrid& grid, double largest_A,
                         double reach_A, cudaStream_t stream) {
  constexpr std::size_t usual_places = 48;  // of a brick: many are far from the solute
  grow(ranges_, std::size_t(bricks.count));
  std::uint32_t all = 0;
  for (std::size_t room = usual_places * std::size_t(bricks.count); room > 0; room = all) {
    grow(places_, room);
    used_.zero(stream);
    list_near_kernel<<<blocks_for(bricks.count, listing_warps), 32 * listing_warps, 0, stream>>>(
        bricks, items, grid, largest_A, reach_A, ranges_.data(), places_.data(),
        std::uint32_t(places_.size()), used_.data());
    check_launch("noting what lies near points");
    // A copy that waits for kernels keeps other threads from calling CUDA.
    check(cudaStreamSynchronize(stream), "noting what lies near points");
    used_.copy_to(std::span(&all, 1), stream);
    if (all <= places_.size()) break;
  }
  return {places_.data(), ranges_.data()};
}

NearView NearLists::balls(const BricksView& bricks, const BallView& balls, double reach_A,
                          cudaStream_t stream) {
  return list(bricks, ListedBalls{balls}, balls.grid, balls.largest_A, reach_A, stream);
}

NearView NearLists::arcs(const BricksView& bricks, const PartsView& parts, double reach_A,
                         cudaStream_t stream) {
  // A circle on a sphere is not larger.
  return list(bricks, ListedArcs{parts}, parts.balls.grid, parts.balls.largest_A, reach_A, stream);
}

}  // namespace ionwell::gpu
