// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/device_use.hpp"
#include "core/instruction_set.hpp"
#include "core/structure.hpp"
#include "electrostatics/interpolated/interpolation_nodes.hpp"
#include "electrostatics/interpolated/rigid_charges.hpp"

/// Energies, forces and torques of charges in a potential that is known on a lattice: q phi and -q grad phi,
/// with phi and its gradient interpolated.
namespace ionwell {

/// -q grad phi and q phi.
struct ChargeForce {
  Vec3<float> force_kT_A;
  float energy_kT = 0.0f;
};

/// Of all charges of a body at one pose, summed in fp64 but for some neighbours at a time (64 at most).
struct BodyForce {
  Vec3<double> force_kT_A;
  Vec3<double> torque_kT;  // about the body's centre, in the lattice's frame: sum of (r - centre) x f
  double energy_kT = 0.0;
  std::int64_t outside = 0;  // charges outside of the lattice, which have no part in the sums
};

struct InterpolatedForceOptions {
  ForceInterpolation interpolation = ForceInterpolation::trilinear;
  SimdLevel simd = SimdLevel::automatic;
  int threads = 1;
};

/// A potential where charges can ask for forces, kept on the host or on a device: 16 bytes for each point,
/// and 4 more while it is made. Positions are in the lattice's frame. The lattice ends at its first and last
/// points; positions within 1e-6 spacings of a lattice plane are on it (as in maps/map_interpolation), and on
/// one the trilinear force is that of the cell above, at the last one of the cell below. Along an axis of one
/// point there is no force. The functions may be called by several threads at a time.
class InterpolatedForces {
 public:
  virtual ~InterpolatedForces() = default;

  /// to[n] = force on charges[n] and its energy; NaN, all four, for one outside of the lattice, or at a place
  /// that is none (NaN, infinite). Returns how many are. The arrays are as long as each other.
  virtual std::int64_t on_charges(std::span<const PointCharge> charges, std::span<ChargeForce> to) const = 0;

  /// Forces and torques on a body at each of `poses`, in their order; the same bits with any number of
  /// threads.
  virtual std::vector<BodyForce> on_body(const RigidCharges& body,
                                         std::span<const RigidPose> poses) const = 0;

  /// Empty on the host.
  virtual std::optional<DeviceUse> device_use() const = 0;
};

/// On the host. Places are found in fp64, terms are in fp32. Throws what interpolation_nodes throws.
std::unique_ptr<InterpolatedForces> make_host_forces(const PotentialOnLattice& potential,
                                                     const InterpolatedForceOptions& options);

}  // namespace ionwell
