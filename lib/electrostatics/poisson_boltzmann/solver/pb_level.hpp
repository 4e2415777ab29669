// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace ionwell {

/// The matrix of one lattice, the finest or a coarser one: plain arrays of the host or a device, in the
/// lattice's order, x fastest. The conductance of the face between point p and the next along x is
/// factor_x face_x[p], and so for y and z; the reaction of p is reaction_factor reaction[p]. The outermost
/// points are given: they have no equations.
struct PbLevel {
  int nx = 0, ny = 0, nz = 0;
  const float *face_x = nullptr, *face_y = nullptr, *face_z = nullptr, *reaction = nullptr;
  float factor_x = 1.0f, factor_y = 1.0f, factor_z = 1.0f, reaction_factor = 1.0f;

  IONWELL_HD std::int64_t row_stride() const { return nx; }
  IONWELL_HD std::int64_t plane_stride() const { return std::int64_t(nx) * ny; }
  IONWELL_HD std::int64_t size() const { return plane_stride() * nz; }
};

}  // namespace ionwell
