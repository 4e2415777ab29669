// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "electrostatics/periodic/fourier_kernels.hpp"
#include "electrostatics/simd/simd_level.hpp"

/// The inner loops of a periodic sum on the CPU; plain arrays, see simd_level.hpp.
namespace ionwell {

/// The short-range part within its cutoff, as a polynomial P of s from -1 to 1.
struct ShortPolynomial {
  static constexpr int most_terms = 56;
  double coefficients[most_terms];
  int terms;
  double cutoff2_A2;
  bool of_square;  // P(2 r^2 / cutoff^2 - 1) / r^2 instead of P(2 r / cutoff - 1) / r
};

/// Charges first to last - 1 of the arrays, as seen from a point at x, y, z [A]: their image that is near.
struct ChargeRun {
  std::size_t first, last;
  double shift_A[3];
};

/// Charges one array per member, in fp64.
struct RunCharges {
  const double* x_A;
  const double* y_A;
  const double* z_A;
  const double* charge_e;
};

/// A window on the grid: along y and z where its rows begin, along x the weights lie together.
struct MeshPatch {
  const double* polynomials;  // [terms][width], see MeshWindow
  int width, terms;
  double t[3];
  const std::int64_t* planes;  // offset of each of `width` planes from the first point of the grid
  const std::int64_t* rows;    // offset of each of `width` rows within a plane
  std::int64_t column;         // the first point along x; the others lie behind it
};

struct PeriodicKernels {
  /// Sum of charge times short-range part over all charges of the runs that are within the cutoff. A distance
  /// below `smallest_A` counts as that; `*closest_A2` is the smallest square before that.
  double (*short_sum)(const ChargeRun* runs, int count, const RunCharges& charges, const double* point_A,
                      const ShortPolynomial& polynomial, double smallest_A, double* closest_A2);

  /// grid += value * window.
  void (*spread)(const MeshPatch& patch, double value, double* grid);

  /// Sum of grid * window.
  double (*interpolate)(const MeshPatch& patch, const double* grid);

  const FourierKernels* fourier;  // of the same instruction set
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const PeriodicKernels& periodic_kernels(SimdLevel level);

}  // namespace ionwell
