// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/sums/map_sums.hpp"
#include "lattice/frame_maps.hpp"

namespace ionwell {

/// How much the mean changed when the number of frames doubled.
struct MeanChange {
  std::int64_t frames = 0;  // of the later mean
  double rms_kT_e = 0.0;    // over the points that were asked for
};

/// Mean, standard deviation and standard error of a map over frames, in fp64, point by point in the order of
/// the frames: the same bits for any number of threads. Eight bytes for each point and sum: one for the mean,
/// one more for the deviation, three for the error; and four for the mean of before.
///
/// The error of the mean is that of equal blocks of frames in their order (Flyvbjerg and Petersen, J. Chem.
/// Phys. 91:461, 1989): sqrt(sum_b (m_b - m)^2 / (B (B - 1))) of the means m_b of B blocks and their mean m.
/// It holds when a block is far longer than the time over which frames resemble each other.
///
/// The sums may be a device's, which then makes the maps as well, or those of ranks; they come to this
/// process's memory when they are requested.
class MapStatistics {
 public:
  MapStatistics(std::size_t points, const StatisticsKinds& kinds, int threads);

  /// The sums go to a device, which has none yet.
  void keep_on(std::unique_ptr<FrameMaps> device);
  bool is_on_device() const { return device_ != nullptr; }

  /// Of the device: charges of one more frame, and the map of those of some `frames`; see FrameMaps.
  void take(std::span<const PointCharge> charges, const Box& box) { device_->take(charges, box); }
  void add_taken(std::int64_t frames);

  /// The sums go to `ranks`, which add maps to them, end blocks and compare means when they are told: then
  /// add, end_block and note_mean are not to be called, but those that only count. It must stay until leave.
  void keep_with(KeptSums& ranks);
  void count_added(std::int64_t frames);
  void count_block();
  void count_change(const FrameMaps::SquaredDifference& change);

  /// Brings the sums up to date in this process's memory, for the functions below `changes`; the mean of
  /// before only where the sums are to be saved. Nothing where they are there.
  enum class Purpose { maps, state };
  void fetch(Purpose purpose);

  /// fetch, and memory elsewhere is no longer needed; returns what a device did.
  std::optional<DeviceUse> leave(Purpose purpose);

  /// Takes in the sum of the maps of some frames; of one alone where the deviation is kept. O(points).
  void add(std::span<const float> sums, std::int64_t frames);

  /// The frames since the last block are one; nothing when there are none.
  void end_block();

  /// Compares the mean with that of the last call: at the points whose bit is set, or at all when `points` is
  /// empty. Call it at powers of two.
  void note_mean(std::span<const std::uint8_t> points);

  std::int64_t frames() const { return frames_; }
  std::int64_t blocks() const { return blocks_; }
  const std::vector<MeanChange>& changes() const { return changes_; }

  /// Each times `scale`. Of the deviation at least two frames must be in, of the error two blocks.
  void mean(std::span<float> values, double scale) const;
  void deviation(std::span<float> values, double scale) const;
  void error(std::span<float> values, double scale) const;

  /// An array of the sums, to be saved and taken up again.
  struct Array {
    FrameSum which;
    std::string name;
    std::span<double> values;
  };
  std::vector<Array> arrays();

  /// What there is besides them.
  struct Counts {
    std::int64_t frames = 0, blocks = 0, frames_of_block = 0;
    std::vector<MeanChange> changes;
    bool has_mean_before = false;
  };
  Counts counts() const;

  /// Takes up what was saved, once `arrays` were filled.
  void restore(const Counts& counts);

  /// Bytes that `points` take.
  static std::int64_t bytes(std::int64_t points, const StatisticsKinds& kinds);

 private:
  MapSums& here();
  void keep_at(KeptSums& elsewhere);
  template <typename Value>
  void write(std::span<float> values, const Value& value) const;

  std::size_t points_;
  StatisticsKinds kinds_;
  int threads_;
  std::optional<MapSums> here_;  // when they are needed
  std::int64_t frames_ = 0, blocks_ = 0, frames_of_block_ = 0;
  bool has_mean_before_ = false;
  std::vector<MeanChange> changes_;
  std::unique_ptr<FrameMaps> device_;
  KeptSums* elsewhere_ = nullptr;  // device or ranks
};

}  // namespace ionwell
