#pragma once

// The direct sum over the points of blocks, in vectors; a part of block_kernels_simd.cpp.
#include "potential/block_kernels.hpp"
#include "potential/simd.hpp"

namespace ionwell {
namespace {

constexpr int edge = 8;
constexpr int plane_vectors = edge * edge / width;
constexpr int chunk = 64;             // charges summed in fp32 before anything else
constexpr int chunks_per_flush = 16;  // chunks summed in fp32 before they go to fp64

using Kind = PairPotential::Kind;

/// Newton's step for 1/sqrt(s), from an estimate y of 12 bits: y (3 - s y^2) is twice the root to 2^-22.
inline FloatVector twice_inverse_sqrt(FloatVector s) {
  const FloatVector y = inverse_sqrt_estimate(s);
  return y * (3.0f - (s * y) * y);
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

template <Kind kind, bool near, bool negative, int planes>
inline void add_terms(const Chunk& charges, int from, int to, int v, float kappa, FloatVector* sum) {
  for (int c = from; c < to; ++c) {
    const FloatVector xy = plane_sum(charges.dx2[c], &charges.dy2[0][c], v, chunk);
#pragma GCC unroll 8
    for (int k = 0; k < planes; ++k) {
      FloatVector s = xy + charges.dz2[k][c];
      if constexpr (near) s = larger(s, broadcast(charges.smallest2[c]));
      if constexpr (negative)
        sum[k] -= term<kind>(s, charges.weight[c], kappa);
      else
        sum[k] += term<kind>(s, charges.weight[c], kappa);
    }
  }
}

/// sums += terms of a chunk, in the first `vectors` vectors of the first `planes` planes; `near` ones are
/// held at the smallest distance.
template <Kind kind, bool near, int planes>
void add_chunk(const Chunk& charges, float kappa, int vectors, float* sums) {
  for (int v = 0; v < vectors; ++v) {
    FloatVector sum[planes] = {};
    add_terms<kind, near, false, planes>(charges, 0, charges.positive, v, kappa, sum);
    add_terms<kind, near, true, planes>(charges, charges.positive, charges.count, v, kappa, sum);
#pragma GCC unroll 8
    for (int k = 0; k < planes; ++k) {
      float* at = sums + (k * plane_vectors + v) * width;
      store(at, load(at) + sum[k]);
    }
  }
}

template <Kind kind, bool near>
void add_chunk(const Chunk& charges, float kappa, const BlockFrame& frame, float* sums) {
  const int vectors = (frame.rows * edge + width - 1) / width;
  if (frame.planes > 6) return add_chunk<kind, near, 8>(charges, kappa, vectors, sums);
  if (frame.planes > 4) return add_chunk<kind, near, 6>(charges, kappa, vectors, sums);
  if (frame.planes > 2) return add_chunk<kind, near, 4>(charges, kappa, vectors, sums);
  return add_chunk<kind, near, 2>(charges, kappa, vectors, sums);
}

using Row = float __attribute__((vector_size(4 * edge)));  // one number for each point along an edge
using IntRow = int __attribute__((vector_size(4 * edge)));

/// Positions of a block's points by axis, relative to its centre.
struct BlockOffsets {
  Row x, y, z;

  explicit BlockOffsets(const BlockFrame& frame) {
    for (int a = 0; a < edge; ++a) {
      x[a] = float(frame.spacing_A[0] * (a - 0.5 * (edge - 1)));
      y[a] = float(frame.spacing_A[1] * (a - 0.5 * (edge - 1)));
      z[a] = float(frame.spacing_A[2] * (a - 0.5 * (edge - 1)));
    }
  }
};

inline Row squared(Row x) {
  return x * x;
}

/// Squared distances of a charge in the block by axis, from fp64 differences: next to it fp32 coordinates
/// would leave few digits.
void square_differences(const BlockFrame& frame, const ChargeArrays& charges, std::size_t number,
                        Chunk* scaled, int c) {
  const double position_A[3] = {charges.x_A[number], charges.y_A[number], charges.z_A[number]};
  for (int a = 0; a < edge; ++a) {
    const auto square = [&](int axis) {
      const double at = frame.first_A[axis] + frame.spacing_A[axis] * a - position_A[axis];
      return float(charges.length_scale[number] * at * charges.length_scale[number] * at);
    };
    scaled->dx2[c][a] = square(0);
    scaled->dy2[a][c] = square(1);
    scaled->dz2[a][c] = square(2);
  }
}

/// The charges of a chunk in scaled lengths, relative to the centre of a block.
struct ScaledCharges {
  alignas(64) float x[chunk], y[chunk], z[chunk], scale[chunk];
  int inside[chunk];  // the row, as far as y and z tell
};

/// What all blocks of a row along x have in common. Returns whether a charge may lie in one of them or within
/// half a spacing of it.
template <Kind kind>
bool scale_charges(const BlockFrame& frame, const BlockOffsets& offsets, const ChargeArrays& charges,
                   const PairPotential& pair, std::size_t first, ScaledCharges* scaled, Chunk* out) {
  const int count = out->count;
  for (int c = 0; c < count; ++c) {
    const double s = charges.length_scale[first + c];
    scaled->y[c] = float(s * (charges.y_A[first + c] - frame.centre_A[1]));
    scaled->z[c] = float(s * (charges.z_A[first + c] - frame.centre_A[2]));
    scaled->scale[c] = float(s);
  }
  for (int c = count; c < chunk; ++c) scaled->y[c] = scaled->z[c] = scaled->scale[c] = 0.0f;
  for (int a = 0; a < edge; ++a) {
    const float at_y = offsets.y[a], at_z = offsets.z[a];
    for (int c = 0; c < chunk; c += width) {
      const FloatVector s = load(scaled->scale + c);
      const FloatVector dy = s * at_y - load(scaled->y + c), dz = s * at_z - load(scaled->z + c);
      store(out->dy2[a] + c, dy * dy);
      store(out->dz2[a] + c, dz * dz);
    }
  }
  if constexpr (kind == Kind::debye_hueckel)
    for (int c = 0; c < count; ++c)
      out->weight[c] = float(pair.prefactor * __builtin_fabs(charges.charge_e[first + c]));
  const float reach_y = float(0.5 * edge * frame.spacing_A[1]);
  const float reach_z = float(0.5 * edge * frame.spacing_A[2]);
  int any_inside = 0;
  for (int c = 0; c < count; ++c) {
    scaled->inside[c] = int(__builtin_fabsf(scaled->y[c]) < scaled->scale[c] * reach_y) &
                        int(__builtin_fabsf(scaled->z[c]) < scaled->scale[c] * reach_z);
    any_inside |= scaled->inside[c];
  }
  return any_inside != 0;
}

/// Completes `out` for one block of the row.
void scale_along_x(const BlockFrame& frame, const BlockOffsets& offsets, const ChargeArrays& charges,
                   std::size_t first, ScaledCharges* scaled, Chunk* out) {
  for (int c = 0; c < out->count; ++c)
    scaled->x[c] = float(charges.length_scale[first + c] * (charges.x_A[first + c] - frame.centre_A[0]));
  for (int c = 0; c < out->count; ++c)
    reinterpret_cast<Row&>(out->dx2[c]) = squared(scaled->scale[c] * offsets.x - scaled->x[c]);
}

/// Makes the charges in the block, or within half a spacing of it, exact to the last digit: the smallest
/// distance may matter for them. Returns whether there is one.
bool sharpen(const BlockFrame& frame, const ChargeArrays& charges, std::size_t first,
             const ScaledCharges& scaled, Chunk* out) {
  const float reach_x = float(0.5 * edge * frame.spacing_A[0]);
  bool any = false;
  for (int c = 0; c < out->count; ++c) {
    out->smallest2[c] = scaled.scale[c] * scaled.scale[c] * float(smallest_distance_A * smallest_distance_A);
    if (scaled.inside[c] == 0 || __builtin_fabsf(scaled.x[c]) >= scaled.scale[c] * reach_x) continue;
    square_differences(frame, charges, first + c, out, c);
    any = true;
  }
  return any;
}

template <Kind kind>
void add_charges_of(const BlockFrame* frames, int blocks, const ChargeArrays& charges,
                    const PairPotential& pair, float* values) {
  constexpr int points = edge * edge * edge;
  alignas(64) float sums[longest_row][points];
  alignas(64) double totals[longest_row][points];  // of the sums so far; of use only to many charges
  Chunk scaled;
  ScaledCharges charge;
  const BlockOffsets offsets(frames[0]);
  const float kappa = float(pair.kappa_per_A);
  const bool many = charges.count > chunk;
  int pending = 0;
  for (int b = 0; b < blocks; ++b)
    for (int p = 0; p < points; ++p) sums[b][p] = 0.0f;
  if (many)
    for (int b = 0; b < blocks; ++b)
      for (int p = 0; p < points; ++p) totals[b][p] = 0.0;
  for (std::size_t first = 0; first < charges.count; first += scaled.count) {
    measure(charges, first, &scaled);
    const bool in_row = scale_charges<kind>(frames[0], offsets, charges, pair, first, &charge, &scaled);
    for (int b = 0; b < blocks; ++b) {
      scale_along_x(frames[b], offsets, charges, first, &charge, &scaled);
      if (in_row && sharpen(frames[b], charges, first, charge, &scaled)) {
        add_chunk<kind, true>(scaled, kappa, frames[b], sums[b]);
        // The next block sees the charges in this one from afar.
        scale_charges<kind>(frames[0], offsets, charges, pair, first, &charge, &scaled);
      } else {
        add_chunk<kind, false>(scaled, kappa, frames[b], sums[b]);
      }
    }
    if (++pending < chunks_per_flush || !many) continue;
    for (int b = 0; b < blocks; ++b)
      for (int p = 0; p < points; ++p) {
        totals[b][p] += double(sums[b][p]);
        sums[b][p] = 0.0f;
      }
    pending = 0;
  }
  for (int b = 0; b < blocks; ++b)
    for (int p = 0; p < points; ++p) {
      float& value = values[b * points + p];
      value = many ? float(double(value) + (totals[b][p] + double(sums[b][p]))) : value + sums[b][p];
    }
}

void add_charges(const BlockFrame* frames, int blocks, const ChargeArrays& charges, const PairPotential& pair,
                 float* values) {
  switch (pair.kind) {
    case Kind::coulomb:
      return add_charges_of<Kind::coulomb>(frames, blocks, charges, pair, values);
    case Kind::distance_dependent:
      return add_charges_of<Kind::distance_dependent>(frames, blocks, charges, pair, values);
    case Kind::debye_hueckel:
      return add_charges_of<Kind::debye_hueckel>(frames, blocks, charges, pair, values);
  }
}

}  // namespace
}  // namespace ionwell
