#include "gpu/placement/search.hpp"

#include <cooperative_groups.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "gpu/placement/best_cube.cuh"
#include "gpu/placement/exact.cuh"
#include "gpu/placement/refresh.cuh"
#include "gpu/runtime/by_kind.hpp"
#include "gpu/runtime/check.hpp"

namespace ionwell::gpu {
namespace {

namespace groups = cooperative_groups;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t no_index = std::numeric_limits<std::int64_t>::max();

struct SearchWorkspace {
  union {
    SumWorkspace sum;
    ExactWorkspace exact;
  };
  Best best[search_warps];
  Best mine;  // the best cube of this thread block
  double upper[search_warps];
  float lowest[search_warps];
  int before[search_warps];
  double upper_kT;      // of all thread blocks, at the last meeting
  double own_upper_kT;  // of this one
  float lowest_kT;
  int rank;
  std::uint32_t expanded;  // cubes expanded by this thread block
  LowestHere here;
  PendingIon pending[most_pending];
};

__device__ void find_best(Best of_thread, SearchWorkspace& workspace) {
  of_thread = best_of_warp(of_thread);
  if (threadIdx.x % warp_size == 0) workspace.best[threadIdx.x / warp_size] = of_thread;
  __syncthreads();
  if (threadIdx.x == 0) {
    Best best = workspace.best[0];
    for (int w = 1; w < search_warps; ++w) best = better(best, workspace.best[w]);
    workspace.mine = best;
  }
  __syncthreads();
}

/// Reads what all thread blocks part_bounds: the least upper bound, the lowest energy left, and how many have
/// a better cube than this one.
__device__ void read_part_bounds(const PartBounds* part_bounds, int parts, SearchWorkspace& workspace) {
  double upper = infinity;
  float lowest = float_infinity;
  int before = 0;
  const float mine = workspace.mine.bound_kT;
  for (int p = int(threadIdx.x); p < parts; p += search_threads) {
    const double other_upper = __ldcg(&part_bounds[p].upper_kT);
    const float other = __ldcg(&part_bounds[p].bound_kT);
    upper = fmin(upper, other_upper);
    lowest = fminf(lowest, other);
    before += other < mine || (other == mine && p < int(blockIdx.x));
  }
  upper = reduce_warp(upper, [](double a, double b) { return fmin(a, b); });
  lowest = warp_min(lowest);
  before = warp_sum(before);
  if (threadIdx.x % warp_size == 0) {
    const int warp = int(threadIdx.x) / warp_size;
    workspace.upper[warp] = upper;
    workspace.lowest[warp] = lowest;
    workspace.before[warp] = before;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < search_warps; ++w) {
      upper = fmin(upper, workspace.upper[w]);
      lowest = fminf(lowest, workspace.lowest[w]);
      before += workspace.before[w];
    }
    workspace.upper_kT = upper;
    workspace.lowest_kT = lowest;
    workspace.rank = before;
  }
  __syncthreads();
}

/// Puts the points of an expanded block that may have the lowest energy on the list; by a warp.
__device__ void collect(const SearchArrays& arrays, const SearchTask& task, std::int64_t slot,
                        double upper_kT) {
  const int lane = int(threadIdx.x) % warp_size;
  const std::int64_t number = arrays.blocks.numbers[slot];
  const std::uint32_t mine = load_mask(arrays.mask + mask_words * number, lane);
  const float* values = arrays.blocks.values + block_points * slot;
  const double error_kT = arrays.refine ? fabs(task.charge_e) * double(arrays.error_kT_e[slot]) : 0.0;
  const BlockFrameD frame = frame_of_block(arrays.blocks.lattice, number);
  const auto index_of = [&](int n) {
    return arrays.blocks.lattice.index(frame.first_point.x + lane % block_edge,
                                       frame.first_point.y + lane / block_edge + 4 * (n % 2),
                                       frame.first_point.z + n / 2);
  };
  unsigned in_running = 0;
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n)
    if (mine >> n & 1 && task.charge_e * double(values[warp_size * n + lane]) - error_kT <= upper_kT)
      in_running |= 1u << n;
  const auto append = [&](bool wanted, double energy_kT, std::int64_t index) {
    const unsigned lanes = __ballot_sync(full_warp, wanted);
    if (lanes == 0) return;
    std::uint32_t at = 0;
    if (lane == 0) at = atomicAdd(&arrays.control->candidates, std::uint32_t(__popc(lanes)));
    at = __shfl_sync(full_warp, at, 0) + std::uint32_t(__popc(lanes & ((1u << lane) - 1)));
    if (wanted && at < arrays.candidate_room) arrays.candidates[at] = {energy_kT, error_kT, index};
  };
  if (error_kT == 0.0) {  // the values decide: one of them is enough
    double energy = infinity;
    std::int64_t index = no_index;
#pragma unroll
    for (int n = 0; n < 2 * mask_words; ++n)
      if (in_running >> n & 1) {
        const double e = task.charge_e * double(values[warp_size * n + lane]);
        const std::int64_t i = index_of(n);
        if (e < energy || (e == energy && i < index)) {
          energy = e;
          index = i;
        }
      }
    for (int d = 16; d > 0; d /= 2) {
      const double e = __shfl_xor_sync(full_warp, energy, d);
      const std::int64_t i = __shfl_xor_sync(full_warp, static_cast<long long>(index), d);
      if (e < energy || (e == energy && i < index)) {
        energy = e;
        index = i;
      }
    }
    append(lane == 0 && energy < infinity, energy, index);
    return;
  }
  if (arrays.multilevel && arrays.direct[slot] == 0 &&
      warp_sum(__popc(in_running)) > near_degenerate_points) {
    if (lane == 0)
      arrays.near_degenerate_slots[atomicAdd(&arrays.control->near_degenerate, 1u)] = std::int32_t(slot);
    return;
  }
#pragma unroll 1
  for (int n = 0; n < 2 * mask_words; ++n)
    append(in_running >> n & 1, task.charge_e * double(values[warp_size * n + lane]), index_of(n));
}

__device__ inline double device_seconds() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
  return 1e-9 * double(ns);
}

template <Kind kind>
__global__ void __launch_bounds__(search_threads, 2)
    search_kernel(const SearchArrays arrays, const SearchTask task, SearchResult* result) {
  extern __shared__ char shared[];
  SearchWorkspace& workspace = *reinterpret_cast<SearchWorkspace*>(shared);
  const auto everybody = groups::this_grid();
  const bool first_block = blockIdx.x == 0, first_thread = threadIdx.x == 0;
  const int warp = int(threadIdx.x) / warp_size;
  const double start_s = first_block && first_thread ? device_seconds() : 0.0;

  // Rows of a cube for each thread; warps are at different turns, so that all have the same work.
  const std::int64_t first = arrays.cubes_per_part * blockIdx.x;
  const int count = arrays.cubes_in_part(int(blockIdx.x));
  const unsigned turn = (task.phase - threadIdx.x / warp_size) & (task.phases - 1);

  // 1. What the new ions change: the mask around them, and all bounds.
  if (first_block && first_thread) {
    if (task.new_ion < task.ions) {
      arrays.ions[task.new_ion] = task.ion.charge;
      arrays.ion_limit_A2[task.new_ion] = task.ion.limit_A2;
      arrays.ion_clearance_A[task.new_ion] = task.ion.clearance_A;
    }
    *arrays.control = {};
  }
  for (std::uint32_t i = task.masked; i < task.ions; ++i) {
    const IonOnDevice ion = ion_of(arrays, task, i);
    // Two ions may be near the same block: one after the other.
    if (i > task.masked) everybody.sync();
    exclude_ion(arrays, ion.charge.position_A, ion.limit_A2, warp + std::int64_t(search_warps) * blockIdx.x,
                std::int64_t(search_warps) * gridDim.x);
  }
  if (task.phases > 1) {
    for (std::uint32_t i = task.bounded + threadIdx.x; i < task.ions; i += search_threads)
      workspace.pending[i - task.bounded] = pending_ion(arrays, task, i);
    __syncthreads();
  }
  Best best = bound_cubes(arrays, task, workspace.pending, turn, first, count);
  if (first_thread) {
    workspace.own_upper_kT = infinity;
    workspace.expanded = 0;
  }
  find_best(best, workspace);
  const auto post_part_bounds = [&](std::uint32_t round) {
    if (first_thread)
      arrays.part_bounds[(round % 2) * gridDim.x + blockIdx.x] = {workspace.own_upper_kT,
                                                                  workspace.mine.bound_kT, 0};
  };
  post_part_bounds(0);
  everybody.sync();

  // 2. Open blocks, the best ones first, until what is left cannot hold a lower energy.
  std::uint32_t round = 0;
  for (;; ++round) {
    read_part_bounds(arrays.part_bounds + (round % 2) * gridDim.x, int(gridDim.x), workspace);
    if (!(workspace.lowest_kT < float_infinity) || double(workspace.lowest_kT) > workspace.upper_kT) break;
    // The first few say what the lowest energy is about; then each thread block opens what may be lower.
    constexpr int at_first = 16, most_at_once = 64;
    constexpr std::uint32_t single_rounds = 4;
    const int open_now = round < single_rounds ? 1 : min(2 << min(round - single_rounds, 5u), most_at_once);
    const bool may_open = round > 0 || workspace.rank < at_first;
    const double upper_kT = workspace.upper_kT;
    for (int n = 0; may_open && n < open_now; ++n) {
      const Best mine = workspace.mine;
      if (!(mine.bound_kT < float_infinity) || double(mine.bound_kT) > fmin(upper_kT, workspace.own_upper_kT))
        break;
      const std::int64_t slot = arrays.slot_of_cube(mine.cube);
      if (first_thread && arrays.ions_in[slot] < task.ions) atomicAdd(&arrays.control->blocks_updated, 1u);
      __syncthreads();
      bring_up_to_date<kind>(arrays, slot, task.ions, false, workspace.sum, workspace.here);
      if (first_thread) {
        const LowestHere& here = workspace.here;
        const double value = double(task.charge_e > 0.0 ? here.lowest : here.highest);
        const double error = arrays.refine ? fabs(task.charge_e) * double(here.error_kT_e) : 0.0;
        if (here.lowest <= here.highest)
          workspace.own_upper_kT = fmin(workspace.own_upper_kT, task.charge_e * value + error);
        arrays.expanded[first + workspace.expanded++] = mine.cube;
      }
      const int of = int((mine.cube - std::uint32_t(first)) % search_threads);
      if (of / warp_size == warp) {
        if (of == int(threadIdx.x)) arrays.bound_kT[mine.cube] = float_infinity;
        __syncwarp();
        const Best left = best_of_thread(arrays, first, count, of);
        if (of == int(threadIdx.x)) best = left;
      }
      __syncthreads();
      find_best(best, workspace);
    }
    post_part_bounds(round + 1);
    everybody.sync();
  }

  // 3. The points that the lattice's error leaves in the running.
  const double upper_kT = workspace.upper_kT;
  for (std::uint32_t n = std::uint32_t(warp); n < workspace.expanded; n += search_warps)
    collect(arrays, task, arrays.slot_of_cube(arrays.expanded[first + n]), upper_kT);
  everybody.sync();
  const std::uint32_t candidates = __ldcg(&arrays.control->candidates),
                      near_degenerate = __ldcg(&arrays.control->near_degenerate);
  double sums_start_s = infinity;  // when there are none
  const auto report = [&](SearchStatus status, std::int64_t index, double potential_kT_e,
                          std::uint32_t sums) {
    if (!first_block || !first_thread) return;
    result->index = index;
    result->potential_kT_e = potential_kT_e;
    result->status = status;
    result->blocks_updated = __ldcg(&arrays.control->blocks_updated);
    result->candidates = candidates;
    result->exact_sums = sums;
    result->near_degenerate = near_degenerate;
    const double end_s = device_seconds();
    result->device_s = end_s - start_s;
    result->refinement_s = fmax(end_s - sums_start_s, 0.0);
    __threadfence_system();
    result->sequence = task.sequence;
  };
  if (near_degenerate > 0) return report(SearchStatus::near_degenerate, 0, 0.0, 0);
  if (candidates == 0) return report(SearchStatus::nothing_available, 0, 0.0, 0);
  if (candidates > most_sorted) return report(SearchStatus::host_chooses, 0, 0.0, 0);

  // 4. Their fp64 sums, eight at a time, and the lowest of them.
  ExactWorkspace& exact = workspace.exact;
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < candidates; i += search_threads) {
    exact.candidate[i].energy_kT = __ldcg(&arrays.candidates[i].energy_kT);
    exact.candidate[i].error_kT = __ldcg(&arrays.candidates[i].error_kT);
    exact.candidate[i].index = __ldcg(reinterpret_cast<const long long*>(&arrays.candidates[i].index));
    exact.exact_kT[i] = infinity;
  }
  if (first_thread) {
    exact.lowest_kT = infinity;
    exact.tie_kT = 0.0;
    exact.next = 0;
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < candidates; i += search_threads) {
    const Candidate c = exact.candidate[i];
    int rank = 0;
    for (std::uint32_t j = 0; j < candidates; ++j) {
      const Candidate& other = exact.candidate[j];
      rank += other.energy_kT < c.energy_kT || (other.energy_kT == c.energy_kT && other.index < c.index);
    }
    exact.order[rank] = std::uint16_t(i);
  }
  __syncthreads();
  if (!arrays.refine) {
    const Candidate& best_by_lattice = exact.candidate[exact.order[0]];
    return report(SearchStatus::found, best_by_lattice.index, best_by_lattice.energy_kT / task.charge_e, 0);
  }
  std::uint32_t sums = 0;
  if (first_block && first_thread) sums_start_s = device_seconds();
  for (int turn = 0;; ++turn) {
    choose_next(int(candidates), exact);
    const int count = exact.chosen_count;
    if (count == 0) break;
    if (int(threadIdx.x) < count)
      exact.position_A[threadIdx.x] =
          arrays.blocks.lattice.position_A(exact.candidate[exact.chosen[threadIdx.x]].index);
    __syncthreads();
    double* partial = arrays.partial + (turn % 2) * exact_parts * exact_at_once;
    for (int part = int(blockIdx.x); part < exact_parts; part += int(gridDim.x))
      sum_part<kind>(arrays, task.ions, part, count, exact, partial + part * exact_at_once);
    everybody.sync();
    add_parts(arrays, partial, count, exact);
    if (first_thread)
      for (int n = 0; n < count; ++n) {
        const double energy_kT = task.charge_e * exact.total[n];
        exact.exact_kT[exact.chosen[n]] = energy_kT;
        if (!(energy_kT < exact.lowest_kT)) continue;
        exact.lowest_kT = energy_kT;
        exact.tie_kT = task.tie_kT + tie_band_kT(1.0, fabs(energy_kT));
      }
    sums += std::uint32_t(count);
    __syncthreads();
  }
  if (!first_block || !first_thread) return;
  std::int64_t index = no_index;
  int equal = 0;
  for (std::uint32_t i = 0; i < candidates; ++i) {
    if (exact.exact_kT[i] == exact.lowest_kT) index = exact.candidate[i].index;
    equal += exact.exact_kT[i] <= exact.lowest_kT + exact.tie_kT;
  }
  report(equal > 1 ? SearchStatus::host_chooses : SearchStatus::found, index, exact.lowest_kT / task.charge_e,
         sums);
}

auto search_kernel_of(PairPotential::Kind kind) {
  auto* kernel = of_kind(kind, search_kernel<Kind::coulomb>, search_kernel<Kind::distance_dependent>,
                         search_kernel<Kind::debye_hueckel>);
  check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(SearchWorkspace))),
      "setting up the search");
  return kernel;
}

}  // namespace

int search_parts(PairPotential::Kind kind) {
  int device = 0, processors = 0, fit = 0;
  check(cudaGetDevice(&device), "looking at the device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "looking at the device");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, search_kernel_of(kind), search_threads,
                                                      sizeof(SearchWorkspace)),
        "setting up the search");
  constexpr int most = 2;  // more of them would only have more to wait for
  if (fit < 1) fail("this GPU has not enough shared memory or registers for a search; use --backend cpu");
  return processors * std::min(fit, most);
}

void launch_search(const SearchArrays& arrays, const SearchTask& task, SearchResult* result,
                   cudaStream_t stream) {
  const void* kernel = reinterpret_cast<const void*>(of_kind(arrays.pair.kind, search_kernel<Kind::coulomb>,
                                                             search_kernel<Kind::distance_dependent>,
                                                             search_kernel<Kind::debye_hueckel>));
  void* arguments[] = {const_cast<SearchArrays*>(&arrays), const_cast<SearchTask*>(&task), &result};
  check(cudaLaunchCooperativeKernel(kernel, dim3(unsigned(arrays.parts)), dim3(search_threads), arguments,
                                    sizeof(SearchWorkspace), stream),
        "the search for the lowest point");
}

}  // namespace ionwell::gpu
