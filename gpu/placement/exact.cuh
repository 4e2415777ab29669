// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cooperative_groups.h>

#include "gpu/placement/bounds_of_values.cuh"

/// fp64 sums at single points, which decide where an ion goes.
namespace ionwell::gpu {

struct ExactWorkspace {
  Candidate candidate[most_sorted];
  double exact_kT[most_sorted];      // infinite until a candidate is summed
  std::uint16_t order[most_sorted];  // of the candidates
  Vec3<double> position_A[exact_at_once];
  double sum[search_warps][exact_at_once];
  double total[exact_at_once];
  std::uint16_t chosen[exact_at_once];
  int chosen_count, next;
  LowestEnergy lowest;  // of the candidates summed so far
};

template <Kind kind>
__device__ inline double exact_term(const PairPotential& pair, const PointCharge& charge,
                                    const Vec3<double>& at) {
  const double x = charge.position_A.x - at.x, y = charge.position_A.y - at.y, z = charge.position_A.z - at.z;
  const double r2 = counted_distance2_A2<RoomyMath>(x, y, z);
  if constexpr (kind == Kind::distance_dependent) return charge.charge_e / r2;
  const double inverse = rsqrt(r2);
  if constexpr (kind == Kind::coulomb) return charge.charge_e * inverse;
  return charge.charge_e * inverse * exp(-pair.kappa_per_A * (r2 * inverse));
}

/// Sums of one part of the charges and ions at `count` positions, to `sums`; by a thread block.
template <Kind kind>
__device__ inline void sum_part(const SearchArrays& arrays, std::uint32_t ions, int part, int count,
                                ExactWorkspace& workspace, double* sums) {
  double sum[exact_at_once] = {};
  const auto add = [&](const PointCharge* charges, std::int64_t all) {
    const std::int64_t last = all * (part + 1) / exact_parts;
    constexpr int at_once = 4;  // so that enough is read at a time
    for (std::int64_t i = all * part / exact_parts + threadIdx.x; i < last; i += at_once * search_threads) {
      PointCharge charge[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        charge[k] = i + k * search_threads < last ? load_charge(charges + i + k * search_threads)
                                                  : PointCharge{{}, 0.0};
#pragma unroll
      for (int n = 0; n < exact_at_once; ++n)
        if (n < count)
#pragma unroll
          for (int k = 0; k < at_once; ++k)
            sum[n] += exact_term<kind>(arrays.pair, charge[k], workspace.position_A[n]);
    }
  };
  add(arrays.charges, arrays.charge_count);
  add(arrays.ions, ions);
  const int warp = int(threadIdx.x) / warp_size, lane = int(threadIdx.x) % warp_size;
#pragma unroll
  for (int n = 0; n < exact_at_once; ++n)
    if (n < count) {
      sum[n] = reduce_warp(sum[n], [](double a, double b) { return a + b; });
      if (lane == 0) workspace.sum[warp][n] = sum[n];
    }
  __syncthreads();
  if (int(threadIdx.x) < count) {
    double total = 0.0;
    for (int w = 0; w < search_warps; ++w) total += workspace.sum[w][threadIdx.x];
    sums[threadIdx.x] = total;
  }
  __syncthreads();
}

/// An imported potential, which is no part of the sums over charges.
__device__ inline double imported_at(const SearchArrays& arrays, std::int64_t index) {
  return arrays.imported != nullptr ? arrays.imported[index] : 0.0;
}

/// Adds up the parts' sums at the `count` chosen candidates; by a thread block, a warp to a candidate.
__device__ inline void add_parts(const SearchArrays& arrays, const double* partial, int count,
                                 ExactWorkspace& workspace) {
  const int warp = int(threadIdx.x) / warp_size, lane = int(threadIdx.x) % warp_size;
  if (warp < count) {
    double sum = 0.0;
    for (int p = lane; p < exact_parts; p += warp_size) sum += __ldcg(partial + p * exact_at_once + warp);
    sum = reduce_warp(sum, [](double a, double b) { return a + b; });
    if (lane == 0)
      workspace.total[warp] = imported_at(arrays, workspace.candidate[workspace.chosen[warp]].index) +
                              arrays.pair.prefactor * sum;
  }
  __syncthreads();
}

/// Chooses the next candidates to sum: in the order of their energies, those that may still be the lowest.
__device__ inline void choose_next(int candidates, ExactWorkspace& w) {
  if (threadIdx.x == 0) {
    w.chosen_count = 0;
    for (; w.next < candidates && w.chosen_count < exact_at_once; ++w.next) {
      const Candidate& c = w.candidate[w.order[w.next]];
      if (!c.may_reach(w.lowest.limit_kT())) continue;
      w.chosen[w.chosen_count++] = w.order[w.next];
    }
  }
  __syncthreads();
}

/// Copies the candidates to shared memory, and finds their order; at most most_sorted, by a thread block.
__device__ inline void sort_candidates(const SearchArrays& arrays, std::uint32_t candidates,
                                       ExactWorkspace& w) {
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < candidates; i += search_threads) {
    w.candidate[i].energy_kT = __ldcg(&arrays.candidates[i].energy_kT);
    w.candidate[i].error_kT = __ldcg(&arrays.candidates[i].error_kT);
    w.candidate[i].index = __ldcg(reinterpret_cast<const long long*>(&arrays.candidates[i].index));
    w.exact_kT[i] = double_infinity;
  }
  if (threadIdx.x == 0) {
    w.lowest = {};
    w.next = 0;
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < candidates; i += search_threads) {
    const Candidate c = w.candidate[i];
    int before = 0;
    for (std::uint32_t j = 0; j < candidates; ++j) before += precedes(w.candidate[j], c);
    w.order[before] = std::uint16_t(i);
  }
  __syncthreads();
}

/// Sums the sorted candidates in fp64, exact_at_once of them by all thread blocks, until none that is left
/// may have the lowest energy; returns how many were summed.
template <Kind kind>
__device__ inline std::uint32_t sum_candidates(const cooperative_groups::grid_group& grid,
                                               const SearchArrays& arrays, const SearchTask& task,
                                               std::uint32_t candidates, ExactWorkspace& w) {
  std::uint32_t summed = 0;
  for (int batch = 0;; ++batch) {
    choose_next(int(candidates), w);
    const int count = w.chosen_count;
    if (count == 0) return summed;
    if (int(threadIdx.x) < count)
      w.position_A[threadIdx.x] = arrays.blocks.lattice.position_A(w.candidate[w.chosen[threadIdx.x]].index);
    __syncthreads();
    double* partial = arrays.partial + (batch % 2) * exact_parts * exact_at_once;
    for (int part = int(blockIdx.x); part < exact_parts; part += int(gridDim.x))
      sum_part<kind>(arrays, task.ions, part, count, w, partial + part * exact_at_once);
    grid.sync();
    add_parts(arrays, partial, count, w);
    if (threadIdx.x == 0)
      for (int n = 0; n < count; ++n) {
        const double energy_kT = task.charge_e * w.total[n];
        w.exact_kT[w.chosen[n]] = energy_kT;
        if (w.lowest.include(energy_kT)) w.lowest.tie_kT = task.tie_kT + tie_band_kT(1.0, fabs(energy_kT));
      }
    summed += std::uint32_t(count);
    __syncthreads();
  }
}

}  // namespace ionwell::gpu
