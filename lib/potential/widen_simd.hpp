#pragma once

// How ions widen the bounds of cubes (cube_bounds.hpp), in vectors; a part of block_kernels_simd.cpp.
#include "potential/block_kernels.hpp"
#include "potential/simd.hpp"

namespace ionwell {
namespace {

/// Potential of a unit charge at distance r: its value f, f'/r, and (f'' - f'/r) / r^2, which make up the
/// gradient (f'/r) x and the second derivatives (f'/r) delta_ij + (f'' - f'/r) / r^2 x_i x_j.
struct Radial {
  FloatVector value, first, second;
};

inline Radial radial(const PairPotential& pair, FloatVector r, FloatVector inverse) {
  const float prefactor = float(pair.prefactor), kappa = float(pair.kappa_per_A);
  const FloatVector inverse2 = inverse * inverse;
  if (pair.kind == PairPotential::Kind::distance_dependent) {
    const FloatVector v = prefactor * inverse2;
    return {v, -2.0f * v * inverse2, 8.0f * v * inverse2 * inverse2};
  }
  FloatVector v = prefactor * inverse;
  if (pair.kind == PairPotential::Kind::debye_hueckel) v *= exp_of_negative(-kappa * r);
  const FloatVector first = -v * (kappa + inverse) * inverse;
  return {v, first, (v * (kappa * kappa + 2.0f * inverse * (kappa + inverse)) - first) * inverse2};
}

/// What the expansion to second order about a point at distance r leaves out, at most, within `half` of that
/// point.
inline FloatVector remainder_beyond_second(const PairPotential& pair, FloatVector r, FloatVector inverse,
                                           float half) {
  const float prefactor = float(pair.prefactor), kappa = float(pair.kappa_per_A);
  const FloatVector ratio = half * inverse, cube = ratio * ratio * ratio, left = 1.0f - ratio;
  if (pair.kind == PairPotential::Kind::coulomb) return prefactor * inverse * cube / left;
  if (pair.kind == PairPotential::Kind::distance_dependent)
    return prefactor * inverse * inverse * cube * (4.0f - 3.0f * ratio) / (left * left);
  // Third derivatives at the nearest point, each of the terms that make them up by its size.
  const FloatVector nearest = r - half, k = kappa * nearest, over = 1.0f / nearest;
  const FloatVector v = prefactor * over * exp_of_negative(-k);
  const FloatVector third =
      (k * k * k + 3.0f * k * k + 6.0f * k + 6.0f) + 3.0f * (k * k + 2.0f * k + 2.0f) + 3.0f * (k + 1.0f);
  return half * half * half / 6.0f * v * third * over * over * over;
}

void widen(const CubeArrays& cubes, std::size_t first, std::size_t last, const double* origin_A,
           const float* half_A, const ChargeArrays& ions, const double* clearance_A,
           const PairPotential& pair) {
  constexpr float rounding = 2e-5f;  // of one ion's terms: positions to 1e-5 of the distance, at 1000 A
  constexpr float sum_rounding = 1.2e-7f;
  const float hx = half_A[0], hy = half_A[1], hz = half_A[2];
  const float half = __builtin_sqrtf(hx * hx + hy * hy + hz * hz) * 1.00001f;
  IntVector lane;
  for (int l = 0; l < width; ++l) lane[l] = l;
  for (std::size_t c = first; c < last; c += width) {
    const auto at = [&](CubeMember m) { return cubes.member[int(m)] + c; };
    const auto get = [&](CubeMember m) { return load_unaligned(at(m)); };
    const auto put = [&](CubeMember m, FloatVector v) { store_unaligned(at(m), v); };
    const IntVector inside = lane < int(last - c < std::size_t(width) ? last - c : width);
    const IntVector valid = inside & (get(CubeMember::range_lowest) <= get(CubeMember::range_highest));
    const FloatVector cube_x = get(CubeMember::x), cube_y = get(CubeMember::y), cube_z = get(CubeMember::z);
    FloatVector low = get(CubeMember::shift_lowest), high = get(CubeMember::shift_highest);
    FloatVector slope_x = get(CubeMember::slope_x), slope_y = get(CubeMember::slope_y);
    FloatVector slope_z = get(CubeMember::slope_z), remainder = get(CubeMember::remainder);
    FloatVector xx = get(CubeMember::xx), yy = get(CubeMember::yy), zz = get(CubeMember::zz);
    FloatVector xy = get(CubeMember::xy), xz = get(CubeMember::xz), yz = get(CubeMember::yz);
    const auto by_slope = [&](FloatVector sx, FloatVector sy, FloatVector sz) {
      return absolute(sx) * hx + absolute(sy) * hy + absolute(sz) * hz;
    };
    const auto by_curvature = [&] {
      return 0.5f * (absolute(xx) * (hx * hx) + absolute(yy) * (hy * hy) + absolute(zz) * (hz * hz)) +
             absolute(xy) * (hx * hy) + absolute(xz) * (hx * hz) + absolute(yz) * (hy * hz);
    };
    for (std::size_t i = 0; i < ions.count; ++i) {
      const float charge = float(ions.charge_e[i]), magnitude = __builtin_fabsf(charge);
      const FloatVector x = cube_x - float(ions.x_A[i] - origin_A[0]);
      const FloatVector y = cube_y - float(ions.y_A[i] - origin_A[1]);
      const FloatVector z = cube_z - float(ions.z_A[i] - origin_A[2]);
      const FloatVector r2 = larger(x * x + y * y + z * z, broadcast(1e-6f));
      const FloatVector inverse = inverse_sqrt(r2), r = r2 * inverse;
      const IntVector near = r < 2.0f * half;
      const Radial f = radial(pair, r, inverse);
      FloatVector add_low = charge * f.value, add_high = add_low;
      FloatVector rest =
          magnitude * (remainder_beyond_second(pair, r, inverse, half) +
                       rounding * (f.value - half * r * f.first + half * half * f.second * r2));
      if (any_lane(near)) {
        const float clearance = float(clearance_A[i]) * 0.99999f;
        const FloatVector gap_x = larger(absolute(x) - hx, FloatVector{});
        const FloatVector gap_y = larger(absolute(y) - hy, FloatVector{});
        const FloatVector gap_z = larger(absolute(z) - hz, FloatVector{});
        const FloatVector reach_x = absolute(x) + hx, reach_y = absolute(y) + hy, reach_z = absolute(z) + hz;
        const float least = clearance > float(smallest_distance_A) ? clearance : float(smallest_distance_A);
        const FloatVector nearest2 =
            larger((gap_x * gap_x + gap_y * gap_y + gap_z * gap_z) * 0.9999f, broadcast(least * least));
        const FloatVector farthest2 =
            larger((reach_x * reach_x + reach_y * reach_y + reach_z * reach_z) * 1.0001f, nearest2);
        const FloatVector inverse_nearest = inverse_sqrt(nearest2),
                          inverse_farthest = inverse_sqrt(farthest2);
        const FloatVector strong = charge * radial(pair, nearest2 * inverse_nearest, inverse_nearest).value;
        const FloatVector weak = charge * radial(pair, farthest2 * inverse_farthest, inverse_farthest).value;
        add_low = near ? smaller(strong, weak) : add_low;
        add_high = near ? larger(strong, weak) : add_high;
        rest = near ? rounding * absolute(strong) : rest;
      }
      const IntVector expanded = valid & ~near;
      const FloatVector a = expanded ? charge * f.first : FloatVector{};
      const FloatVector b = expanded ? charge * f.second : FloatVector{};
      slope_x += a * x;
      slope_y += a * y;
      slope_z += a * z;
      xx += a + b * x * x;
      yy += a + b * y * y;
      zz += a + b * z * z;
      xy += b * x * y;
      xz += b * x * z;
      yz += b * y * z;
      low += valid ? add_low : FloatVector{};
      high += valid ? add_high : FloatVector{};
      const FloatVector grown = rest + sum_rounding * (absolute(low) + absolute(high) + remainder +
                                                       by_slope(slope_x, slope_y, slope_z) + by_curvature());
      remainder += valid ? grown : FloatVector{};
    }
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
    const FloatVector alone = by_slope(slope_x, slope_y, slope_z);
    const FloatVector together =
        by_slope(slope_x + get(CubeMember::plane_slope_x), slope_y + get(CubeMember::plane_slope_y),
                 slope_z + get(CubeMember::plane_slope_z));
    const FloatVector lower =
        larger(get(CubeMember::range_lowest) - alone, get(CubeMember::plane_lowest) - together);
    const FloatVector upper =
        smaller(get(CubeMember::range_highest) + alone, get(CubeMember::plane_highest) + together);
    const FloatVector margin = remainder + by_curvature() +
                               sum_rounding * (4.0f * (absolute(low) + absolute(high) + alone + together));
    const auto outwards = [](FloatVector v) { return 2.4e-7f * absolute(v); };
    const FloatVector lowest = low + lower - margin, highest = high + upper + margin;
    put(CubeMember::lowest, valid ? lowest - outwards(lowest) - outwards(lower) : get(CubeMember::lowest));
    put(CubeMember::highest,
        valid ? highest + outwards(highest) + outwards(upper) : get(CubeMember::highest));
  }
}

}  // namespace
}  // namespace ionwell
