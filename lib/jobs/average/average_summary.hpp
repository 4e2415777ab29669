// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jobs/average/map_statistics.hpp"
#include "solvation/ions/box_options.hpp"
#include "structures/formats/trajectory.hpp"

namespace ionwell {

/// What there is to tell of the frames that are in an average, as far as it has come.
struct FrameTallies {
  std::int64_t next = 0;  // number of the frame to go on with, among the chosen ones
  std::int64_t bad = 0;   // that were passed over
  std::string first_bad;  // what was wrong with the first of them
  double lowest_rmsd_A = 0.0, highest_rmsd_A = 0.0, rmsd_sum_A = 0.0;  // that fits left
  std::int64_t highest_rmsd_frame = 0;                                 // from 1 over all files
  std::int64_t made_whole = 0;      // frames with molecules across the boundary of their cell
  std::int64_t beyond_lattice = 0;  // frames with a source outside of the lattice, by more than a spacing
  double farthest_beyond_A = 0.0;
};

/// The average over a trajectory that a result has.
struct AverageSummary {
  std::vector<TrajectoryPart> files;
  std::int64_t first = 1, every = 1, chosen = 0;  // the first frame, from 1 over all files
  std::int64_t frames = 0;                        // that are in the mean
  std::int64_t frames_at_once = 1;                // whose charges are summed together
  FrameTallies tallies;
  std::string fit;  // selection; empty: frames stay
  std::int64_t fitted_atoms = 0;
  std::optional<std::string> reference;  // file; not given: the first frame
  Boundary boundary = Boundary::open;
  StatisticsKinds kinds;
  std::int64_t blocks = 0, blocks_asked = 0;  // done, and in all
  std::vector<MeanChange> changes;            // of the mean, at powers of two
  double watched_beyond_A = 0.0;  // changes are of points so far from every source of the first frame; 0: all
  std::int64_t resumed_frames = 0;  // that were taken from a saved state
  double seconds = 0.0;             // of this run's frames
  bool is_interrupted = false;
};

}  // namespace ionwell
