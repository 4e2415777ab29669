// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/periodic_cell.hpp"
#include "jobs/average/molecule_links.hpp"
#include "jobs/average/trajectory_input.hpp"
#include "solvation/ions/box_options.hpp"

namespace ionwell {

/// What is done with a frame before it is summed.
struct FrameOptions {
  std::string fit;  // selection whose atoms are brought onto those of the reference; empty: frames stay
  std::optional<std::string> reference;  // file with the same atoms; not given: the first frame
  bool keeps_images = false;             // atoms stay in the periodic images that the trajectory has them in
  bool skips_bad = false;                // goes on without frames that cannot be read, or not be fitted
};

/// A frame ready to be summed, or why it is not.
struct PreparedFrame {
  std::int64_t number = 0;           // among the chosen frames, from 0
  std::vector<PointCharge> charges;  // of the sources, but for those that are zero
  Box box;                           // of the sources
  std::optional<CellVectors> cell;   // turned with them
  double rmsd_A = 0.0;               // that the fit left
  bool was_made_whole = false;       // molecules lay across the boundary of the cell
  std::string problem;               // when it is bad: nothing else is filled in then
};

/// A frame as it was read, or why it could not be.
struct RawFrame {
  std::int64_t number = 0;  // among the chosen frames, from 0
  Coordinates coordinates;
  std::string problem;
};

/// Arrays that are done with, for frames to come: of a million atoms fresh memory takes longer than what is
/// done with it.
template <typename T>
class SpareArrays {
 public:
  std::vector<T> take() {
    const std::lock_guard lock(mutex_);
    if (arrays_.empty()) return {};
    std::vector<T> array = std::move(arrays_.back());
    arrays_.pop_back();
    return array;
  }
  void give(std::vector<T>&& array) {
    constexpr std::size_t most = 16;  // as many as frames may be under way
    const std::lock_guard lock(mutex_);
    if (arrays_.size() < most) arrays_.push_back(std::move(array));
  }

 private:
  std::mutex mutex_;
  std::vector<std::vector<T>> arrays_;
};

/// Reads frames, puts molecules together that a periodic boundary has cut, and fits them. `input` must
/// outlive it.
class FramePreparation {
 public:
  /// With periodic boundaries a frame without a cell is a bad one, and molecules are put together for the fit
  /// alone. Throws UsageError for a selection that selects nothing or less than a fit takes; Error for a
  /// reference of other atoms.
  FramePreparation(const TrajectoryInput& input, const FrameOptions& options, Boundary boundary);

  std::int64_t frames() const { return input_.frames.count; }

  /// Frame `number` of the chosen ones, from 0; one thread at a time. Throws Error for a bad one unless those
  /// are to be skipped, and so does `prepare`.
  RawFrame read(std::int64_t number) const;

  /// What is left to do, also on several threads at a time.
  PreparedFrame prepare(RawFrame&& frame) const;
  PreparedFrame prepare(std::int64_t number) const { return prepare(read(number)); }

  /// The memory of a frame that is done with, for those to come.
  void take_back(PreparedFrame&& frame) const { spare_charges_.give(std::move(frame.charges)); }

  /// The sources where they are in the first frame.
  const Structure& structure() const { return structure_; }

  std::int64_t fitted_atoms() const { return std::ssize(fit_atoms_); }

  /// A text that differs where atoms, their positions in the reference, the first or the last frame, or the
  /// first frame's cell do.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  struct Placed {
    std::vector<Vec3<double>> positions_A;  // of the tracked atoms
    std::optional<CellVectors> cell;
    double rmsd_A = 0.0;
    bool was_made_whole = false;
  };

  Placed place(Coordinates& frame) const;
  /// Why a frame is bad; throws where bad ones are not to be skipped.
  std::string problem_of(const Error& error) const;
  void take_reference(const Coordinates& first);
  std::string fingerprint_of(const TrajectoryInput& input, std::span<const Atom> tracked_atoms) const;

  const TrajectoryInput& input_;
  FrameOptions options_;
  Boundary boundary_;
  std::vector<std::uint32_t> tracked_;    // atoms of the files: the sources, and those to be fitted
  std::vector<std::uint32_t> sources_;    // which of the tracked
  std::vector<std::uint32_t> fit_atoms_;  // likewise
  std::vector<Vec3<double>> reference_A_;
  std::optional<MoleculeLinks> links_;
  Structure structure_;
  std::string fingerprint_;
  mutable SpareArrays<Vec3<double>> spare_positions_;
  mutable SpareArrays<PointCharge> spare_charges_;
};

}  // namespace ionwell
