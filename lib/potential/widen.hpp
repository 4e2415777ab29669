#pragma once

#include "core/host_device.hpp"
#include "potential/pair_potential.hpp"

/// How ions widen the bounds of cubes (cube_bounds.hpp): one text for vectors of cubes on the CPU and for
/// single cubes on the GPU. `Math` says what a number is, `Math::Real`, what a comparison yields,
/// `Math::Mask`, and how to take roots and the like.
namespace ionwell {

/// Half the extent of the cubes, and what their ions' potential is made of, in fp32.
struct WidenFrame {
  PairPotential::Kind kind;
  float prefactor, kappa_per_A;
  float hx, hy, hz;  // from a cube's centre to its faces [A]
  float half;        // to its corners, or a little more
};

template <typename Math>  // so that each instruction set has one of its own
inline WidenFrame widen_frame(const PairPotential& pair, const float* half_A) {
  const float x = half_A[0], y = half_A[1], z = half_A[2];
  const float half = __builtin_sqrtf(x * x + y * y + z * z) * 1.00001f;
  return {pair.kind, float(pair.prefactor), float(pair.kappa_per_A), x, y, z, half};
}

constexpr float widen_rounding = 2e-5f;  // of one ion's terms: positions to 1e-5 of the distance, at 1000 A
constexpr float widen_sum_rounding = 1.2e-7f;

/// Potential of a unit charge at distance r: its value f, f'/r, and (f'' - f'/r) / r^2, which make up the
/// gradient (f'/r) x and the second derivatives (f'/r) delta_ij + (f'' - f'/r) / r^2 x_i x_j.
template <typename Math>
struct Radial {
  typename Math::Real value, first, second;
};

template <typename Math>
IONWELL_HD inline Radial<Math> radial(const WidenFrame& frame, typename Math::Real r,
                                      typename Math::Real inverse) {
  using Real = typename Math::Real;
  const float prefactor = frame.prefactor, kappa = frame.kappa_per_A;
  const Real inverse2 = inverse * inverse;
  if (frame.kind == PairPotential::Kind::distance_dependent) {
    const Real v = prefactor * inverse2;
    return {v, -2.0f * v * inverse2, 8.0f * v * inverse2 * inverse2};
  }
  Real v = prefactor * inverse;
  if (frame.kind == PairPotential::Kind::debye_hueckel) v *= Math::exp_of_negative(-kappa * r);
  const Real first = -v * (kappa + inverse) * inverse;
  return {v, first, (v * (kappa * kappa + 2.0f * inverse * (kappa + inverse)) - first) * inverse2};
}

/// What the expansion to second order about a point at distance r leaves out, at most, within `half` of that
/// point.
template <typename Math>
IONWELL_HD inline typename Math::Real remainder_beyond_second(const WidenFrame& frame, typename Math::Real r,
                                                              typename Math::Real inverse) {
  using Real = typename Math::Real;
  const float prefactor = frame.prefactor, kappa = frame.kappa_per_A, half = frame.half;
  const Real ratio = half * inverse, cube = ratio * ratio * ratio, left = 1.0f - ratio;
  if (frame.kind == PairPotential::Kind::coulomb) return prefactor * inverse * cube / left;
  if (frame.kind == PairPotential::Kind::distance_dependent)
    return prefactor * inverse * inverse * cube * (4.0f - 3.0f * ratio) / (left * left);
  // Third derivatives at the nearest point, each of the terms that make them up by its size.
  const Real nearest = r - half, k = kappa * nearest, over = 1.0f / nearest;
  const Real v = prefactor * over * Math::exp_of_negative(-k);
  const Real third =
      (k * k * k + 3.0f * k * k + 6.0f * k + 6.0f) + 3.0f * (k * k + 2.0f * k + 2.0f) + 3.0f * (k + 1.0f);
  return half * half * half / 6.0f * v * third * over * over * over;
}

/// What the ions added to a cube say (the second half of CubeMember).
template <typename Math>
struct Widening {
  using Real = typename Math::Real;
  using Mask = typename Math::Mask;

  Real low, high;  // shift_lowest, shift_highest
  Real slope_x, slope_y, slope_z;
  Real xx, yy, zz, xy, xz, yz;
  Real remainder;

  IONWELL_HD static Real by_slope(const WidenFrame& frame, Real sx, Real sy, Real sz) {
    return Math::absolute(sx) * frame.hx + Math::absolute(sy) * frame.hy + Math::absolute(sz) * frame.hz;
  }
  IONWELL_HD Real by_curvature(const WidenFrame& frame) const {
    const float hx = frame.hx, hy = frame.hy, hz = frame.hz;
    return 0.5f * (Math::absolute(xx) * (hx * hx) + Math::absolute(yy) * (hy * hy) +
                   Math::absolute(zz) * (hz * hz)) +
           Math::absolute(xy) * (hx * hy) + Math::absolute(xz) * (hx * hz) + Math::absolute(yz) * (hy * hz);
  }

  /// Adds an ion; (x, y, z) is from it to the cube's centre, and no available point is within `clearance_A`
  /// of it. Nothing changes where not `valid`.
  IONWELL_HD void add_ion(const WidenFrame& frame, float charge, float clearance_A, Real x, Real y, Real z,
                          Mask valid) {
    const float hx = frame.hx, hy = frame.hy, hz = frame.hz, half = frame.half;
    const float magnitude = charge < 0.0f ? -charge : charge;
    const Real zero = Math::broadcast(0.0f);
    const Real r2 = Math::larger(x * x + y * y + z * z, Math::broadcast(1e-6f));
    const Real inverse = Math::inverse_sqrt(r2), r = r2 * inverse;
    const Mask near = r < 2.0f * half;
    const Radial<Math> f = radial<Math>(frame, r, inverse);
    Real add_low = charge * f.value, add_high = add_low;
    Real rest = magnitude * (remainder_beyond_second<Math>(frame, r, inverse) +
                             widen_rounding * (f.value - half * r * f.first + half * half * f.second * r2));
    if (Math::any(near)) {
      const float clearance = clearance_A * 0.99999f;
      const Real gap_x = Math::larger(Math::absolute(x) - hx, zero);
      const Real gap_y = Math::larger(Math::absolute(y) - hy, zero);
      const Real gap_z = Math::larger(Math::absolute(z) - hz, zero);
      const Real reach_x = Math::absolute(x) + hx, reach_y = Math::absolute(y) + hy,
                 reach_z = Math::absolute(z) + hz;
      const float least = clearance > float(smallest_distance_A) ? clearance : float(smallest_distance_A);
      const Real nearest2 = Math::larger((gap_x * gap_x + gap_y * gap_y + gap_z * gap_z) * 0.9999f,
                                         Math::broadcast(least * least));
      const Real farthest2 =
          Math::larger((reach_x * reach_x + reach_y * reach_y + reach_z * reach_z) * 1.0001f, nearest2);
      const Real inverse_nearest = Math::inverse_sqrt(nearest2),
                 inverse_farthest = Math::inverse_sqrt(farthest2);
      const Real strong = charge * radial<Math>(frame, nearest2 * inverse_nearest, inverse_nearest).value;
      const Real weak = charge * radial<Math>(frame, farthest2 * inverse_farthest, inverse_farthest).value;
      add_low = near ? Math::smaller(strong, weak) : add_low;
      add_high = near ? Math::larger(strong, weak) : add_high;
      rest = near ? widen_rounding * Math::absolute(strong) : rest;
    }
    const Mask expanded = valid & !near;
    const Real a = expanded ? charge * f.first : zero;
    const Real b = expanded ? charge * f.second : zero;
    slope_x += a * x;
    slope_y += a * y;
    slope_z += a * z;
    xx += a + b * x * x;
    yy += a + b * y * y;
    zz += a + b * z * z;
    xy += b * x * y;
    xz += b * x * z;
    yz += b * y * z;
    low += valid ? add_low : zero;
    high += valid ? add_high : zero;
    const Real grown =
        rest + widen_sum_rounding * (Math::absolute(low) + Math::absolute(high) + remainder +
                                     by_slope(frame, slope_x, slope_y, slope_z) + by_curvature(frame));
    remainder += valid ? grown : zero;
  }
};

/// What a cube's values say (the first half of CubeMember).
template <typename Math>
struct ValueBounds {
  typename Math::Real range_lowest, range_highest, plane_lowest, plane_highest;
  typename Math::Real plane_slope_x, plane_slope_y, plane_slope_z;
};

template <typename Math>
struct WidenedBounds {
  typename Math::Real lowest, highest;
};

template <typename Math>
IONWELL_HD inline WidenedBounds<Math> widened(const WidenFrame& frame, const ValueBounds<Math>& values,
                                              const Widening<Math>& ions) {
  using Real = typename Math::Real;
  const Real alone = Widening<Math>::by_slope(frame, ions.slope_x, ions.slope_y, ions.slope_z);
  const Real together =
      Widening<Math>::by_slope(frame, ions.slope_x + values.plane_slope_x,
                               ions.slope_y + values.plane_slope_y, ions.slope_z + values.plane_slope_z);
  const Real lower = Math::larger(values.range_lowest - alone, values.plane_lowest - together);
  const Real upper = Math::smaller(values.range_highest + alone, values.plane_highest + together);
  const Real margin =
      ions.remainder + ions.by_curvature(frame) +
      widen_sum_rounding * (4.0f * (Math::absolute(ions.low) + Math::absolute(ions.high) + alone + together));
  const Real lowest = ions.low + lower - margin, highest = ions.high + upper + margin;
  constexpr float outwards = 2.4e-7f;
  return {lowest - outwards * Math::absolute(lowest) - outwards * Math::absolute(lower),
          highest + outwards * Math::absolute(highest) + outwards * Math::absolute(upper)};
}

}  // namespace ionwell
