// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/fourier_plan.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include "core/error.hpp"

namespace ionwell {
namespace {

/// cos and sin of 2 pi k / points, with 0 <= k < points, from an angle of at most an eighth of a turn.
std::pair<double, double> cosine_and_sine(std::int64_t k, std::int64_t points) {
  const std::int64_t quarter = (4 * k + points / 2) / points;  // the nearest quarter turn
  const double angle = 1.57079632679489661923 * double(4 * k - quarter * points) / double(points);
  const double c = std::cos(angle), s = std::sin(angle);
  switch (quarter % 4) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

}  // namespace

FourierPlan::FourierPlan(int points) : points_(points) {
  int rest = points;
  for (const int radix : {4, 2, 3, 5, 7})
    for (; rest > 1 && rest % radix == 0; rest /= radix) radices_.push_back(radix);
  if (rest != 1)
    fail("a Fourier transform of ", points,
         " points: it must be a product of 2, 3, 5 and 7; "
         "fast_fourier_points() gives such numbers");
  for (const int radix : radices_) {
    const int of_step = points;
    points /= radix;
    for (std::int64_t j = 0; j < points; ++j)
      for (int k = 1; k < radix; ++k) {
        const auto [c, s] = cosine_and_sine(j * k % of_step, of_step);
        twiddles_.insert(twiddles_.end(), {c, -s});
      }
  }
}

std::vector<double> cosines_and_sines(int points, int count) {
  std::vector<double> pairs;
  for (int k = 0; k < count; ++k) {
    const auto [c, s] = cosine_and_sine(k % points, points);
    pairs.insert(pairs.end(), {c, s});
  }
  return pairs;
}

}  // namespace ionwell
