#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "run/ion_update.hpp"
#include "run/source_options.hpp"

/// Options of a potential that another program computes: maps to place in, or a solver to run.
namespace ionwell {

struct MapArguments {
  MapFiles files;
  IonUpdate update;

  bool solved = false;  // the maps are those of a solver that this run starts

  bool given() const { return solved || !files.paths.empty(); }
};

void add_map_options(OptionGroup& group, MapArguments& map);

/// Throws UsageError for options that do not go with a map, or only with one.
void validate(const MapArguments& map, const ElectrostaticsOptions& electrostatics,
              const MethodArguments& method);

enum class PbSolver { none, apbs };

struct PbArguments {
  PbSolver solver = PbSolver::none;
  PbOptions pb;                    // but for the radii
  std::vector<std::string> radii;  // NAME:R

  bool given() const { return solver != PbSolver::none; }
};

void add_pb_options(OptionGroup& group, PbArguments& arguments);

/// Throws UsageError for values out of range, and for options given without --pb.
void validate(const PbArguments& arguments);

/// With the radii. Throws UsageError for one that is none.
PbOptions pb_options(const PbArguments& arguments);

}  // namespace ionwell
