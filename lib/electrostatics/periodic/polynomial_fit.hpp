// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/periodic_cell.hpp"

namespace ionwell {

/// The polynomial of a total degree that fits a function's values best at the points of a lattice around 0
/// (least squares), as coefficients of x^i y^j z^k in the order of k, then j, then i. A polynomial of that
/// degree is fitted exactly.
class PolynomialFit {
 public:
  /// `steps_A` lead from a lattice point to the next ones.
  PolynomialFit(const CellVectors& steps_A, int degree);

  /// Whole steps from 0 to the points that are used.
  const std::vector<Vec3<int>>& points() const { return points_; }

  /// The most steps along each vector.
  Vec3<int> reach() const;

  /// Distance from 0 of the farthest point.
  double radius_A() const { return radius_A_; }

  /// i + j + k of a term.
  int power(int term) const { return powers_[std::size_t(term)]; }

  /// The largest |x^i y^j z^k| of a term at distance 1.
  double largest(int term) const { return largest_[std::size_t(term)]; }

  int terms() const { return int(powers_.size()); }

  /// Of a function's values at the points. O(points terms).
  void coefficients(std::span<const double> values, std::span<double> coefficients) const;

  /// Bounds on the polynomial at distances up to `ball_A` from 0: `of_values` when no value is larger than 1,
  /// `of_tail` when none at a distance r is larger than (r / ball_A)^(degree + 1). Lebesgue's sums at points
  /// of the ball, and what can be between them: with u = ball_A (the first three coordinates of a point of
  /// the unit sphere in four dimensions), a polynomial of degree n is a trigonometric one along each great
  /// circle, and at an angle a from where it is largest still cos(n a) times as large (M. Riesz).
  struct Gains {
    double of_values, of_tail;
  };
  Gains gains(double ball_A) const;

 private:
  int degree_;
  double radius_A_ = 0.0;
  std::vector<Vec3<int>> points_;
  std::vector<double> distances_A_;  // of the points from 0
  std::vector<int> powers_;          // by term
  std::vector<double> largest_;
  std::vector<double> weights_;  // [term][point]
};

}  // namespace ionwell
