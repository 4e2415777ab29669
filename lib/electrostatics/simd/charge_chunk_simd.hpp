// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Charges that are summed together and their terms, in vectors; a part of direct_kernels_simd.cpp.
#include "electrostatics/simd/direct_kernels.hpp"
#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

constexpr int chunk = 64;  // charges summed in fp32 before anything else

using Kind = PairPotential::Kind;

/// Newton's step for 1/sqrt(s), from an estimate y of 12 bits: y (3 - s y^2) is twice the root to 2^-22.
inline FloatVector twice_inverse_sqrt(FloatVector s, FloatVector y) {
  return y * (3.0f - (s * y) * y);
}
inline FloatVector twice_inverse_sqrt(FloatVector s) {
  return twice_inverse_sqrt(s, inverse_sqrt_estimate(s));
}
/// The same from y2, twice an estimate; eight times as large.
inline FloatVector sixteen_inverse_sqrt(FloatVector s, FloatVector y2) {
  return y2 * (12.0f - (s * y2) * y2);
}

/// The potential of one charge at scaled squared distances `s`, without its sign.
template <Kind kind>
inline FloatVector term(FloatVector s, float weight, float kappa) {
  if constexpr (kind == Kind::coulomb) {
    return twice_inverse_sqrt(s);
  } else if constexpr (kind == Kind::distance_dependent) {
    const FloatVector y = inverse_estimate(s);
    return y * (2.0f - s * y);
  } else {
    const FloatVector inverse = 0.5f * twice_inverse_sqrt(s);
    return weight * (inverse * exp_of_negative(-kappa * (s * inverse)));
  }
}

/// Charges that are summed in fp32 together, the positive ones in front, as a block sees them: squared
/// distances by axis. For the Coulomb and distance-dependent terms lengths are scaled so that the term is
/// exactly 2/sqrt(s) or 1/s of the scaled s, without a factor for the charge.
struct Chunk {
  alignas(64) float dx2[chunk][edge];
  alignas(64) float dy2[edge][chunk];
  alignas(64) float dz2[edge][chunk];
  float weight[chunk];  // |charge| times prefactor, used by the Debye-Hueckel term only
  float smallest2[chunk];
  int positive, count;
};

/// The next chunk's size: at most `chunk` charges, positive ones and then negative ones.
inline void measure(const ChargeArrays& charges, std::size_t first, Chunk* next) {
  const int most = first + chunk < charges.count ? chunk : int(charges.count - first);
  const double* charge = charges.charge_e + first;
  // Counting is quick, and tells all when the charges come in the order that ChargeTable gives them.
  int negative = 0, negative_in_front = 0;
  for (int c = 0; c < most; ++c) negative += charge[c] < 0.0;
  for (int c = 0; c < most - negative; ++c) negative_in_front += charge[c] < 0.0;
  next->positive = most - negative;
  next->count = most;
  if (negative_in_front == 0) return;
  int c = 0;
  while (c < most && !(charge[c] < 0.0)) ++c;
  next->positive = c;
  while (c < most && charge[c] < 0.0) ++c;
  next->count = c;
}

template <bool negative>
inline void add(FloatVector term, FloatVector* sum) {
  if constexpr (negative)
    *sum -= term;
  else
    *sum += term;
}

/// Positions of a block's points by axis, relative to its centre.
struct BlockOffsets {
  Row x, y, z;
  double corner_A;  // distance of the corners

  explicit BlockOffsets(const BlockFrame& frame) {
    for (int a = 0; a < edge; ++a) {
      x[a] = float(frame.spacing_A[0] * (a - 0.5 * (edge - 1)));
      y[a] = float(frame.spacing_A[1] * (a - 0.5 * (edge - 1)));
      z[a] = float(frame.spacing_A[2] * (a - 0.5 * (edge - 1)));
    }
    double diagonal2 = 0.0;
    for (const double h : frame.spacing_A) diagonal2 += h * h;
    corner_A = 0.5 * (edge - 1) * __builtin_sqrt(diagonal2);
  }
};

/// The charges of a chunk in scaled lengths, relative to the centre of a block.
struct ScaledCharges {
  alignas(64) float x[chunk], y[chunk], z[chunk], scale[chunk];
  alignas(64) float far_z2[chunk];  // a charge with a larger z^2 is far from the block
  int inside[chunk];                // the column, as far as x and y tell
};

}  // namespace
}  // namespace ionwell
