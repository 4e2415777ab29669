// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "core/vec3.hpp"

/// What tests of kernels for surfaces are made of.
namespace ionwell::test {

constexpr int room = 16;   // of the longest vector
constexpr int count = 37;  // no multiple of a vector

class Numbers {
 public:
  explicit Numbers(unsigned seed) : generator_(seed) {}
  double operator()(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(generator_);
  }
  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> v{(*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1)};
      if (const double r2 = dot(v, v); r2 < 1.0 && r2 > 0.01) return 1.0 / std::sqrt(r2) * v;
    }
  }

 private:
  std::mt19937 generator_;
};

/// Rows of numbers as columns, with room for a vector behind each.
template <typename Real>
std::vector<Real> columns_of(const std::vector<std::vector<Real>>& rows) {
  const std::size_t stride = rows.size() + room;
  std::vector<Real> values(rows.front().size() * stride);
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (std::size_t c = 0; c < rows[n].size(); ++c) values[c * stride + n] = rows[n][c];
  return values;
}

}  // namespace ionwell::test
