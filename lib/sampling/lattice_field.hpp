// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "electrostatics/interpolated/interpolation_nodes.hpp"
#include "sampling/field_at_points.hpp"

namespace ionwell {

/// "trilinear", "bspline": as the command line and the report call it.
std::string_view to_string(ForceInterpolation interpolation);

/// A potential known on a lattice, in fp64 from values in fp32, a point at a time: Monte Carlo asks for one.
/// 4 bytes a point.
class LatticeField final : public FieldAtPoints {
 public:
  /// `values_kT_e`: i fastest. Throws UsageError for a lattice with fewer than two points along an axis, and
  /// what interpolation_nodes throws.
  LatticeField(const LatticeGeometry& lattice, std::span<const float> values_kT_e,
               ForceInterpolation interpolation, int threads);

  /// Between nodes that another one has made.
  explicit LatticeField(InterpolationNodes nodes) : nodes_(std::move(nodes)) {}

  /// Points beyond the lattice count as the nearest on its faces.
  void potential(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e) const override;
  void gradient(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e,
                std::span<Vec3<double>> gradient_kT_e_A) const override;

  const InterpolationNodes* nodes() const override { return &nodes_; }

  const LatticeGeometry& lattice() const { return nodes_.lattice; }
  ForceInterpolation interpolation() const { return nodes_.interpolation; }

 private:
  struct Value {
    double potential;
    Vec3<double> gradient;
  };
  Value trilinear(const Vec3<double>& point_A) const;
  Value bspline(const Vec3<double>& point_A) const;

  InterpolationNodes nodes_;
};

}  // namespace ionwell
