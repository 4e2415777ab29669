// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/accessible_parts.hpp"

#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "gpu/electrostatics/poisson_boltzmann/model/near_walk.cuh"
#include "gpu/electrostatics/poisson_boltzmann/model/sphere_cutter.cuh"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr const char* surface_parts = "the parts of a surface";  // in messages
constexpr int cutter_warps = 4;                                  // of a thread block
constexpr int one_angle_more = 2;                                // than circles: what a warp has room for
constexpr int cutters_at_once = 2112;  // warps: sixteen on each multiprocessor of an H100

__global__ void find_owners_kernel(BallView balls, const Box* near, int boxes, double reach_A,
                                   std::uint32_t* owners, unsigned char* is_owner,
                                   PartsFinder::Counts* counts) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= balls.count) return;
  const Ball ball = balls.at(n);
  const double within_A = reach_A + ball.radius_A;
  bool is_near = false;
  for (int b = 0; b < boxes; ++b)
    is_near |= distance2_to_box(near[b].lowest_A, near[b].highest_A, ball.centre_A) <= within_A * within_A;
  is_owner[n] = is_near;
  if (is_near) owners[atomicAdd(&counts->owners, 1u)] = std::uint32_t(n);
}

/// Calls work(n, warp) with all lanes of the warps for each of the owners; `warp` is the warp's own number.
template <typename Work>
__device__ void over_owners(const std::uint32_t* owners, std::uint32_t count, const Work& work) {
  const std::uint32_t warps = gridDim.x * cutter_warps, warp = blockIdx.x * cutter_warps + threadIdx.x / 32;
  for (std::uint32_t n = warp; n < count; n += warps) work(owners[n], warp);
}

/// Where the parts go; `has_arc` by the places of balls.
struct FoundParts {
  CapRange* caps_of;
  SphereCap* caps;
  AccessibleArc* arcs;
  ArcOrigin* origins;
  std::uint32_t* arcs_of;
  unsigned char* has_arc;
  std::uint32_t cap_room, arc_room;
  PartsFinder::Counts* counts;
};

__global__ void __launch_bounds__(32 * cutter_warps, 4)
    cut_spheres_kernel(BallView balls, const std::uint32_t* owners, const unsigned char* is_owner,
                       std::uint32_t count, double* numbers, std::int32_t* places, int room_of_warp,
                       FoundParts found) {
  over_owners(owners, count, [&](std::uint32_t place, std::uint32_t warp) {
    const CutterRoom room{numbers + std::int64_t(warp) * cutter_columns * room_of_warp,
                          places + std::int64_t(warp) * 2 * room_of_warp,
                          places + (std::int64_t(warp) * 2 + 1) * room_of_warp, room_of_warp};
    __syncwarp();
    const int met = find_meeting_spheres(balls, place, room);
    if (met < 0) return;
    if (met > room_of_warp - one_angle_more) {
      if (lane_of_warp() == 0) atomicMax(&found.counts->most_met, met);
      return;
    }
    const int kept = keep_caps(balls, place, met, room);
    std::uint32_t first = 0;
    if (lane_of_warp() == 0) first = atomicAdd(&found.counts->caps, std::uint32_t(kept));
    first = __shfl_sync(whole_warp, first, 0);
    if (lane_of_warp() == 0) found.caps_of[place] = {std::int32_t(first), kept};
    for (int n = lane_of_warp(); n < kept; n += 32)
      if (first + std::uint32_t(n) < found.cap_room)
        found.caps[first + std::uint32_t(n)] = {
            {float(room.at(kept_axis_x, n)), float(room.at(kept_axis_y, n)), float(room.at(kept_axis_z, n))},
            float(room.at(kept_cosine, n))};
    const Ball own = balls.at(place);
    std::uint32_t number = 0;
    for (int first_circle = 0; first_circle < kept; first_circle += 32) {
      const int of_lane = first_circle + lane_of_warp();
      bool is_own = false;  // or the other ball's to cut
      if (of_lane < kept) {
        const std::int32_t other = room.kept[of_lane];
        is_own = balls.numbers[other] >= balls.numbers[place] || is_owner[other] == 0;
      }
      for (unsigned own_circles = __ballot_sync(whole_warp, is_own); own_circles != 0;
           own_circles &= own_circles - 1) {
        const int n = first_circle + __ffs(int(own_circles)) - 1;
        number += cut_circle(own, room, kept, n, [&](const AccessibleArc& arc, int of_circle) {
          const std::uint32_t at = atomicAdd(&found.counts->arcs, 1u);
          if (at < found.arc_room) {
            found.arcs[at] = arc;
            found.origins[at] = {place, number + std::uint32_t(of_circle)};
          }
          found.has_arc[place] = 1;
          found.has_arc[room.kept[n]] = 1;
        });
      }
    }
    if (lane_of_warp() == 0) found.arcs_of[place] = number;
  });
}

/// A sphere that others meet and that is on no arc is covered wholly.
__global__ void drop_covered_kernel(std::int64_t balls, const unsigned char* has_arc, CapRange* caps_of) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < balls && has_arc[n] == 0 && caps_of[n].count > 0) caps_of[n].count = -1;
}

/// `order`: which arc is number n when they are in the order of the balls that cut them.
__global__ void cells_of_arcs_kernel(const AccessibleArc* arcs, const ArcOrigin* origins,
                                     const std::uint32_t* first_arc_of, std::int64_t count, CellGrid grid,
                                     std::uint32_t* order, std::uint32_t* cells) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const std::uint32_t to = first_arc_of[origins[n].place] + origins[n].number;
  order[to] = std::uint32_t(n);
  cells[to] = std::uint32_t(grid.cell_of(arcs[n].around().centre_A));
}

__global__ void gather_arcs_kernel(const AccessibleArc* arcs, const std::uint32_t* order,
                                   const std::uint32_t* by_cell, std::int64_t count, AccessibleArc* in_order,
                                   Ball* around) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const AccessibleArc arc = arcs[order[by_cell[n]]];
  in_order[n] = arc;
  around[n] = arc.around();
}

}  // namespace

PartsFinder::Counts PartsFinder::read_counts(cudaStream_t stream) const {
  Counts read;
  // A copy that waits for kernels keeps other threads from calling CUDA.
  check(cudaStreamSynchronize(stream), "finding the surface");
  counts_.copy_to(std::span(&read, 1), stream);
  return read;
}

PartsView PartsFinder::find(const BallView& balls, std::span<const Box> near, double reach_A,
                            cudaStream_t stream) {
  const std::size_t size = std::size_t(balls.count);
  make_room(near_, near.size(), surface_parts);
  make_room(counts_, 1, surface_parts);
  make_room(owners_, size, surface_parts);
  make_room(is_owner_, size, surface_parts);
  make_room(has_arc_, size, surface_parts);
  make_room(caps_of_, size, surface_parts);
  make_room(arcs_of_, size, surface_parts);
  make_room(first_arc_of_, size, surface_parts);
  near_.copy_from(near, stream);
  counts_.zero(stream);
  find_owners_kernel<<<blocks_for(balls.count), usual_threads, 0, stream>>>(
      balls, near_.data(), int(near.size()), reach_A, owners_.data(), is_owner_.data(), counts_.data());
  check_launch("finding balls near the surface");
  cut(balls, read_counts(stream).owners, stream);
  drop_covered_kernel<<<blocks_for(balls.count), usual_threads, 0, stream>>>(balls.count, has_arc_.data(),
                                                                             caps_of_.data());
  check_launch("leaving out covered spheres");
  put_arcs_in_order(balls, read_counts(stream).arcs, stream);
  return {
      balls, caps_of_.data(), caps_.data(), sorted_arcs_.data(), around_arcs_.data(), arc_cells_->start()};
}

void PartsFinder::put_arcs_in_order(const BallView& balls, std::int64_t arcs, cudaStream_t stream) {
  if (arc_cells_ == nullptr || arc_cells_room_ < std::size_t(arcs)) {
    arc_cells_room_ = std::size_t(arcs + arcs / 4 + 1);
    arc_cells_ = nullptr;
    arc_cells_ = std::make_unique<CellSort>(std::int64_t(arc_cells_room_), balls.grid.size(), surface_parts);
  }
  make_room(sorted_arcs_, std::size_t(arcs), surface_parts);
  make_room(around_arcs_, std::size_t(arcs), surface_parts);
  make_room(arc_order_, std::size_t(arcs), surface_parts);
  if (arcs > 0) {
    std::size_t bytes = 0;
    check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, arcs_of_.data(), first_arc_of_.data(),
                                        int(balls.count), stream),
          "asking for the memory that a scan takes");
    make_room(scan_space_, std::max<std::size_t>(bytes, 1), surface_parts);
    check(cub::DeviceScan::ExclusiveSum(scan_space_.data(), bytes, arcs_of_.data(), first_arc_of_.data(),
                                        int(balls.count), stream),
          "putting arcs in order");
    cells_of_arcs_kernel<<<blocks_for(arcs), usual_threads, 0, stream>>>(
        arcs_.data(), arc_origins_.data(), first_arc_of_.data(), arcs, balls.grid, arc_order_.data(),
        arc_cells_->cell_of_item());
    check_launch("finding the cells of arcs");
  }
  arc_cells_->sort(arcs, stream);
  if (arcs > 0) {
    gather_arcs_kernel<<<blocks_for(arcs), usual_threads, 0, stream>>>(
        arcs_.data(), arc_order_.data(), arc_cells_->order(), arcs, sorted_arcs_.data(), around_arcs_.data());
    check_launch("sorting arcs into cells");
  }
}

void PartsFinder::cut(const BallView& balls, std::uint32_t owners, cudaStream_t stream) {
  const unsigned blocks = blocks_for(std::min<std::int64_t>(owners, cutters_at_once), cutter_warps);
  const std::size_t warps = std::size_t(blocks) * cutter_warps;
  constexpr std::size_t usual_caps = 40, usual_arcs = 8, spare = 1024;  // of a ball, or fewer
  make_room(caps_, usual_caps * owners + spare, surface_parts);
  make_room(arcs_, usual_arcs * owners + spare, surface_parts);
  make_room(arc_origins_, arcs_.size(), surface_parts);
  for (;;) {
    make_room(numbers_, warps * cutter_columns * std::size_t(room_of_warp_), surface_parts);
    make_room(places_, warps * 2 * std::size_t(room_of_warp_), surface_parts);
    counts_.zero(stream);
    has_arc_.zero(stream);
    arcs_of_.zero(stream);
    // No sphere is on the surface unless it is found to be: a count of -1.
    check(cudaMemsetAsync(caps_of_.data(), 0xff, std::size_t(balls.count) * sizeof(CapRange), stream),
          "clearing caps");
    cut_spheres_kernel<<<blocks, 32 * cutter_warps, 0, stream>>>(
        balls, owners_.data(), is_owner_.data(), owners, numbers_.data(), places_.data(), room_of_warp_,
        {caps_of_.data(), caps_.data(), arcs_.data(), arc_origins_.data(), arcs_of_.data(), has_arc_.data(),
         std::uint32_t(caps_.size()), std::uint32_t(arcs_.size()), counts_.data()});
    check_launch("cutting spheres");
    const Counts found = read_counts(stream);
    room_of_warp_ = std::max(room_of_warp_, found.most_met + one_angle_more);
    if (found.most_met == 0 && found.caps <= caps_.size() && found.arcs <= arcs_.size()) return;
    make_room(caps_, found.caps, surface_parts);
    make_room(arcs_, found.arcs, surface_parts);
    make_room(arc_origins_, arcs_.size(), surface_parts);
  }
}

}  // namespace ionwell::gpu
