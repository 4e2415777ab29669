// Compiled once for each instruction set; IONWELL_SIMD_TABLE names the table that this copy defines.
#include "potential/block_kernels.hpp"
#include "potential/simd.hpp"
#include "potential/widen_simd.hpp"

namespace ionwell {
namespace {

constexpr int edge = 8;
constexpr int plane_vectors = edge * edge / width;
constexpr int lanes = 8;              // fp64 partial sums
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
  alignas(64) float sums[longest_row][points] = {};
  double totals[longest_row][points] = {};
  Chunk scaled;
  ScaledCharges charge;
  const BlockOffsets offsets(frames[0]);
  const float kappa = float(pair.kappa_per_A);
  int pending = 0;
  const auto flush = [&] {
    for (int b = 0; b < blocks; ++b)
      for (int p = 0; p < points; ++p) {
        totals[b][p] += double(sums[b][p]);
        sums[b][p] = 0.0f;
      }
    pending = 0;
  };
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
    if (++pending == chunks_per_flush) flush();
  }
  flush();
  for (int b = 0; b < blocks; ++b)
    for (int p = 0; p < points; ++p) {
      float& value = values[b * points + p];
      value = float(double(value) + totals[b][p]);
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

using DoubleVector = double __attribute__((vector_size(8 * width)));

/// Differences to `centre` of as many fp64 numbers as an fp32 vector holds.
inline FloatVector differences(const double* from, double centre) {
  DoubleVector v;
  __builtin_memcpy(&v, from, sizeof v);
  return __builtin_convertvector(v - centre, FloatVector);
}

/// What `width` charges add to the sum of magnitudes, by estimates to 11 bits.
inline FloatVector magnitude_terms(const double* centre_A, float slack, float clearance, const double* x_A,
                                   const double* y_A, const double* z_A, const double* charge_e,
                                   const PairPotential& pair) {
  const FloatVector x = differences(x_A, centre_A[0]), y = differences(y_A, centre_A[1]),
                    z = differences(z_A, centre_A[2]);
  const FloatVector r2 = larger(x * x + y * y + z * z, broadcast(1e-12f));
  constexpr float shorter = 0.999f;  // than any distance that the estimate may stand for
  const FloatVector d = larger(shorter * r2 * inverse_sqrt_estimate(r2) - slack, broadcast(clearance));
  const FloatVector inverse = inverse_estimate(d);
  FloatVector term = absolute(differences(charge_e, 0.0)) * inverse;
  if (pair.kind == Kind::distance_dependent) term *= inverse;
  if (pair.kind ==
      Kind::debye_hueckel) {  // with the exponential's own rounding, which grows with its argument
    const float kappa = float(pair.kappa_per_A);
    term *= (1.0f + kappa * d) * exp_of_negative(-kappa * d);
  }
  return term;
}

double magnitude(const double* centre_A, double slack_A, double clearance_A, const ChargeArrays& charges,
                 const PairPotential& pair) {
  const float slack = float(slack_A), clearance = float(clearance_A);
  constexpr std::size_t flush = 64 * width;  // terms summed in fp32 before they go to fp64
  double total = 0.0;
  std::size_t c = 0;
  while (c + width <= charges.count) {
    FloatVector sum{};
    for (const std::size_t end = c + flush; c + width <= charges.count && c < end; c += width)
      sum += magnitude_terms(centre_A, slack, clearance, charges.x_A + c, charges.y_A + c, charges.z_A + c,
                             charges.charge_e + c, pair);
    for (int l = 0; l < width; ++l) total += double(sum[l]);
  }
  if (c < charges.count) {
    double x[width] = {}, y[width] = {}, z[width] = {}, charge[width] = {};  // the rest has no charge
    for (std::size_t n = c; n < charges.count; ++n) {
      x[n - c] = charges.x_A[n], y[n - c] = charges.y_A[n], z[n - c] = charges.z_A[n];
      charge[n - c] = charges.charge_e[n];
    }
    const FloatVector sum = magnitude_terms(centre_A, slack, clearance, x, y, z, charge, pair);
    for (int l = 0; l < width; ++l) total += double(sum[l]);
  }
  constexpr double safety = 1.0 + 2e-3;  // the estimates, and fp32 arithmetic
  return safety * pair.prefactor * total;
}

double exact(const double* position_A, const ChargeArrays& charges, const PairPotential& pair) {
  constexpr double smallest2 = smallest_distance_A * smallest_distance_A;
  double partial[lanes] = {};
  for (std::size_t first = 0; first < charges.count; first += chunk) {
    const int count = first + chunk < charges.count ? chunk : int(charges.count - first);
    double term[chunk];
    for (int c = 0; c < count; ++c) {
      const double x = charges.x_A[first + c] - position_A[0];
      const double y = charges.y_A[first + c] - position_A[1];
      const double z = charges.z_A[first + c] - position_A[2];
      const double r2 = x * x + y * y + z * z;
      term[c] = r2 < smallest2 ? smallest2 : r2;
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
  const double spread = points * xx - x * x;
  return spread > 0.0 ? float((points * x_value - x * value) / spread) : 0.0f;
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
const BlockKernels IONWELL_SIMD_TABLE{add_charges, magnitude, exact, slope, range, widen, exclude};

}  // namespace ionwell
