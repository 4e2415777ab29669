// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// How charges and potentials pass between points and grids.
/// `cubic`: C1 cubic, Taylor splitting, a dense stencil, the published set (Hardy et al. 2009, eqs. 2-19).
/// `bspline4` to `bspline8`: B-splines of that order that interpolate the kernel exactly, Gaussian splitting.
enum class MultilevelBasis { cubic, bspline4, bspline6, bspline8 };

std::string_view to_string(MultilevelBasis basis);

/// The defaults were chosen by `ionwell-bench accuracy`.
struct MultilevelOptions {
  MultilevelBasis basis = MultilevelBasis::bspline8;
  double cutoff_A = 6.0;   // of the part that is summed pair by pair
  double spacing_A = 1.0;  // of the finest grid
  /// B-splines: what the cutoff leaves out of the narrowest terms is e^-(decay^2) there, 1e-4 for 3; more
  /// needs a longer cutoff for the same grid.
  double decay = 3.0;

  friend bool operator==(const MultilevelOptions&, const MultilevelOptions&) = default;
};

/// The set of Hardy et al. 2009 and Stone et al. 2007.
constexpr MultilevelOptions published_multilevel{MultilevelBasis::cubic, 12.0, 2.0};

/// A term of the long-range part that is a product over the axes: weight exp(-(t r)^2), on the grid as
/// one-dimensional taps for x, y and z alike (taps[radius] is the middle one; the weight is in none of them).
struct GaussianTerm {
  double weight_kT_e = 0.0;  // potential of a unit charge at distance 0
  double t_per_A = 0.0;
  std::vector<float> taps;
};

/// A term that is not a product: weights for grid offsets (i,j,k), |i|, |j|, |k| <= radius, i fastest [kT/e].
struct Stencil {
  int radius = 0;
  std::vector<float> weights;
};

struct MultilevelLevel {
  LatticeGeometry grid;
  std::vector<GaussianTerm> gaussians;
  Stencil stencil;  // when there are no Gaussians
};

/// Everything about a multilevel sum that does not depend on where it is computed. Grid k + 1 has twice the
/// spacing of grid k, and point i of it is at point 2 i + first of grid k.
///
/// B-splines: by the substitution t = e^u and the trapezoidal rule with step D in u,
///   1/r = 2/sqrt(pi) Int exp(-r^2 t^2) dt = 2 D/sqrt(pi) Sum_j t_j exp(-r^2 t_j^2),    t_j = t_0 e^(-j D),
/// to 2e-6 for D = ln(2)/2, and likewise 1/r^2 (weights 2 D t_j^2) and exp(-kappa r)/r (weights times
/// exp(-kappa^2/(4 t_j^2))). Terms with j >= 0 are the long-range part, two to a level; t_0 is such that the
/// others have died away at the cutoff.
struct MultilevelPlan {
  MultilevelOptions options;
  PairPotential pair;
  int order = 8;  // points of a grid, along one axis, that a charge reaches
  std::vector<MultilevelLevel> levels;
  double constant_kT_e = 0.0;  // what a unit charge adds everywhere: all terms too wide for any grid

  /// The long-range potential of a unit charge at distance r [kT/e]; equal to the pair potential beyond the
  /// cutoff.
  double long_range_kT_e(double distance_A) const;

  /// That as a polynomial: long range = Sum_n c_n z^n, z = 2 (r/cutoff)^2 - 1, for r <= cutoff.
  std::vector<float> long_range_polynomial;
};

/// Throws what check_multilevel throws.
MultilevelPlan multilevel_plan(const LatticeGeometry& lattice, std::span<const PointCharge> charges,
                               const PairPotential& pair, const MultilevelOptions& options);

/// Throws UsageError when the lattice's spacings differ by axis, for options out of range, and for a basis
/// that has no splitting for this potential.
void check_multilevel(const LatticeGeometry& lattice, const PairPotential& pair,
                      const MultilevelOptions& options);

/// Point i of the coarser of two neighbouring levels is at point 2 i + the result of the finer one.
std::int64_t first_fine_point(const LatticeGeometry& fine, const LatticeGeometry& coarse);

/// The finest grid of a plan: covers the lattice and all charges, with room for the basis functions.
LatticeGeometry finest_grid(const LatticeGeometry& lattice, std::span<const PointCharge> charges,
                            const MultilevelOptions& options);

/// Two charges at the corners of the box around the charges of `atoms`, or none: the grids of a plan depend
/// on nothing else of the charges.
std::vector<PointCharge> corner_charges(std::span<const Atom> atoms);

/// Host memory for the grids, at most.
std::int64_t multilevel_bytes(const LatticeGeometry& lattice, std::span<const PointCharge> charges,
                              const PairPotential& pair, const MultilevelOptions& options);

/// Weights of the grid points that a position `x` (in grid spacings) reaches: returns the first point;
/// `weights` gets `order` of them. They add up to 1.
std::int64_t basis_weights(MultilevelBasis basis, double x, double* weights);

/// Factors by which a coarse grid's basis function is made of the fine grid's, at offsets -radius to radius
/// of the fine grid from the coarse point.
std::vector<float> transfer_weights(MultilevelBasis basis);

int basis_order(MultilevelBasis basis);

}  // namespace ionwell
