// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "structures/coordinates.hpp"
#include "structures/frame_reader.hpp"

namespace ionwell {

/// One file of a trajectory.
struct TrajectoryPart {
  std::string path;  // as messages call it
  std::int64_t frames = 0;
};

/// Files of coordinates one after the other, read frame by frame: DCD, XTC, TRR, AMBER NetCDF, .gro and .g96
/// with several frames, PDB with several models, and any format of one frame. Memory does not grow with the
/// frames: files are mapped, and what was read is given back; but a file that is gzipped or a pipe is
/// unpacked as a whole, and so is NetCDF-4 by its library. One thread at a time, and libnetcdf and HDF5 may
/// have been built without locks: none that uses them beside it.
class Trajectory {
 public:
  /// Opens all of them and counts their frames. Throws UsageError for a file of another kind, and Error as
  /// the readers do.
  explicit Trajectory(const std::vector<std::string>& paths);
  ~Trajectory();
  Trajectory(const Trajectory&) = delete;
  Trajectory& operator=(const Trajectory&) = delete;

  std::int64_t frames() const { return frames_; }

  /// The files in their order.
  const std::vector<TrajectoryPart>& parts() const { return parts_; }

  /// Of opening them, ready to show.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// "md.dcd, frame 12": where frame `index`, from 0 over all files, is.
  std::string place_of(std::int64_t index) const;

  /// The file that has frame `index`.
  const std::string& path_of(std::int64_t index) const { return parts_[find(index).part].path; }

  /// Frame `index`, from 0 over all files, in the memory of `room`, a frame that is done with, where that can
  /// be used. Throws Error for one that is damaged.
  Coordinates read(std::int64_t index, Coordinates&& room = {}) const;

 private:
  class File;

  struct Place {
    std::size_t part;
    std::int64_t frame;  // of that part, from 0
  };
  Place find(std::int64_t index) const;

  std::vector<std::unique_ptr<File>> files_;
  std::vector<TrajectoryPart> parts_;
  std::vector<std::string> warnings_;
  std::int64_t frames_ = 0;
};

}  // namespace ionwell
