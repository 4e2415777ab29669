// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "core/box.hpp"
#include "core/structure.hpp"
#include "electrostatics/pair_potential.hpp"
#include "gpu/electrostatics/multilevel.hpp"
#include "gpu/runtime/cell_sort.hpp"
#include "gpu/runtime/device_buffer.hpp"

/// Sums at scattered points: what is launched, one source each. All but exact_at_points return before the
/// device is done.
namespace ionwell::gpu {

/// Points on the device in the order of Morton's curve, which keeps neighbours together: a warp's points are
/// near each other but where the curve jumps.
class SortedPoints {
 public:
  /// Device memory of a point here, at most.
  static constexpr std::int64_t bytes_per_point = 80;

  /// For at most so many points at a time, fewer than 2^31. Throws Error.
  explicit SortedPoints(std::int64_t most_points);

  /// Takes points (host memory) to the device, in place of those before.
  void upload(std::span<const Vec3<double>> points_A, cudaStream_t stream);

  /// Puts them in order; `box` should hold them all, and those outside are put to its faces.
  void sort(const Box& box, cudaStream_t stream);

  std::int64_t size() const { return count_; }
  const Vec3<double>* points_A() const { return sorted_.data(); }
  /// Number of each among the points as they came.
  const std::uint32_t* order() const { return sort_.order(); }

 private:
  std::int64_t count_ = 0;
  DeviceBuffer<Vec3<double>> unsorted_, sorted_;
  CellSort sort_;
};

/// What direct_at_points works with for up to so many points: parts of the charges are summed side by side,
/// so that few points keep a device busy, too.
std::int64_t most_partial_sums(std::int64_t points, std::int64_t charges);

/// values[number of a point] = direct sum [kT/e] of `count` charges (device memory): terms in fp32 of
/// distances that are good to 1e-6 A, summed in fp32 over 64 charges and then in fp64. A distance below
/// smallest_distance_A counts as that. `partial` has room for most_partial_sums.
void direct_at_points(const SortedPoints& points, const PointCharge* charges, std::int64_t count,
                      const PairPotential& pair, double* partial, double* values_kT_e, cudaStream_t stream);

/// values[number of a point] = multilevel sum [kT/e] of the charges that `sum` was given, whose finest grid
/// must reach all points. `smooth` has room for a value of each.
void multilevel_at_points(const SortedPoints& points, const DeviceMultilevel& sum, double* smooth,
                          double* values_kT_e, cudaStream_t stream);

/// The potential [kT/e] at points (host memory) in fp64, and the distance to the nearest charge.
struct ExactSums {
  std::vector<double> potential_kT_e, nearest_A;
};
ExactSums exact_at_points(std::span<const Vec3<double>> points_A, const PointCharge* charges,
                          std::int64_t count, const PairPotential& pair, cudaStream_t stream);

}  // namespace ionwell::gpu
