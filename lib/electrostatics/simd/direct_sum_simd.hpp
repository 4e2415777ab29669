// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The direct sum over the points of blocks, in vectors; a part of direct_kernels_simd.cpp.
#include "electrostatics/simd/node_sums_simd.hpp"

namespace ionwell {
namespace {

constexpr int chunks_per_flush = 16;  // chunks summed in fp32 before they go to fp64

/// How far a chunk's charges are from a block.
enum class Distance {
  near,  // one may be in it
  middle,
  far  // see add_far_terms
};

/// Distance from a charge, in spacings along z, from which the mean of two points' estimates is an estimate
/// for the point between them: 1/r bends so little there that the mean is off by (h/r)^2 = 6e-4 at most,
/// which Newton's step makes 6e-7.
constexpr double far_spacings = 40.0;

/// An addition takes the place of an estimate then, and adders are idle where estimates and products share
/// their units. AVX2 has not the registers for it and wins nothing.
template <Kind kind>
constexpr bool takes_means = (kind == Kind::coulomb) && (width == 16);

constexpr bool is_mean(int plane, int planes) {
  return plane % 2 == 1 && plane + 1 < planes;
}

/// Coulomb terms of a far charge; those from means eight times as large.
template <bool negative, int planes>
inline void add_far_terms(FloatVector xy, const float* dz2, FloatVector* sum) {
  FloatVector y[planes];
#pragma GCC unroll 8
  for (int k = 0; k < planes; ++k)
    if (!is_mean(k, planes)) y[k] = inverse_sqrt_estimate(xy + dz2[k * chunk]);
#pragma GCC unroll 8
  for (int k = 0; k < planes; ++k) {
    const FloatVector s = xy + dz2[k * chunk];
    if (is_mean(k, planes))
      add<negative>(sixteen_inverse_sqrt(s, y[k - 1] + y[k + 1]), sum + k);
    else
      add<negative>(twice_inverse_sqrt(s, y[k]), sum + k);
  }
}

template <Kind kind, Distance distance, bool negative, int planes>
inline void add_terms(const Chunk& charges, int from, int to, int v, int first_plane, float kappa,
                      FloatVector* sum) {
  for (int c = from; c < to; ++c) {
    const FloatVector xy = plane_sum(charges.dx2[c], &charges.dy2[0][c], v, chunk);
    if constexpr (distance == Distance::far) {
      add_far_terms<negative, planes>(xy, &charges.dz2[first_plane][c], sum);
    } else {
#pragma GCC unroll 8
      for (int k = 0; k < planes; ++k) {
        FloatVector s = xy + charges.dz2[first_plane + k][c];
        if constexpr (distance == Distance::near) s = larger(s, broadcast(charges.smallest2[c]));
        add<negative>(term<kind>(s, charges.weight[c], kappa), sum + k);
      }
    }
  }
}

/// sums += terms of a chunk, in the vectors and at least in the planes that `frame` wants; `near` ones are
/// held at the smallest distance.
template <Kind kind, Distance distance, int planes>
void add_chunk(const Chunk& charges, float kappa, const BlockFrame& frame, float* sums) {
  const int first_plane = frame.first_plane + planes <= edge ? frame.first_plane : edge - planes;
  for (int v = frame.first_row * edge / width; v * width < (frame.last_row + 1) * edge; ++v) {
    FloatVector sum[planes] = {};
    add_terms<kind, distance, false, planes>(charges, 0, charges.positive, v, first_plane, kappa, sum);
    add_terms<kind, distance, true, planes>(charges, charges.positive, charges.count, v, first_plane, kappa,
                                            sum);
#pragma GCC unroll 8
    for (int k = 0; k < planes; ++k) {
      float* at = sums + ((first_plane + k) * plane_vectors + v) * width;
      const bool eightfold = distance == Distance::far && is_mean(k, planes);
      store(at, load(at) + (eightfold ? 0.125f * sum[k] : sum[k]));
    }
  }
}

template <Kind kind, Distance distance>
void add_chunk(const Chunk& charges, float kappa, const BlockFrame& frame, float* sums) {
  const int planes = frame.last_plane - frame.first_plane + 1;
  if (planes > 6) return add_chunk<kind, distance, 8>(charges, kappa, frame, sums);
  if (planes > 4) return add_chunk<kind, distance, 6>(charges, kappa, frame, sums);
  if (planes > 2) return add_chunk<kind, distance, 4>(charges, kappa, frame, sums);
  return add_chunk<kind, distance, 2>(charges, kappa, frame, sums);
}

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

/// What all blocks of a column along z have in common. Returns whether a charge may lie in one of them or
/// within half a spacing of it.
template <Kind kind>
bool scale_charges(const BlockFrame& frame, const BlockOffsets& offsets, const ChargeArrays& charges,
                   const PairPotential& pair, std::size_t first, ScaledCharges* scaled, Chunk* out) {
  const int count = out->count;
  for (int c = 0; c < count; ++c) {
    const double s = charges.length_scale[first + c];
    scaled->x[c] = float(s * (charges.x_A[first + c] - frame.centre_A[0]));
    scaled->y[c] = float(s * (charges.y_A[first + c] - frame.centre_A[1]));
    scaled->scale[c] = float(s);
  }
  for (int c = count; c < chunk; ++c) scaled->x[c] = scaled->y[c] = scaled->scale[c] = 0.0f;
  for (int c = 0; c < count; ++c)
    reinterpret_cast<Row&>(out->dx2[c]) = squared(scaled->scale[c] * offsets.x - scaled->x[c]);
  for (int a = 0; a < edge; ++a) {
    const float at_y = offsets.y[a];
    for (int c = 0; c < chunk; c += width) {
      const FloatVector dy = load(scaled->scale + c) * at_y - load(scaled->y + c);
      store(out->dy2[a] + c, dy * dy);
    }
  }
  if constexpr (takes_means<kind>) {
    const float far = float(offsets.corner_A + far_spacings * frame.spacing_A[2]);
    for (int c = 0; c < chunk; c += width) {
      const FloatVector x = load(scaled->x + c), y = load(scaled->y + c), r = far * load(scaled->scale + c);
      store(scaled->far_z2 + c, r * r - (x * x + y * y));
    }
  }
  if constexpr (kind == Kind::debye_hueckel)
    for (int c = 0; c < count; ++c)
      out->weight[c] = float(pair.prefactor * __builtin_fabs(charges.charge_e[first + c]));
  const float reach_x = float(0.5 * edge * frame.spacing_A[0]);
  const float reach_y = float(0.5 * edge * frame.spacing_A[1]);
  int any_inside = 0;
  for (int c = 0; c < count; ++c) {
    scaled->inside[c] = int(__builtin_fabsf(scaled->x[c]) < scaled->scale[c] * reach_x) &
                        int(__builtin_fabsf(scaled->y[c]) < scaled->scale[c] * reach_y);
    any_inside |= scaled->inside[c];
  }
  return any_inside != 0;
}

/// For one block of the column.
void scale_along_z(const BlockFrame& frame, const ChargeArrays& charges, std::size_t first, int count,
                   ScaledCharges* scaled) {
  for (int c = 0; c < count; ++c)
    scaled->z[c] = float(charges.length_scale[first + c] * (charges.z_A[first + c] - frame.centre_A[2]));
}

/// Completes `out` for one block of the column.
void square_along_z(const BlockOffsets& offsets, const ScaledCharges& scaled, Chunk* out) {
  for (int c = 0; c < chunk; c += width) {
    const FloatVector s = load(scaled.scale + c), z = load(scaled.z + c);
#pragma GCC unroll 8
    for (int a = 0; a < edge; ++a) {
      const FloatVector dz = s * offsets.z[a] - z;
      store(out->dz2[a] + c, dz * dz);
    }
  }
}

inline bool all_far(const ScaledCharges& scaled) {
  IntVector close{};
  for (int c = 0; c < chunk; c += width) {
    const FloatVector z = load(scaled.z + c);
    close |= z * z < load(scaled.far_z2 + c);
  }
  return !any_lane(close);
}

/// Makes the charges in the block, or within half a spacing of it, exact to the last digit: the smallest
/// distance may matter for them. Returns whether there is one.
bool sharpen(const BlockFrame& frame, const ChargeArrays& charges, std::size_t first,
             const ScaledCharges& scaled, Chunk* out) {
  const float reach_z = float(0.5 * edge * frame.spacing_A[2]);
  bool any = false;
  for (int c = 0; c < out->count; ++c) {
    out->smallest2[c] = scaled.scale[c] * scaled.scale[c] * float(smallest_distance_A * smallest_distance_A);
    if (scaled.inside[c] == 0 || __builtin_fabsf(scaled.z[c]) >= scaled.scale[c] * reach_z) continue;
    square_differences(frame, charges, first + c, out, c);
    any = true;
  }
  return any;
}

template <Kind kind>
void add_charges_of(const BlockFrame* frames, int blocks, const ChargeArrays& charges,
                    const PairPotential& pair, const NodeDistances& nodes, float* values) {
  constexpr int points = edge * edge * edge;
  alignas(64) float sums[longest_column][points];
  alignas(64) double totals[longest_column][points];  // of the sums so far; of use only to many charges
  Chunk scaled;
  ScaledCharges charge{};  // also beyond a chunk's charges
  const BlockOffsets offsets(frames[0]);
  const float kappa = float(pair.kappa_per_A);
  const bool many = charges.count > chunk;
  NodeSums<4> of_four[longest_column];
  NodeSums<5> of_five[longest_column];
  int pending = 0;
  for (int b = 0; b < blocks; ++b)
    for (int p = 0; p < points; ++p) sums[b][p] = 0.0f;
  if (many)
    for (int b = 0; b < blocks; ++b)
      for (int p = 0; p < points; ++p) totals[b][p] = 0.0;
  for (std::size_t first = 0; first < charges.count; first += scaled.count) {
    measure(charges, first, &scaled);
    const bool in_column = scale_charges<kind>(frames[0], offsets, charges, pair, first, &charge, &scaled);
    for (int b = 0; b < blocks; ++b) {
      scale_along_z(frames[b], charges, first, scaled.count, &charge);
      const int nodes_for_all = many ? enough_nodes(charge, offsets, nodes) : edge;
      if (nodes_for_all == 4) {
        of_four[b].template add<kind>(charge, scaled, offsets, kappa);
        continue;
      }
      if (nodes_for_all == 5) {
        of_five[b].template add<kind>(charge, scaled, offsets, kappa);
        continue;
      }
      square_along_z(offsets, charge, &scaled);
      if (in_column && sharpen(frames[b], charges, first, charge, &scaled)) {
        add_chunk<kind, Distance::near>(scaled, kappa, frames[b], sums[b]);
        // The next block sees the charges in this one from afar.
        scale_charges<kind>(frames[0], offsets, charges, pair, first, &charge, &scaled);
        continue;
      }
      if constexpr (takes_means<kind>)
        if (all_far(charge)) {
          add_chunk<kind, Distance::far>(scaled, kappa, frames[b], sums[b]);
          continue;
        }
      add_chunk<kind, Distance::middle>(scaled, kappa, frames[b], sums[b]);
    }
    if (++pending < chunks_per_flush || !many) continue;
    for (int b = 0; b < blocks; ++b)
      for (int p = 0; p < points; ++p) {
        totals[b][p] += double(sums[b][p]);
        sums[b][p] = 0.0f;
      }
    pending = 0;
  }
  if (many)
    for (int b = 0; b < blocks; ++b) {
      of_four[b].add_polynomials(totals[b]);
      of_five[b].add_polynomials(totals[b]);
    }
  for (int b = 0; b < blocks; ++b)
    for (int p = 0; p < points; ++p) {
      float& value = values[b * points + p];
      value = many ? float(double(value) + (totals[b][p] + double(sums[b][p]))) : value + sums[b][p];
    }
}

void add_charges(const BlockFrame* frames, int blocks, const ChargeArrays& charges, const PairPotential& pair,
                 const NodeDistances& nodes, float* values) {
  switch (pair.kind) {
    case Kind::coulomb:
      return add_charges_of<Kind::coulomb>(frames, blocks, charges, pair, nodes, values);
    case Kind::distance_dependent:
      return add_charges_of<Kind::distance_dependent>(frames, blocks, charges, pair, nodes, values);
    case Kind::debye_hueckel:
      return add_charges_of<Kind::debye_hueckel>(frames, blocks, charges, pair, nodes, values);
  }
}

}  // namespace
}  // namespace ionwell
