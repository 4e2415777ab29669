// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/at_points/point_kernels.hpp"

#include <cmath>

namespace ionwell::gpu {
namespace {

constexpr int exact_threads = 256;  // of a thread block, which has one point

/// sums[p] = the potential at point p, nearest2[p] = the square of its distance to the nearest charge.
__global__ void __launch_bounds__(exact_threads)
    exact_at_points_kernel(const Vec3<double>* points_A, const PointCharge* charges, std::int64_t count,
                           PairPotential pair, double* sums, double* nearest2) {
  __shared__ double shared_sum[exact_threads], shared_nearest[exact_threads];
  const int thread = threadIdx.x;
  const Vec3<double> at_A = points_A[blockIdx.x];
  double sum = 0.0, nearest = INFINITY;
  for (std::int64_t n = thread; n < count; n += exact_threads) {
    const PointCharge q = charges[n];
    const double r2 = distance_squared(q.position_A, at_A);
    sum += q.charge_e * pair.at(r2);
    nearest = fmin(nearest, r2);
  }
  shared_sum[thread] = sum;
  shared_nearest[thread] = nearest;
  for (int half = exact_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread >= half) continue;
    shared_sum[thread] += shared_sum[thread + half];
    shared_nearest[thread] = fmin(shared_nearest[thread], shared_nearest[thread + half]);
  }
  if (thread != 0) return;
  sums[blockIdx.x] = shared_sum[0];
  nearest2[blockIdx.x] = shared_nearest[0];
}

}  // namespace

ExactSums exact_at_points(std::span<const Vec3<double>> points_A, const PointCharge* charges,
                          std::int64_t count, const PairPotential& pair, cudaStream_t stream) {
  if (points_A.empty()) return {};
  const DeviceBuffer<Vec3<double>> points_d(points_A, stream, "the points");
  DeviceBuffer<double> sums(points_A.size(), "the points"), nearest2(points_A.size(), "the points");
  exact_at_points_kernel<<<unsigned(points_A.size()), exact_threads, 0, stream>>>(
      points_d.data(), charges, count, pair, sums.data(), nearest2.data());
  check_launch("sums in double precision");
  ExactSums result{sums.to_host(stream), nearest2.to_host(stream)};
  for (double& r : result.nearest_A) r = std::sqrt(r);
  return result;
}

}  // namespace ionwell::gpu
