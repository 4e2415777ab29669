#include "run/average/map_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// Of two parts of the points.
FrameMaps::SquaredDifference both(const FrameMaps::SquaredDifference& a,
                                  const FrameMaps::SquaredDifference& b) {
  return {a.sum + b.sum, a.points + b.points};
}

/// The spread of n values of this sum and sum of squares, over n - 1.
double sample_variance(double sum, double squares, double n) {
  return std::max(0.0, (squares - sum * sum / n) / (n - 1.0));
}

}  // namespace

MapStatistics::MapStatistics(std::size_t points, const StatisticsKinds& kinds, int threads)
    : points_(points),
      threads_(threads),
      kinds_(kinds),
      sum_(zeros(true)),
      squares_(zeros(kinds.deviation)),
      block_sum_(zeros(kinds.error)),
      block_means_(zeros(kinds.error)),
      block_squares_(zeros(kinds.error)),
      mean_before_(zeros(true)) {}

std::int64_t MapStatistics::bytes(std::int64_t points, const StatisticsKinds& kinds) {
  return points * std::int64_t{sizeof(double)} * (2 + kinds.deviation + 3 * kinds.error);
}

MapStatistics::Sums MapStatistics::zeros(bool is_wanted) const {
  Sums sums(is_wanted ? points_ : 0);
  parallel_ranges({threads_}, std::int64_t(sums.size()), [&](std::int64_t first, std::int64_t last) {
    std::fill(sums.data() + first, sums.data() + last, 0.0);
  });
  return sums;
}

void MapStatistics::add(std::span<const float> sums, std::int64_t frames) {
  parallel_ranges({threads_}, std::int64_t(points_), [&](std::int64_t first, std::int64_t last) {
    const float* const from = sums.data();
    double* const sum = sum_.data();
    for (std::int64_t p = first; p < last; ++p) sum[p] += double(from[p]);
    if (kinds_.deviation) {
      double* const squares = squares_.data();
      for (std::int64_t p = first; p < last; ++p) squares[p] += double(from[p]) * double(from[p]);
    }
    if (kinds_.error) {
      double* const block = block_sum_.data();
      for (std::int64_t p = first; p < last; ++p) block[p] += double(from[p]);
    }
  });
  frames_ += frames;
  frames_of_block_ += frames;
}

void MapStatistics::keep_on(std::unique_ptr<FrameMaps> device) {
  if (frames_ > 0)
    for (const Array& array : arrays()) device->copy_from(array.which, array.values);
  device_ = std::move(device);
}

void MapStatistics::add_taken(std::int64_t frames) {
  device_->add_map();
  frames_ += frames;
  frames_of_block_ += frames;
}

void MapStatistics::fetch(Purpose purpose) {
  if (!device_) return;
  for (const Array& array : arrays())
    if (array.which != FrameSum::mean_before || purpose == Purpose::state)
      device_->copy_to(array.which, array.values);
}

std::optional<DeviceUse> MapStatistics::leave_device(Purpose purpose) {
  if (!device_) return {};
  fetch(purpose);
  const DeviceUse use = device_->use();
  device_.reset();
  return use;
}

void MapStatistics::end_block() {
  if (frames_of_block_ == 0) return;
  if (kinds_.error && device_) {
    device_->end_block(frames_of_block_);
  } else if (kinds_.error) {
    const double count = double(frames_of_block_);
    parallel_for({threads_}, std::int64_t(points_), [&](std::int64_t p) {
      const double mean = block_sum_[std::size_t(p)] / count;
      block_means_[std::size_t(p)] += mean;
      block_squares_[std::size_t(p)] += mean * mean;
      block_sum_[std::size_t(p)] = 0.0;
    });
  }
  ++blocks_;
  frames_of_block_ = 0;
}

FrameMaps::SquaredDifference MapStatistics::squared_change(std::span<const std::uint8_t> points) {
  if (device_) return device_->note_mean(frames_, points);
  const double count = double(frames_);
  return parallel_reduce(
      threads_, std::int64_t(points_), FrameMaps::SquaredDifference{},
      [&](std::int64_t first, std::int64_t last) {
        FrameMaps::SquaredDifference part;
        for (auto p = std::size_t(first); p < std::size_t(last); ++p) {
          const double mean = sum_[p] / count, difference = mean - mean_before_[p];
          mean_before_[p] = mean;
          if (!points.empty() && points[p] == 0) continue;
          part.sum += difference * difference;
          ++part.points;
        }
        return part;
      },
      both);
}

void MapStatistics::note_mean(std::span<const std::uint8_t> points) {
  const FrameMaps::SquaredDifference change = squared_change(points);
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
  write(values, [&](std::size_t p) { return scale * (sum_[p] / double(frames_)); });
}

void MapStatistics::deviation(std::span<float> values, double scale) const {
  write(values, [&](std::size_t p) {
    return scale * std::sqrt(sample_variance(sum_[p], squares_[p], double(frames_)));
  });
}

void MapStatistics::error(std::span<float> values, double scale) const {
  const double count = double(blocks_);
  write(values, [&](std::size_t p) {
    return scale * std::sqrt(sample_variance(block_means_[p], block_squares_[p], count) / count);
  });
}

std::vector<MapStatistics::Array> MapStatistics::arrays() {
  std::vector<Array> all;
  const auto add_array = [&](FrameSum which, const char* name, Sums& sums) {
    if (sums.size() > 0) all.push_back({which, name, {sums.data(), sums.size()}});
  };
  add_array(FrameSum::sum, "sum", sum_);
  add_array(FrameSum::squares, "squares", squares_);
  add_array(FrameSum::block_sum, "block_sum", block_sum_);
  add_array(FrameSum::block_means, "block_means", block_means_);
  add_array(FrameSum::block_squares, "block_squares", block_squares_);
  add_array(FrameSum::mean_before, "mean_before", mean_before_);
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
