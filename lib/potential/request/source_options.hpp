// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "compute/ion_update.hpp"
#include "compute/summation_options.hpp"
#include "maps/map_interpolation.hpp"
#include "maps/map_unit.hpp"
#include "placement/crystal_sites/site_model.hpp"
#include "programs/apbs_options.hpp"

/// Where the potential of a solute comes from, as a job names it.
namespace ionwell {

/// Maps of the solute's potential that another program made.
struct MapFiles {
  std::vector<std::string> paths;                 // where several reach, the finest one wins
  std::optional<MapUnit> unit;                    // of maps that do not say theirs, as the user says
  std::optional<MapUnit> usual_unit;              // of maps that do not say theirs, where the user does not
  std::optional<MapInterpolation> interpolation;  // not given: trilinear
};

/// Who solves the Poisson-Boltzmann equation: ionwell itself, or APBS.
enum class PbSolvedBy { own, apbs };

/// "own", "apbs": as the command line and the report call it.
constexpr std::string_view to_string(PbSolvedBy solver) {
  return solver == PbSolvedBy::own ? "own" : "apbs";
}

/// Solutions of the Poisson-Boltzmann equation, again after every few ions.
struct PbOptions {
  PbSolvedBy solved_by = PbSolvedBy::own;
  int every = 5;  // ions that share a solution: the published hybrid; 1 is the iterated protocol
  std::vector<std::string> options;  // KEY=VALUE lines as of APBS's input: ApbsCalculation, OwnPbCalculation
  std::vector<std::pair<std::string, double>> radius_A;  // by the ion's name, in place of Shannon's
  bool solvation_energy = false;                         // by the own solver, which solves again for it
  ApbsOptions apbs;                                      // for APBS
};

/// A model of where crystals show ions.
struct SiteOptions {
  SiteModel model = magnesium_site_model();
  std::string path;  // of the file it came from; empty: built in
  Method method = Method::automatic;
  /// Stop before an ion whose calibrated probability of a site within 3 A is lower; the number of ions is
  /// then the most there can be. Not given: that number is placed.
  std::optional<double> least_probability{};
};

using SourceOptions = std::variant<SummationOptions, MapFiles, PbOptions, SiteOptions>;

}  // namespace ionwell
