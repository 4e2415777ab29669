// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"

namespace ionwell {

/// Charges that are not on the lattice. Within the atoms, the potential is written as u + s, where s is the
/// direct sum over all charges in the solute's dielectric, and only u is solved for; elsewhere u is the
/// potential. So the lattice has no singularity, and nothing large cancels in the solvent (Chern, Liu, Wang,
/// Meth. Appl. Anal. 10:309, 2003, in finite differences).
class RegularizedCharges {
 public:
  /// Finds the points that are in an atom: within its radius, or a spacing's diagonal of a charge. The
  /// lattice may be a slab.
  RegularizedCharges(std::span<const Atom> atoms, double solute_dielectric, const LatticeGeometry& lattice);

  /// Sets `charge_e` so that the equations' solution is u: not zero only at faces where the dielectric is not
  /// the solute's, or between u and u + s. Of a slab those in its first and last planes are without what
  /// comes from faces that it lacks. O(points + charges * such faces).
  void set_charges(int threads, PbSystem* system) const;

  /// Whether a point is in an atom.
  bool is_within(std::int64_t point) const { return within_[std::size_t(point)] != 0; }

 private:
  LatticeGeometry lattice_;
  double dielectric_;
  std::vector<PointCharge> charges_;
  std::vector<char> within_;
};

}  // namespace ionwell
