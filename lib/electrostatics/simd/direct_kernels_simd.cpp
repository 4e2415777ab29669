// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "electrostatics/simd/direct_kernels.hpp"

#include "electrostatics/charge_terms.hpp"
#include "electrostatics/simd/direct_sum_simd.hpp"
#include "electrostatics/simd/simd.hpp"
#include "electrostatics/simd/simd_features.hpp"
#include "electrostatics/simd/vector_math.hpp"

namespace ionwell {
namespace {

constexpr int lanes = 8;  // fp64 partial sums

using DoubleVector = double __attribute__((vector_size(8 * width)));

/// Differences to `centre` of as many fp64 numbers as an fp32 vector holds.
inline FloatVector differences(const double* from, double centre) {
  DoubleVector v;
  __builtin_memcpy(&v, from, sizeof v);
  return __builtin_convertvector(v - centre, FloatVector);
}

/// For magnitude_term: estimates to 11 bits, made up for where the terms are added up.
struct EstimateMath : VectorMath {
  static Real root_at_most(Real r2) {
    constexpr float shorter = 0.999f;  // than any root that the estimate may stand for
    r2 = larger(r2, broadcast(1e-12f));
    return shorter * r2 * inverse_sqrt_estimate(r2);
  }
  static Real inverse_at_least(Real x) { return inverse_estimate(x); }
  static Real screening_at_least(Real x) { return (1.0f + x) * exp_of_negative(-x); }
};

/// What `width` charges add to the sum of magnitudes, less the prefactor.
inline FloatVector magnitude_terms(const double* centre_A, const ChargeBall& ball, const double* x_A,
                                   const double* y_A, const double* z_A, const double* charge_e,
                                   const PairPotential& pair) {
  return magnitude_term<EstimateMath>(pair, ball, absolute(differences(charge_e, 0.0)),
                                      differences(x_A, centre_A[0]), differences(y_A, centre_A[1]),
                                      differences(z_A, centre_A[2]));
}

double magnitude(const double* centre_A, double slack_A, double clearance_A, const ChargeArrays& charges,
                 const PairPotential& pair) {
  const ChargeBall ball{float(slack_A), float(clearance_A)};
  constexpr std::size_t flush = 64 * width;  // terms summed in fp32 before they go to fp64
  double total = 0.0;
  std::size_t c = 0;
  while (c + width <= charges.count) {
    FloatVector sum{};
    for (const std::size_t end = c + flush; c + width <= charges.count && c < end; c += width)
      sum += magnitude_terms(centre_A, ball, charges.x_A + c, charges.y_A + c, charges.z_A + c,
                             charges.charge_e + c, pair);
    for (int l = 0; l < width; ++l) total += double(sum[l]);
  }
  if (c < charges.count) {
    double x[width] = {}, y[width] = {}, z[width] = {}, charge[width] = {};  // the rest has no charge
    for (std::size_t n = c; n < charges.count; ++n) {
      x[n - c] = charges.x_A[n], y[n - c] = charges.y_A[n], z[n - c] = charges.z_A[n];
      charge[n - c] = charges.charge_e[n];
    }
    const FloatVector sum = magnitude_terms(centre_A, ball, x, y, z, charge, pair);
    for (int l = 0; l < width; ++l) total += double(sum[l]);
  }
  constexpr double safety = 1.0 + 2e-3;  // the estimates, and fp32 arithmetic
  return safety * pair.prefactor * total;
}

double exact(const double* position_A, const ChargeArrays& charges, const PairPotential& pair) {
  double partial[lanes] = {};
  for (std::size_t first = 0; first < charges.count; first += chunk) {
    const int count = first + chunk < charges.count ? chunk : int(charges.count - first);
    double term[chunk];
    for (int c = 0; c < count; ++c) {
      const double x = charges.x_A[first + c] - position_A[0];
      const double y = charges.y_A[first + c] - position_A[1];
      const double z = charges.z_A[first + c] - position_A[2];
      term[c] = counted_distance2_A2<EstimateMath>(x, y, z);
    }
    if (pair.kind == Kind::distance_dependent) {
      for (int c = 0; c < count; ++c) term[c] = charges.charge_e[first + c] / term[c];
    } else {
      alignas(64) float estimate[chunk];
      for (int c = 0; c < count; ++c) estimate[c] = float(term[c]);
      for (int c = count; c < chunk; ++c) estimate[c] = 1.0f;
      for (int c = 0; c < chunk; c += width) store(estimate + c, inverse_sqrt_estimate(load(estimate + c)));
      // Two of Newton's steps, from 12 bits to 1e-13; four times as fast as fp64 division and root.
      double inverse[chunk];
      for (int c = 0; c < count; ++c) {
        const double half = 0.5 * term[c];
        double y = double(estimate[c]);
        y *= 1.5 - half * y * y;
        y *= 1.5 - half * y * y;
        inverse[c] = y;
      }
      if (pair.kind == Kind::debye_hueckel)
        for (int c = 0; c < count; ++c)
          inverse[c] *= __builtin_exp(-pair.kappa_per_A * (term[c] * inverse[c]));
      for (int c = 0; c < count; ++c) term[c] = charges.charge_e[first + c] * inverse[c];
    }
    for (int c = count; c % lanes != 0; ++c) term[c] = 0.0;
    for (int c = 0; c < count; c += lanes)
      for (int l = 0; l < lanes; ++l) partial[l] += term[c + l];
  }
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) partial[l] += partial[l + half];
  return pair.prefactor * partial[0];
}

}  // namespace

extern const DirectKernels IONWELL_OF_LEVEL(direct_kernels);
const DirectKernels IONWELL_OF_LEVEL(direct_kernels){add_charges, magnitude, exact};

extern const std::uint32_t IONWELL_OF_LEVEL(features);
const std::uint32_t IONWELL_OF_LEVEL(features) = compiled_features;

}  // namespace ionwell
