// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/superposition.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ionwell {
namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

Vec3<double> mean_of(std::span<const Vec3<double>> points_A) {
  Vec3<double> sum;
  for (const Vec3<double>& p : points_A) sum = sum + p;
  return (1.0 / double(points_A.size())) * sum;
}

/// Horn 1987, section 4.A, from the sums of products of the two sets about their means.
Matrix4 quaternion_matrix(const std::array<Vec3<double>, 3>& s) {
  const auto& [x, y, z] = s;
  return {{{x.x + y.y + z.z, y.z - z.y, z.x - x.z, x.y - y.x},
           {y.z - z.y, x.x - y.y - z.z, x.y + y.x, z.x + x.z},
           {z.x - x.z, x.y + y.x, y.y - x.x - z.z, y.z + z.y},
           {x.y - y.x, z.x + x.z, y.z + z.y, z.z - x.x - y.y}}};
}

/// Eigenvalues on the diagonal of `m`, eigenvectors in the columns of the result: cyclic Jacobi rotations.
Matrix4 diagonalize(Matrix4& m) {
  Matrix4 vectors{};
  for (std::size_t i = 0; i < 4; ++i) vectors[i][i] = 1.0;
  constexpr int most_sweeps = 50;  // five are usual
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double off = 0.0, on = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      on += m[i][i] * m[i][i];
      for (std::size_t j = i + 1; j < 4; ++j) off += m[i][j] * m[i][j];
    }
    if (!(off > 1e-34 * on)) break;
    for (std::size_t p = 0; p < 4; ++p)
      for (std::size_t q = p + 1; q < 4; ++q) {
        if (m[p][q] == 0.0) continue;
        const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
        const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1.0 / std::hypot(t, 1.0), s = t * c;
        for (std::size_t k = 0; k < 4; ++k) {
          const double kp = m[k][p], kq = m[k][q];
          m[k][p] = c * kp - s * kq;
          m[k][q] = s * kp + c * kq;
        }
        for (std::size_t k = 0; k < 4; ++k) {
          const double pk = m[p][k], qk = m[q][k];
          m[p][k] = c * pk - s * qk;
          m[q][k] = s * pk + c * qk;
        }
        for (std::size_t k = 0; k < 4; ++k) {
          const double kp = vectors[k][p], kq = vectors[k][q];
          vectors[k][p] = c * kp - s * kq;
          vectors[k][q] = s * kp + c * kq;
        }
      }
  }
  return vectors;
}

}  // namespace

Superposition superpose(std::span<const Vec3<double>> moving_A, std::span<const Vec3<double>> fixed_A) {
  Superposition result{.from_A = mean_of(moving_A), .to_A = mean_of(fixed_A)};
  std::array<Vec3<double>, 3> sums{};  // row: axis of `moving`, then axis of `fixed`
  double spread = 0.0;
  for (std::size_t n = 0; n < moving_A.size(); ++n) {
    const Vec3<double> a = moving_A[n] - result.from_A, b = fixed_A[n] - result.to_A;
    sums[0] = sums[0] + a.x * b;
    sums[1] = sums[1] + a.y * b;
    sums[2] = sums[2] + a.z * b;
    spread += 0.5 * (dot(a, a) + dot(b, b));
  }
  Matrix4 m = quaternion_matrix(sums);
  const Matrix4 vectors = diagonalize(m);
  std::size_t best = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (m[i][i] > m[best][best]) best = i;
  double second = -spread;
  for (std::size_t i = 0; i < 4; ++i)
    if (i != best) second = std::max(second, m[i][i]);
  // Coordinates with three decimals leave points on a line some 1e-8 of their extent's square off it.
  constexpr double gap = 1e-6;
  result.is_determined = m[best][best] - second > gap * spread;
  const Quaternion q{vectors[0][best], vectors[1][best], vectors[2][best], vectors[3][best]};
  if (spread > 0.0) result.rotation = rotation_of(q);
  double left_A2 = 0.0;
  for (std::size_t n = 0; n < moving_A.size(); ++n)
    left_A2 += distance_squared(result(moving_A[n]), fixed_A[n]);
  result.rmsd_A = std::sqrt(left_A2 / double(moving_A.size()));
  return result;
}

}  // namespace ionwell
