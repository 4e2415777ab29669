// SPDX-License-Identifier: BSD-3-Clause
#include "core/unit_cell.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "core/geometry/cross_product.hpp"

namespace ionwell {
namespace {

constexpr double degrees = std::numbers::pi / 180.0;

/// Exactly 0 for 90 degrees.
double cosine(double angle_deg) {
  return angle_deg == 90.0 ? 0.0 : std::cos(angle_deg * degrees);
}

/// The number with ten decimals that a value is but for rounding errors; otherwise the value.
double without_rounding_error(double value, double largest_error) {
  constexpr double steps = 1e10;
  const double rounded = std::rint(value * steps) / steps;
  return std::abs(rounded - value) <= largest_error ? rounded : value;
}

double length_A(const Vec3<double>& v) {
  constexpr double relative_error = 4e-15;  // of sines, cosines, rotations, squares and roots
  const double length = std::sqrt(dot(v, v));
  return without_rounding_error(length, relative_error * length);
}

double angle_deg(const Vec3<double>& u, const Vec3<double>& v) {
  constexpr double largest_error_deg = 1e-12;  // of arc cosines of cells that are not flat
  const double product = dot(u, v), lengths = std::sqrt(dot(u, u) * dot(v, v));
  if (product == 0.0 || lengths == 0.0) return 90.0;
  const double angle = std::acos(std::clamp(product / lengths, -1.0, 1.0)) / degrees;
  return without_rounding_error(angle, largest_error_deg);
}

/// As vectors; nothing where the angles make no cell.
std::optional<CellVectors> vectors_of(const CellParameters& parameters) {
  const auto& [length, angle] = parameters;
  const double cos_alpha = cosine(angle.x), cos_beta = cosine(angle.y), cos_gamma = cosine(angle.z);
  const double sin_gamma = angle.z == 90.0 ? 1.0 : std::sin(angle.z * degrees);
  const double cy = (cos_alpha - cos_beta * cos_gamma) / sin_gamma;
  const double cz2 = 1.0 - cos_beta * cos_beta - cy * cy;
  if (!(sin_gamma > 0.0) || !(cz2 > 0.0)) return {};
  return CellVectors{{length.x, 0.0, 0.0},
                     {length.y * cos_gamma, length.y * sin_gamma, 0.0},
                     {length.z * cos_beta, length.z * cy, length.z * std::sqrt(cz2)}};
}

}  // namespace

CellVectors cell_vectors(const CellParameters& parameters) {
  const auto& angle = parameters.angles_deg;
  const std::optional<CellVectors> vectors = vectors_of(parameters);
  if (!vectors)
    fail("the angles ", angle.x, ", ", angle.y, " and ", angle.z,
         " do not form a cell; correct them in the file");
  return *vectors;
}

UnitCell unit_cell(const CellParameters& parameters, CellKind kind) {
  return {cell_vectors(parameters), kind};
}

std::optional<UnitCell> possible_cell(const CellParameters& parameters, CellKind kind) {
  const auto& [length, angle] = parameters;
  for (const double length_A : {length.x, length.y, length.z})
    if (!(length_A > 0.0)) return {};
  for (const double angle_deg : {angle.x, angle.y, angle.z})
    if (!(angle_deg > 0.0 && angle_deg < 180.0)) return {};
  const std::optional<CellVectors> vectors = vectors_of(parameters);
  return vectors && has_volume(*vectors) ? std::optional(UnitCell{*vectors, kind}) : std::nullopt;
}

bool has_volume(const CellVectors& vectors) {
  constexpr double flattest = 1e-6;
  const auto& [a, b, c] = vectors;
  const double product_A3 = std::sqrt(dot(a, a)) * std::sqrt(dot(b, b)) * std::sqrt(dot(c, c));
  // Lengths whose squares are below the smallest number are none.
  return std::isfinite(product_A3) && product_A3 > 0.0 &&
         std::abs(dot(a, cross(b, c))) > flattest * product_A3;
}

Vec3<double> lengths_A(const CellVectors& vectors) {
  return {length_A(vectors.a), length_A(vectors.b), length_A(vectors.c)};
}

Vec3<double> angles_deg(const CellVectors& vectors) {
  const auto& [a, b, c] = vectors;
  return {angle_deg(b, c), angle_deg(a, c), angle_deg(a, b)};
}

}  // namespace ionwell
