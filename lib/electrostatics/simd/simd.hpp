// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Vectors of the instruction set that this source file is compiled for, on the compilers' vector extension
/// (GCC, Clang). Included by the sources that are compiled for each instruction set, only.

#if defined(__AVX512F__) || defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace ionwell {
namespace {

#if defined(__AVX512F__)
constexpr int width = 16;
#elif defined(__AVX2__)
constexpr int width = 8;
#else
constexpr int width = 4;
#endif

constexpr int edge = 8;  // points to a side of a block
constexpr int plane_vectors = edge * edge / width;
using Row = float __attribute__((vector_size(4 * edge)));  // one number for each point along an edge

using FloatVector = float __attribute__((vector_size(4 * width)));
using IntVector = int __attribute__((vector_size(4 * width)));

inline FloatVector load(const float* from) {
  return *reinterpret_cast<const FloatVector*>(from);
}
inline void store(float* to, FloatVector v) {
  *reinterpret_cast<FloatVector*>(to) = v;
}
template <typename Vector = FloatVector>
inline Vector load_unaligned(const float* from) {
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <typename Vector>
inline void store_unaligned(float* to, Vector v) {
  __builtin_memcpy(to, &v, sizeof v);
}
inline FloatVector broadcast(float x) {
  return x - FloatVector{};
}

/// 1 / sqrt(x) to at least 11 bits.
inline FloatVector inverse_sqrt_estimate(FloatVector x) {
#if defined(__AVX512F__)
  return (FloatVector)_mm512_rsqrt14_ps((__m512)x);
#elif defined(__AVX2__)
  return (FloatVector)_mm256_rsqrt_ps((__m256)x);
#elif defined(__SSE2__)
  return (FloatVector)_mm_rsqrt_ps((__m128)x);
#elif defined(__ARM_NEON)
  const float32x4_t y = vrsqrteq_f32((float32x4_t)x);
  return (FloatVector)vmulq_f32(y, vrsqrtsq_f32(vmulq_f32((float32x4_t)x, y), y));
#else
  FloatVector y;
  for (int l = 0; l < width; ++l) y[l] = 1.0f / __builtin_sqrtf(x[l]);
  return y;
#endif
}

/// 1 / x to at least 11 bits.
inline FloatVector inverse_estimate(FloatVector x) {
#if defined(__AVX512F__)
  return (FloatVector)_mm512_rcp14_ps((__m512)x);
#elif defined(__AVX2__)
  return (FloatVector)_mm256_rcp_ps((__m256)x);
#elif defined(__SSE2__)
  return (FloatVector)_mm_rcp_ps((__m128)x);
#else
  return 1.0f / x;
#endif
}

/// row[a] + column for the points of vector `v` of a plane of 8 x 8 points: `row` by a, `column` by b,
/// whose numbers are `stride` apart.
inline FloatVector plane_sum(const float* row, const float* column, int v, int stride = 1) {
#if defined(__AVX512F__)
  const __m512 x = (__m512)_mm512_broadcast_f64x4(_mm256_load_pd(reinterpret_cast<const double*>(row)));
  const __m512 lower = _mm512_add_ps(x, _mm512_set1_ps(column[2 * v * stride]));
  return (FloatVector)_mm512_mask_add_ps(lower, 0xFF00, x, _mm512_set1_ps(column[(2 * v + 1) * stride]));
#elif defined(__AVX2__)
  return load(row) + column[v * stride];
#else
  return load(row + width * (v % 2)) + column[v / 2 * stride];
#endif
}

/// All ones in lane l where bit l of `bits` is set, zero elsewhere.
inline IntVector lanes_of_bits(unsigned bits) {
  IntVector lane_bit;
  for (int l = 0; l < width; ++l) lane_bit[l] = 1 << l;
  return (lane_bit & int(bits)) != 0;
}

inline bool any_lane(IntVector mask) {
  int any = 0;
  for (int l = 0; l < width; ++l) any |= mask[l];
  return any != 0;
}

/// Writes first + l to `to` for each lane l whose mask is set; there must be room for `width` numbers.
/// Returns how many.
inline int append_lanes(IntVector mask, int first, int* to) {
#if defined(__AVX512F__)
  const __mmask16 chosen = _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask);
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i number = _mm512_add_epi32(lane, _mm512_set1_epi32(first));
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(chosen, number));
  return __builtin_popcount(chosen);
#else
  int count = 0;
  for (int l = 0; l < width; ++l) {
    to[count] = first + l;
    count -= mask[l];
  }
  return count;
#endif
}

inline float sum_of_lanes(FloatVector v) {
  float lane[width];
  store_unaligned(lane, v);
  for (int half = width / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
  return lane[0];
}

inline FloatVector smaller(FloatVector a, FloatVector b) {
#if defined(__AVX512F__)
  return (FloatVector)_mm512_min_ps((__m512)a, (__m512)b);
#else
  return a < b ? a : b;
#endif
}
inline FloatVector larger(FloatVector a, FloatVector b) {
#if defined(__AVX512F__)  // compilers make two instructions of the comparison below
  return (FloatVector)_mm512_max_ps((__m512)a, (__m512)b);
#else
  return a > b ? a : b;
#endif
}

/// The larger of `a` and a positive `b`.
inline FloatVector larger_positive(FloatVector a, FloatVector b) {
#if defined(__AVX512F__)  // of the bits as integers: that leaves the floating-point adders to additions
  return (FloatVector)_mm512_max_epi32((__m512i)a, (__m512i)b);
#else
  return larger(a, b);
#endif
}

/// *sum += a * b where s < 1.
inline void add_product_below_1(FloatVector s, FloatVector a, float b, FloatVector* sum) {
#if defined(__AVX512F__)
  const __mmask16 below = _mm512_cmp_ps_mask((__m512)s, _mm512_set1_ps(1.0f), _CMP_LT_OQ);
  *sum = (FloatVector)_mm512_mask3_fmadd_ps((__m512)a, _mm512_set1_ps(b), (__m512)*sum, below);
#else
  *sum += b * (s < 1.0f ? a : FloatVector{});
#endif
}

inline FloatVector absolute(FloatVector x) {
  return (FloatVector)((IntVector)x & 0x7fffffff);
}

/// 1 / sqrt(x) to 2^-22.
inline FloatVector inverse_sqrt(FloatVector x) {
  const FloatVector y = inverse_sqrt_estimate(x);
  return 0.5f * y * (3.0f - (x * y) * y);
}

/// exp(x) for x <= 0, relative error below 2e-7 + 1.2e-7 |x|; underflows to about 1e-38.
inline FloatVector exp_of_negative(FloatVector x) {
  constexpr float log2_e = 1.44269504f;
  constexpr float rounder =
      12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer, which lands in the low bits
  const FloatVector t = larger(x * log2_e, broadcast(-126.0f));
  const FloatVector shifted = t + rounder;
  const FloatVector f = t - (shifted - rounder);
  // 2^f on [-1/2, 1/2]: the Taylor series of exp(f ln 2) to sixth order, remainder 1.2e-7 at most.
  FloatVector p = f * 1.5403530e-4f + 1.3333558e-3f;
  p = p * f + 9.6181291e-3f;
  p = p * f + 5.5504109e-2f;
  p = p * f + 2.4022651e-1f;
  p = p * f + 6.9314718e-1f;
  p = p * f + 1.0f;
  return (FloatVector)((IntVector)p + ((IntVector)shifted << 23));
}

}  // namespace
}  // namespace ionwell
