// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "sampling/simd/ion_kernels.hpp"

#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

using Kind = PairPotential::Kind;

// As in sampling/ion_model.hpp, which this source must not include: it has library code.
constexpr float epsilon_kT = 1.0f, core = 0.3f, overlap = 1e8f;
constexpr float soft_reach2 = 1.2599210f;  // 2^(1/3)
constexpr float smallest_A2 = float(smallest_distance_A * smallest_distance_A);

inline FloatVector nearest_integer(FloatVector x) {
  constexpr float rounder = 12582912.0f;  // 1.5 * 2^23
  return (x + rounder) - rounder;
}

inline FloatVector chosen(IntVector mask, FloatVector a) {
  return (FloatVector)((IntVector)a & mask);
}

/// from[at] in each lane.
inline FloatVector gathered(const float* from, IntVector at) {
#if defined(__AVX512F__)
  return (FloatVector)_mm512_i32gather_ps((__m512i)at, from, sizeof(float));
#elif defined(__AVX2__)
  return (FloatVector)_mm256_i32gather_ps(from, (__m256i)at, sizeof(float));
#else
  FloatVector values;
  for (int l = 0; l < width; ++l) values[l] = from[at[l]];
  return values;
#endif
}

/// The image table at differences, and its slopes by each coordinate.
struct ImageValues {
  FloatVector value, slope[3];
};

template <bool with_slopes>
inline ImageValues image_values(const IonPairs& pairs, const FloatVector* d_A) {
  const int points = pairs.image_points;
  FloatVector t[3], sign[3];
  IntVector first{};
  float per_A[3];
  int stride = 1;
  for (int axis = 0; axis < 3; ++axis, stride *= points) {
    per_A[axis] = 2.0f * float(points - 1) / pairs.edge_A[axis];
    const FloatVector u = smaller(absolute(d_A[axis]) * per_A[axis], broadcast(float(points - 1) - 1e-3f));
    const IntVector cell = __builtin_convertvector(u, IntVector);
    t[axis] = u - __builtin_convertvector(cell, FloatVector);
    first += stride * cell;
    sign[axis] = d_A[axis] < 0.0f ? broadcast(-1.0f) : broadcast(1.0f);
  }
  FloatVector corner[8];
  const int steps[8] = {0,
                        1,
                        points,
                        points + 1,
                        points * points,
                        points * points + 1,
                        points * points + points,
                        points * points + points + 1};
  for (int n = 0; n < 8; ++n) corner[n] = gathered(pairs.images + steps[n], first);
  const auto between = [](FloatVector a, FloatVector b, FloatVector share) { return a + share * (b - a); };
  FloatVector row[4];
  for (int n = 0; n < 4; ++n) row[n] = between(corner[2 * n], corner[2 * n + 1], t[0]);
  const FloatVector low = between(row[0], row[1], t[1]), high = between(row[2], row[3], t[1]);
  ImageValues values;
  values.value = between(low, high, t[2]);
  if constexpr (with_slopes) {
    FloatVector rise[4];
    for (int n = 0; n < 4; ++n) rise[n] = corner[2 * n + 1] - corner[2 * n];
    values.slope[0] =
        sign[0] * per_A[0] * between(between(rise[0], rise[1], t[1]), between(rise[2], rise[3], t[1]), t[2]);
    values.slope[1] = sign[1] * per_A[1] * between(row[1] - row[0], row[3] - row[2], t[2]);
    values.slope[2] = sign[2] * per_A[2] * (high - low);
  }
  return values;
}

/// Sums over the ions; `force` only where it is asked for.
template <Kind kind, bool periodic, bool with_force>
IonResponse action_of(const IonArrays& ions, const OneIon& ion, const IonPairs& pairs) {
  const float kappa = float(pairs.pair.kappa_per_A), prefactor = float(pairs.pair.prefactor);
  FloatVector potential{}, repulsion{}, force[3] = {};
  IntVector number;
  for (int l = 0; l < width; ++l) number[l] = l;
  for (int first = 0; first < ions.count; first += width, number += width) {
    FloatVector d[3] = {ion.at_A[0] - load_unaligned(ions.x_A + first),
                        ion.at_A[1] - load_unaligned(ions.y_A + first),
                        ion.at_A[2] - load_unaligned(ions.z_A + first)};
    const IntVector acts = number != ion.number;
    const FloatVector charge = chosen(acts, load_unaligned(ions.charge_e + first));
    if constexpr (periodic)
      for (int axis = 0; axis < 3; ++axis)
        d[axis] -= pairs.edge_A[axis] * nearest_integer(d[axis] * (1.0f / pairs.edge_A[axis]));
    const FloatVector r2 = larger_positive(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], broadcast(smallest_A2));
    const FloatVector inverse = inverse_sqrt(r2), inverse2 = inverse * inverse;
    FloatVector term;
    if constexpr (kind == Kind::coulomb)
      term = inverse;
    else if constexpr (kind == Kind::distance_dependent)
      term = inverse2;
    else
      term = inverse * exp_of_negative(-kappa * (r2 * inverse));
    term = prefactor * charge * term;
    potential += term;
    const FloatVector sigma = larger(ion.radius_A + load_unaligned(ions.radius_A + first), broadcast(0.0f)),
                      sigma2 = sigma * sigma;
    if (!pairs.is_soft) repulsion += chosen(acts & (r2 < sigma2), broadcast(overlap));
    FloatVector along{};  // -1/r dU/dr
    const IntVector near = acts & (r2 < soft_reach2 * sigma2);
    if (pairs.is_soft && any_lane(near)) {
      const FloatVector far2 = larger(r2, core * core * sigma2), y = inverse_sqrt(far2),
                        s2 = sigma2 * (y * y), s6 = s2 * s2 * s2;
      repulsion += chosen(near, epsilon_kT * (4.0f * s6 * (s6 - 1.0f) + 1.0f));
      if constexpr (with_force) along = chosen(near, 24.0f * epsilon_kT * s6 * (2.0f * s6 - 1.0f) * (y * y));
    }
    if constexpr (with_force) {
      if constexpr (kind == Kind::coulomb)
        along += ion.charge_e * term * inverse2;
      else if constexpr (kind == Kind::distance_dependent)
        along += 2.0f * ion.charge_e * term * inverse2;
      else
        along += ion.charge_e * term * (inverse2 + kappa * inverse);
      for (int axis = 0; axis < 3; ++axis) force[axis] += along * d[axis];
    }
    if constexpr (periodic) {
      const ImageValues images = image_values<with_force>(pairs, d);
      potential += charge * images.value;
      if constexpr (with_force)
        for (int axis = 0; axis < 3; ++axis) force[axis] -= ion.charge_e * charge * images.slope[axis];
    }
  }
  IonResponse action{double(ion.charge_e) * double(sum_of_lanes(potential)) + double(sum_of_lanes(repulsion)),
                     {}};
  if constexpr (with_force)
    for (int axis = 0; axis < 3; ++axis) action.force_kT_A[axis] = double(sum_of_lanes(force[axis]));
  return action;
}

template <bool periodic, bool with_force>
IonResponse action_in(const IonArrays& ions, const OneIon& ion, const IonPairs& pairs) {
  switch (pairs.pair.kind) {
    case Kind::distance_dependent:
      return action_of<Kind::distance_dependent, periodic, with_force>(ions, ion, pairs);
    case Kind::debye_hueckel:
      return action_of<Kind::debye_hueckel, periodic, with_force>(ions, ion, pairs);
    default:
      return action_of<Kind::coulomb, periodic, with_force>(ions, ion, pairs);
  }
}

double energy_of_one(const IonArrays& ions, const OneIon& ion, const IonPairs& pairs) {
  return (pairs.images != nullptr ? action_in<true, false>(ions, ion, pairs)
                                  : action_in<false, false>(ions, ion, pairs))
      .energy_kT;
}

IonResponse action_on_one(const IonArrays& ions, const OneIon& ion, const IonPairs& pairs) {
  return pairs.images != nullptr ? action_in<true, true>(ions, ion, pairs)
                                 : action_in<false, true>(ions, ion, pairs);
}

}  // namespace

extern const IonKernels IONWELL_OF_LEVEL(ion_kernels);
const IonKernels IONWELL_OF_LEVEL(ion_kernels){energy_of_one, action_on_one};

}  // namespace ionwell
