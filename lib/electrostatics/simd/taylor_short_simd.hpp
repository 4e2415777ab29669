// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/simd/grid_kernels.hpp"
#include "electrostatics/simd/simd.hpp"

/// The short-range part of the published splitting of 1/r, charges some way off the block. With s = (r/a)^2
/// it is 1/r - p(s), p the Taylor polynomial of 1/r about s = 1 to s^2, as long as that is positive: the
/// difference goes through zero at s = 1 as (1 - s)^3, so that max(., 0) cuts it off. With p = c0 - c1 s - c2
/// s^2 max(1/r + c1 s + c2 s^2, c0) is summed; the c0 are taken away at the end.
///
/// Points are taken by tiles. Charges that only a part of a tile is within reach of are summed with their
/// polynomial. Those that reach all of it add 1/r alone; their polynomials are summed through the moments of
/// the charges, once for the tile.
namespace ionwell {
namespace {

/// |charge| / r. The published set has two and a half digits: an estimate to 14 bits is enough.
inline FloatVector inverse_sqrt_to_14_bits(FloatVector s) {
#if defined(__AVX512F__)
  return inverse_sqrt_estimate(s);
#else
  return inverse_sqrt(s);
#endif
}

/// Sums over charges that a polynomial in s needs; positions in units of the cutoff, from the block's centre.
struct Moments {
  enum { charge, x, y, z, xx, yy, zz, xy, xz, yz, x_rr, y_rr, z_rr, rr_rr, count };
  FloatVector sum[count] = {};
  FloatVector part = {};  // total charge of those that reach a part of the tile

  void add(FloatVector q, FloatVector rx, FloatVector ry, FloatVector rz) {
    const FloatVector qx = q * rx, qy = q * ry, qz = q * rz;
    const FloatVector rr = rx * rx + ry * ry + rz * rz;
    sum[charge] += q;
    sum[x] += qx;
    sum[y] += qy;
    sum[z] += qz;
    sum[xx] += qx * rx;
    sum[yy] += qy * ry;
    sum[zz] += qz * rz;
    sum[xy] += qx * ry;
    sum[xz] += qx * rz;
    sum[yz] += qy * rz;
    sum[x_rr] += qx * rr;
    sum[y_rr] += qy * rr;
    sum[z_rr] += qz * rr;
    sum[rr_rr] += q * rr * rr;
  }
};

constexpr int taylor_tile_vectors = 2, taylor_tile_planes = 4;
constexpr int taylor_rows = taylor_tile_vectors * width / 8;  // of a tile, along y
constexpr int taylor_tiles[] = {1, 8 / taylor_rows, 8 / taylor_tile_planes};

/// Charges by axis, and by charge: lengths are scaled by 1 / |K q| in the squares, so that 1/sqrt of their
/// sum is the potential.
struct TaylorCharges {
  static constexpr int most = 128;
  alignas(64) float dx2[most][8];
  alignas(64) float dy2[8][most];
  alignas(64) float dz2[8][most];
  alignas(64) float c0[most], c1[most], c2[most];  // of the polynomial in the scaled s: c0 - c1 s - c2 s^2
  alignas(64) float charge[most];  // 0 where another loop takes the charge, and behind the end
  alignas(64) float sign[most];
  alignas(64) float position[3][most];  // in units of the cutoff, from the block's centre
  // Nearest and farthest squared distance along an axis to the tiles that share it, likewise.
  alignas(64) float nearest2[3][8][most], farthest2[3][8][most];
};

struct TaylorTerms {
  float polynomial[taylor_coefficients];       // of s, for a unit charge
  float scale;                                 // from cutoffs to the lengths of a unit charge
  float offset[3][8];                          // of the points by axis, in units of the cutoff
  alignas(64) float plane_x[64], plane_y[64];  // of the points of a plane, likewise
};

/// Numbers of charges.
struct ChargeList {
  int number[TaylorCharges::most + width];
  int count = 0;

  void append(IntVector chosen, int first) { count += append_lanes(chosen, first, number + count); }
};

/// The charges that reach a tile, by sign: those that reach all of it, and those that reach a part.
struct TileCharges {
  ChargeList positive_whole, negative_whole, positive_part, negative_part;
};

/// For the tiles of all axes.
inline void set_ranges(const TaylorTerms& terms, int count, TaylorCharges* charges) {
  for (int axis = 0; axis < 3; ++axis)
    for (int tile = 0; tile < taylor_tiles[axis]; ++tile) {
      const int points = 8 / taylor_tiles[axis];
      const float first = terms.offset[axis][points * tile],
                  last = terms.offset[axis][points * tile + points - 1];
      const float centre = 0.5f * (first + last), half = 0.5f * (last - first) * 1.00001f;
      for (int c = 0; c < count; c += width) {
        const FloatVector away = absolute(load(charges->position[axis] + c) - centre);
        const FloatVector gap = larger(away - half, FloatVector{}), reach = away + half;
        store(charges->nearest2[axis][tile] + c, gap * gap);
        store(charges->farthest2[axis][tile] + c, reach * reach);
      }
    }
}

inline void sort_charges(const TaylorCharges& charges, int count, int tile_y, int tile_z, TileCharges* tile,
                         Moments* moments) {
  tile->positive_whole.count = tile->negative_whole.count = 0;
  tile->positive_part.count = tile->negative_part.count = 0;
  const auto sum = [&](const float(&range)[3][8][TaylorCharges::most], int c) {
    return load(range[0][0] + c) + load(range[1][tile_y] + c) + load(range[2][tile_z] + c);
  };
  for (int c = 0; c < count; c += width) {
    const FloatVector q = load(charges.charge + c);
    const IntVector whole = sum(charges.farthest2, c) < 1.0f;
    const IntVector part = (sum(charges.nearest2, c) < 1.0f) & ~whole;
    moments->part += part ? q : FloatVector{};
    moments->add(whole ? q : FloatVector{}, load(charges.position[0] + c), load(charges.position[1] + c),
                 load(charges.position[2] + c));
    tile->positive_whole.append(whole & (q > 0.0f), c);
    tile->negative_whole.append(whole & (q < 0.0f), c);
    tile->positive_part.append(part & (q > 0.0f), c);
    tile->negative_part.append(part & (q < 0.0f), c);
  }
}

using TileSums = FloatVector[taylor_tile_vectors][taylor_tile_planes];

template <bool negative>
inline void add_parts(const TaylorCharges& charges, const ChargeList& list, int v, int k, TileSums& sum) {
  for (int n = 0; n < list.count; ++n) {
    const int c = list.number[n];
    const FloatVector c0 = broadcast(charges.c0[c]), c1 = broadcast(charges.c1[c]),
                      c2 = broadcast(charges.c2[c]);
#pragma GCC unroll 2
    for (int t = 0; t < taylor_tile_vectors; ++t) {
      const FloatVector xy = plane_sum(charges.dx2[c], &charges.dy2[0][c], v + t, TaylorCharges::most);
#pragma GCC unroll 4
      for (int p = 0; p < taylor_tile_planes; ++p) {
        const FloatVector s = xy + charges.dz2[k + p][c];
        const FloatVector term = larger_positive(inverse_sqrt_to_14_bits(s) + s * (c1 + s * c2), c0);
        if constexpr (negative)
          sum[t][p] -= term;
        else
          sum[t][p] += term;
      }
    }
  }
}

template <bool negative>
inline void add_wholes(const TaylorCharges& charges, const ChargeList& list, int v, int k, TileSums& sum) {
  for (int n = 0; n < list.count; ++n) {
    const int c = list.number[n];
    const FloatVector sign = broadcast(charges.sign[c]);
#pragma GCC unroll 2
    for (int t = 0; t < taylor_tile_vectors; ++t) {
      const FloatVector xy = plane_sum(charges.dx2[c], &charges.dy2[0][c], v + t, TaylorCharges::most);
#pragma GCC unroll 4
      for (int p = 0; p < taylor_tile_planes; ++p) {
        const FloatVector term = inverse_sqrt_to_14_bits(xy + charges.dz2[k + p][c]);
        if (p % 2 == 0)  // every other addition goes through the multipliers, which would have little to do
          sum[t][p] += sign * term;
        else if constexpr (negative)
          sum[t][p] -= term;
        else
          sum[t][p] += term;
      }
    }
  }
}

/// Vectors v to v + taylor_tile_vectors - 1 of the planes k to k + taylor_tile_planes - 1.
inline void add_to_taylor_tile(const TaylorCharges& charges, const TileCharges& tile, int v, int k,
                               float* values) {
  TileSums sum = {};
  add_parts<false>(charges, tile.positive_part, v, k, sum);
  add_parts<true>(charges, tile.negative_part, v, k, sum);
  add_wholes<false>(charges, tile.positive_whole, v, k, sum);
  add_wholes<true>(charges, tile.negative_whole, v, k, sum);
  for (int t = 0; t < taylor_tile_vectors; ++t)
    for (int p = 0; p < taylor_tile_planes; ++p) {
      float* at = values + (k + p) * 64 + (v + t) * width;
      store(at, load(at) + sum[t][p]);
    }
}

/// values -= polynomials of the charges whose moments these are, with s = |x - r|^2 for a point x, and the c0
/// of the others.
inline void subtract_polynomials(const Moments& moments, const TaylorTerms& terms, int v, int k,
                                 float* values) {
  float m[Moments::count];
  for (int n = 0; n < Moments::count; ++n) m[n] = sum_of_lanes(moments.sum[n]);
  using M = Moments;
  const float m_rr = m[M::xx] + m[M::yy] + m[M::zz];
  const float p0 = terms.polynomial[0], p1 = terms.polynomial[1], p2 = terms.polynomial[2];
  const float c0 = p0 * (m[M::charge] + sum_of_lanes(moments.part));
  for (int p = k; p < k + taylor_tile_planes; ++p)
    for (int t = v; t < v + taylor_tile_vectors; ++t) {
      const FloatVector x = load(terms.plane_x + t * width), y = load(terms.plane_y + t * width);
      const float z = terms.offset[2][p];
      const FloatVector xx = x * x + y * y + z * z;
      const FloatVector x_r = x * m[M::x] + y * m[M::y] + z * m[M::z];
      const FloatVector s = m[M::charge] * xx - 2.0f * x_r + m_rr;
      const FloatVector x_r2 = x * (x * m[M::xx] + 2.0f * (y * m[M::xy] + z * m[M::xz])) +
                               y * (y * m[M::yy] + 2.0f * z * m[M::yz]) + z * z * m[M::zz];
      const FloatVector x_r_rr = x * m[M::x_rr] + y * m[M::y_rr] + z * m[M::z_rr];
      const FloatVector s2 =
          xx * (m[M::charge] * xx + 2.0f * m_rr - 4.0f * x_r) + 4.0f * (x_r2 - x_r_rr) + m[M::rr_rr];
      float* at = values + p * 64 + t * width;
      store(at, load(at) - (c0 + p1 * s + p2 * s2));
    }
}

/// Coefficients of s instead of z = 2 s - 1.
inline void expand(const float* of_z, float* of_s) {
  of_s[0] = of_z[0] - of_z[1] + of_z[2];
  of_s[1] = 2.0f * of_z[1] - 4.0f * of_z[2];
  of_s[2] = 4.0f * of_z[2];
}

inline TaylorTerms taylor_terms(const BlockFrame& frame, const ShortRange& range) {
  TaylorTerms terms;
  expand(range.polynomial, terms.polynomial);
  terms.scale = float(range.cutoff_A / range.pair.prefactor);
  for (int axis = 0; axis < 3; ++axis)
    for (int a = 0; a < 8; ++a)
      terms.offset[axis][a] = float(frame.spacing_A[axis] * (a - 3.5) / range.cutoff_A);
  for (int p = 0; p < 64; ++p) {
    terms.plane_x[p] = terms.offset[0][p % 8];
    terms.plane_y[p] = terms.offset[1][p / 8];
  }
  return terms;
}

/// Sets up to TaylorCharges::most charges from `first` on; `elsewhere` gets those that lie in the block or
/// next to it, or are too large or small to scale lengths with: 14 bits would not do for them.
inline void set_charges(const BlockFrame& frame, const ChargeArrays& charges, const ShortRange& range,
                        const TaylorTerms& terms, std::size_t first, int count, TaylorCharges* out,
                        ChargeList* elsewhere) {
  const double per_cutoff = 1.0 / range.cutoff_A;
  const double* position_A[] = {charges.x_A + first, charges.y_A + first, charges.z_A + first};
  for (int axis = 0; axis < 3; ++axis) {
    for (int c = 0; c < count; ++c)
      out->position[axis][c] = float((position_A[axis][c] - frame.centre_A[axis]) * per_cutoff);
    for (int c = count; c % width != 0; ++c) out->position[axis][c] = 0.0f;
  }
  for (int c = 0; c < count; ++c) out->charge[c] = float(charges.charge_e[first + c]);
  for (int c = count; c % width != 0; ++c) out->charge[c] = 0.0f;
  constexpr double beside_A = 1.0;
  constexpr float smallest_e = 1e-4f, largest_e = 1e4f;
  float half[3];
  for (int axis = 0; axis < 3; ++axis) half[axis] = terms.offset[axis][7] + float(beside_A * per_cutoff);
  elsewhere->count = 0;
  for (int c = 0; c < count; c += width) {
    const FloatVector x = load(out->position[0] + c), y = load(out->position[1] + c),
                      z = load(out->position[2] + c);
    const FloatVector q = load(out->charge + c), size = absolute(q);
    const IntVector inside = (absolute(x) < half[0]) & (absolute(y) < half[1]) & (absolute(z) < half[2]);
    const IntVector unfit = ((size < smallest_e) | (size > largest_e)) & (q != 0.0f);
    elsewhere->append((inside | unfit) & (q != 0.0f), c);
    const IntVector mine = ~(inside | unfit) & (q != 0.0f);
    const FloatVector magnitude = mine ? size : broadcast(1.0f);
    const FloatVector scale = terms.scale / magnitude, per_scale2 = 1.0f / (scale * scale);
    store(out->charge + c, mine ? q : FloatVector{});
    store(out->sign + c, q > 0.0f ? broadcast(1.0f) : broadcast(-1.0f));
    store(out->c0 + c, terms.polynomial[0] * magnitude);
    store(out->c1 + c, -terms.polynomial[1] * magnitude * per_scale2);
    store(out->c2 + c, -terms.polynomial[2] * magnitude * per_scale2 * per_scale2);
    for (int a = 0; a < 8; ++a) {
      const FloatVector dy = scale * (terms.offset[1][a] - y), dz = scale * (terms.offset[2][a] - z);
      store(out->dy2[a] + c, dy * dy);
      store(out->dz2[a] + c, dz * dz);
    }
    alignas(64) float scales[width];
    store(scales, scale);
    for (int l = 0; l < width; ++l)
      for (int a = 0; a < 8; ++a) {
        const float dx = scales[l] * (terms.offset[0][a] - out->position[0][c + l]);
        out->dx2[c + l][a] = dx * dx;
      }
  }
  set_ranges(terms, count, out);
}

}  // namespace
}  // namespace ionwell
