// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/structure.hpp"
#include "electrostatics/at_points/point_sum.hpp"

/// A solute and points around it, for the benchmarks of sums at scattered points.
namespace ionwell {

/// Chains of 180 residues of 16 atoms, each a block, in a shell as of a capsid. Residues have -1, 0 or 1 e,
/// and atoms partial charges.
Structure shell_of_chains(int chains);

/// Points 3 A from an atom and no nearer to any other, as on a surface.
std::vector<Vec3<double>> points_around(const Structure& structure, int count);

/// Thresholds of partitioning, or the basis, cutoff and grid of multilevel summation.
std::string settings_of(const PointSum& sum);

}  // namespace ionwell
