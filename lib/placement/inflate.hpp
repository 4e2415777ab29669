// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/host_device.hpp"
#include "core/vec3.hpp"
#include "electrostatics/pair_potential.hpp"
#include "placement/simd/bound_kernels.hpp"

/// How ions inflate the bounds of cubes (cube_bounds.hpp): one text for vectors of cubes on the CPU and for
/// single cubes on the GPU. `Math` says what a number is, `Math::Real`, what a comparison yields,
/// `Math::Mask`, and how to take roots and the like.
namespace ionwell {

/// Half the extent of the cubes, and what their ions' potential is made of, in fp32.
struct InflationFrame {
  PairPotential::Kind kind;
  float prefactor, kappa_per_A;
  float hx, hy, hz;  // from a cube's centre to its faces [A]
  float half;        // to its corners, or a little more
  float slack;       // what the distance of an ion and a centre may be off by, both being fp32 [A]
  float rounding;    // of one ion's terms, with what the slack does to them for r >= 2 half
};

/// For cubes in which no coordinate, relative to their origin, is larger than `extent_A`; `half_A` is from a
/// cube's centre to its faces.
InflationFrame inflation_frame(const PairPotential& pair, Vec3<double> half_A, double extent_A);

/// What is the same for all cubes that an ion inflates.
struct InflatingIon {
  float strength, magnitude;  // prefactor * charge, and its size
  float least2_A2;            // no available point is nearer than this, squared
};

template <typename Math>
IONWELL_HD inline InflatingIon inflating_ion(const InflationFrame& frame, float charge_e, float clearance_A) {
  const float strength = frame.prefactor * charge_e, clearance = clearance_A * 0.99999f;
  const float least = clearance > float(smallest_distance_A) ? clearance : float(smallest_distance_A);
  return {strength, strength < 0.0f ? -strength : strength, least * least};
}

constexpr float inflation_sum_rounding = 1.2e-7f;

/// An ion's potential V about a point at distance r, to second order: its value, V'/r, and (V'' - V'/r) /
/// r^2, which make up the gradient (V'/r) x and the second derivatives (V'/r) delta_ij + (V'' - V'/r) / r^2
/// x_i x_j.
template <typename Math>
struct IonTerms {
  typename Math::Real value, first, second;
  typename Math::Real left_out;  // by them within `half` of the point, at most
  typename Math::Real size;      // of all of them there, at most
};

template <typename Math>
IONWELL_HD inline typename Math::Real potential_of(const InflationFrame& frame, float strength,
                                                   typename Math::Real r2, typename Math::Real inverse) {
  using Real = typename Math::Real;
  if (frame.kind == PairPotential::Kind::distance_dependent) return strength * (inverse * inverse);
  const Real v = strength * inverse;
  if (frame.kind == PairPotential::Kind::coulomb) return v;
  return v * Math::exp_of_negative(-frame.kappa_per_A * (r2 * inverse));
}

/// For r >= 2 half.
template <typename Math>
IONWELL_HD inline IonTerms<Math> terms_of(const InflationFrame& frame, const InflatingIon& ion,
                                          typename Math::Real r2, typename Math::Real inverse) {
  using Real = typename Math::Real;
  const Real inverse2 = inverse * inverse, ratio = frame.half * inverse, ratio2 = ratio * ratio;
  const Real value = potential_of<Math>(frame, ion.strength, r2, inverse);
  if (frame.kind == PairPotential::Kind::coulomb) {
    const Real first = -value * inverse2, magnitude = ion.magnitude * inverse;
    // ratio^3 / (1 - ratio), and 1 / (1 - x) <= 1 + x + 2 x^2 up to x = 1/2.
    const Real one_more = 1.0f + ratio;
    return {value, first, -3.0f * first * inverse2, magnitude * (ratio * ratio2) * (2.0f * ratio2 + one_more),
            magnitude * (3.0f * ratio2 + one_more)};
  }
  if (frame.kind == PairPotential::Kind::distance_dependent) {
    const Real magnitude = ion.magnitude * inverse2, left = 1.0f - ratio;
    return {value, -2.0f * value * inverse2, 8.0f * value * (inverse2 * inverse2),
            magnitude * (ratio * ratio2) * (4.0f - 3.0f * ratio) / (left * left),
            magnitude * (8.0f * ratio2 + 2.0f * ratio + 1.0f)};
  }
  const float kappa = frame.kappa_per_A, half = frame.half;
  const Real r = r2 * inverse, first = -value * (kappa + inverse) * inverse;
  const Real second = (value * (kappa * kappa + 2.0f * inverse * (kappa + inverse)) - first) * inverse2;
  // Third derivatives at the nearest point, each of the terms that make them up by its size.
  const Real nearest = r - half, k = kappa * nearest, over = 1.0f / nearest;
  const Real v = ion.magnitude * over * Math::exp_of_negative(-k);
  const Real third =
      (k * k * k + 3.0f * k * k + 6.0f * k + 6.0f) + 3.0f * (k * k + 2.0f * k + 2.0f) + 3.0f * (k + 1.0f);
  return {value, first, second, half * half * half / 6.0f * v * third * (over * over * over),
          Math::absolute(value - half * r * first + half * half * second * r2)};
}

/// What the ions added to a cube say (the second half of CubeMember).
template <typename Math>
struct Inflation {
  using Real = typename Math::Real;
  using Mask = typename Math::Mask;

  Real low, high;  // shift_lowest, shift_highest
  Real slope_x, slope_y, slope_z;
  Real xx, yy, zz, xy, xz, yz;
  Real remainder;
  Real before, added;  // sizes of what the bounds are made of: at the start, and of the ions added since

  /// From get(CubeMember), which returns a number.
  template <typename Get>
  IONWELL_HD static Inflation of(const Get& get) {
    using M = CubeMember;
    return {get(M::shift_lowest),
            get(M::shift_highest),
            get(M::slope_x),
            get(M::slope_y),
            get(M::slope_z),
            get(M::xx),
            get(M::yy),
            get(M::zz),
            get(M::xy),
            get(M::xz),
            get(M::yz),
            get(M::remainder),
            Math::broadcast(0.0f),
            Math::broadcast(0.0f)};
  }

  /// To put(CubeMember, number).
  template <typename Put>
  IONWELL_HD void keep(const Put& put) const {
    put(CubeMember::shift_lowest, low);
    put(CubeMember::shift_highest, high);
    put(CubeMember::slope_x, slope_x);
    put(CubeMember::slope_y, slope_y);
    put(CubeMember::slope_z, slope_z);
    put(CubeMember::xx, xx);
    put(CubeMember::yy, yy);
    put(CubeMember::zz, zz);
    put(CubeMember::xy, xy);
    put(CubeMember::xz, xz);
    put(CubeMember::yz, yz);
    put(CubeMember::remainder, remainder);
  }

  IONWELL_HD static Real by_slope(const InflationFrame& frame, Real sx, Real sy, Real sz) {
    return Math::absolute(sx) * frame.hx + Math::absolute(sy) * frame.hy + Math::absolute(sz) * frame.hz;
  }
  IONWELL_HD Real by_curvature(const InflationFrame& frame) const {
    const float hx = frame.hx, hy = frame.hy, hz = frame.hz;
    return 0.5f * (Math::absolute(xx) * (hx * hx) + Math::absolute(yy) * (hy * hy) +
                   Math::absolute(zz) * (hz * hz)) +
           Math::absolute(xy) * (hx * hy) + Math::absolute(xz) * (hx * hz) + Math::absolute(yz) * (hy * hz);
  }

  /// Before the first of some ions.
  IONWELL_HD void start(const InflationFrame& frame) {
    before = Math::absolute(low) + Math::absolute(high) + remainder +
             by_slope(frame, slope_x, slope_y, slope_z) + by_curvature(frame);
    added = Math::broadcast(0.0f);
  }

  /// (x, y, z) is from the ion to the cube's centre.
  IONWELL_HD void add_ion(const InflationFrame& frame, const InflatingIon& ion, Real x, Real y, Real z) {
    const Real r2 = Math::larger(x * x + y * y + z * z, Math::broadcast(1e-6f));
    IonTerms<Math> ion_here = terms_of<Math>(frame, ion, r2, Math::inverse_sqrt(r2));
    Real add_low = ion_here.value, add_high = ion_here.value;
    const Mask near = r2 < 4.0f * frame.half * frame.half;
    if (Math::any(near)) {
      const float hx = frame.hx + frame.slack, hy = frame.hy + frame.slack, hz = frame.hz + frame.slack;
      const Real zero = Math::broadcast(0.0f);
      const Real gap_x = Math::larger(Math::absolute(x) - hx, zero);
      const Real gap_y = Math::larger(Math::absolute(y) - hy, zero);
      const Real gap_z = Math::larger(Math::absolute(z) - hz, zero);
      const Real reach_x = Math::absolute(x) + hx, reach_y = Math::absolute(y) + hy,
                 reach_z = Math::absolute(z) + hz;
      const Real nearest2 = Math::larger((gap_x * gap_x + gap_y * gap_y + gap_z * gap_z) * 0.9999f,
                                         Math::broadcast(ion.least2_A2));
      const Real farthest2 =
          Math::larger((reach_x * reach_x + reach_y * reach_y + reach_z * reach_z) * 1.0001f, nearest2);
      const Real strong = potential_of<Math>(frame, ion.strength, nearest2, Math::inverse_sqrt(nearest2));
      const Real weak = potential_of<Math>(frame, ion.strength, farthest2, Math::inverse_sqrt(farthest2));
      add_low = near ? Math::smaller(strong, weak) : add_low;
      add_high = near ? Math::larger(strong, weak) : add_high;
      ion_here.first = near ? zero : ion_here.first;
      ion_here.second = near ? zero : ion_here.second;
      ion_here.left_out = near ? zero : ion_here.left_out;
      ion_here.size = near ? Math::absolute(strong) : ion_here.size;
    }
    low += add_low;
    high += add_high;
    const Real a = ion_here.first, bx = ion_here.second * x, by = ion_here.second * y;
    slope_x += a * x;
    slope_y += a * y;
    slope_z += a * z;
    xx += a + bx * x;
    yy += a + by * y;
    zz += a + ion_here.second * z * z;
    xy += bx * y;
    xz += bx * z;
    yz += by * z;
    remainder += ion_here.left_out;
    added += ion_here.size;
  }

  /// After `ions` of them: the terms were rounded, and the sums, which at no time were larger than
  /// before + 4 added.
  IONWELL_HD void finish(const InflationFrame& frame, int ions) {
    remainder +=
        frame.rounding * added + float(ions) * inflation_sum_rounding * (before + 4.0f * added + remainder);
  }
};

/// What a cube's values say (the first half of CubeMember).
template <typename Math>
struct ValueBounds {
  typename Math::Real range_lowest, range_highest, plane_lowest, plane_highest;
  typename Math::Real plane_slope_x, plane_slope_y, plane_slope_z;

  /// From get(CubeMember), which returns a number.
  template <typename Get>
  IONWELL_HD static ValueBounds of(const Get& get) {
    return {get(CubeMember::range_lowest),  get(CubeMember::range_highest), get(CubeMember::plane_lowest),
            get(CubeMember::plane_highest), get(CubeMember::plane_slope_x), get(CubeMember::plane_slope_y),
            get(CubeMember::plane_slope_z)};
  }
};

template <typename Math>
struct InflatedBounds {
  typename Math::Real lowest, highest;
};

template <typename Math>
IONWELL_HD inline InflatedBounds<Math> inflated(const InflationFrame& frame, const ValueBounds<Math>& values,
                                                const Inflation<Math>& ions) {
  using Real = typename Math::Real;
  const Real alone = Inflation<Math>::by_slope(frame, ions.slope_x, ions.slope_y, ions.slope_z);
  const Real together =
      Inflation<Math>::by_slope(frame, ions.slope_x + values.plane_slope_x,
                                ions.slope_y + values.plane_slope_y, ions.slope_z + values.plane_slope_z);
  const Real lower = Math::larger(values.range_lowest - alone, values.plane_lowest - together);
  const Real upper = Math::smaller(values.range_highest + alone, values.plane_highest + together);
  const Real margin = ions.remainder + ions.by_curvature(frame) +
                      inflation_sum_rounding *
                          (4.0f * (Math::absolute(ions.low) + Math::absolute(ions.high) + alone + together));
  const Real lowest = ions.low + lower - margin, highest = ions.high + upper + margin;
  constexpr float outwards = 2.4e-7f;
  return {lowest - outwards * Math::absolute(lowest) - outwards * Math::absolute(lower),
          highest + outwards * Math::absolute(highest) + outwards * Math::absolute(upper)};
}

}  // namespace ionwell
