// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/polynomial_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ionwell {
namespace {

using Real = long double;  // the normal equations square the condition of the fit

/// Some 150 points, four for each term of a polynomial of degree 4.
constexpr double radius_in_steps = 3.3;

/// Solves A X = B for a symmetric positive A of n x n and B of n x m, both row by row, by Cholesky's
/// factors; X takes the place of B.
void solve(std::vector<Real>& a, std::vector<Real>& b, std::size_t n, std::size_t m) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) {
      Real sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
    }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < m; ++c) {
      Real sum = b[i * m + c];
      for (std::size_t k = 0; k < i; ++k) sum -= a[i * n + k] * b[k * m + c];
      b[i * m + c] = sum / a[i * n + i];
    }
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t c = 0; c < m; ++c) {
      Real sum = b[i * m + c];
      for (std::size_t k = i + 1; k < n; ++k) sum -= a[k * n + i] * b[k * m + c];
      b[i * m + c] = sum / a[i * n + i];
    }
}

/// Largest |x^i y^j z^k| on the unit sphere: at x^2 = i / (i + j + k) and so on.
double largest_monomial(int i, int j, int k) {
  const double sum = i + j + k;
  double largest = 1.0;
  for (const int power : {i, j, k}) largest *= power == 0 ? 1.0 : std::pow(power / sum, power / 2.0);
  return largest;
}

using std::numbers::pi;

/// No point of the ball is farther from one of these than `angle`, seen as points of a sphere in four
/// dimensions; with their opposites, where the sums are the same.
struct BallPoints {
  std::vector<Vec3<double>> points;  // of the unit ball
  double angle;
};

/// A bound on the angle whose half has a squared sine of at most (a^2 + b^2) / 4.
double diagonal_angle(double a, double b) {
  return 2 * std::asin(std::sqrt(a * a + b * b) / 2);
}

BallPoints points_of_ball() {
  constexpr int shells = 7, rings = 8;
  constexpr double half_shell = pi / 4 / shells, half_ring = pi / 4 / rings;
  BallPoints result{{}, diagonal_angle(half_shell, diagonal_angle(half_ring, half_ring))};
  for (int shell = 0; shell < shells; ++shell)
    for (int ring = 0; ring < rings; ++ring) {
      const double from_pole = (2 * ring + 1) * half_ring, radius = std::sin((2 * shell + 1) * half_shell);
      const int around = int(std::ceil(pi * std::sin(from_pole + half_ring) / half_ring));
      for (int n = 0; n < around; ++n) {
        const double azimuth = 2 * pi * n / around;
        result.points.push_back({radius * std::sin(from_pole) * std::cos(azimuth),
                                 radius * std::sin(from_pole) * std::sin(azimuth),
                                 radius * std::cos(from_pole)});
      }
    }
  return result;
}

}  // namespace

PolynomialFit::PolynomialFit(const CellVectors& steps_A, int degree) : degree_(degree) {
  const PeriodicCell cell(steps_A);
  const double within_A = radius_in_steps * std::cbrt(cell.volume_A3());
  const Vec3<double> widths_A = cell.widths_A();
  const auto reach = [&](double width_A) { return int(within_A / width_A); };
  std::vector<Vec3<double>> at;  // in units of the radius, so that no power is large
  for (int k = -reach(widths_A.z); k <= reach(widths_A.z); ++k)
    for (int j = -reach(widths_A.y); j <= reach(widths_A.y); ++j)
      for (int i = -reach(widths_A.x); i <= reach(widths_A.x); ++i) {
        const Vec3<double> point_A = cell.cartesian_A({double(i), double(j), double(k)});
        const double distance_A = std::sqrt(dot(point_A, point_A));
        if (distance_A > within_A) continue;
        points_.push_back({i, j, k});
        distances_A_.push_back(distance_A);
        radius_A_ = std::max(radius_A_, distance_A);
        at.push_back(1 / within_A * point_A);
      }
  const std::size_t points = points_.size();
  std::vector<Real> weights;  // first the terms at the points
  for (int k = 0; k <= degree; ++k)
    for (int j = 0; j <= degree - k; ++j)
      for (int i = 0; i <= degree - k - j; ++i) {
        powers_.push_back(i + j + k);
        largest_.push_back(largest_monomial(i, j, k));
        for (const Vec3<double>& p : at)
          weights.push_back(std::pow(Real(p.x), i) * std::pow(Real(p.y), j) * std::pow(Real(p.z), k));
      }
  const std::size_t terms = powers_.size();
  std::vector<Real> normal(terms * terms);
  for (std::size_t s = 0; s < terms; ++s)
    for (std::size_t t = 0; t < terms; ++t)
      for (std::size_t n = 0; n < points; ++n)
        normal[s * terms + t] += weights[s * points + n] * weights[t * points + n];
  solve(normal, weights, terms, points);
  for (std::size_t t = 0; t < terms; ++t)
    for (std::size_t n = 0; n < points; ++n)
      weights_.push_back(double(weights[t * points + n] / std::pow(Real(within_A), powers_[t])));
}

Vec3<int> PolynomialFit::reach() const {
  Vec3<int> most{};
  for (const Vec3<int>& p : points_)
    most = {std::max(most.x, p.x), std::max(most.y, p.y), std::max(most.z, p.z)};
  return most;
}

void PolynomialFit::coefficients(std::span<const double> values, std::span<double> coefficients) const {
  for (std::size_t t = 0; t < powers_.size(); ++t) {
    const double* const weights = &weights_[t * points_.size()];
    double partial[4] = {};  // sums that a processor adds at a time
    std::size_t n = 0;
    for (; n + 4 <= points_.size(); n += 4)
      for (std::size_t s = 0; s < 4; ++s) partial[s] += weights[n + s] * values[n + s];
    double sum = (partial[0] + partial[1]) + (partial[2] + partial[3]);
    for (; n < points_.size(); ++n) sum += weights[n] * values[n];
    coefficients[t] = sum;
  }
}

PolynomialFit::Gains PolynomialFit::gains(double ball_A) const {
  const std::size_t points = points_.size();
  std::vector<double> of_tail(points), sums(points);
  for (std::size_t n = 0; n < points; ++n) of_tail[n] = std::pow(distances_A_[n] / ball_A, degree_ + 1);
  const BallPoints ball = points_of_ball();
  Gains largest{};
  for (const Vec3<double>& point : ball.points) {
    std::fill(sums.begin(), sums.end(), 0.0);
    const Vec3<double> u = ball_A * point;
    const double* weights = weights_.data();
    double z = 1.0;
    for (int k = 0; k <= degree_; ++k, z *= u.z) {
      double yz = z;
      for (int j = 0; j <= degree_ - k; ++j, yz *= u.y) {
        double xyz = yz;
        for (int i = 0; i <= degree_ - k - j; ++i, xyz *= u.x, weights += points)
          for (std::size_t n = 0; n < points; ++n) sums[n] += weights[n] * xyz;
      }
    }
    Gains here{};
    for (std::size_t n = 0; n < points; ++n) {
      here.of_values += std::abs(sums[n]);
      here.of_tail += std::abs(sums[n]) * of_tail[n];
    }
    largest = {std::max(largest.of_values, here.of_values), std::max(largest.of_tail, here.of_tail)};
  }
  const double between = 1 / std::cos(degree_ * ball.angle);
  return {largest.of_values * between, largest.of_tail * between};
}

}  // namespace ionwell
