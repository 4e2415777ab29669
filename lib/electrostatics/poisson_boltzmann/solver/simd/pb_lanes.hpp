// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Rows of lattice points, a vector at a time. Included by the sources that are compiled for each instruction
/// set, only.

#include <cstdint>

#include "electrostatics/poisson_boltzmann/solver/pb_level.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_stencil.hpp"
#include "electrostatics/simd/simd.hpp"

namespace ionwell {
namespace {

using DoubleVector = double __attribute__((vector_size(8 * width)));

inline DoubleVector to_double(FloatVector v) {
  return __builtin_convertvector(v, DoubleVector);
}

inline double sum_of_lanes(DoubleVector v) {
  double lane[width];
  __builtin_memcpy(lane, &v, sizeof v);
  for (int half = width / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
  return lane[0];
}

/// 1 / x to 2^-22, for positive x: a division would take as long as the rest of a point's sweep.
inline FloatVector inverse(FloatVector x) {
  const FloatVector y = inverse_estimate(x);
  return y * (2.0f - x * y);
}

/// All lanes of a vector hold points.
struct AllLanes {
  FloatVector load(const float* from) const { return load_unaligned(from); }
  DoubleVector load(const double* from) const {
    DoubleVector v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  FloatVector load_or_one(const float* from) const { return load_unaligned(from); }
  void store(float* to, FloatVector v) const { store_unaligned(to, v); }
  void store(double* to, DoubleVector v) const { __builtin_memcpy(to, &v, sizeof v); }
};

/// The first `count` lanes do, and nothing after them is read or written.
struct FirstLanes {
  int count;

#if defined(__AVX512F__)
  __mmask16 mask() const {
    return __mmask16((1u << count) - 1);
  }
  FloatVector load(const float* from) const {
    return (FloatVector)_mm512_maskz_loadu_ps(mask(), from);
  }
  FloatVector load_or_one(const float* from) const {
    return (FloatVector)_mm512_mask_loadu_ps(_mm512_set1_ps(1.0f), mask(), from);
  }
  void store(float* to, FloatVector v) const {
    _mm512_mask_storeu_ps(to, mask(), (__m512)v);
  }
  DoubleVector load(const double* from) const {
    const __m512d halves[] = {_mm512_maskz_loadu_pd(__mmask8(mask()), from),
                              _mm512_maskz_loadu_pd(__mmask8(mask() >> 8), from + 8)};
    return joined(halves);
  }
  void store(double* to, DoubleVector v) const {
    __m512d halves[2];
    __builtin_memcpy(halves, &v, sizeof v);
    _mm512_mask_storeu_pd(to, __mmask8(mask()), halves[0]);
    _mm512_mask_storeu_pd(to + 8, __mmask8(mask() >> 8), halves[1]);
  }
#elif defined(__AVX2__)
  __m256i mask() const {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  FloatVector load(const float* from) const {
    return (FloatVector)_mm256_maskload_ps(from, mask());
  }
  FloatVector load_or_one(const float* from) const {
    return (FloatVector)_mm256_blendv_ps(_mm256_set1_ps(1.0f), (__m256)load(from),
                                         _mm256_castsi256_ps(mask()));
  }
  void store(float* to, FloatVector v) const {
    _mm256_maskstore_ps(to, mask(), (__m256)v);
  }
  __m256i half_mask(int first) const {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count - first), _mm256_setr_epi64x(0, 1, 2, 3));
  }
  DoubleVector load(const double* from) const {
    const __m256d halves[] = {_mm256_maskload_pd(from, half_mask(0)),
                              _mm256_maskload_pd(from + 4, half_mask(4))};
    return joined(halves);
  }
  void store(double* to, DoubleVector v) const {
    __m256d halves[2];
    __builtin_memcpy(halves, &v, sizeof v);
    _mm256_maskstore_pd(to, half_mask(0), halves[0]);
    _mm256_maskstore_pd(to + 4, half_mask(4), halves[1]);
  }
#else
  FloatVector load(const float* from) const {
    FloatVector v{};
    for (int l = 0; l < count; ++l) v[l] = from[l];
    return v;
  }
  FloatVector load_or_one(const float* from) const {
    FloatVector v = broadcast(1.0f);
    for (int l = 0; l < count; ++l) v[l] = from[l];
    return v;
  }
  void store(float* to, FloatVector v) const {
    for (int l = 0; l < count; ++l) to[l] = v[l];
  }
  DoubleVector load(const double* from) const {
    DoubleVector v{};
    for (int l = 0; l < count; ++l) v[l] = from[l];
    return v;
  }
  void store(double* to, DoubleVector v) const {
    for (int l = 0; l < count; ++l) to[l] = v[l];
  }
#endif

 private:
  template <typename Halves>
  static DoubleVector joined(const Halves& halves) {
    DoubleVector v;
    __builtin_memcpy(&v, halves, sizeof v);
    return v;
  }
};

/// Calls work(i, lanes) for vectors that make up [first, last).
template <typename Work>
inline void along(int first, int last, const Work& work) {
  int i = first;
  for (; i + width <= last; i += width) work(i, AllLanes{});
  if (i < last) work(i, FirstLanes{last - i});
}

/// All ones in the lanes whose index is even (0) or odd (1).
inline IntVector lanes_of_parity(int parity) {
  IntVector mask;
  for (int l = 0; l < width; ++l) mask[l] = (l + parity) % 2 == 0 ? -1 : 0;
  return mask;
}

/// The matrix at the points from `p` on; its diagonal is not zero in lanes without points.
template <typename Lanes>
inline PbRow<FloatVector> row_at(const PbLevel& level, std::int64_t p, const Lanes& lanes) {
  const std::int64_t row = level.row_stride(), plane = level.plane_stride();
  return {
      level.factor_x * lanes.load_or_one(level.face_x + p - 1), level.factor_x * lanes.load(level.face_x + p),
      level.factor_y * lanes.load(level.face_y + p - row),      level.factor_y * lanes.load(level.face_y + p),
      level.factor_z * lanes.load(level.face_z + p - plane),    level.factor_z * lanes.load(level.face_z + p),
      level.reaction_factor * lanes.load(level.reaction + p)};
}

/// A vector's values around those points.
template <typename Lanes, typename Real>
inline auto neighbours_at(const PbLevel& level, std::int64_t p, const Real* x, const Lanes& lanes) {
  const std::int64_t row = level.row_stride(), plane = level.plane_stride();
  using Vector = decltype(lanes.load(x));
  return PbNeighbours<Vector>{lanes.load(x + p - 1),   lanes.load(x + p + 1),     lanes.load(x + p - row),
                              lanes.load(x + p + row), lanes.load(x + p - plane), lanes.load(x + p + plane)};
}

}  // namespace
}  // namespace ionwell
