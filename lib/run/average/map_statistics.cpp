#include "run/average/map_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// The sum of squares of differences, and of how many.
struct SquaredChange {
  double sum = 0.0;
  std::int64_t count = 0;

  friend SquaredChange operator+(const SquaredChange& a, const SquaredChange& b) {
    return {a.sum + b.sum, a.count + b.count};
  }
};

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

void MapStatistics::end_block() {
  if (frames_of_block_ == 0) return;
  if (kinds_.error) {
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

void MapStatistics::note_mean(std::span<const std::uint8_t> points) {
  const double count = double(frames_);
  const SquaredChange change = parallel_reduce(
      threads_, std::int64_t(points_), SquaredChange{},
      [&](std::int64_t first, std::int64_t last) {
        SquaredChange part;
        for (auto p = std::size_t(first); p < std::size_t(last); ++p) {
          const double mean = sum_[p] / count, difference = mean - mean_before_[p];
          mean_before_[p] = mean;
          if (!points.empty() && points[p] == 0) continue;
          part.sum += difference * difference;
          ++part.count;
        }
        return part;
      },
      std::plus<>());
  if (has_mean_before_ && change.count > 0)
    changes_.push_back({frames_, std::sqrt(change.sum / double(change.count))});
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
  const auto add_array = [&](const char* name, Sums& sums) {
    if (sums.size() > 0) all.push_back({name, {sums.data(), sums.size()}});
  };
  add_array("sum", sum_);
  add_array("squares", squares_);
  add_array("block_sum", block_sum_);
  add_array("block_means", block_means_);
  add_array("block_squares", block_squares_);
  add_array("mean_before", mean_before_);
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
