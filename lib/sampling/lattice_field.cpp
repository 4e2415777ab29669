// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/lattice_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "core/geometry/trilinear.hpp"

namespace ionwell {
namespace {

/// The cell of a lattice along one axis, and how far into it a position is.
struct AxisCell {
  std::int64_t cell;
  double t;  // 0 to 1
};

AxisCell axis_cell(double position_A, double origin_A, double spacing_A, std::int64_t count) {
  const double u = std::clamp((position_A - origin_A) / spacing_A, 0.0, double(count - 1));
  const std::int64_t cell = std::min(std::int64_t(u), count - 2);
  return {cell, u - double(cell)};
}

/// Four cubic B-splines around a position along one axis, from the cell's number on, and their slopes by the
/// coordinate.
struct AxisSplines {
  std::int64_t first;
  std::array<double, 4> weight, slope;

  AxisSplines(double position_A, double origin_A, double spacing_A, std::int64_t count) {
    const auto [cell, t] = axis_cell(position_A, origin_A, spacing_A, count);
    first = cell;  // the nodes begin one before the lattice
    const double s = 1.0 - t, per_A = 1.0 / spacing_A;
    weight = {s * s * s / 6, (3 * t * t * t - 6 * t * t + 4) / 6, (3 * s * s * s - 6 * s * s + 4) / 6,
              t * t * t / 6};
    slope = {-0.5 * s * s * per_A, (1.5 * t * t - 2 * t) * per_A, (2 * s - 1.5 * s * s) * per_A,
             0.5 * t * t * per_A};
  }
};

/// The values of a lattice on which there is something between the points.
InterpolationNodes nodes_of(const LatticeGeometry& lattice, std::span<const float> values_kT_e,
                            ForceInterpolation interpolation, int threads) {
  const auto& [nx, ny, nz] = lattice.counts;
  if (nx < 2 || ny < 2 || nz < 2)
    fail<UsageError>("a lattice of ", nx, " x ", ny, " x ", nz,
                     " points has no room for moving ions; use a larger box, or a smaller --spacing");
  return interpolation_nodes({lattice, values_kT_e}, interpolation, threads);
}

}  // namespace

std::string_view to_string(ForceInterpolation interpolation) {
  return interpolation == ForceInterpolation::cubic_spline ? "bspline" : "trilinear";
}

LatticeField::LatticeField(const LatticeGeometry& lattice, std::span<const float> values_kT_e,
                           ForceInterpolation interpolation, int threads)
    : nodes_(nodes_of(lattice, values_kT_e, interpolation, threads)) {}

LatticeField::Value LatticeField::trilinear(const Vec3<double>& point_A) const {
  const Vec3<double>&origin = nodes_.lattice.origin_A, &h = nodes_.lattice.spacing_A;
  const Vec3<std::int64_t>& counts = nodes_.lattice.counts;
  const AxisCell x = axis_cell(point_A.x, origin.x, h.x, counts.x),
                 y = axis_cell(point_A.y, origin.y, h.y, counts.y),
                 z = axis_cell(point_A.z, origin.z, h.z, counts.z);
  const float* const v = nodes_.values.data() + nodes_.lattice.index(x.cell, y.cell, z.cell);
  const std::int64_t dy = counts.x, dz = counts.x * counts.y;
  const auto face = [&](const float* c) {
    return trilinear_on_face(double(c[0]), double(c[1]), double(c[dy]), double(c[dy + 1]), x.t, y.t);
  };
  const ValueInCell<double> at = trilinear_in_cell(face(v), face(v + dz), z.t);
  return {at.value, {at.by_u / h.x, at.by_v / h.y, at.by_w / h.z}};
}

LatticeField::Value LatticeField::bspline(const Vec3<double>& point_A) const {
  const Vec3<double>&origin = nodes_.lattice.origin_A, &h = nodes_.lattice.spacing_A;
  const Vec3<std::int64_t>& counts = nodes_.lattice.counts;
  const AxisSplines x(point_A.x, origin.x, h.x, counts.x), y(point_A.y, origin.y, h.y, counts.y),
      z(point_A.z, origin.z, h.z, counts.z);
  Value sum{};
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t b = 0; b < 4; ++b) {
      const std::int64_t j = y.first + std::int64_t(b), k = z.first + std::int64_t(c);
      const float* const row = nodes_.values.data() + x.first + nodes_.counts.x * (j + nodes_.counts.y * k);
      double value = 0.0, slope = 0.0;
      for (std::size_t a = 0; a < 4; ++a) {
        const auto v = double(row[a]);
        value += x.weight[a] * v;
        slope += x.slope[a] * v;
      }
      const double weight = y.weight[b] * z.weight[c];
      sum.potential += weight * value;
      sum.gradient = sum.gradient + Vec3<double>{weight * slope, y.slope[b] * z.weight[c] * value,
                                                 y.weight[b] * z.slope[c] * value};
    }
  return sum;
}

void LatticeField::potential(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e) const {
  for (std::size_t n = 0; n < points_A.size(); ++n)
    potential_kT_e[n] =
        (interpolation() == ForceInterpolation::trilinear ? trilinear(points_A[n]) : bspline(points_A[n]))
            .potential;
}

void LatticeField::gradient(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e,
                            std::span<Vec3<double>> gradient_kT_e_A) const {
  for (std::size_t n = 0; n < points_A.size(); ++n) {
    const Value value =
        interpolation() == ForceInterpolation::trilinear ? trilinear(points_A[n]) : bspline(points_A[n]);
    potential_kT_e[n] = value.potential;
    gradient_kT_e_A[n] = value.gradient;
  }
}

}  // namespace ionwell
