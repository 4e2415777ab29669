// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "electrostatics/at_points/simd/batch_kernels.hpp"
#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

using Kind = PairPotential::Kind;

constexpr int charges_in_fp32 = 64;  // summed before their sum goes to fp64
constexpr int tile = 16;             // points that stay in registers while charges pass
constexpr int tile_vectors = tile / width;

struct TilePoints {
  FloatVector x[tile_vectors], y[tile_vectors], z[tile_vectors];

  explicit TilePoints(const float* points_A) {
    for (int v = 0; v < tile_vectors; ++v) {
      x[v] = load_unaligned(points_A + v * width);
      y[v] = load_unaligned(points_A + batch_points + v * width);
      z[v] = load_unaligned(points_A + 2 * batch_points + v * width);
    }
  }
};

inline void add_to(double* sums, const FloatVector* sum) {
  for (int v = 0; v < tile_vectors; ++v) {
    float lane[width];
    store_unaligned(lane, sum[v]);
    for (int l = 0; l < width; ++l) sums[v * width + l] += double(lane[l]);
  }
}

/// 1/r, 1/r^2 or exp(-kappa r)/r.
template <Kind kind>
inline FloatVector pair_term(FloatVector r2, float kappa) {
  if constexpr (kind == Kind::coulomb) {
    return inverse_sqrt(r2);
  } else if constexpr (kind == Kind::distance_dependent) {
    const FloatVector y = inverse_estimate(r2);
    return y * (2.0f - r2 * y);
  } else {
    const FloatVector inverse = inverse_sqrt(r2);
    return inverse * exp_of_negative(-kappa * (r2 * inverse));
  }
}

template <Kind kind>
void add_pairs_of(const float* points_A, int places, const RelativeCharges& charges, float kappa,
                  double* sums) {
  constexpr float smallest2 = float(smallest_distance_A * smallest_distance_A);
  for (int p = 0; p < places; p += tile) {
    const TilePoints at(points_A + p);
    for (int first = 0; first < charges.count; first += charges_in_fp32) {
      const int last = first + charges_in_fp32 < charges.count ? first + charges_in_fp32 : charges.count;
      FloatVector sum[tile_vectors] = {};
      for (int c = first; c < last; ++c)
        for (int v = 0; v < tile_vectors; ++v) {
          const FloatVector dx = at.x[v] - charges.x_A[c], dy = at.y[v] - charges.y_A[c],
                            dz = at.z[v] - charges.z_A[c];
          const FloatVector r2 = larger_positive(dx * dx + dy * dy + dz * dz, broadcast(smallest2));
          sum[v] += charges.charge_e[c] * pair_term<kind>(r2, kappa);
        }
      add_to(sums + p, sum);
    }
  }
}

void add_pairs(const float* points_A, int places, const RelativeCharges& charges, const PairPotential& pair,
               double* sums) {
  const auto kappa = float(pair.kappa_per_A);
  switch (pair.kind) {
    case Kind::coulomb:
      return add_pairs_of<Kind::coulomb>(points_A, places, charges, kappa, sums);
    case Kind::distance_dependent:
      return add_pairs_of<Kind::distance_dependent>(points_A, places, charges, kappa, sums);
    case Kind::debye_hueckel:
      return add_pairs_of<Kind::debye_hueckel>(points_A, places, charges, kappa, sums);
  }
}

/// Lengths are in units of the cutoff, and values in those of the pair potential there.
template <Kind kind>
void add_short_of(const float* points_A, int places, const RelativeCharges& charges, const ShortRange& range,
                  double* sums_kT_e) {
  constexpr int coefficients = gaussian_coefficients;
  const auto cutoff = float(range.cutoff_A);
  const double scale = 1.0 / range.cutoff_A;
  const double unit = range.pair.prefactor * (kind == Kind::distance_dependent ? scale * scale : scale);
  const float inverse2 = 1.0f / (cutoff * cutoff);
  const auto smallest2 = float(smallest_distance_A * smallest_distance_A * scale * scale);
  const auto kappa = float(range.pair.kappa_per_A * range.cutoff_A);
  float polynomial[coefficients];
  for (int n = 0; n < coefficients; ++n) polynomial[n] = float(range.polynomial[n] / unit);
  for (int p = 0; p < places; p += tile) {
    const TilePoints at(points_A + p);
    double total[tile] = {};
    for (int first = 0; first < charges.count; first += charges_in_fp32) {
      const int last = first + charges_in_fp32 < charges.count ? first + charges_in_fp32 : charges.count;
      FloatVector sum[tile_vectors] = {};
      for (int c = first; c < last; ++c) {
        FloatVector s[tile_vectors];
        IntVector within{};
        for (int v = 0; v < tile_vectors; ++v) {
          const FloatVector dx = at.x[v] - charges.x_A[c], dy = at.y[v] - charges.y_A[c],
                            dz = at.z[v] - charges.z_A[c];
          s[v] = larger_positive(inverse2 * (dx * dx + dy * dy + dz * dz), broadcast(smallest2));
          within |= s[v] < 1.0f;
        }
        if (!any_lane(within)) continue;
        for (int v = 0; v < tile_vectors; ++v) {
          const FloatVector z = 2.0f * s[v] - 1.0f;
          FloatVector smooth = broadcast(polynomial[coefficients - 1]);
#pragma GCC unroll 16
          for (int n = coefficients - 2; n >= 0; --n) smooth = smooth * z + polynomial[n];
          add_product_below_1(s[v], pair_term<kind>(s[v], kappa) - smooth, charges.charge_e[c], &sum[v]);
        }
      }
      add_to(total, sum);
    }
    for (int l = 0; l < tile; ++l) sums_kT_e[p + l] += unit * total[l];
  }
}

void add_short(const float* points_A, int places, const RelativeCharges& charges, const ShortRange& range,
               double* sums_kT_e) {
  switch (range.pair.kind) {
    case Kind::coulomb:
      return add_short_of<Kind::coulomb>(points_A, places, charges, range, sums_kT_e);
    case Kind::distance_dependent:
      return add_short_of<Kind::distance_dependent>(points_A, places, charges, range, sums_kT_e);
    case Kind::debye_hueckel:
      return add_short_of<Kind::debye_hueckel>(points_A, places, charges, range, sums_kT_e);
  }
}

float interpolate(const PointInterpolation& from, std::ptrdiff_t first, const float* weights) {
  const float* const grid = from.grid + first;
  Row sum{};
  for (int c = 0; c < from.order; ++c) {
    Row plane{};
    for (int b = 0; b < from.order; ++b)
      plane += weights[edge + b] * load_unaligned<Row>(grid + from.stride_z * c + from.stride_y * b);
    sum += weights[2 * edge + c] * plane;
  }
  const Row along = sum * load_unaligned<Row>(weights);
  float value = 0.0f;
  for (int a = 0; a < edge; ++a) value += along[a];
  return value;
}

}  // namespace

extern const BatchKernels IONWELL_OF_LEVEL(batch_kernels);
const BatchKernels IONWELL_OF_LEVEL(batch_kernels){add_pairs, add_short, interpolate};

}  // namespace ionwell
