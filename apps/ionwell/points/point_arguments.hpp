// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "ionwell/pb_arguments.hpp"
#include "ionwell/running/checkpoint_arguments.hpp"
#include "ionwell/structure_input.hpp"
#include "jobs/at_points/potential_at_points.hpp"
#include "meshes/surface/molecular_surface.hpp"

/// What potential takes.
namespace ionwell {

struct PointArguments {
  StructureArguments structure;
  std::optional<std::string> at;
  std::optional<SurfaceKind> surface_kind;
  std::optional<double> probe_A;
  SurfaceOptions surface;  // complete once validated
  std::string output;
  std::optional<double> colour_limit_kT_e;
  ElectrostaticsOptions electrostatics;
  bool alpb = false;
  std::optional<double> solute_dielectric;
  MapFiles maps;
  PbArguments pb;
  LatticeRequest lattice;
  PointSumOptions sum;
  std::optional<std::string> thresholds;
  std::optional<int> lump_charges;
  FieldOptions field;
  BackendArguments backend;
  RunArguments run;
  CheckpointArguments checkpoint;

  /// All that is read.
  std::vector<std::string> inputs() const;
  std::vector<RequestedOutput> outputs() const {
    return {{"-o", output}, {"--report", run.report}, requested_checkpoint(checkpoint)};
  }

  PointModel model() const;
};

/// False when help was requested, and printed. Throws UsageError.
bool parse(const std::vector<std::string>& words, PointArguments& arguments, std::ostream& out);

/// Everything that can be refused before a file is read; completes the options of the sum.
void validate(PointArguments& arguments);

}  // namespace ionwell
