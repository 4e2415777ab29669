// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/block_nodes.hpp"
#include "electrostatics/pair_potential.hpp"

/// How far away a charge must be for its potential in a block to be computed at the block's nodes.
namespace ionwell {

/// A relative error that the polynomials may have, of each charge's potential at each point; of the 2e-6 that
/// rounding_of_direct_sum (electrostatics/simd/direct_kernels.hpp) allows a term.
constexpr double error_between_nodes = 1e-6, screened_error_between_nodes = 1.5e-6;

/// From which distance [A] between a charge and the nearest point of a block on, `nodes` along each axis (4
/// or 5) give the charge's potential within that error; infinite where none is enough. `spacing_A` is the
/// largest of the three. From the next term of the Taylor series, whose factor was found numerically over
/// directions, distances and screening; tests compare with the potential itself.
double distance_for_nodes_A(const PairPotential& pair, double spacing_A, int nodes);

/// Both distances for a lattice, as the inner loops take them.
NodeDistances node_distances(const PairPotential& pair, const Vec3<double>& spacing_A);

}  // namespace ionwell
