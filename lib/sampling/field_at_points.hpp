// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/vec3.hpp"

namespace ionwell {

struct InterpolationNodes;

/// A potential that ions move in, at any points of their box. Reading it from several threads is safe.
class FieldAtPoints {
 public:
  virtual ~FieldAtPoints() = default;

  /// The potential [kT/e] at each point.
  virtual void potential(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e) const = 0;

  /// The same, and its gradient [kT/(e A)]: that of the potential as it is interpolated, so that force and
  /// energy belong together.
  virtual void gradient(std::span<const Vec3<double>> points_A, std::span<double> potential_kT_e,
                        std::span<Vec3<double>> gradient_kT_e_A) const = 0;

  /// What it interpolates between, which a device can keep; null where it does not.
  virtual const InterpolationNodes* nodes() const { return nullptr; }
};

}  // namespace ionwell
