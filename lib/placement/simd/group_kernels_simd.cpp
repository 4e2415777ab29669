// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "placement/simd/group_kernels.hpp"

#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

using Kind = PairPotential::Kind;
constexpr int lanes = width / 2;
using DoubleVector = double __attribute__((vector_size(8 * lanes)));
using HalfVector = float __attribute__((vector_size(4 * lanes)));

constexpr int degree = polynomial_degree;  // of the polynomials
constexpr int together = 2;  // vectors that share a load of a coefficient; more of them lack registers
static_assert(group_points % (together * width) == 0);

template <Kind kind>
inline FloatVector pair_at(FloatVector r2, float prefactor, float kappa) {
  if constexpr (kind == Kind::coulomb) {
    return prefactor * inverse_sqrt(r2);
  } else if constexpr (kind == Kind::distance_dependent) {
    const FloatVector y = inverse_estimate(r2);
    return prefactor * (y * (2.0f - r2 * y));
  } else {
    const FloatVector inverse = inverse_sqrt(r2);
    return prefactor * (inverse * exp_of_negative(-kappa * (r2 * inverse)));
  }
}

/// Horner's scheme, from the last coefficient on.
inline void add_polynomial(const float* coefficients, const FloatVector* x, const FloatVector* y,
                           const FloatVector* z, FloatVector* value) {
  constexpr int terms = (degree + 1) * (degree + 2) * (degree + 3) / 6;
  const float* next = coefficients + terms;
  FloatVector sum[together] = {};
#pragma GCC unroll 5
  for (int k = degree; k >= 0; --k) {
    FloatVector of_plane[together] = {};
#pragma GCC unroll 5
    for (int j = degree - k; j >= 0; --j) {
      FloatVector of_row[together] = {};
#pragma GCC unroll 5
      for (int i = degree - k - j; i >= 0; --i) {
        const FloatVector c = broadcast(*--next);
        for (int v = 0; v < together; ++v) of_row[v] = of_row[v] * x[v] + c;
      }
      for (int v = 0; v < together; ++v) of_plane[v] = of_plane[v] * y[v] + of_row[v];
    }
    for (int v = 0; v < together; ++v) sum[v] = sum[v] * z[v] + of_plane[v];
  }
  for (int v = 0; v < together; ++v) value[v] += sum[v];
}

template <Kind kind>
void add_of(const FarCharge* charges, int count, const PairPotential& pair, const float* places_A,
            double* values) {
  const float prefactor = float(pair.prefactor), kappa = float(pair.kappa_per_A);
  for (int p = 0; p < group_points; p += together * width) {
    FloatVector place_x[together], place_y[together], place_z[together];
    DoubleVector sum[2 * together];
    __builtin_memcpy(sum, values + p, sizeof sum);
    for (int v = 0; v < together; ++v) {
      const float* const at = places_A + p + v * width;
      place_x[v] = load_unaligned(at);
      place_y[v] = load_unaligned(at + group_points);
      place_z[v] = load_unaligned(at + 2 * group_points);
    }
    for (const FarCharge* charge = charges; charge < charges + count; ++charge) {
      FloatVector x[together], y[together], z[together], value[together];
      for (int v = 0; v < together; ++v) {
        const FloatVector dx = place_x[v] + charge->from_A[0], dy = place_y[v] + charge->from_A[1],
                          dz = place_z[v] + charge->from_A[2];
        value[v] = pair_at<kind>(dx * dx + dy * dy + dz * dz, prefactor, kappa);
        x[v] = place_x[v] + charge->from_node_A[0];
        y[v] = place_y[v] + charge->from_node_A[1];
        z[v] = place_z[v] + charge->from_node_A[2];
      }
      if (charge->coefficients != nullptr) add_polynomial(charge->coefficients, x, y, z, value);
      for (int v = 0; v < together; ++v) {
        HalfVector halves[2];
        __builtin_memcpy(halves, value + v, sizeof halves);
        for (int h = 0; h < 2; ++h)
          sum[2 * v + h] += charge->charge_e * __builtin_convertvector(halves[h], DoubleVector);
      }
    }
    __builtin_memcpy(values + p, sum, sizeof sum);
  }
}

void add(const FarCharge* charges, int count, const PairPotential& pair, const float* places_A,
         double* values) {
  switch (pair.kind) {
    case Kind::coulomb:
      return add_of<Kind::coulomb>(charges, count, pair, places_A, values);
    case Kind::distance_dependent:
      return add_of<Kind::distance_dependent>(charges, count, pair, places_A, values);
    case Kind::debye_hueckel:
      return add_of<Kind::debye_hueckel>(charges, count, pair, places_A, values);
  }
}

void range(const double* values, double* lowest, double* highest) {
  DoubleVector low = __builtin_huge_val() - DoubleVector{}, high = -low;
  for (int p = 0; p < group_points; p += lanes) {
    DoubleVector value;
    __builtin_memcpy(&value, values + p, sizeof value);
    low = value < low ? value : low;  // false for what is no number
    high = value > high ? value : high;
  }
  *lowest = low[0];
  *highest = high[0];
  for (int l = 1; l < lanes; ++l) {
    if (low[l] < *lowest) *lowest = low[l];
    if (high[l] > *highest) *highest = high[l];
  }
}

}  // namespace

extern const GroupKernels IONWELL_OF_LEVEL(group_kernels);
const GroupKernels IONWELL_OF_LEVEL(group_kernels){add, range};

}  // namespace ionwell
