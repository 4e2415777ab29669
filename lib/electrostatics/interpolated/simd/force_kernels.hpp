// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "electrostatics/simd/simd_level.hpp"

/// The inner loops of interpolated forces; plain arrays, see simd_level.hpp.
namespace ionwell {

/// Nodes packed in fours, and how a position becomes a place among them. Quad (i,j,k) is the nodes (i,j,k),
/// (i,j+1,k), (i,j,k+1) and (i,j+1,k+1), and i runs fastest: the eight nodes of a cell are 32 bytes in a row,
/// and the 64 of a cubic spline four times 64.
struct QuadLattice {
  const float* quads;      // 16-byte aligned
  double stride[3];        // from a quad to the next one along each axis, in quads: 1, ...
  double origin_A[3];      // of the potential's first point
  double points_per_A[3];  // 1 / spacing
  double slope_per_A[3];   // the same for gradients: 0 along an axis of one point
  double last_point[3];    // number of the potential's last point
  double last_cell[3];     // of the last cell; 0 for an axis of one point
};

/// Charges of a body that are placed together.
constexpr int body_batch = 64;

/// A set of charges, one array for each coordinate, relative to the centre of their rotation. The arrays go
/// on to a multiple of `body_batch`, with charges of 0.
struct BodyCharges {
  const double* x_A;
  const double* y_A;
  const double* z_A;
  const double* charge_e;
  std::int64_t count;
};

/// Where a body is: rows of its rotation, and its centre.
struct BodyFrame {
  double rotation[3][3];
  double centre_A[3];
};

/// Sums over charges; the torque is about the centre.
struct BodySums {
  double force_kT_A[3], torque_kT[3], energy_kT;
  std::int64_t outside;  // charges, which are in no sum
};

/// Terms in fp32 from places in fp64; a body's are summed in fp32 over 64 charges and then in fp64.
struct ForceKernels {
  /// forces[4 n ...] = force along x, y, z [kT/A] and energy [kT] of charge n, which is at charges[4 n ...] =
  /// x, y, z [A], charge [e]; all four NaN for a charge outside. Returns how many are.
  using OnCharges = std::int64_t (*)(const QuadLattice& lattice, const double* charges, std::int64_t count,
                                     float* forces);
  using OnBody = BodySums (*)(const QuadLattice& lattice, const BodyCharges& body, const BodyFrame& frame);

  OnCharges on_charges_trilinear, on_charges_cubic;
  OnBody on_body_trilinear, on_body_cubic;
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const ForceKernels& force_kernels(SimdLevel level);

}  // namespace ionwell
