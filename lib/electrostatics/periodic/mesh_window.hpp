// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <vector>

#include "core/host_device.hpp"

namespace ionwell {

/// The Kaiser-Bessel window w(x) = I0(beta sqrt(1 - (2 x / width)^2)) / I0(beta), x in grid spacings (Kaiser
/// and Schafer 1980; for transforms of scattered points: Barnett, Magland and af Klinteberg 2019).
struct KaiserBessel {
  int width;  // grid points that it covers
  double beta;

  /// In extended precision: it falls over 20 orders of magnitude.
  long double at(long double x) const;

  /// The integral of w(x) cos(angle x), at an angle [radians a grid point].
  double transform(double angle) const;

  /// Bound on |transform|, relative to that of angle 0.
  double relative_bound(double angle) const;
};

/// How charges are spread over grid points along an axis, and potentials interpolated from them: a window
/// that is evaluated by a polynomial for each grid point, to 1e-14.
class MeshWindow {
 public:
  static constexpr int smallest_width = 6, largest_width = 16;
  static constexpr int terms = 18;  // of each polynomial: width 16 needs them

  /// The width is even, from smallest_width to largest_width.
  explicit MeshWindow(const KaiserBessel& window);

  int width() const { return width_; }

  /// Weights of the grid points of a MeshPosition: coefficient d of t^d for the p-th point is at
  /// [d * width + p].
  const std::vector<double>& polynomials() const { return polynomials_; }

 private:
  int width_;
  std::vector<double> polynomials_;
};

/// Where a coordinate lies on an axis: `first` of the window's grid points, and t of its polynomials.
struct MeshPosition {
  int first;  // 0 to points - 1; the others follow, and wrap
  double t;   // -1 to 1
};

/// Of a fraction of the cell's edge that has `points` grid points.
IONWELL_HD inline MeshPosition mesh_position(double fraction, int points, int width) {
  double x = (fraction - std::floor(fraction)) * double(points);
  double whole = std::floor(x);
  if (whole >= double(points)) {  // a fraction just below a whole number
    whole = 0.0;
    x = 0.0;
  }
  const int first = int(whole) - width / 2 + 1;
  return {first < 0 ? first + points : first, 2 * (x - whole) - 1};
}

}  // namespace ionwell
