// Compiled once for each instruction set; IONWELL_SIMD_TABLE names the table that this copy defines.
#include "electrostatics/charge_terms.hpp"
#include "electrostatics/simd/block_kernels.hpp"
#include "electrostatics/simd/direct_sum_simd.hpp"
#include "electrostatics/simd/simd.hpp"
#include "electrostatics/simd/simd_features.hpp"
#include "placement/inflate_simd.hpp"

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

/// Slope of the straight line through values whose counts and sums at 0, 1, ... 7 along an axis are given.
inline float line_slope(const float* count, const float* sum) {
  double points = 0, x = 0, xx = 0, value = 0, x_value = 0;
  for (int a = 0; a < edge; ++a) {
    points += double(count[a]);
    x += a * double(count[a]);
    xx += a * a * double(count[a]);
    value += double(sum[a]);
    x_value += a * double(sum[a]);
  }
  const double variance = points * xx - x * x;
  return variance > 0.0 ? float((points * x_value - x * value) / variance) : 0.0f;
}

void slope(const float* values, const std::uint64_t* available, float* slope) {
  // Any slope will do, so fp32 is enough; values are taken from one of them, to lose no digits to a level.
  float level = 0.0f;
  for (int k = 0; k < edge; ++k)
    if (available[k] != 0) {
      level = values[edge * edge * k + __builtin_ctzll(available[k])];
      break;
    }
  alignas(64) float column_count[edge * edge], column_sum[edge * edge];  // over k
  FloatVector sum_of_plane[edge] = {};                                   // by k
  for (int v = 0; v < plane_vectors; ++v) {
    FloatVector counts{}, sums{};
    for (int k = 0; k < edge; ++k) {
      const IntVector mask = lanes_of_bits(unsigned(available[k] >> (width * v)));
      const FloatVector value = mask ? load(values + edge * edge * k + width * v) - level : FloatVector{};
      counts += mask ? broadcast(1.0f) : FloatVector{};
      sums += value;
      sum_of_plane[k] += value;
    }
    store(column_count + width * v, counts);
    store(column_sum + width * v, sums);
  }
  float count[edge], sum[edge];
  for (int k = 0; k < edge; ++k) {
    count[k] = float(__builtin_popcountll(available[k]));
    sum[k] = sum_of_lanes(sum_of_plane[k]);
  }
  slope[2] = line_slope(count, sum);
  Row count_by_i{}, sum_by_i{};
  for (int j = 0; j < edge; ++j) {
    const Row counts = reinterpret_cast<const Row&>(column_count[edge * j]);
    const Row sums = reinterpret_cast<const Row&>(column_sum[edge * j]);
    count_by_i += counts;
    sum_by_i += sums;
    count[j] = sum[j] = 0.0f;
    for (int i = 0; i < edge; ++i) {
      count[j] += counts[i];
      sum[j] += sums[i];
    }
  }
  slope[1] = line_slope(count, sum);
  for (int i = 0; i < edge; ++i) {
    count[i] = count_by_i[i];
    sum[i] = sum_by_i[i];
  }
  slope[0] = line_slope(count, sum);
}

ValueRange range(const float* values, const std::uint64_t* available, const float* slope) {
  constexpr float huge = __builtin_huge_valf();
  constexpr float middle = 0.5f * (edge - 1);
  alignas(64) float x[edge], y[edge];
  for (int a = 0; a < edge; ++a) x[a] = slope[0] * (float(a) - middle);
  for (int a = 0; a < edge; ++a) y[a] = slope[1] * (float(a) - middle);
  FloatVector lowest = broadcast(huge), highest = broadcast(-huge);
  for (int v = 0; v < plane_vectors; ++v) {
    const FloatVector xy = plane_sum(x, y, v);
    for (int k = 0; k < edge; ++k) {
      const int p = edge * edge * k + width * v;
      const FloatVector value = load(values + p) - (xy + slope[2] * (float(k) - middle));
      const IntVector mask = lanes_of_bits(unsigned(available[k] >> (width * v)));
      lowest = smaller(mask ? value : broadcast(huge), lowest);
      highest = larger(mask ? value : broadcast(-huge), highest);
    }
  }
  ValueRange range{huge, -huge};
  for (int l = 0; l < width; ++l) {
    if (lowest[l] < range.lowest) range.lowest = lowest[l];
    if (highest[l] > range.highest) range.highest = highest[l];
  }
  return range;
}

bool exclude(const BlockFrame& frame, const double* centres_A, std::size_t count, double limit_A2,
             std::uint64_t* available) {
  double offset[3][edge];
  for (int axis = 0; axis < 3; ++axis)
    for (int a = 0; a < edge; ++a) offset[axis][a] = frame.first_A[axis] + frame.spacing_A[axis] * a;
  for (std::size_t c = 0; c < count; ++c) {
    double dx2[edge], dy2[edge], dz2[edge];
    for (int a = 0; a < edge; ++a) {
      dx2[a] = (offset[0][a] - centres_A[3 * c]) * (offset[0][a] - centres_A[3 * c]);
      dy2[a] = (offset[1][a] - centres_A[3 * c + 1]) * (offset[1][a] - centres_A[3 * c + 1]);
      dz2[a] = (offset[2][a] - centres_A[3 * c + 2]) * (offset[2][a] - centres_A[3 * c + 2]);
    }
    std::uint64_t left = 0;
    for (int k = 0; k < edge; ++k) {
      if (available[k] == 0) continue;
      std::uint64_t inside = 0;
      for (int j = 0; j < edge; ++j) {
        const double yz = dy2[j] + dz2[k];
        unsigned row = 0;
        for (int i = 0; i < edge; ++i) row |= unsigned(dx2[i] + yz <= limit_A2) << i;
        inside |= std::uint64_t(row) << (edge * j);
      }
      available[k] &= ~inside;
      left |= available[k];
    }
    if (left == 0) return false;
  }
  return true;
}

}  // namespace

extern const BlockKernels IONWELL_SIMD_TABLE;
const BlockKernels IONWELL_SIMD_TABLE{add_charges, magnitude, exact,   slope,
                                      range,       inflate,   exclude, compiled_features};

}  // namespace ionwell
