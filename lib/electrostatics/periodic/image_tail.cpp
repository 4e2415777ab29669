// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/image_tail.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ionwell {
namespace {

using Kind = PairPotential::Kind;

using std::numbers::pi;
constexpr double near_cells = 2.5, counted_cells = 5.0;  // times the distance to the cell's corners

/// From the middle of a cell to its farthest corner.
double corner_A(const PeriodicCell& reduced) {
  double farthest2_A2 = 0.0;
  for (const double j : {-0.5, 0.5})
    for (const double k : {-0.5, 0.5}) {
      const Vec3<double> corner =
          0.5 * reduced.vectors().a + j * reduced.vectors().b + k * reduced.vectors().c;
      farthest2_A2 = std::max(farthest2_A2, dot(corner, corner));
    }
  return std::sqrt(farthest2_A2);
}

/// Sum over n > degree of x^n Q_n(mean), Q_n the chance of n or fewer in a Poisson distribution; Q_n < 1
/// where the sum is broken off.
double screened_series(double x, double mean, int degree) {
  constexpr int counted_terms = 12;
  const double none = std::exp(-mean);
  double chance = none, sum_of_chances = none, power = 1.0, series = 0.0;
  int n = 0;
  for (; n <= degree + counted_terms; ++n) {
    if (n > degree) series += power * sum_of_chances;
    power *= x;
    chance *= mean / (n + 1);
    sum_of_chances += chance;
  }
  return series + power / (1 - x);
}

}  // namespace

ImageTail::ImageTail(const PeriodicCell& cell, const PairPotential& pair, int degree, double radius_A)
    : pair_(pair), degree_(degree), radius_A_(radius_A) {
  const PeriodicCell reduced(cell.reduced());
  const double farthest_A = corner_A(reduced), beyond_A = counted_cells * farthest_A;
  const Vec3<double> widths_A = reduced.widths_A();
  const auto reach = [&](double width_A) { return int(std::ceil(beyond_A / width_A)); };
  for (int k = -reach(widths_A.z); k <= reach(widths_A.z); ++k)
    for (int j = -reach(widths_A.y); j <= reach(widths_A.y); ++j)
      for (int i = -reach(widths_A.x); i <= reach(widths_A.x); ++i) {
        const Vec3<double> image_A = reduced.cartesian_A({double(i), double(j), double(k)});
        const double distance_A = std::sqrt(dot(image_A, image_A));
        if ((i == 0 && j == 0 && k == 0) || distance_A > beyond_A) continue;
        if (distance_A <= near_cells * farthest_A)
          near_A_.push_back(image_A);
        else
          of_others_ += of_image(distance_A - farthest_A);
      }
  // The rest by an integral. An image's tail falls at least as the power m of its distance s >= r - 2 f,
  // where r is the distance from 0 of any place in the image's own cell and f that from a middle to a corner.
  const int m = degree_ + (pair_.kind == Kind::distance_dependent ? 3 : 2);
  const double first_A = beyond_A - farthest_A, from_A = beyond_A - 3 * farthest_A, f = 2 * farthest_A;
  const double integral =
      from_A * from_A * from_A / (m - 3) + 2 * f * from_A * from_A / (m - 2) + f * f * from_A / (m - 1);
  of_others_ += of_image(first_A) * std::pow(first_A / from_A, m) * 4 * pi / cell.volume_A3() * integral;
}

double ImageTail::of_image(double distance_A) const {
  const double s = distance_A, x = radius_A_ / s;
  if (!(x < 1)) return std::numeric_limits<double>::infinity();
  double power = x;
  for (int n = 1; n <= degree_; ++n) power *= x;
  switch (pair_.kind) {
    case Kind::coulomb:
      return power / (s - radius_A_);
    case Kind::debye_hueckel:
      return screened_series(x, pair_.kappa_per_A * s, degree_) / s;
    case Kind::distance_dependent:
      return power * (degree_ + 2 - (degree_ + 1) * x) / ((s - radius_A_) * (s - radius_A_));
  }
  return 0.0;
}

double ImageTail::around(const Vec3<double>& centre_A) const {
  double sum = of_others_;
  for (const Vec3<double>& image_A : near_A_) sum += of_image(std::sqrt(distance_squared(centre_A, image_A)));
  constexpr double rounding = 1e-9;
  return pair_.prefactor * sum * (1 + rounding);
}

}  // namespace ionwell
