// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "core/host_device.hpp"

namespace ionwell {

/// Where a function changes sign between `a` and `b`, at which it has the values f_a and f_b of different
/// signs: regula falsi with halved ends (Illinois), to about 1e-5 of b - a, in a few steps of at most 12.
template <typename Function>
IONWELL_HD inline float sign_change(const Function& f, float a, float f_a, float b, float f_b) {
  constexpr int steps = 12;
  const float close = 1e-5f * std::fabs(b - a);
  float x = a;
  for (int n = 0; n < steps && std::fabs(b - a) > close; ++n) {
    x = (a * f_b - b * f_a) / (f_b - f_a);
    const float f_x = f(x);
    if (std::fabs(f_x) < close) break;
    if ((f_x > 0.0f) == (f_b > 0.0f)) {
      f_a *= 0.5f;
    } else {
      a = b;
      f_a = f_b;
    }
    b = x;
    f_b = f_x;
  }
  return x;
}

/// The share of a segment of `length` on which f(position along it) > 0, for an f whose slope is nowhere
/// above 1: signed distances, positive inside. f_0 and f_1 are its values at the ends. What is too thin to
/// have a sign at the ends is looked for at one more place, the one where it can be deepest.
template <typename Function>
IONWELL_HD inline float inside_share(const Function& f, float length, float f_0, float f_1) {
  const float size_0 = std::fabs(f_0), size_1 = std::fabs(f_1);
  const bool inside_0 = f_0 > 0.0f, inside_1 = f_1 > 0.0f;
  if (inside_0 != inside_1) {
    const float x = sign_change(f, 0.0f, f_0, length, f_1);
    return (inside_0 ? x : length - x) / length;
  }
  if (size_0 + size_1 < length) {
    const float between = 0.5f * (length + size_0 - size_1), f_between = f(between);
    if ((f_between > 0.0f) != inside_0) {
      const float x = sign_change(f, 0.0f, f_0, between, f_between),
                  y = sign_change(f, between, f_between, length, f_1);
      return (inside_0 ? length - (y - x) : y - x) / length;
    }
  }
  return inside_0 ? 1.0f : 0.0f;
}

/// Dielectric of a face from the share of the segment through it that is inside: the two parts of the
/// segment in series, 1/eps = share/inside + (1 - share)/outside.
IONWELL_HD inline float series_dielectric(float inside_share, float inside, float outside) {
  return inside * outside / (inside_share * outside + (1.0f - inside_share) * inside);
}

}  // namespace ionwell
