// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/rotation.hpp"
#include "core/structure.hpp"

namespace ionwell {

/// Where a rigid set of charges is: a charge at p relative to the set's centre is at
/// centre_A + rotation(p).
struct RigidPose {
  Rotation rotation;
  Vec3<double> centre_A;
};

/// A set of charges that turns and moves as one body, prepared for forces at many poses: neighbours in space
/// are neighbours in memory. Immutable.
class RigidCharges {
 public:
  /// `centre_A` is what it turns about, in the frame of the charges' positions. Charges of 0 e are left out.
  /// Throws UsageError for a position, charge or centre that is not finite.
  RigidCharges(std::span<const PointCharge> charges, const Vec3<double>& centre_A);

  /// Of this set and its copies alone.
  std::uint64_t id() const { return id_; }

  /// Of the charges that are not 0.
  std::int64_t size() const { return count_; }

  /// Position relative to the centre, and charge, in an order of its own (along a Morton curve). The arrays
  /// continue to a multiple of 64, with charges of 0.
  std::span<const double> x_A() const { return x_A_; }
  std::span<const double> y_A() const { return y_A_; }
  std::span<const double> z_A() const { return z_A_; }
  std::span<const double> charge_e() const { return charge_e_; }

 private:
  std::uint64_t id_;
  std::int64_t count_ = 0;
  std::vector<double> x_A_, y_A_, z_A_, charge_e_;
};

}  // namespace ionwell
