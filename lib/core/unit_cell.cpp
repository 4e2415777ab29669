#include "core/unit_cell.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"

namespace ionwell {
namespace {

constexpr double degrees = std::numbers::pi / 180.0;

/// Exactly 0 for 90 degrees.
double cosine(double angle_deg) {
  return angle_deg == 90.0 ? 0.0 : std::cos(angle_deg * degrees);
}

double angle_deg(const Vec3<double>& u, const Vec3<double>& v) {
  const double product = dot(u, v), lengths = std::sqrt(dot(u, u) * dot(v, v));
  return product == 0.0 || lengths == 0.0 ? 90.0
                                          : std::acos(std::clamp(product / lengths, -1.0, 1.0)) / degrees;
}

}  // namespace

CellVectors cell_vectors(const UnitCell& cell) {
  const auto& [length, angle] = cell;
  const double cos_alpha = cosine(angle.x), cos_beta = cosine(angle.y), cos_gamma = cosine(angle.z);
  const double sin_gamma = angle.z == 90.0 ? 1.0 : std::sin(angle.z * degrees);
  const double cy = (cos_alpha - cos_beta * cos_gamma) / sin_gamma;
  const double cz2 = 1.0 - cos_beta * cos_beta - cy * cy;
  if (!(sin_gamma > 0.0) || !(cz2 > 0.0))
    fail("the angles ", angle.x, ", ", angle.y, " and ", angle.z, " make no cell; correct them in the file");
  return {{length.x, 0.0, 0.0},
          {length.y * cos_gamma, length.y * sin_gamma, 0.0},
          {length.z * cos_beta, length.z * cy, length.z * std::sqrt(cz2)}};
}

UnitCell unit_cell(const CellVectors& vectors) {
  const auto& [a, b, c] = vectors;
  const auto length = [](const Vec3<double>& v) { return std::sqrt(dot(v, v)); };
  return {{length(a), length(b), length(c)}, {angle_deg(b, c), angle_deg(a, c), angle_deg(a, b)}};
}

}  // namespace ionwell
