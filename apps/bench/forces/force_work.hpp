// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "electrostatics/interpolated/interpolated_forces.hpp"

namespace ionwell {

/// What benchmarks of interpolated forces compute: a smooth potential on a cube of points 1 A apart, charges
/// in it, and a body as dense as a protein that is inside at all its poses where the lattice is wide enough.
struct ForceWork {
  static constexpr std::size_t body_charges = 10000;

  ForceWork(std::int64_t edge, std::size_t charge_count, std::size_t pose_count);

  PotentialOnLattice potential() const { return {lattice, std::span<const float>(values_kT_e)}; }

  LatticeGeometry lattice;
  std::vector<float> values_kT_e;
  std::vector<PointCharge> anywhere, nearby;  // of `nearby` each is some Angstrom from the one before
  RigidCharges body;
  std::vector<RigidPose> poses;
};

}  // namespace ionwell
