// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "electrostatics/poisson_boltzmann/model/simd/sphere_kernels.hpp"

#include <cstdint>

#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

constexpr int double_width = width / 2;
using DoubleVector = double __attribute__((vector_size(8 * double_width)));
using LongVector = std::int64_t __attribute__((vector_size(8 * double_width)));

inline DoubleVector load_double(const double* from) {
  DoubleVector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

inline void store_double(double* to, DoubleVector v) {
  __builtin_memcpy(to, &v, sizeof v);
}

inline DoubleVector square_root(DoubleVector x) {
#if defined(__AVX512F__)
  return (DoubleVector)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX2__)
  return (DoubleVector)_mm256_sqrt_pd((__m256d)x);
#elif defined(__SSE2__)
  return (DoubleVector)_mm_sqrt_pd((__m128d)x);
#else
  for (int l = 0; l < double_width; ++l) x[l] = __builtin_sqrt(x[l]);
  return x;
#endif
}

/// 1 / sqrt(x) to about the last bit, of numbers from 1e-300 to 1e300.
inline DoubleVector inverse_square_root(DoubleVector x) {
#if defined(__AVX512F__)
  DoubleVector y = (DoubleVector)_mm512_rsqrt14_pd((__m512d)x);
  for (int step = 0; step < 2; ++step) y += 0.5 * y * (1.0 - x * y * y);  // Newton's: twice as many bits each
  return y;
#else
  return 1.0 / square_root(x);
#endif
}

/// Bit l: whether lane l of a mask is set.
inline unsigned bits_of(LongVector mask) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask);
#elif defined(__AVX2__)
  return unsigned(_mm256_movemask_pd((__m256d)mask));
#elif defined(__SSE2__)
  return unsigned(_mm_movemask_pd((__m128d)mask));
#else
  unsigned bits = 0;
  for (int l = 0; l < double_width; ++l) bits |= mask[l] != 0 ? 1u << l : 0u;
  return bits;
#endif
}

/// All ones in the lanes whose bits are set.
inline LongVector lanes_of(unsigned bits) {
#if defined(__AVX512F__)
  return (LongVector)_mm512_maskz_set1_epi64(__mmask8(bits), -1);
#else
  LongVector lane_bit;
  for (int l = 0; l < double_width; ++l) lane_bit[l] = 1 << l;
  return (lane_bit & std::int64_t(bits)) != 0;
#endif
}

/// The lanes of a vector that begins `left` numbers before the end.
inline unsigned bits_before(int left) {
  return left >= double_width ? (1u << double_width) - 1 : (1u << left) - 1;
}

inline LongVector lane_numbers() {
  LongVector lane;
  for (int l = 0; l < double_width; ++l) lane[l] = l;
  return lane;
}

/// Writes the lanes of v whose bits are set to `to`, one behind the other; others may follow them.
inline void store_lanes(double* to, DoubleVector v, unsigned bits) {
#if defined(__AVX512F__)
  _mm512_storeu_pd(to, _mm512_maskz_compress_pd(__mmask8(bits), (__m512d)v));
#else
  for (; bits != 0; bits &= bits - 1) *to++ = v[__builtin_ctz(bits)];
#endif
}

int meeting(const DoubleColumns& spheres, int first, int last, const double* sphere, int* out,
            const DoubleOutput& away) {
  const double x = sphere[sphere_x], y = sphere[sphere_y], z = sphere[sphere_z],
               radius = sphere[sphere_radius];
  const double* const columns = spheres.first;
  const int stride = spheres.stride;
  int count = 0;
  for (int n = first; n < last; n += double_width) {
    const DoubleVector dx = load_double(columns + sphere_x * stride + n) - x,
                       dy = load_double(columns + sphere_y * stride + n) - y,
                       dz = load_double(columns + sphere_z * stride + n) - z,
                       other = load_double(columns + sphere_radius * stride + n), reach = other + radius;
    unsigned bits = bits_of(dx * dx + dy * dy + dz * dz < reach * reach) & bits_before(last - n);
    if (bits == 0) continue;
    double* const to = away.first + count;
    store_lanes(to + sphere_x * away.stride, dx, bits);
    store_lanes(to + sphere_y * away.stride, dy, bits);
    store_lanes(to + sphere_z * away.stride, dz, bits);
    store_lanes(to + sphere_radius * away.stride, other, bits);
    for (; bits != 0; bits &= bits - 1) out[count++] = n + __builtin_ctz(bits);
  }
  return count;
}

MetSpheres caps(const DoubleColumns& away, int count, double radius, const DoubleOutput& out, int* held) {
  constexpr double none = 2.0;  // as a cosine
  const double* const columns = away.first;
  const int stride = away.stride;
  MetSpheres met{0, 0};
  for (int n = 0; n < count; n += double_width) {
    const auto at = [&](SphereColumn column) { return load_double(columns + column * stride + n); };
    const DoubleVector x = at(sphere_x), y = at(sphere_y), z = at(sphere_z), other = at(sphere_radius);
    const DoubleVector d2 = x * x + y * y + z * z, d = square_root(d2), over_d = 1.0 / d;
    const DoubleVector q = d2 - other * other + radius * radius, cosine = q * over_d * (0.5 / radius);
    const unsigned lanes = bits_before(count - n);
    // Touching from outside, or one within the other, they share no circle.
    const LongVector reaches = d < radius + other, is_held = d + radius <= other;
    const LongVector meets = reaches & ~is_held & (d + other > radius);
    met.meet += __builtin_popcount(bits_of(meets) & lanes);
    for (unsigned bits = bits_of(reaches & is_held) & lanes; bits != 0; bits &= bits - 1)
      held[met.hold++] = n + __builtin_ctz(bits);
    const DoubleVector sine2 = 1.0 - cosine * cosine, kept_sine2 = sine2 > 0.0 ? sine2 : DoubleVector{};
    store_double(out.first + cap_x * out.stride + n, x * over_d);
    store_double(out.first + cap_y * out.stride + n, y * over_d);
    store_double(out.first + cap_z * out.stride + n, z * over_d);
    store_double(out.first + cap_cosine * out.stride + n, meets ? cosine : none - DoubleVector{});
    store_double(out.first + cap_sine * out.stride + n, square_root(kept_sine2));
  }
  return met;
}

void places(const double* numbers, int count, int* out) {
  for (int n = 0; n < count; n += double_width) {
    const DoubleVector own = load_double(numbers + n);
    const int behind = n + double_width < count ? n + double_width : count;
    LongVector before{};
    for (int m = 0; m < n; ++m) before -= numbers[m] <= own;
    for (int m = n; m < behind; ++m)
      before -= (numbers[m] < own) | ((numbers[m] == own) & (lane_numbers() > m - n));
    for (int m = behind; m < count; ++m) before -= numbers[m] < own;
    for (int l = 0; l < behind - n; ++l) out[n + l] = int(before[l]);
  }
}

int caps_in_no_other(const DoubleOutput& caps, int count, int* out) {
  double* const columns = caps.first;
  const int stride = caps.stride;
  constexpr double rounding = 1e-15;  // of the cosine of an angle
  int kept = 0;
  for (int n = 0; n < count; ++n) {
    double cap[cap_columns];
    for (int c = 0; c < cap_columns; ++c) cap[c] = columns[c * stride + n];
    bool is_inside = false;
    // One that is in a cap that was not kept is also in the one that holds that.
    for (int m = 0; m < kept && !is_inside; m += double_width) {
      const auto at = [&](CapColumn column) { return load_double(columns + column * stride + m); };
      const DoubleVector along = cap[cap_x] * at(cap_x) + cap[cap_y] * at(cap_y) + cap[cap_z] * at(cap_z),
                         least = cap[cap_cosine] * at(cap_cosine) + cap[cap_sine] * at(cap_sine);
      is_inside = (bits_of(along >= least - rounding) & bits_before(kept - m)) != 0;
    }
    if (is_inside) continue;
    for (int c = 0; c < cap_columns; ++c) columns[c * stride + kept] = cap[c];
    out[kept++] = n;
  }
  return kept;
}

/// What spheres cover of a circle, in columns: the middle of each part, the cosine of half its angle, and its
/// first and last direction.
struct CoveredParts {
  double *u, *v, *cosine;
  double *end_u[2], *end_v[2];
  int count = 0;

  CoveredParts(double* workspace, int stride)
      : u(workspace),
        v(u + stride),
        cosine(v + stride),
        end_u{cosine + stride, cosine + 2 * stride},
        end_v{cosine + 3 * stride, cosine + 4 * stride} {}

  /// The lanes of a vector of ends, from number n on, that lie in no part.
  unsigned open(int side, int n) const {
    constexpr double rounding = 1e-12;
    const DoubleVector x = load_double(end_u[side] + n), y = load_double(end_v[side] + n);
    unsigned open = bits_before(count - n);
    for (int m = 0; m < count && open != 0; ++m) open &= ~bits_of(u[m] * x + v[m] * y > cosine[m] + rounding);
    return open;
  }
};

/// The angles of the circle that a sphere covers: those nearer to a direction in the circle's plane than half
/// an angle, whose cosine is known. A circle of which some is covered, and not all, has the end of such a
/// part that is in no other one. A few of the largest spheres cover most circles: they are tried first.
int open_ends(const DoubleColumns& neighbours, int count, int n, const MeetingCircle& circle,
              double* workspace, CoveredEnd* ends) {
  constexpr double rounding = 1e-12;
  constexpr double least_sine2 = 1e-30;
  constexpr int covered = -1;
  const double* const columns = neighbours.first;
  const int stride = neighbours.stride;
  CoveredParts parts(workspace, stride);
  const double twice_radius_A = 2.0 * __builtin_sqrt(circle.radius2_A2),
               over_twice_radius = 1.0 / twice_radius_A;
  const auto along = [](const double* of, DoubleVector x, DoubleVector y, DoubleVector z) {
    return of[0] * x + of[1] * y + of[2] * z;
  };
  for (int m = 0; m < count; m += double_width) {
    const DoubleVector x = load_double(columns + neighbour_x * stride + m),
                       y = load_double(columns + neighbour_y * stride + m),
                       z = load_double(columns + neighbour_z * stride + m);
    const DoubleVector beyond =
        load_double(columns + neighbour_q * stride + m) - 2.0 * circle.plane_A * along(circle.axis, x, y, z);
    const DoubleVector a = along(circle.first, x, y, z), b = along(circle.second, x, y, z),
                       across2 = a * a + b * b, over_across = inverse_square_root(across2),
                       reach = across2 * over_across * twice_radius_A;
    unsigned lanes = bits_before(count - m);
    if (n >= m && n < m + double_width) lanes &= ~(1u << (n - m));
    if ((bits_of((beyond < 0.0) & (beyond <= -(1.0 + rounding) * reach)) & lanes) != 0) return covered;
    const unsigned partial = bits_of((beyond < reach) & (beyond > -reach)) & lanes;
    if (partial != 0) {
      const DoubleVector cosine = beyond * over_across * over_twice_radius, sine2 = 1.0 - cosine * cosine,
                         bounded = sine2 > least_sine2 ? sine2 : least_sine2 - DoubleVector{},
                         sine = bounded * inverse_square_root(bounded);
      const DoubleVector u = a * over_across, v = b * over_across;
      const auto add = [&](double* column, DoubleVector values) {
        store_lanes(column + parts.count, values, partial);
      };
      add(parts.u, u);
      add(parts.v, v);
      add(parts.cosine, cosine);
      add(parts.end_u[0], u * cosine + v * sine);
      add(parts.end_v[0], v * cosine - u * sine);
      add(parts.end_u[1], u * cosine - v * sine);
      add(parts.end_v[1], v * cosine + u * sine);
      parts.count += __builtin_popcount(partial);
    }
    const bool is_first = m == 0 && count > double_width;
    if (is_first && parts.count > 0 && parts.open(0, 0) == 0 && parts.open(1, 0) == 0) return covered;
  }
  int found = 0;
  for (int side = 0; side < 2; ++side)
    for (int k = 0; k < parts.count; k += double_width)
      for (unsigned open = parts.open(side, k); open != 0; open &= open - 1) {
        const int at = k + __builtin_ctz(open);
        ends[found++] = {parts.end_u[side][at], parts.end_v[side][at], side == 0};
      }
  return found == 0 && parts.count > 0 ? covered : found;
}

}  // namespace

extern const SphereKernels IONWELL_OF_LEVEL(sphere_kernels);
const SphereKernels IONWELL_OF_LEVEL(sphere_kernels){meeting, caps, places, caps_in_no_other, open_ends};

}  // namespace ionwell
