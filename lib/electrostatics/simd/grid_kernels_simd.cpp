// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "electrostatics/simd/grid_kernels.hpp"
#include "electrostatics/simd/simd.hpp"
#include "electrostatics/simd/taylor_short_simd.hpp"

namespace ionwell {
namespace {

void combine(const float* const* rows, const float* weights, int rows_count, bool accumulate, float* out,
             std::size_t count) {
  constexpr int unroll = 4;
  std::size_t i = 0;
  for (; i + unroll * width <= count; i += unroll * width) {
    FloatVector sum[unroll] = {};
    for (int t = 0; t < rows_count; ++t)
      for (int u = 0; u < unroll; ++u) sum[u] += weights[t] * load_unaligned(rows[t] + i + width * u);
    for (int u = 0; u < unroll; ++u) {
      float* at = out + i + width * u;
      store_unaligned(at, accumulate ? load_unaligned(at) + sum[u] : sum[u]);
    }
  }
  for (; i < count; ++i) {
    float sum = 0.0f;
    for (int t = 0; t < rows_count; ++t) sum += weights[t] * rows[t][i];
    out[i] = accumulate ? out[i] + sum : sum;
  }
}

void interpolate(const BlockInterpolation& from, float* values) {
  const int nx = from.reach[0], ny = from.reach[1], nz = from.reach[2];
  float* planes = from.workspace;                 // [edge][ny][nx], after z
  float* rows = from.workspace + edge * ny * nx;  // [edge][edge][nx], after z and y
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; x += edge) {
      Row sum[edge] = {};
      for (int t = 0; t < nz; ++t) {
        // Rows are read to a multiple of 8; the grid has room for that behind its end.
        const Row value = load_unaligned<Row>(from.grid + from.stride[2] * t + from.stride[1] * y + x);
        const float* w = from.weights[2] + edge * t;
        for (int k = 0; k < edge; ++k) sum[k] += w[k] * value;
      }
      for (int k = 0; k < edge; ++k) {
        float* to = planes + (k * ny + y) * nx + x;
        if (x + edge <= nx)
          store_unaligned(to, sum[k]);
        else
          for (int l = 0; l < nx - x; ++l) to[l] = sum[k][l];
      }
    }
  for (int k = 0; k < edge; ++k)
    for (int x = 0; x < nx; x += edge) {
      Row sum[edge] = {};
      for (int t = 0; t < ny; ++t) {
        const Row value = load_unaligned<Row>(planes + (k * ny + t) * nx + x);
        const float* w = from.weights[1] + edge * t;
        for (int j = 0; j < edge; ++j) sum[j] += w[j] * value;
      }
      for (int j = 0; j < edge; ++j) {
        float* to = rows + (k * edge + j) * nx + x;
        if (x + edge <= nx)
          store_unaligned(to, sum[j]);
        else
          for (int l = 0; l < nx - x; ++l) to[l] = sum[j][l];
      }
    }
  for (int r = 0; r < edge * edge; ++r) {
    Row sum = from.constant - Row{};
    for (int t = 0; t < nx; ++t) sum += rows[r * nx + t] * load_unaligned<Row>(from.weights[0] + edge * t);
    store_unaligned(values + edge * r, load_unaligned<Row>(values + edge * r) + sum);
  }
}

using Kind = PairPotential::Kind;

/// What the inner loop needs to know: charges are in units that spare it factors, and so is the polynomial.
struct ShortTerms {
  float polynomial[gaussian_coefficients];
  float kappa;  // per cutoff
  float smallest2;
};

/// Points are taken by tiles, whose vectors stay in registers while all charges pass that reach the tile.
constexpr int tile_vectors = 2, tile_planes = 4;
constexpr int rows_of_tile = tile_vectors * width / edge;
constexpr int tiles_y = edge / rows_of_tile, tiles_z = edge / tile_planes;

/// A charge near the block; squared differences by axis in units of the cutoff, so that their sum s is less
/// than 1 within it.
struct alignas(64) NearCharge {
  float dx2[edge], dy2[edge], dz2[edge];
  float charge;
};

/// Charges prepared at a time: they fit into the first cache. Gaps are those of square_gaps to each tile.
struct NearCharges {
  static constexpr int most = 128;

  NearCharge charge[most];
  alignas(64) float gap_x[most], gap_y[tiles_y][most], gap_z[tiles_z][most];
  int count;
};

/// Those of them that reach a tile.
struct Reaching {
  unsigned char number[NearCharges::most];
  int count;
  float nearest2;  // the smallest gap
};

/// From fp64 differences: next to a charge fp32 coordinates would leave few digits.
inline void square_differences(double scale, double first_A, double spacing_A, double position_A, float* d2) {
  const double first = scale * (first_A - position_A), step = scale * spacing_A;
  for (int a = 0; a < edge; ++a) {
    const double d = first + step * a;
    d2[a] = float(d * d);
  }
}

/// Squared distance along one axis from each charge to the points [from, to), in units of the cutoff, or a
/// little less.
inline void square_gaps(double scale, const BlockFrame& frame, int axis, int from, int to,
                        const double* position_A, int count, float* gap2) {
  const double half_A = 0.5 * frame.spacing_A[axis] * (to - 1 - from);
  const double centre_A = frame.first_A[axis] + frame.spacing_A[axis] * from + half_A;
  const float half = float(scale * half_A) * 1.000001f;
  for (int c = 0; c < count; ++c) {
    const float away = __builtin_fabsf(float(scale * (position_A[c] - centre_A)));
    const float gap = away > half ? away - half : 0.0f;
    gap2[c] = gap * gap;
  }
}

/// Charges `first` and on, in units of `unit`. Never inlined, as what follows: it is the same for every pair
/// potential.
[[gnu::noinline]] void prepare(const BlockFrame& frame, const ChargeArrays& charges, std::size_t first,
                               double scale, double unit, NearCharges& near) {
  const std::size_t left = charges.count - first;
  near.count = left < NearCharges::most ? int(left) : NearCharges::most;
  const double *x = charges.x_A + first, *y = charges.y_A + first, *z = charges.z_A + first;
  square_gaps(scale, frame, 0, 0, edge, x, near.count, near.gap_x);
  for (int t = 0; t < tiles_y; ++t)
    square_gaps(scale, frame, 1, t * rows_of_tile, (t + 1) * rows_of_tile, y, near.count, near.gap_y[t]);
  for (int t = 0; t < tiles_z; ++t)
    square_gaps(scale, frame, 2, t * tile_planes, (t + 1) * tile_planes, z, near.count, near.gap_z[t]);
  for (int c = 0; c < near.count; ++c) {
    NearCharge& q = near.charge[c];
    square_differences(scale, frame.first_A[0], frame.spacing_A[0], x[c], q.dx2);
    square_differences(scale, frame.first_A[1], frame.spacing_A[1], y[c], q.dy2);
    square_differences(scale, frame.first_A[2], frame.spacing_A[2], z[c], q.dz2);
    q.charge = float(unit * charges.charge_e[first + c]);
  }
}

[[gnu::noinline]] void list_reaching(const NearCharges& near, int tile_y, int tile_z, Reaching& reaching) {
  float gap[NearCharges::most];
  reaching.nearest2 = 1.0f;
  for (int c = 0; c < near.count; ++c) {
    gap[c] = near.gap_x[c] + near.gap_y[tile_y][c] + near.gap_z[tile_z][c];
    reaching.nearest2 = gap[c] < reaching.nearest2 ? gap[c] : reaching.nearest2;
  }
  reaching.count = 0;
  for (int c = 0; c < near.count; ++c) {
    reaching.number[reaching.count] = static_cast<unsigned char>(c);
    reaching.count += gap[c] < 1.0f;
  }
}

/// Pair potential less long-range part; for 1/sqrt(s) twice that. Three coefficients are those of s, more are
/// those of z = 2 s - 1.
template <Kind kind, int coefficients>
inline FloatVector short_term(FloatVector s, const ShortTerms& terms) {
  const float* c = terms.polynomial;
  FloatVector smooth;
  if constexpr (coefficients == taylor_coefficients) {
    smooth = (c[2] * s + c[1]) * s + c[0];
  } else {
    const FloatVector z = 2.0f * s - 1.0f;
    smooth = broadcast(c[coefficients - 1]);
#pragma GCC unroll 16
    for (int n = coefficients - 2; n >= 0; --n) smooth = smooth * z + c[n];
  }
  if constexpr (kind == Kind::distance_dependent) {
    const FloatVector y = inverse_estimate(s);
    return y * (2.0f - s * y) - smooth;
  } else if constexpr (kind == Kind::debye_hueckel) {
    const FloatVector inverse = inverse_sqrt(s);
    return inverse * exp_of_negative(-terms.kappa * (s * inverse)) - smooth;
  } else {
    const FloatVector y = inverse_sqrt_estimate(s);
    return y * (3.0f - (s * y) * y) - smooth;
  }
}

/// One tile: vectors v to v + tile_vectors - 1 of the planes k to k + tile_planes - 1.
template <Kind kind, int coefficients, bool on_top>
void add_to_tile(const NearCharge* charges, const Reaching& reaching, const ShortTerms& terms, int v, int k,
                 float* values) {
  FloatVector sum[tile_vectors][tile_planes] = {};
  for (int n = 0; n < reaching.count; ++n) {
    const NearCharge& q = charges[reaching.number[n]];
#pragma GCC unroll 2
    for (int t = 0; t < tile_vectors; ++t) {
      const FloatVector xy = plane_sum(q.dx2, q.dy2, v + t);
#pragma GCC unroll 4
      for (int p = 0; p < tile_planes; ++p) {
        FloatVector s = xy + q.dz2[k + p];
        if constexpr (on_top) s = larger(s, broadcast(terms.smallest2));
        add_product_below_1(s, short_term<kind, coefficients>(s, terms), q.charge, &sum[t][p]);
      }
    }
  }
  for (int t = 0; t < tile_vectors; ++t)
    for (int p = 0; p < tile_planes; ++p) {
      float* at = values + ((k + p) * plane_vectors + v + t) * width;
      store(at, load(at) + sum[t][p]);
    }
}

template <Kind kind, int coefficients>
void add_short_of(const BlockFrame& frame, const ChargeArrays& charges, const ShortRange& range,
                  float* values) {
  const double scale = 1.0 / range.cutoff_A;
  // Of the pair term at s = 1; 1/sqrt(s) comes out twice as large.
  const double unit = range.pair.prefactor * (kind == Kind::distance_dependent ? scale * scale
                                              : kind == Kind::coulomb          ? 0.5 * scale
                                                                               : scale);
  ShortTerms terms;
  terms.kappa = float(range.pair.kappa_per_A * range.cutoff_A);
  terms.smallest2 = float(smallest_distance_A * scale * smallest_distance_A * scale);
  for (int n = 0; n < coefficients; ++n) terms.polynomial[n] = float(range.polynomial[n] / unit);
  if constexpr (coefficients == taylor_coefficients) {
    const float of_z[] = {terms.polynomial[0], terms.polynomial[1], terms.polynomial[2]};
    expand(of_z, terms.polynomial);
  }
  NearCharges near;
  Reaching reaching;
  for (std::size_t first = 0; first < charges.count; first += NearCharges::most) {
    prepare(frame, charges, first, scale, unit, near);
    for (int ty = 0; ty < tiles_y; ++ty)
      for (int tz = 0; tz < tiles_z; ++tz) {
        list_reaching(near, ty, tz, reaching);
        const int v = ty * tile_vectors, k = tz * tile_planes;
        if (reaching.nearest2 < terms.smallest2)  // a charge may lie on top of a point
          add_to_tile<kind, coefficients, true>(near.charge, reaching, terms, v, k, values);
        else
          add_to_tile<kind, coefficients, false>(near.charge, reaching, terms, v, k, values);
      }
  }
}

/// 1/r with Taylor splitting.
void add_taylor(const BlockFrame& frame, const ChargeArrays& charges, const ShortRange& range,
                float* values) {
  const TaylorTerms terms = taylor_terms(frame, range);
  constexpr int of_y = taylor_tiles[1], of_z = taylor_tiles[2];
  Moments moments[of_y][of_z];
  TaylorCharges some;
  TileCharges tile;
  ChargeList elsewhere;
  for (std::size_t first = 0; first < charges.count; first += TaylorCharges::most) {
    const std::size_t left = charges.count - first;
    const int count = left < TaylorCharges::most ? int(left) : TaylorCharges::most;
    set_charges(frame, charges, range, terms, first, count, &some, &elsewhere);
    for (int ty = 0; ty < of_y; ++ty)
      for (int tz = 0; tz < of_z; ++tz) {
        sort_charges(some, count, ty, tz, &tile, &moments[ty][tz]);
        add_to_taylor_tile(some, tile, ty * taylor_tile_vectors, tz * taylor_tile_planes, values);
      }
    if (elsewhere.count == 0) continue;
    double x[TaylorCharges::most], y[TaylorCharges::most], z[TaylorCharges::most], q[TaylorCharges::most];
    for (int n = 0; n < elsewhere.count; ++n) {
      const std::size_t c = first + std::size_t(elsewhere.number[n]);
      x[n] = charges.x_A[c], y[n] = charges.y_A[c], z[n] = charges.z_A[c], q[n] = charges.charge_e[c];
    }
    add_short_of<Kind::coulomb, taylor_coefficients>(
        frame, {x, y, z, q, nullptr, std::size_t(elsewhere.count)}, range, values);
  }
  for (int ty = 0; ty < of_y; ++ty)
    for (int tz = 0; tz < of_z; ++tz)
      subtract_polynomials(moments[ty][tz], terms, ty * taylor_tile_vectors, tz * taylor_tile_planes, values);
}

template <Kind kind>
void add_short_of_kind(const BlockFrame& frame, const ChargeArrays& charges, const ShortRange& range,
                       float* values) {
  if (range.coefficients == taylor_coefficients) {
    if constexpr (kind == Kind::coulomb)
      add_taylor(frame, charges, range, values);
    else
      add_short_of<kind, taylor_coefficients>(frame, charges, range, values);
    return;
  }
  add_short_of<kind, gaussian_coefficients>(frame, charges, range, values);
}

void add_short(const BlockFrame& frame, const ChargeArrays& charges, const ShortRange& range, float* values) {
  switch (range.pair.kind) {
    case Kind::coulomb:
      return add_short_of_kind<Kind::coulomb>(frame, charges, range, values);
    case Kind::distance_dependent:
      return add_short_of_kind<Kind::distance_dependent>(frame, charges, range, values);
    case Kind::debye_hueckel:
      return add_short_of_kind<Kind::debye_hueckel>(frame, charges, range, values);
  }
}

}  // namespace

extern const GridKernels IONWELL_OF_LEVEL(grid_kernels);
const GridKernels IONWELL_OF_LEVEL(grid_kernels){combine, interpolate, add_short};

}  // namespace ionwell
