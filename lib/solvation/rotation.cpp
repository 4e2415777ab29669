// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/rotation.hpp"

#include <cmath>
#include <numbers>

namespace ionwell {

Rotation rotation_of(const Quaternion& q) {
  const auto& [w, x, y, z] = q;
  return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

Quaternion product(const Quaternion& a, const Quaternion& b) {
  const Quaternion q{
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  const double scale = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

Quaternion spread_rotation(int n, int count) {
  constexpr double psi = 1.533751168755204288118041;  // with sqrt(2), the paper's constants
  const double s = n + 0.5, r = std::sqrt(s / count), rest = std::sqrt(1 - s / count);
  const double alpha = 2 * std::numbers::pi * s / std::numbers::sqrt2, beta = 2 * std::numbers::pi * s / psi;
  return {r * std::sin(alpha), r * std::cos(alpha), rest * std::sin(beta), rest * std::cos(beta)};
}

}  // namespace ionwell
