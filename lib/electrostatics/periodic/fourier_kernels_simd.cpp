// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "electrostatics/periodic/fourier_kernels.hpp"

namespace ionwell {
namespace {

#if defined(__AVX512F__)
constexpr int lanes = 8;
#elif defined(__AVX2__)
constexpr int lanes = 4;
#else
constexpr int lanes = 2;
#endif
using Vector = double __attribute__((vector_size(8 * lanes)));

constexpr long point = 2 * fourier_lines;  // numbers from one point to the next

Vector load(const double* from) {
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

void store(double* to, Vector v) {
  __builtin_memcpy(to, &v, sizeof v);
}

/// cos and sin of 2 pi n / radix.
constexpr double cosines_3[] = {1.0, -0.5};
constexpr double sines_3[] = {0.0, 0.866025403784438646763723170752936183};
constexpr double cosines_5[] = {1.0, 0.309016994374947424102293417182819059,
                                -0.809016994374947424102293417182819059};
constexpr double sines_5[] = {0.0, 0.951056516295153572116439333379382143,
                              0.587785252292473129168705954639072769};
constexpr double cosines_7[] = {1.0, 0.623489801858733530525004884004239811,
                                -0.222520933956314404288902564496794759,
                                -0.900968867902419126236102319507445051};
constexpr double sines_7[] = {0.0, 0.781831482468029808708444526674057751,
                              0.974927912181823607018131682993931218, 0.433883739117558120475768332848358754};

constexpr double cosine(int radix, int n) {
  const int nearest = n <= radix / 2 ? n : radix - n;
  return radix == 3 ? cosines_3[nearest] : radix == 5 ? cosines_5[nearest] : cosines_7[nearest];
}

constexpr double sine(int radix, int n) {
  const int nearest = n <= radix / 2 ? n : radix - n;
  const double size = radix == 3 ? sines_3[nearest] : radix == 5 ? sines_5[nearest] : sines_7[nearest];
  return n == nearest ? size : -size;
}

/// The transform of `radix` numbers, in place.
template <int radix>
inline void transform(Vector* re, Vector* im) {
  constexpr int half = radix / 2;
  Vector sum_re[half], sum_im[half], difference_re[half], difference_im[half];
  Vector all_re = re[0], all_im = im[0];
#pragma GCC unroll 3
  for (int r = 0; r < half; ++r) {
    sum_re[r] = re[1 + r] + re[radix - 1 - r];
    sum_im[r] = im[1 + r] + im[radix - 1 - r];
    difference_re[r] = re[1 + r] - re[radix - 1 - r];
    difference_im[r] = im[1 + r] - im[radix - 1 - r];
    all_re += sum_re[r];
    all_im += sum_im[r];
  }
#pragma GCC unroll 3
  for (int k = 1; k <= half; ++k) {
    Vector even_re = re[0], even_im = im[0], odd_re = {}, odd_im = {};
#pragma GCC unroll 3
    for (int r = 0; r < half; ++r) {
      const double c = cosine(radix, k * (r + 1) % radix), s = sine(radix, k * (r + 1) % radix);
      even_re += c * sum_re[r];
      even_im += c * sum_im[r];
      odd_re += s * difference_re[r];
      odd_im += s * difference_im[r];
    }
    re[k] = even_re + odd_im;
    im[k] = even_im - odd_re;
    re[radix - k] = even_re - odd_im;
    im[radix - k] = even_im + odd_re;
  }
  re[0] = all_re;
  im[0] = all_im;
}

template <>
inline void transform<2>(Vector* re, Vector* im) {
  const Vector a_re = re[0], a_im = im[0];
  re[0] = a_re + re[1];
  im[0] = a_im + im[1];
  re[1] = a_re - re[1];
  im[1] = a_im - im[1];
}

template <>
inline void transform<4>(Vector* re, Vector* im) {
  const Vector a_re = re[0] + re[2], a_im = im[0] + im[2], b_re = re[0] - re[2], b_im = im[0] - im[2];
  const Vector c_re = re[1] + re[3], c_im = im[1] + im[3], d_re = re[1] - re[3], d_im = im[1] - im[3];
  re[0] = a_re + c_re;
  im[0] = a_im + c_im;
  re[1] = b_re + d_im;
  im[1] = b_im - d_re;
  re[2] = a_re - c_re;
  im[2] = a_im - c_im;
  re[3] = b_re - d_im;
  im[3] = b_im + d_re;
}

/// One step: `stride` is the product of the radices before this one, `rest` of those behind it. The real and
/// imaginary parts of a point begin at its numbers re_at and im_at.
template <int radix>
void step(long rest, long stride, const double* twiddles, const double* from, double* to, int re_at,
          int im_at) {
  for (long j = 0; j < rest; ++j, twiddles += 2 * (radix - 1))
    for (long q = 0; q < stride; ++q)
      for (int part = 0; part < fourier_lines; part += lanes) {
        Vector re[radix], im[radix];
#pragma GCC unroll 7
        for (int r = 0; r < radix; ++r) {
          const double* const at = from + point * (q + stride * (j + r * rest)) + part;
          re[r] = load(at + re_at);
          im[r] = load(at + im_at);
        }
        transform<radix>(re, im);
        double* const first = to + point * (q + stride * radix * j) + part;
        store(first + re_at, re[0]);
        store(first + im_at, im[0]);
#pragma GCC unroll 6
        for (int k = 1; k < radix; ++k) {
          const double w_re = twiddles[2 * (k - 1)], w_im = twiddles[2 * (k - 1) + 1];
          store(first + point * stride * k + re_at, re[k] * w_re - im[k] * w_im);
          store(first + point * stride * k + im_at, re[k] * w_im + im[k] * w_re);
        }
      }
}

double* all_steps(const FourierSteps& steps, double* values, double* scratch, int re_at, int im_at) {
  long rest = steps.points, stride = 1;
  const double* twiddles = steps.twiddles;
  for (int s = 0; s < steps.count; ++s) {
    const int radix = steps.radices[s];
    rest /= radix;
    switch (radix) {
      case 2:
        step<2>(rest, stride, twiddles, values, scratch, re_at, im_at);
        break;
      case 3:
        step<3>(rest, stride, twiddles, values, scratch, re_at, im_at);
        break;
      case 4:
        step<4>(rest, stride, twiddles, values, scratch, re_at, im_at);
        break;
      case 5:
        step<5>(rest, stride, twiddles, values, scratch, re_at, im_at);
        break;
      default:
        step<7>(rest, stride, twiddles, values, scratch, re_at, im_at);
    }
    twiddles += 2 * (radix - 1) * rest;
    stride *= radix;
    double* const result = scratch;
    scratch = values;
    values = result;
  }
  return values;
}

double* forward(const FourierSteps& steps, double* values, double* scratch) {
  return all_steps(steps, values, scratch, 0, fourier_lines);
}

/// With the parts exchanged in what is transformed and in the result, exp(-i a) becomes exp(+i a).
double* backward(const FourierSteps& steps, double* values, double* scratch) {
  return all_steps(steps, values, scratch, fourier_lines, 0);
}

/// Z(k) = E(k) + i O(k), with the transforms E and O of the even and odd numbers; V(k) = E(k) + w^k O(k),
/// where w = exp(-pi i / half), and V(half - k) = conj(E(k) - w^k O(k)).
void to_half_spectrum(int half, const double* turns, double* values) {
  for (int k = 0; 2 * k <= half; ++k) {
    const double c = turns[2 * k], s = turns[2 * k + 1];
    double* const here = values + point * k;
    double* const there = values + point * (half - k);
    const double* const other = k == 0 ? here : there;
    for (int part = 0; part < fourier_lines; part += lanes) {
      const Vector a_re = load(here + part), a_im = load(here + fourier_lines + part);
      const Vector b_re = load(other + part), b_im = load(other + fourier_lines + part);
      const Vector even_re = 0.5 * (a_re + b_re), even_im = 0.5 * (a_im - b_im);
      const Vector odd_re = 0.5 * (a_im + b_im), odd_im = 0.5 * (b_re - a_re);
      const Vector turned_re = c * odd_re + s * odd_im, turned_im = c * odd_im - s * odd_re;
      store(here + part, even_re + turned_re);
      store(here + fourier_lines + part, even_im + turned_im);
      store(there + part, even_re - turned_re);
      store(there + fourier_lines + part, turned_im - even_im);
    }
  }
}

/// 2 Z(k) = V(k) + conj V(half - k) + i w^-k (V(k) - conj V(half - k)).
void from_half_spectrum(int half, const double* turns, double* values) {
  for (int k = 0; 2 * k <= half; ++k) {
    const double c = turns[2 * k], s = turns[2 * k + 1];
    double* const here = values + point * k;
    double* const there = values + point * (half - k);
    for (int part = 0; part < fourier_lines; part += lanes) {
      const Vector a_re = load(here + part), a_im = load(here + fourier_lines + part);
      const Vector b_re = load(there + part), b_im = load(there + fourier_lines + part);
      const Vector sum_re = a_re + b_re, sum_im = a_im - b_im;
      const Vector difference_re = a_re - b_re, difference_im = a_im + b_im;
      const Vector x = c * difference_re - s * difference_im, y = c * difference_im + s * difference_re;
      store(there + part, sum_re + y);
      store(there + fourier_lines + part, x - sum_im);
      store(here + part, sum_re - y);
      store(here + fourier_lines + part, sum_im + x);
    }
  }
}

}  // namespace

extern const FourierKernels IONWELL_OF_LEVEL(fourier_kernels);
const FourierKernels IONWELL_OF_LEVEL(fourier_kernels){forward, backward, to_half_spectrum,
                                                       from_half_spectrum};

}  // namespace ionwell
