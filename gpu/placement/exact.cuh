#pragma once

#include <limits>

#include "gpu/placement/bounds_of_values.cuh"

/// fp64 sums at single points, which decide where an ion goes.
namespace ionwell::gpu {

struct ExactWorkspace {
  Candidate candidate[most_sorted];
  double exact_kT[most_sorted];
  std::uint16_t order[most_sorted];
  Vec3<double> position_A[exact_at_once];
  double sum[search_warps][exact_at_once];
  double total[exact_at_once];
  std::uint16_t chosen[exact_at_once];
  int chosen_count, next;
  double lowest_kT, tie_kT;  // of the candidates summed so far, and how near others must be to be ties
};

/// A charge in two loads of 16 bytes.
__device__ inline PointCharge load_charge(const PointCharge* charge) {
  static_assert(sizeof(PointCharge) == 2 * sizeof(double2));
  const auto* halves =
      reinterpret_cast<const double2*>(charge);  // an array in device memory begins at 256 bytes
  const double2 a = halves[0], b = halves[1];
  return {{a.x, a.y, b.x}, b.y};
}

template <Kind kind>
__device__ inline double exact_term(const PairPotential& pair, const PointCharge& charge,
                                    const Vec3<double>& at) {
  const double x = charge.position_A.x - at.x, y = charge.position_A.y - at.y, z = charge.position_A.z - at.z;
  constexpr double smallest2 = smallest_distance_A * smallest_distance_A;
  const double r2 = fmax(x * x + y * y + z * z, smallest2);
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
      if (c.energy_kT - c.error_kT > w.lowest_kT + w.tie_kT) continue;
      w.chosen[w.chosen_count++] = w.order[w.next];
    }
  }
  __syncthreads();
}

}  // namespace ionwell::gpu
