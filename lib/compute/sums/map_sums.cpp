// SPDX-License-Identifier: BSD-3-Clause
#include "compute/sums/map_sums.hpp"

#include <algorithm>

#include "parallel/parallel_for.hpp"

namespace ionwell {

MapSums MapSums::room(std::size_t points, const StatisticsKinds& kinds, int threads, MeanBefore mean_before) {
  MapSums room(Unset{}, points, kinds, threads);
  const auto make = [&](FrameSum which, bool is_wanted) {
    if (is_wanted) room.sums(which) = Sums(points);
  };
  make(FrameSum::sum, true);
  make(FrameSum::squares, kinds.deviation);
  for (const FrameSum of_blocks : {FrameSum::block_sum, FrameSum::block_means, FrameSum::block_squares})
    make(of_blocks, kinds.error);
  make(FrameSum::mean_before, mean_before == MeanBefore::kept);
  return room;
}

MapSums::MapSums(std::size_t points, const StatisticsKinds& kinds, int threads)
    : MapSums(room(points, kinds, threads, MeanBefore::kept)) {
  for (Sums& zeros : sums_)
    parallel_ranges({threads_}, std::int64_t(zeros.size()), [&](std::int64_t first, std::int64_t last) {
      std::fill(zeros.data() + first, zeros.data() + last, 0.0);
    });
}

std::span<double> MapSums::values(FrameSum which) {
  return {sums(which).data(), sums(which).size()};
}

std::span<const double> MapSums::values(FrameSum which) const {
  const Sums& kept = sums_[std::size_t(which)];
  return {kept.data(), kept.size()};
}

void MapSums::add(std::span<const float> values) {
  parallel_ranges({threads_}, points_, [&](std::int64_t first, std::int64_t last) {
    const float* const from = values.data();
    double* const sum = sums(FrameSum::sum).data();
    for (std::int64_t p = first; p < last; ++p) sum[p] += double(from[p]);
    if (kinds_.deviation) {
      double* const squares = sums(FrameSum::squares).data();
      for (std::int64_t p = first; p < last; ++p) squares[p] += double(from[p]) * double(from[p]);
    }
    if (kinds_.error) {
      double* const block = sums(FrameSum::block_sum).data();
      for (std::int64_t p = first; p < last; ++p) block[p] += double(from[p]);
    }
  });
}

void MapSums::end_block(std::int64_t frames) {
  if (!kinds_.error) return;
  const double count = double(frames);
  double* const sum = sums(FrameSum::block_sum).data();
  double* const means = sums(FrameSum::block_means).data();
  double* const squares = sums(FrameSum::block_squares).data();
  parallel_for({threads_}, points_, [&](std::int64_t p) {
    const double mean = sum[p] / count;
    means[p] += mean;
    squares[p] += mean * mean;
    sum[p] = 0.0;
  });
}

std::vector<FrameMaps::SquaredDifference> MapSums::note_mean(std::int64_t frames,
                                                             std::span<const std::uint8_t> points) {
  const double count = double(frames);
  const double* const sum = sums(FrameSum::sum).data();
  double* const mean_before = sums(FrameSum::mean_before).data();
  std::vector<FrameMaps::SquaredDifference> parts(std::size_t((points_ + reduce_chunk - 1) / reduce_chunk));
  parallel_for({threads_, 1}, std::ssize(parts), [&](std::int64_t chunk) {
    FrameMaps::SquaredDifference part;
    for (std::int64_t p = chunk * reduce_chunk; p < std::min(points_, (chunk + 1) * reduce_chunk); ++p) {
      const double mean = sum[p] / count, difference = mean - mean_before[p];
      mean_before[p] = mean;
      if (!points.empty() && points[std::size_t(p)] == 0) continue;
      part.sum += difference * difference;
      ++part.points;
    }
    parts[std::size_t(chunk)] = part;
  });
  return parts;
}

}  // namespace ionwell
