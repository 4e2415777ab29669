// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/simd/simd_level.hpp"

/// The inner loops of Fourier transforms on the CPU; plain arrays, see simd_level.hpp.
namespace ionwell {

/// Lines that are transformed together. Point m of them has their real parts at [16 m] to [16 m + 7], and
/// their imaginary parts behind those.
constexpr int fourier_lines = 8;

/// One length of transforms, see FourierPlan.
struct FourierSteps {
  int points;
  int count;               // of radices
  const int* radices;      // 2, 3, 4, 5 or 7; their product is `points`
  const double* twiddles;  // of each step: for j = 0 to rest - 1 and k = 1 to radix - 1 the real and
                           // imaginary part of exp(-2 pi i j k / (radix rest)), where rest is the product of
                           // the radices behind this one
};

struct FourierKernels {
  /// Replaces v(m) by the sums over m of v(m) exp(-2 pi i h m / points), by increasing h. The result is in
  /// `values` or in `scratch`, which is as long; it is returned which. Stockham's form, which needs no
  /// reordering: C. Van Loan, Computational Frameworks for the Fast Fourier Transform (SIAM, 1992).
  double* (*forward)(const FourierSteps& steps, double* values, double* scratch);

  /// The same with exp(+2 pi i h m / points).
  double* (*backward)(const FourierSteps& steps, double* values, double* scratch);

  /// After `forward` of 2 half real numbers a line, those of even numbers as real and of odd ones as
  /// imaginary parts: their transform, points 0 to half. turns[2 k] and [2 k + 1] are cos and sin of pi k /
  /// half.
  void (*to_half_spectrum)(int half, const double* turns, double* values);

  /// Before `backward`, which then gives 2 half real numbers a line in that order: its inverse but for a
  /// factor of 2.
  void (*from_half_spectrum)(int half, const double* turns, double* values);
};

}  // namespace ionwell
