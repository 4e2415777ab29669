// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "structures/coordinates.hpp"

namespace ionwell {

/// The frames of a trajectory whose bytes are in memory or mapped there. What was found when it was opened is
/// kept, so that a frame costs no more than to decode it. It refers to the bytes and the path that it was
/// opened with. One thread at a time.
class FrameReader {
 public:
  virtual ~FrameReader() = default;

  /// Whole frames that the file really holds; at least one.
  virtual std::int64_t frames() const = 0;

  /// Frame `index`, from 0 to frames() - 1. Its own `frames` and `warnings` are not filled in. Throws Error,
  /// with the frame's number from 1, for a frame that is damaged, and for positions that no atom can have.
  virtual Coordinates read(std::int64_t index) const = 0;

  /// The same, in the memory of a frame that is done with where the reader can use it: of a million atoms
  /// fresh memory takes longer than to read them.
  virtual Coordinates read_into(Coordinates&& /*room*/, std::int64_t index) const { return read(index); }

  /// What had to be decided when the file was opened, ready to show.
  virtual std::vector<std::string> warnings() const { return {}; }
};

}  // namespace ionwell
