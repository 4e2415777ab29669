// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/lattice.hpp"
#include "electrostatics/pair_potential.hpp"

/// Plain fp64 answers, point by point and ion by ion, that call no solver function.
namespace ionwell::test {

/// Potential of a unit charge [kT/e] at a distance; under 1e-3 A it is that of 1e-3 A.
double reference_pair(const PairPotential& pair, double distance_A);

/// Potential at every lattice point [kT/e].
std::vector<double> reference_potential(const LatticeGeometry& lattice, const PairPotential& pair,
                                        std::span<const PointCharge> charges);

/// Sum of the magnitudes of the same terms: what rounding is measured against.
std::vector<double> reference_magnitude(const LatticeGeometry& lattice, const PairPotential& pair,
                                        std::span<const PointCharge> charges);

/// Distance [A] from every lattice point to the nearest centre.
std::vector<double> nearest_distance(const LatticeGeometry& lattice, std::span<const Vec3<double>> centres);

/// One entry for each point, true where d^2 <= distance^2 + 5e-7 for one of the centres.
std::vector<bool> excluded_by_solute(const LatticeGeometry& lattice, std::span<const Vec3<double>> centres,
                                     double distance_A);

/// Takes away the points with d^2 < distance^2 - 5e-7.
void exclude_around_ion(const LatticeGeometry& lattice, Vec3<double> ion_A, double distance_A,
                        std::vector<bool>& excluded);

struct ReferenceIon {
  std::int64_t index;
  double energy_kT;
};

struct ReferenceProblem {
  LatticeGeometry lattice;
  PairPotential pair;
  std::vector<PointCharge> charges;
  std::vector<Vec3<double>> centres;  // of what ions keep `ion_solute_A` from
  double ion_solute_A = 5.0;
  double ion_ion_A = 5.0;
  std::vector<double> ion_charges_e;  // in the order of placement
};

/// The greedy placement that looks at every point for every ion; fewer ions when no point is left. Of
/// energies within 1e-14 of the lowest, relative to the sum of the terms' sizes there, the lowest index wins.
std::vector<ReferenceIon> reference_placement(const ReferenceProblem& problem);

}  // namespace ionwell::test
