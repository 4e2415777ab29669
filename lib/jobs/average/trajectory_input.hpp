// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "input/read_input.hpp"
#include "structures/formats/trajectory.hpp"

namespace ionwell {

/// Which frames of a trajectory, counted from 1 over all of its files, as a user asks for them.
struct FrameRange {
  std::int64_t first = 1, last = -1;  // -1 is the last of all, -2 the one before it
  std::int64_t every = 1;
};

/// The same as indices: first, first + every ... `count` of them.
struct ChosenFrames {
  std::int64_t first = 0, every = 1, count = 0;

  std::int64_t index(std::int64_t n) const { return first + n * every; }
};

/// Throws UsageError for frames that are not among `frames`, and for steps below 1.
ChosenFrames chosen_frames(const FrameRange& range, std::int64_t frames);

/// A topology and what happens to it.
struct TrajectoryInput {
  std::unique_ptr<Trajectory> trajectory;
  ChosenFrames frames;
  Coordinates first;         // the first of the frames that can be read
  Input input;               // as it is in that frame
  std::string bad_at_start;  // what is wrong with frames before it, which may be passed over; usually empty
};

/// Sorts the files of a command line into the topology (or a structure with charges, which then comes first),
/// a cell (.xsc) and the trajectory, in their order; opens them, and reads the topology as read_input does.
/// With `passes_over_bad` frames with impossible positions may come first. Throws UsageError and Error as the
/// readers do, and for pipes, since files are looked at more than once.
TrajectoryInput read_trajectory_input(const std::vector<std::string>& paths, const InputOptions& options,
                                      const FrameRange& range, bool passes_over_bad);

}  // namespace ionwell
