// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "compute/lattice_request.hpp"
#include "compute/run_record.hpp"
#include "compute/stages.hpp"
#include "jobs/average/average_summary.hpp"
#include "jobs/average/lattice_frames.hpp"
#include "jobs/average/map_statistics.hpp"
#include "jobs/average/prepared_frames.hpp"
#include "potential/request/potential_record.hpp"
#include "potential/request/source_options.hpp"

namespace ionwell {

struct AverageResult;

/// The potential of a trajectory's sources, averaged over its frames. All but the trajectory has a default.
struct AverageJob {
  const TrajectoryInput& input;  // must outlive the result
  FrameOptions frames;
  LatticeFrames lattice_from = LatticeFrames::first;
  Boundary boundary = Boundary::open;
  std::optional<double> ewald_factor_per_A;  // PeriodicSumOptions::smooth_per_A, with periodic boundaries
  SummationOptions summation;                // with open boundaries
  ElectrostaticsOptions electrostatics;
  LatticeRequest lattice;
  BackendOptions backend;
  FieldOptions field{.every_point = true};
  StatisticsKinds statistics;
  std::int64_t blocks = 10;           // of the standard error
  std::optional<std::string> state;   // file to go on from, if it is there
  std::function<bool()> should_stop;  // asked often; the frames done by then make the result
  /// Called now and then with what there is so far, to be saved: a run may end without a warning. No frame is
  /// read meanwhile.
  std::function<void(AverageResult&)> save;
  double save_every_s = 600.0;
  std::function<bool()> should_save;   // asked between sums, whether to save at once
  std::string command;                 // what reports and maps call the run
  std::vector<std::string> map_names;  // for warnings of their formats
  std::vector<std::string> warnings;   // to be told and kept with those of the run
};

/// Sums over the frames, and what there is to tell of them.
struct AverageResult {
  std::unique_ptr<const FramePreparation> preparation;  // has the structure of the result
  RunRecord run;
  PotentialRecord potential;  // of each frame
  AverageSummary summary;
  MapStatistics statistics;
  std::vector<std::pair<std::string, std::string>> identity;  // for a state to be saved
};

/// Reads the frames on threads of its own while those before them are summed, and takes what the cost model
/// chooses of `backends`: with open boundaries a device that makes the maps keeps their sums as well, if it
/// has the memory. Without the deviation the charges of up to 64 frames are summed together, which is as
/// exact and takes what depends on the lattice alone once. Sums are of fp64 in the order of the frames: on
/// the CPU a run that was stopped and taken up again gives the same bits. A stop before the first frames are
/// summed leaves `frames` at 0. Throws UsageError and Error for invalid jobs, bad frames unless they
/// are to be skipped, too little memory, and a state of another average.
AverageResult average(const AverageJob& job, Stages& stages, const Backends& backends = {});

/// Times and memory as they are now.
void update_costs(AverageResult& result, const Stages& stages);

}  // namespace ionwell
