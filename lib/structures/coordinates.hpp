// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// What a coordinate file calls an atom, to be compared with its topology.
struct AtomLabels {
  Label name, residue;
  int residue_number = 0;
};

/// Where the atoms of a system are: what a coordinate file holds, or one frame of a trajectory.
struct Coordinates {
  std::vector<Vec3<double>> positions_A;  // in the order of the file
  std::vector<AtomLabels> labels;         // one each, or none at all where the format has no names
  std::optional<UnitCell> cell;           // of this frame
  std::int64_t frames = 1;                // that the file really holds, whatever its header says
  std::vector<std::string> warnings;      // what the reader had to decide, ready to show
};

/// One frame of a file that may hold several.
struct FrameChoice {
  std::int64_t number = 1;  // from 1; -1 is the last, -2 the one before it
};

}  // namespace ionwell
