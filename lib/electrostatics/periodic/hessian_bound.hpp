#pragma once

#include "core/periodic_cell.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// Bound on the second derivative, in any direction, of what all images of a unit charge but one do, with
/// prefactor 1 and the background, at places that are nearer to that one than to any other, or at most
/// `beyond_A` outside of there. Both parts of an Ewald split are bounded by themselves: a Gaussian
/// exp(-t^2 r^2) has second derivatives of at most (4 t^4 r^2 + 2 t^2) exp(-t^2 r^2), the split's mixtures of
/// them are integrated, and waves are added by their sizes. The least of several splits.
double hessian_bound(const PeriodicCell& cell, const PairPotential& pair, double beyond_A);

}  // namespace ionwell
