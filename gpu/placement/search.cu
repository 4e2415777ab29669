// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/placement/search.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "gpu/electrostatics/by_kind.hpp"
#include "gpu/placement/collect.cuh"
#include "gpu/placement/search_workspace.cuh"
#include "gpu/runtime/check.hpp"

namespace ionwell::gpu {
namespace {

using cooperative_groups::grid_group;

__device__ inline double device_seconds() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
  return 1e-9 * double(ns);
}

__device__ inline bool is_first_thread() {
  return blockIdx.x == 0 && threadIdx.x == 0;
}

/// Adds the newest ion to the device's list, takes the points around ions away from the mask that it does not
/// contain yet, and begins with no candidates.
__device__ inline void take_in_new_ions(const grid_group& grid, const SearchArrays& arrays,
                                        const SearchTask& task) {
  if (is_first_thread()) {
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
    if (i > task.masked) grid.sync();
    exclude_ion(arrays, ion.charge.position_A, ion.limit_A2,
                int(threadIdx.x) / warp_size + std::int64_t(search_warps) * blockIdx.x,
                std::int64_t(search_warps) * gridDim.x);
  }
}

/// Lets the bounds of this thread block's cubes feel all ions; returns the best of this thread's cubes.
__device__ inline Best inflate_bounds(const SearchArrays& arrays, const SearchTask& task,
                                      const OwnCubes& cubes, SearchWorkspace& workspace) {
  if (task.phases > 1) {
    for (std::uint32_t i = task.bounded + threadIdx.x; i < task.ions; i += search_threads)
      workspace.pending[i - task.bounded] = pending_ion(arrays, task, i);
    __syncthreads();
  }
  // Rows of a cube for each thread; warps are at different phases, so that all have the same work.
  const unsigned phase = (task.phase - threadIdx.x / warp_size) & (task.phases - 1);
  return bound_cubes(arrays, task, workspace.pending, phase, cubes.first, cubes.count);
}

/// Brings the block of this thread block's best cube up to date, lowers the upper bound by its values, and
/// finds the next best cube; `best` is that of this thread's cubes.
template <Kind kind>
__device__ inline void expand_best(const SearchArrays& arrays, const SearchTask& task, const OwnCubes& cubes,
                                   Best& best, SearchWorkspace& workspace) {
  const bool first_of_block = threadIdx.x == 0;
  const std::uint32_t cube = workspace.best.cube;
  const std::int64_t slot = arrays.slot_of_cube(cube);
  if (first_of_block && arrays.ions_in[slot] < task.ions) atomicAdd(&arrays.control->blocks_updated, 1u);
  __syncthreads();
  bring_up_to_date<kind>(arrays, slot, task.ions, false, workspace.sum, workspace.values);
  if (first_of_block) {
    const ValueRange& range = workspace.values.range;
    const double value = double(task.charge_e > 0.0 ? range.lowest : range.highest);
    const double error = arrays.refine ? fabs(task.charge_e) * double(workspace.values.error_kT_e) : 0.0;
    if (range.lowest <= range.highest)
      workspace.own_upper_kT = fmin(workspace.own_upper_kT, task.charge_e * value + error);
    arrays.expanded[cubes.first + workspace.expanded++] = cube;
  }
  const int owner = int((cube - std::uint32_t(cubes.first)) % search_threads);
  if (owner / warp_size == int(threadIdx.x) / warp_size) {
    if (owner == int(threadIdx.x)) arrays.bound_kT[cube] = float_infinity;
    __syncwarp();
    const Best left = best_of_thread(arrays, cubes.first, cubes.count, owner);
    if (owner == int(threadIdx.x)) best = left;
  }
  __syncthreads();
  find_best(best, workspace);
}

/// Cubes that this thread block may expand in a round, with `ahead` others having better ones. The first few
/// say what the lowest energy is about; then each thread block expands what may be lower.
__device__ inline int most_expanded(std::uint32_t round, int ahead) {
  constexpr int at_first = 16, most_at_once = 64;
  constexpr std::uint32_t single_rounds = 4;
  if (round == 0 && ahead >= at_first) return 0;
  return round < single_rounds ? 1 : min(2 << min(round - single_rounds, 5u), most_at_once);
}

/// Expands blocks, the best ones first, until what is left cannot hold a lower energy; workspace.upper_kT is
/// then what a point of the lowest energy has at most.
template <Kind kind>
__device__ inline void expand_best_blocks(const grid_group& grid, const SearchArrays& arrays,
                                          const SearchTask& task, const OwnCubes& cubes, Best best,
                                          SearchWorkspace& workspace) {
  if (threadIdx.x == 0) {
    workspace.own_upper_kT = double_infinity;
    workspace.expanded = 0;
  }
  find_best(best, workspace);
  post_bounds(arrays, 0, workspace);
  grid.sync();
  for (std::uint32_t round = 0;; ++round) {
    read_bounds(arrays, round, workspace);
    if (!(workspace.lowest_kT < float_infinity) || double(workspace.lowest_kT) > workspace.upper_kT) return;
    const double upper_kT = workspace.upper_kT;
    const int most = most_expanded(round, workspace.ahead);
    for (int n = 0; n < most; ++n) {
      const float bound_kT = workspace.best.bound_kT;
      if (!(bound_kT < float_infinity) || double(bound_kT) > fmin(upper_kT, workspace.own_upper_kT)) break;
      expand_best<kind>(arrays, task, cubes, best, workspace);
    }
    post_bounds(arrays, round + 1, workspace);
    grid.sync();
  }
}

/// Collects the candidates of this thread block's expanded blocks.
__device__ inline void collect_candidates(const SearchArrays& arrays, const SearchTask& task,
                                          const OwnCubes& cubes, const SearchWorkspace& workspace) {
  const double upper_kT = workspace.upper_kT;
  for (std::uint32_t n = threadIdx.x / warp_size; n < workspace.expanded; n += search_warps)
    collect(arrays, task, arrays.slot_of_cube(arrays.expanded[cubes.first + n]), upper_kT);
}

/// What a search found; the first thread of the first block has it.
struct Outcome {
  SearchStatus status;
  std::int64_t index = 0;
  double potential_kT_e = 0.0;
  std::uint32_t exact_sums = 0;
  double sums_start_s = double_infinity;  // when there are none
};

/// The candidate of lowest energy; exact sums decide unless the lattice's values do.
template <Kind kind>
__device__ inline Outcome choose(const grid_group& grid, const SearchArrays& arrays, const SearchTask& task,
                                 ExactWorkspace& exact) {
  const std::uint32_t candidates = __ldcg(&arrays.control->candidates);
  if (__ldcg(&arrays.control->near_degenerate) > 0) return {SearchStatus::near_degenerate};
  if (candidates == 0) return {SearchStatus::nothing_available};
  if (candidates > most_sorted) return {SearchStatus::host_chooses};
  sort_candidates(arrays, candidates, exact);
  if (!arrays.refine) {
    const Candidate& first = exact.candidate[exact.order[0]];
    return {SearchStatus::found, first.index, first.energy_kT / task.charge_e};
  }
  const double start_s = is_first_thread() ? device_seconds() : 0.0;
  const std::uint32_t sums = sum_candidates<kind>(grid, arrays, task, candidates, exact);
  if (!is_first_thread()) return {SearchStatus::found};
  const LowestEnergy& lowest = exact.lowest;
  std::int64_t index = 0;
  int close = 0;
  for (std::uint32_t i = 0; i < candidates; ++i) {
    if (exact.exact_kT[i] == lowest.energy_kT) index = exact.candidate[i].index;
    close += exact.exact_kT[i] <= lowest.limit_kT();
  }
  return {close > 1 ? SearchStatus::host_chooses : SearchStatus::found, index,
          lowest.energy_kT / task.charge_e, sums, start_s};
}

/// Writes the outcome to host memory, which waits for the sequence number; by one thread.
__device__ inline void report(const SearchArrays& arrays, const SearchTask& task, const Outcome& outcome,
                              double start_s, SearchResult* result) {
  result->index = outcome.index;
  result->potential_kT_e = outcome.potential_kT_e;
  result->status = outcome.status;
  result->blocks_updated = __ldcg(&arrays.control->blocks_updated);
  result->candidates = __ldcg(&arrays.control->candidates);
  result->exact_sums = outcome.exact_sums;
  result->near_degenerate = __ldcg(&arrays.control->near_degenerate);
  const double end_s = device_seconds();
  result->device_s = end_s - start_s;
  result->refinement_s = fmax(end_s - outcome.sums_start_s, 0.0);
  __threadfence_system();
  result->sequence = task.sequence;
}

template <Kind kind>
__global__ void __launch_bounds__(search_threads, 2)
    search_kernel(const SearchArrays arrays, const SearchTask task, SearchResult* result) {
  extern __shared__ char shared[];
  SearchWorkspace& workspace = *reinterpret_cast<SearchWorkspace*>(shared);
  const grid_group grid = cooperative_groups::this_grid();
  if (is_first_thread()) workspace.start_s = device_seconds();
  const OwnCubes cubes(arrays);
  take_in_new_ions(grid, arrays, task);
  const Best best = inflate_bounds(arrays, task, cubes, workspace);
  expand_best_blocks<kind>(grid, arrays, task, cubes, best, workspace);
  collect_candidates(arrays, task, cubes, workspace);
  grid.sync();
  const Outcome outcome = choose<kind>(grid, arrays, task, workspace.exact);
  if (is_first_thread()) report(arrays, task, outcome, workspace.start_s, result);
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
  if (fit < 1)
    fail_device("use --backend cpu", "this GPU does not have enough shared memory or registers for a search");
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
