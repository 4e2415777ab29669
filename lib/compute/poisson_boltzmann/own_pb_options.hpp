// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compute/lattice_request.hpp"
#include "compute/poisson_boltzmann/published_lattice.hpp"
#include "electrostatics/pair_potential.hpp"
#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"

namespace ionwell {

/// The equation of a solute and where it is solved: first on an outer lattice, twice as coarse or of 2 A, and
/// longer by 20 A on every side or more, whose solution is the boundary of the lattice that ions are placed
/// on. At 0.15 M that is 2.5 Debye lengths farther; on the inner lattice's own boundary a formula would be a
/// guess.
struct OwnPbCalculation {
  LatticeGeometry lattice, outer;
  PbModelOptions model;  // its boundary is the outer lattice's
  PbSolverOptions solver;
  std::vector<std::string> notes;  // of words that change nothing, ready to show
};

/// By words KEY=VALUE as APBS's input has them: those of the model (with_apbs_words), dime, fglen, fgcent,
/// cglen, lpbe, npbe and etol. Throws UsageError that names the word for any other, and for an invalid value.
/// The defaults are those of PbModelOptions, with a 1:1 salt of that ionic strength, and a lattice of 1 A
/// with a border of 8 A.
OwnPbCalculation own_pb_calculation(const Structure& structure, const LatticeRequest& request,
                                    const ElectrostaticsOptions& solution,
                                    const std::vector<std::string>& words);

/// Throws UsageError for words that the above refuses.
void check_own_pb_words(const std::vector<std::string>& words);

}  // namespace ionwell
