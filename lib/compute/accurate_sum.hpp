// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "compute/summation_options.hpp"
#include "core/lattice.hpp"
#include "electrostatics/simd/simd_level.hpp"

/// The cheapest sum of charges on a lattice that keeps an accuracy.
namespace ionwell {

/// A set of multilevel summation and what was measured of it: values on lattices against fp64 sums, for
/// single charges, dipoles, a nucleic acid, proteins, random walks and salts of up to 20,000 charges, with
/// and without a net charge.
struct MeasuredSet {
  MultilevelOptions options;
  /// Of Coulomb, distance-dependent and Debye-Hueckel potentials: the largest ratio of the root mean square
  /// error to that of the potential times Cancellation::of_terms.
  double error[3];
  double cost = 1.0;       // time for a lattice point, over that of the default set
  bool on_devices = true;  // whether devices have it, whose short-range part has shorter polynomials
};

/// From the cheapest on.
std::span<const MeasuredSet> measured_sets();

/// A sum on a lattice, and where its error counts.
struct AccuracyProblem {
  const LatticeGeometry& lattice;
  std::span<const PointCharge> charges;
  const PairPotential& pair;
  double least_distance_A = 1.0;  // from all charges, of the points that count
  SimdLevel simd = SimdLevel::automatic;
  int threads = 1;
};

/// By how much the charges' potentials cancel: errors of single terms do so less. V is the potential, W^2 the
/// sum of its terms' squares, with charges that are nearer than the shortest cutoff at that distance; V0 and
/// W0 are the same without screening. Errors that charges have together are proportional to V, those at
/// random to W, and those of the splitting of 1/r, which a screened potential has without its screening, to
/// V0 and W0.
struct Cancellation {
  double of_terms = 1.0;      // sqrt((<V^2> + <W^2>) / <V^2>)
  double of_screening = 0.0;  // sqrt((<V0^2> + <W0^2>) / <V^2>) of Debye-Hueckel potentials; of others 0
};

/// At up to 256 points of the lattice, the same in every run; infinite where no point counts or the potential
/// is 0. O(points * charges), in double precision.
Cancellation cancellation(const AccuracyProblem& problem);

/// What a set's relative error should not exceed.
double expected_error(const MeasuredSet& set, const PairPotential& pair, const Cancellation& cancellation);

/// Throws UsageError for an accuracy out of range.
void check_accuracy(double accuracy);

/// `options` with the cheapest set of multilevel summation whose relative error should be no larger than
/// their accuracy: root mean square of the differences from exact sums, over that of the potential, at the
/// points that count. The method stays automatic, so that the direct sum is used where it is faster; it is
/// direct where no set keeps the accuracy. Without an accuracy they are returned as they are. Throws
/// UsageError where single precision does not have it.
SummationOptions for_accuracy(SummationOptions options, const AccuracyProblem& problem);

/// The measured set that an accuracy has chosen; null where none was asked for.
const MeasuredSet* chosen_set(const SummationOptions& options);

}  // namespace ionwell
