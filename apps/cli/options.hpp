// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "compute/backend.hpp"
#include "compute/lattice_request.hpp"
#include "electrostatics/pair_potential.hpp"
#include "maps/map_unit.hpp"
#include "placement/field_options.hpp"
#include "potential/request/source_options.hpp"

/// The option groups that several commands share, what they mean, and the checks that need no file.
namespace ionwell {

/// The method as the command line describes it: an msm key of --tune asks for multilevel summation.
struct MethodArguments {
  Method method = Method::automatic;
  std::optional<double> cutoff_A, spacing_A;
  std::optional<MultilevelBasis> basis;
  std::optional<double> accuracy;  // in place of all these
};

/// Where to compute, as the command line describes it.
struct BackendArguments {
  Backend backend = Backend::automatic;
  std::optional<std::string> devices;  // "0,1"
  std::optional<double> memory_GB;     // of each GPU
};

/// "map file: .dx ...", for the help of options that name an output map.
extern const std::string map_endings;

/// How a run tells what it did.
struct RunArguments {
  std::optional<std::string> report;
  bool quiet = false;
};

/// What a command computes, for the help of options that leave it the same.
enum class Computed { ions, samples, values };

/// What a lattice is for, on which its usual spacing and border depend.
enum class LatticeOf { sums, sums_and_solutions };

void add_lattice_options(OptionGroup& group, LatticeRequest& lattice, LatticeOf what);
void add_electrostatics_options(OptionGroup& group, ElectrostaticsOptions& electrostatics);
void add_method_options(OptionGroup& group, OptionGroup& tuning, MethodArguments& method, Computed what);
void add_computing_options(OptionGroup& group, OptionGroup& tuning, FieldOptions& field);
void add_backend_options(OptionGroup& group, OptionGroup& tuning, BackendArguments& backend, Computed what);
void add_map_unit_option(OptionGroup& group, std::optional<MapUnit>& unit, const std::string& text);
/// --to-unit, of a map that is written.
void add_to_unit_option(OptionGroup& group, MapUnit& unit);
void add_to_unit_option(OptionGroup& group, std::optional<MapUnit>& unit);

/// --threads.
void add_threads_option(OptionGroup& group, int& threads);

void add_run_options(OptionGroup& group, RunArguments& run);

/// The threads to use when --threads is `asked`: no more than there are cores. Throws UsageError for a
/// negative number.
int usable_threads(int asked);

/// An msm key of --tune asks for multilevel summation.
SummationOptions summation_options(const MethodArguments& arguments);

/// Throws UsageError for device numbers that are none, and for memory that is none.
BackendOptions backend_options(const BackendArguments& arguments);

}  // namespace ionwell
