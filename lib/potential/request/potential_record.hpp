// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/plan.hpp"
#include "core/lattice.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "electrostatics/pair_potential.hpp"
#include "potential/request/source_options.hpp"

namespace ionwell {

class PbArrays;

/// The potential came from files.
struct ImportedMaps {
  std::vector<std::string> paths;
  bool interpolated = false;  // the lattice is not a map's own
  bool tricubic = false;
  bool ions_act = true;  // by PotentialRecord::electrostatics
};

/// What the solves of ionwell's own solver took, together.
struct PbConvergenceSum {
  int iterations = 0;
  double residual = 0.0;  // the largest that was left, of the right side
  double seconds = 0.0;   // with the making of the equations
};

/// The potential came from a solver, again after every few ions.
struct PoissonBoltzmann {
  std::string program;  // "ionwell" for its own, or APBS as it was called
  int every = 1;        // ions that share a map
  std::int64_t solves = 0;
  double ionic_strength_M = 0.0;
  std::vector<std::string> options;
  PbSolvedBy solved_by = PbSolvedBy::own;
  std::optional<PbConvergenceSum> convergence;  // of its own solver

  /// Of the charges when they come from a medium of the solute's dielectric, without salt, into the solution:
  /// of the solute, and with the placed ions. When requested.
  std::optional<double> solvation_energy_kJ_mol, solvation_energy_with_ions_kJ_mol;

  /// What its own solver solved on the potential's lattice; null of another solver, and with ions.
  std::shared_ptr<PbArrays> equation;
};

/// What a potential on a lattice is, and how it was made.
struct PotentialRecord {
  LatticeGeometry lattice;               // without points where ions went into a box
  ElectrostaticsOptions electrostatics;  // of the charges, or of those that are added to what is not summed
  std::string method = "direct";         // or msm, map, pb, apbs, sites, periodic, periodic (smooth)
  std::optional<MultilevelOptions> multilevel;  // when the method is "msm"
  std::optional<double> accuracy;               // that charges are summed with, where one was asked for
  bool is_periodic = false;                     // with all images of the structure's cell
  std::optional<ImportedMaps> imported;         // when the method is "map", "pb" or "apbs"
  std::optional<PoissonBoltzmann> solver;       // when it is "pb" or "apbs"
};

/// What a plan says of a potential, but for where it comes from; `electrostatics` as requested.
PotentialRecord planned_potential(const Plan& plan, const ElectrostaticsOptions& electrostatics);

}  // namespace ionwell
