// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <optional>

#include "electrostatics/periodic/mesh_filter.hpp"
#include "electrostatics/periodic/periodic_plan.hpp"
#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/fourier_library.hpp"

namespace ionwell::gpu {

/// How a kernel finds its part of the grid.
struct MeshFrame {
  CellVectors reciprocal;  // of the reduced cell
  Vec3<int> points;
  std::int64_t row, plane;
  const double* polynomials;
  int width;
};

/// The smooth part of a periodic sum on one device, as PeriodicMesh is on the host, with the same window,
/// grid and factors. Charges are spread in fixed point, so that the order of sums does not matter, and every
/// run has the same bits.
class PeriodicMesh {
 public:
  /// Throws Error when the device has not the memory.
  PeriodicMesh(const PeriodicCell& cell, const PeriodicPlan& plan, cudaStream_t stream);
  ~PeriodicMesh();
  PeriodicMesh(const PeriodicMesh&) = delete;
  PeriodicMesh& operator=(const PeriodicMesh&) = delete;

  /// `largest_sum_e` is a bound on the sum of the sizes of charges whose windows share a point.
  void spread(const PointCharge* charges, std::int64_t count, double largest_sum_e);

  void solve();

  /// values[n] = potential at point n, with prefactor 1.
  void interpolate(const Vec3<double>* points_A, std::int64_t count, double* values) const;

 private:
  void make_plan(std::optional<cufftHandle>& handle, cufftType type, std::size_t& bytes);
  void destroy_plans() noexcept;

  cudaStream_t stream_;
  FourierLayout layout_;
  MeshFilter filter_;
  DeviceBuffer<double> polynomials_, along_x_, along_y_, along_z_, grid_;
  DeviceBuffer<unsigned char> work_;
  MeshFrame frame_{};
  double unit_ = 1.0;  // of the fixed-point numbers
  std::optional<cufftHandle> to_waves_, from_waves_;
};

}  // namespace ionwell::gpu
