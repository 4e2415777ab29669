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

/// The lanes of a vector that begins `left` numbers before the end.
inline unsigned bits_before(int left) {
  return left >= double_width ? (1u << double_width) - 1 : (1u << left) - 1;
}

int meeting(const DoubleColumns& spheres, int first, int last, const double* sphere, int* out) {
  const double x = sphere[sphere_x], y = sphere[sphere_y], z = sphere[sphere_z],
               radius = sphere[sphere_radius];
  const double* const columns = spheres.first;
  const int stride = spheres.stride;
  int count = 0;
  for (int n = first; n < last; n += double_width) {
    const DoubleVector dx = load_double(columns + sphere_x * stride + n) - x,
                       dy = load_double(columns + sphere_y * stride + n) - y,
                       dz = load_double(columns + sphere_z * stride + n) - z,
                       reach = load_double(columns + sphere_radius * stride + n) + radius;
    unsigned bits = bits_of(dx * dx + dy * dy + dz * dz < reach * reach) & bits_before(last - n);
    for (; bits != 0; bits &= bits - 1) out[count++] = n + __builtin_ctz(bits);
  }
  return count;
}

int caps_in_no_other(const DoubleColumns& caps, int count, int* out) {
  const double* const columns = caps.first;
  const int stride = caps.stride;
  constexpr double rounding = 1e-15;  // of the cosine of an angle
  int kept = 0;
  for (int n = 0; n < count; ++n) {
    const double x = columns[cap_x * stride + n], y = columns[cap_y * stride + n],
                 z = columns[cap_z * stride + n], cosine = columns[cap_cosine * stride + n],
                 sine = columns[cap_sine * stride + n];
    bool is_inside = false;
    for (int m = 0; m < n && !is_inside; m += double_width) {
      const DoubleVector along = x * load_double(columns + cap_x * stride + m) +
                                 y * load_double(columns + cap_y * stride + m) +
                                 z * load_double(columns + cap_z * stride + m);
      const DoubleVector least = cosine * load_double(columns + cap_cosine * stride + m) +
                                 sine * load_double(columns + cap_sine * stride + m);
      is_inside = (bits_of(along >= least - rounding) & bits_before(n - m)) != 0;
    }
    if (!is_inside) out[kept++] = n;
  }
  return kept;
}

/// The angles of the circle that a sphere covers: those nearer to a direction in the circle's plane than half
/// an angle, whose cosine is known. A circle of which some is covered, and not all, has the end of such an
/// interval that is in no other one.
bool is_covered(const DoubleColumns& neighbours, int count, int n, const MeetingCircle& circle,
                double* workspace) {
  constexpr double rounding = 1e-12;
  constexpr double none = 2.0;  // as a cosine: of what covers nothing
  const double* const columns = neighbours.first;
  const int stride = neighbours.stride;
  double* const u = workspace;
  double* const v = u + stride;
  double* const cosines = v + stride;
  double* const ends = cosines + stride;    // four columns
  double* const opens = ends + 4 * stride;  // two columns of masks: ends that are in no interval so far
  unsigned any_partial = 0;
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
                       across2 = a * a + b * b, over_across = 1.0 / square_root(across2),
                       reach = across2 * over_across * twice_radius_A;
    unsigned lanes = bits_before(count - m);
    if (n >= m && n < m + double_width) lanes &= ~(1u << (n - m));
    if ((bits_of((beyond < 0.0) & (beyond <= -(1.0 + rounding) * reach)) & lanes) != 0) return true;
    const unsigned partial = bits_of((beyond < reach) & (beyond > -reach)) & lanes;
    LongVector is_partial;
    for (int l = 0; l < double_width; ++l) is_partial[l] = (partial >> l & 1) != 0 ? -1 : 0;
    const DoubleVector cosine = beyond * over_across * over_twice_radius,
                       sine = square_root(1.0 - cosine * cosine);
    const DoubleVector to_u = a * over_across, to_v = b * over_across;
    store_double(u + m, to_u);
    store_double(v + m, to_v);
    store_double(cosines + m, is_partial ? cosine : none - DoubleVector{});
    any_partial |= partial;
    for (int end = 0; end < 2; ++end)
      __builtin_memcpy(opens + end * stride + m, &is_partial, sizeof is_partial);
    store_double(ends + m, to_u * cosine - to_v * sine);
    store_double(ends + stride + m, to_v * cosine + to_u * sine);
    store_double(ends + 2 * stride + m, to_u * cosine + to_v * sine);
    store_double(ends + 3 * stride + m, to_v * cosine - to_u * sine);
  }
  const int size = (count + double_width - 1) / double_width * double_width;
  unsigned left = any_partial;
  for (int m = 0; m < count && left != 0; ++m) {
    if (cosines[m] == none) continue;
    const double by_u = u[m], by_v = v[m], least = cosines[m] + rounding;
    LongVector still_open{};
    for (int end = 0; end < 2; ++end) {
      const double* const x = ends + 2 * end * stride;
      double* const open = opens + end * stride;
      for (int k = 0; k < size; k += double_width) {
        LongVector is_open;
        __builtin_memcpy(&is_open, open + k, sizeof is_open);
        is_open &= ~(by_u * load_double(x + k) + by_v * load_double(x + stride + k) > least);
        __builtin_memcpy(open + k, &is_open, sizeof is_open);
        still_open |= is_open;
      }
    }
    left = bits_of(still_open);
  }
  return any_partial != 0 && left == 0;
}

}  // namespace

extern const SphereKernels IONWELL_OF_LEVEL(sphere_kernels);
const SphereKernels IONWELL_OF_LEVEL(sphere_kernels){meeting, caps_in_no_other, is_covered};

}  // namespace ionwell
