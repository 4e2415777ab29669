#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/lattice.hpp"
#include "sampling/field_at_points.hpp"

namespace ionwell {

/// How a potential is interpolated between the points of its lattice.
enum class FieldInterpolation {
  trilinear,  // from 8 points: continuous, its gradient has steps at the faces between cells
  bspline     // from 64: cubic B-splines through the values, whose gradient is smooth, too
};

/// "trilinear", "bspline": as the command line and the report call it.
std::string_view to_string(FieldInterpolation interpolation);

/// A potential known on a lattice. 4 bytes a point.
class LatticeField final : public FieldAtPoints {
 public:
  /// `values_kT_e`: i fastest. B-splines are solved for along each axis by a recursive filter with values
  /// mirrored at the faces (Unser, IEEE Signal Processing Magazine 16(6):22, 1999, box 2); O(points). Throws
  /// UsageError for a lattice with fewer than two points along an axis.
  LatticeField(const LatticeGeometry& lattice, std::span<const float> values_kT_e,
               FieldInterpolation interpolation, int threads);

  /// Points beyond the lattice count as the nearest on its faces.
  void potential(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e) const override;
  void gradient(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e,
                std::span<Vec3<double>> gradient_kT_e_A) const override;

  const LatticeGeometry& lattice() const { return lattice_; }
  FieldInterpolation interpolation() const { return interpolation_; }

 private:
  struct Value {
    double potential;
    Vec3<double> gradient;
  };
  Value trilinear(const Vec3<double>& point_A) const;
  Value bspline(const Vec3<double>& point_A) const;

  LatticeGeometry lattice_;
  FieldInterpolation interpolation_;
  std::vector<float> coefficients_;
};

}  // namespace ionwell
