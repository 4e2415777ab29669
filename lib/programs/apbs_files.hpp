// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "core/units.hpp"

/// What APBS reads: an input file and a PQR.
namespace ionwell {

/// A linearized or full Poisson-Boltzmann calculation as the published protocols have it (Stone et al. 2007):
/// focused once (mg-auto), eps 78.54 around and 4 inside, a 1:1 salt of ions of 2 A.
struct ApbsCalculation {
  LatticeGeometry fine;   // what the map will cover, with counts that APBS takes
  Vec3<double> coarse_A;  // lengths of the coarse grid, around the same centre
  double ionic_strength_M = 0.15;
  double temperature_K = room_temperature_K;
  double solvent_dielectric = water_dielectric, solute_dielectric = 4.0;
  /// KEY=VALUE in place of a line above or beside them, or KEY alone (npbe).
  std::vector<std::string> options;
};

/// The smallest count of points that APBS's multigrid solver takes (32 c + 1) and that is not below `points`.
std::int64_t apbs_count(std::int64_t points);

/// The lattice over `box` with spacings of at most `largest_spacing_A` and counts that APBS takes, and a
/// coarse one: 20 A longer on every side, and at least 1.7 times as long as the solute, as APBS's own set-up
/// script has it. That script's grid alone ends so near to a small solute that ions go to the faces, where
/// the potential is a guess.
ApbsCalculation apbs_calculation(const Box& box, const Box& solute, double largest_spacing_A);

/// Throws UsageError for an option that would break the run: an empty key, or one that says where the files
/// are.
void check_apbs_option(const std::string& option);

/// What options say of the solution that ions must know as well.
struct SolutionOptions {
  std::optional<double> ionic_strength_M;  // of the ion= lines: half the sum of charge^2 concentration
  std::optional<double> dielectric;        // sdie
};

/// Throws UsageError for a line ion= without charge and concentration.
SolutionOptions solution_of(const std::vector<std::string>& options);

/// `fine` with what options say of it: dime, fglen and a numerical fgcent. A dime that APBS would round is
/// taken as the next larger count.
LatticeGeometry with_grid_options(LatticeGeometry fine, const std::vector<std::string>& options);

/// The input file: reads `pqr`, writes the potential to `stem`.dxbin.
std::string apbs_input(const ApbsCalculation& calculation, const std::string& pqr, const std::string& stem);

/// Atoms as a PQR of words, which APBS reads whatever the width of a number. Throws Error for a radius that
/// is negative or not finite, and when all are zero.
std::string apbs_pqr(std::span<const Atom> atoms);

/// Bytes that APBS takes for a calculation: measured with 3.4.1, 477 for each point.
std::int64_t apbs_bytes(const LatticeGeometry& lattice);

/// Seconds that a solve takes on two cores: measured with 3.4.1, 13.7 s for 129 x 129 x 161 points.
double apbs_seconds(const LatticeGeometry& lattice);

}  // namespace ionwell
