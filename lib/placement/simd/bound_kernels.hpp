// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "electrostatics/simd/direct_kernels.hpp"

/// The inner loops of the bounds; plain arrays, see simd_level.hpp.
namespace ionwell {

/// Lowest and highest value over the available points; lowest > highest when there is none.
struct ValueRange {
  float lowest, highest;
};

/// One fp32 array per member, an entry for each cube of CubeBounds.
enum class CubeMember {
  x,
  y,
  z,  // centre
  range_lowest,
  range_highest,  // of the values
  plane_lowest,
  plane_highest,  // of the values less a plane through the centre
  plane_slope_x,
  plane_slope_y,
  plane_slope_z,
  shift_lowest,
  shift_highest,  // by the ions added: at the centre, and all of an ion that is near
  slope_x,
  slope_y,
  slope_z,  // of the others' potential at the centre
  xx,
  yy,
  zz,
  xy,
  xz,
  yz,         // its second derivatives
  remainder,  // what is left of them, at most
  lowest,
  highest,  // result
  count
};

struct InflationFrame;

struct CubeArrays {
  float* member[std::size_t(CubeMember::count)];
};

struct BoundKernels {
  /// The plane that fits the available values best, axis by axis: its rise from one point to the next along
  /// x, y, z.
  void (*slope)(const float* values, const std::uint64_t* available, float* slope);

  /// Range over the available points (bits of `available`, 512 of them) of `values` less the plane through
  /// the block's centre with this slope.
  ValueRange (*range)(const float* values, const std::uint64_t* available, const float* slope);

  /// Adds ions to the bounds of the cubes [first, last); positions relative to `origin_A`. See CubeBounds.
  void (*inflate)(const CubeArrays& cubes, std::size_t first, std::size_t last, const double* origin_A,
                  const InflationFrame& frame, const ChargeArrays& ions, const double* clearance_A);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const BoundKernels& bound_kernels(SimdLevel level);

}  // namespace ionwell
