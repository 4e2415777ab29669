// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <limits>

#include "core/host_device.hpp"
#include "core/vec3.hpp"
#include "placement/simd/bound_kernels.hpp"

/// What a block's values say of the exact potential at its available points: one text for both backends,
/// which find the values' ranges and the plane each in their own way.
namespace ionwell {

/// Half a unit in the last place of an fp32 number, relative to it.
constexpr double fp32_rounding = 0x1p-24;

/// The largest fp32 number not above x, and the smallest not below x.
IONWELL_HD inline float round_down(double x) {
#ifdef __CUDA_ARCH__
  return __double2float_rd(x);
#else
  const float nearest = float(x);
  return double(nearest) > x ? std::nextafter(nearest, -std::numeric_limits<float>::infinity()) : nearest;
#endif
}
IONWELL_HD inline float round_up(double x) {
#ifdef __CUDA_ARCH__
  return __double2float_ru(x);
#else
  const float nearest = float(x);
  return double(nearest) < x ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
#endif
}

/// Largest size of a value in the range.
IONWELL_HD inline float largest_size(const ValueRange& range) {
  return std::fmax(std::fabs(range.lowest), std::fabs(range.highest));
}

/// Bound on |value - exact| [kT/e] of a block whose values were changed by sums that are off by at most
/// `added_kT_e`: they were rounded to fp32, too, none being larger than `largest_kT_e`.
IONWELL_HD inline float error_of_changed(float error_kT_e, float added_kT_e, float largest_kT_e) {
  constexpr float upwards = 1.000001f;  // more than this sum's own rounding
  return (error_kT_e + added_kT_e + float(fp32_rounding) * largest_kT_e) * upwards;
}

/// Bounds of a block [kT/e]: lowest <= V <= highest for the exact potential V, and the same for V less a
/// plane through the block's centre.
struct BlockBounds {
  static constexpr float none = std::numeric_limits<float>::infinity();

  ValueRange range{none, -none};  // nothing is available
  ValueRange above_plane{none, -none};
  Vec3<float> slope_kT_eA;  // of the plane

  /// To put(CubeMember, number), as the bounds of a cube that no ion was added to yet.
  template <typename Put>
  IONWELL_HD void keep(const Put& put) const {
    put(CubeMember::range_lowest, range.lowest);
    put(CubeMember::range_highest, range.highest);
    put(CubeMember::plane_lowest, above_plane.lowest);
    put(CubeMember::plane_highest, above_plane.highest);
    put(CubeMember::plane_slope_x, slope_kT_eA.x);
    put(CubeMember::plane_slope_y, slope_kT_eA.y);
    put(CubeMember::plane_slope_z, slope_kT_eA.z);
    for (int m = int(CubeMember::shift_lowest); m <= int(CubeMember::remainder); ++m)
      put(CubeMember(m), 0.0f);
    put(CubeMember::lowest, range.lowest);
    put(CubeMember::highest, range.highest);
  }
};

/// A block's values at its available points, of which there is one at least [kT/e].
struct ValueSummary {
  ValueRange range;
  ValueRange above_plane;  // of the values less a plane through the block's centre
  Vec3<float> slope;       // of that plane: its rise from one point to the next
  float error_kT_e;        // |value - exact|, at most
};

/// Bounds from the values. With `refine` exact sums decide; without, values are compared with each other, and
/// both sides carry the error.
IONWELL_HD inline BlockBounds block_bounds(const ValueSummary& values, bool refine,
                                           const Vec3<double>& spacing_A) {
  const double margin = (refine ? 1.0 : 2.0) * double(values.error_kT_e);
  // Taking the plane away rounds, too: three numbers no larger than the plane's highest point.
  const Vec3<float>& s = values.slope;
  const double plane = 4.0 * (double(std::fabs(s.x)) + double(std::fabs(s.y)) + double(std::fabs(s.z)));
  const double plane_margin = margin + 4 * fp32_rounding * (plane + double(largest_size(values.range)));
  const auto outwards = [](const ValueRange& range, double by) {
    return ValueRange{round_down(double(range.lowest) - by), round_up(double(range.highest) + by)};
  };
  return {outwards(values.range, margin),
          outwards(values.above_plane, plane_margin),
          {float(s.x / spacing_A.x), float(s.y / spacing_A.y), float(s.z / spacing_A.z)}};
}

}  // namespace ionwell
