// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/plain_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/geometry/cross_product.hpp"

namespace ionwell::test {
namespace {

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

/// The two points at given distances from three centres, where there are any.
std::vector<Vec3<double>> meeting_points(const Ball& a, const Ball& b, const Ball& c) {
  const Vec3<double> ab = b.centre_A - a.centre_A, ac = c.centre_A - a.centre_A;
  const double d = length(ab);
  const Vec3<double> ex = 1 / d * ab;
  const double i = dot(ex, ac);
  const Vec3<double> across = ac - i * ex;
  const double j = length(across);
  if (!(j > 1e-9)) return {};
  const Vec3<double> ey = 1 / j * across, ez = cross(ex, ey);
  const double x = (a.radius_A * a.radius_A - b.radius_A * b.radius_A + d * d) / (2 * d);
  const double y = (a.radius_A * a.radius_A - c.radius_A * c.radius_A + i * i + j * j - 2 * i * x) / (2 * j);
  const double z2 = a.radius_A * a.radius_A - x * x - y * y;
  if (!(z2 >= 0.0)) return {};
  const Vec3<double> foot = a.centre_A + x * ex + y * ey;
  return {foot + std::sqrt(z2) * ez, foot - std::sqrt(z2) * ez};
}

}  // namespace

PlainProbe::PlainProbe(std::span<const Ball> balls, double probe_A)
    : balls_(balls.begin(), balls.end()), probe_A_(probe_A) {
  for (Ball& ball : balls_) ball.radius_A += probe_A;
  for (std::size_t a = 0; a < balls_.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (std::size_t c = 0; c < b; ++c)
        for (const Vec3<double>& corner : meeting_points(balls_[a], balls_[b], balls_[c]))
          if (is_open(corner)) corners_A_.push_back(corner);
}

bool PlainProbe::is_open(const Vec3<double>& centre_A) const {
  constexpr double rounding = 1e-9;
  return std::all_of(balls_.begin(), balls_.end(), [&](const Ball& ball) {
    return length(centre_A - ball.centre_A) >= ball.radius_A - rounding;
  });
}

double PlainProbe::distance_A(const Vec3<double>& point_A) const {
  double outside = std::numeric_limits<double>::infinity(), nearest = outside;
  for (const Ball& ball : balls_)
    outside = std::min(outside, length(point_A - ball.centre_A) - ball.radius_A);
  if (outside >= 0.0) return -probe_A_ - outside;
  const auto consider = [&](const Vec3<double>& centre_A) {
    const double d = length(point_A - centre_A);
    if (d < nearest && is_open(centre_A)) nearest = d;
  };
  for (const Ball& a : balls_) {
    const Vec3<double> away = point_A - a.centre_A;
    if (length(away) > 0.0) consider(a.centre_A + a.radius_A / length(away) * away);
    for (const Ball& b : balls_) {
      const Vec3<double> ab = b.centre_A - a.centre_A;
      const double d = length(ab);
      if (!(d > 0.0)) continue;
      const double t = (a.radius_A * a.radius_A - b.radius_A * b.radius_A + d * d) / (2 * d);
      const double r2 = a.radius_A * a.radius_A - t * t;
      if (!(r2 >= 0.0)) continue;
      const Vec3<double> axis = 1 / d * ab, across = away - dot(away, axis) * axis;
      if (length(across) > 0.0) consider(a.centre_A + t * axis + std::sqrt(r2) / length(across) * across);
    }
  }
  for (const Vec3<double>& corner : corners_A_) nearest = std::min(nearest, length(point_A - corner));
  return nearest - probe_A_;
}

std::vector<Ball> heap_of_balls(int count, double edge_A, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&random](double low, double high) {
    return low + (high - low) * double(random()) / double(std::mt19937::max());
  };
  std::vector<Ball> balls;
  for (int n = 0; n < count; ++n) {
    const double x = number(0, edge_A), y = number(0, edge_A), z = number(0, edge_A);
    balls.push_back({{x, y, z}, number(0.6, 2.0)});
  }
  return balls;
}

}  // namespace ionwell::test
