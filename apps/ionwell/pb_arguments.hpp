// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "potential/request/source_options.hpp"

/// Options of a solver of the Poisson-Boltzmann equation.
namespace ionwell {

struct PbArguments {
  std::optional<PbSolvedBy> solver;
  PbOptions pb;                    // but for the solver and the radii
  std::vector<std::string> radii;  // NAME:R

  bool given() const { return solver.has_value(); }
};

/// Solvers that a command knows: APBS is run for ions that are placed.
enum class PbSolvers { own, own_and_apbs };

/// --pb; `none`: what is done instead.
void add_solver_option(OptionGroup& group, std::optional<PbSolvedBy>& solver, PbSolvers known,
                       const std::string& none = "it is not solved");

void add_pb_options(OptionGroup& group, OptionGroup& tuning, PbArguments& arguments);

/// Those of a potential that no ions are placed in.
void add_solute_pb_options(OptionGroup& group, PbArguments& arguments);

/// Throws UsageError for values out of range.
void validate(const PbArguments& arguments);

/// With the solver and the radii. Throws UsageError for a radius that is none.
PbOptions pb_options(const PbArguments& arguments);

}  // namespace ionwell
