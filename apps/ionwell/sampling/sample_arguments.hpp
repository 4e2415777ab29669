// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "ionwell/pb_arguments.hpp"
#include "ionwell/potential_options.hpp"
#include "ionwell/running/checkpoint_arguments.hpp"
#include "ionwell/structure_input.hpp"
#include "jobs/sample/sampling_run.hpp"
#include "output/system_output.hpp"

/// What sample takes.
namespace ionwell {

struct SampleArguments {
  StructureArguments structure;
  SystemOutput output;
  std::vector<std::string> ions, salts, radii, diffusions, around;
  std::string start = "greedy";
  std::optional<std::int64_t> sweeps, steps, every;
  std::optional<double> time_step_ps;
  std::int64_t equilibration = usual_equilibration, seed = 1, bulk_sweeps = BulkOptions{}.sweeps;
  SampleMethod method = SampleMethod::monte_carlo;
  Repulsion repulsion = Repulsion::soft;
  int replicas = SampleOptions{}.replicas, blocks = SampleOptions{}.blocks;
  SampleBoundary boundary = SampleBoundary::open;
  std::optional<CellParameters> cell;
  ForceInterpolation interpolation = ForceInterpolation::trilinear;
  std::string within = "3,5,10";
  std::optional<std::string> rdf, density, occupancy;
  double rdf_reach_A = ObservableOptions{}.radial_reach_A, rdf_step_A = ObservableOptions{}.radial_step_A;
  std::optional<double> density_spacing_A;
  ElectrostaticsOptions electrostatics;
  LatticeRequest lattice;
  ImportedMapArguments map;
  PbArguments pb;
  MethodArguments summation;
  FieldOptions field;
  BackendArguments backend;
  RunArguments run;
  CheckpointArguments checkpoint;

  /// All that is read.
  std::vector<std::string> inputs() const;

  bool starts_from_file() const { return start != "greedy" && start != "random"; }
};

/// Those whose names do not depend on the ions.
std::vector<RequestedOutput> outputs_of_sample(const SampleArguments& arguments);

/// False when help was requested, and printed. Throws UsageError.
bool parse(const std::vector<std::string>& words, SampleArguments& arguments, std::ostream& out);

/// Everything that can be refused before a file is read.
void validate(const SampleArguments& arguments);

/// The job, but for what is asked while it runs.
SamplingJob sampling_job(const SampleArguments& arguments, const Structure& structure,
                         const std::string& command);

}  // namespace ionwell
