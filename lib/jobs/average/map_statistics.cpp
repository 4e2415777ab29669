// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/map_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// Of parts of the points, in their order.
FrameMaps::SquaredDifference sum_of(std::span<const FrameMaps::SquaredDifference> parts) {
  FrameMaps::SquaredDifference sum;
  for (const FrameMaps::SquaredDifference& part : parts) {
    sum.sum += part.sum;
    sum.points += part.points;
  }
  return sum;
}

/// The spread of n values of this sum and sum of squares, over n - 1.
double sample_variance(double sum, double squares, double n) {
  return std::max(0.0, (squares - sum * sum / n) / (n - 1.0));
}

}  // namespace

MapStatistics::MapStatistics(std::size_t points, const StatisticsKinds& kinds, int threads)
    : points_(points), kinds_(kinds), threads_(threads) {}

std::int64_t MapStatistics::bytes(std::int64_t points, const StatisticsKinds& kinds) {
  return points * std::int64_t{sizeof(double)} * (2 + kinds.deviation + 3 * kinds.error);
}

MapSums& MapStatistics::here() {
  if (!here_) here_.emplace(points_, kinds_, threads_);
  return *here_;
}

void MapStatistics::add(std::span<const float> sums, std::int64_t frames) {
  here().add(sums);
  count_added(frames);
}

void MapStatistics::keep_at(KeptSums& elsewhere) {
  if (frames_ > 0)
    for (const Array& array : arrays()) elsewhere.copy_from(array.which, array.values);
  here_.reset();
  elsewhere_ = &elsewhere;
}

void MapStatistics::keep_on(std::unique_ptr<FrameMaps> device) {
  keep_at(*device);
  device_ = std::move(device);
}

void MapStatistics::keep_with(KeptSums& ranks) {
  keep_at(ranks);
}

void MapStatistics::add_taken(std::int64_t frames) {
  device_->add_map();
  count_added(frames);
}

void MapStatistics::count_added(std::int64_t frames) {
  frames_ += frames;
  frames_of_block_ += frames;
}

void MapStatistics::fetch(Purpose purpose) {
  if (elsewhere_ == nullptr) {
    here();
    return;
  }
  const bool for_state = purpose == Purpose::state;
  if (!here_ || (for_state && here_->values(FrameSum::mean_before).empty()))
    here_ = MapSums::room(points_, kinds_, threads_,
                          for_state ? MapSums::MeanBefore::kept : MapSums::MeanBefore::left_out);
  for (const Array& array : arrays())
    if (array.which != FrameSum::mean_before || for_state) elsewhere_->copy_to(array.which, array.values);
}

std::optional<DeviceUse> MapStatistics::leave(Purpose purpose) {
  fetch(purpose);
  elsewhere_ = nullptr;
  if (!device_) return {};
  const DeviceUse use = device_->use();
  device_.reset();
  return use;
}

void MapStatistics::end_block() {
  if (frames_of_block_ == 0) return;
  if (kinds_.error && device_)
    device_->end_block(frames_of_block_);
  else if (kinds_.error)
    here().end_block(frames_of_block_);
  count_block();
}

void MapStatistics::count_block() {
  ++blocks_;
  frames_of_block_ = 0;
}

void MapStatistics::note_mean(std::span<const std::uint8_t> points) {
  count_change(device_ ? device_->note_mean(frames_, points) : sum_of(here().note_mean(frames_, points)));
}

void MapStatistics::count_change(const FrameMaps::SquaredDifference& change) {
  if (has_mean_before_ && change.points > 0)
    changes_.push_back({frames_, std::sqrt(change.sum / double(change.points))});
  has_mean_before_ = true;
}

template <typename Value>
void MapStatistics::write(std::span<float> values, const Value& value) const {
  parallel_for({threads_}, std::int64_t(points_),
               [&](std::int64_t p) { values[std::size_t(p)] = float(value(std::size_t(p))); });
}

void MapStatistics::mean(std::span<float> values, double scale) const {
  const std::span<const double> sum = here_.value().values(FrameSum::sum);
  write(values, [&](std::size_t p) { return scale * (sum[p] / double(frames_)); });
}

void MapStatistics::deviation(std::span<float> values, double scale) const {
  const std::span<const double> sum = here_.value().values(FrameSum::sum),
                                squares = here_.value().values(FrameSum::squares);
  write(values, [&](std::size_t p) {
    return scale * std::sqrt(sample_variance(sum[p], squares[p], double(frames_)));
  });
}

void MapStatistics::error(std::span<float> values, double scale) const {
  const std::span<const double> means = here_.value().values(FrameSum::block_means),
                                squares = here_.value().values(FrameSum::block_squares);
  const double count = double(blocks_);
  write(values, [&](std::size_t p) {
    return scale * std::sqrt(sample_variance(means[p], squares[p], count) / count);
  });
}

std::vector<MapStatistics::Array> MapStatistics::arrays() {
  constexpr std::array names{"sum", "squares", "block_sum", "block_means", "block_squares", "mean_before"};
  static_assert(names.size() == frame_sums);
  std::vector<Array> all;
  for (int n = 0; n < frame_sums; ++n)
    if (const std::span<double> values = here().values(FrameSum(n)); !values.empty())
      all.push_back({FrameSum(n), names[std::size_t(n)], values});
  return all;
}

MapStatistics::Counts MapStatistics::counts() const {
  return {frames_, blocks_, frames_of_block_, changes_, has_mean_before_};
}

void MapStatistics::restore(const Counts& counts) {
  frames_ = counts.frames;
  blocks_ = counts.blocks;
  frames_of_block_ = counts.frames_of_block;
  changes_ = counts.changes;
  has_mean_before_ = counts.has_mean_before;
}

}  // namespace ionwell
