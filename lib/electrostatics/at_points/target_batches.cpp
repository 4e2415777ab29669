// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/at_points/target_batches.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/box.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

struct Target {
  Vec3<double> position_A;
  std::uint32_t number;
};

struct TargetRange {
  std::size_t first, last;
};

Box box_of_targets(std::span<const Target> targets) {
  Box box{targets.front().position_A, targets.front().position_A};
  for (const Target& target : targets) box = extended(box, target.position_A);
  return box;
}

double radius_of_box_A(const Box& box) {
  const Vec3<double> extent = box.highest_A - box.lowest_A;
  return 0.5 * std::sqrt(dot(extent, extent));
}

/// Orders targets so that those along the box's longest axis come first; returns how many there are in the
/// first part: whole batches.
std::size_t halve(std::span<Target> targets, const Box& box) {
  const Vec3<double> extent = box.highest_A - box.lowest_A;
  const std::size_t batches = (targets.size() + batch_points - 1) / batch_points;
  const std::size_t half = batches > 1 ? batches / 2 * batch_points : targets.size() / 2;
  // Of equal coordinates the number decides, so that every run has the same batches.
  const auto by = [&](auto coordinate) {
    std::nth_element(targets.begin(), targets.begin() + std::ptrdiff_t(half), targets.end(),
                     [&](const Target& a, const Target& b) {
                       return std::pair(coordinate(a.position_A), a.number) <
                              std::pair(coordinate(b.position_A), b.number);
                     });
  };
  if (extent.x >= extent.y && extent.x >= extent.z)
    by([](const Vec3<double>& p) { return p.x; });
  else if (extent.y >= extent.z)
    by([](const Vec3<double>& p) { return p.y; });
  else
    by([](const Vec3<double>& p) { return p.z; });
  return half;
}

void divide(std::span<Target> targets, std::size_t first, double most_radius_A,
            std::vector<TargetBatches::Batch>& batches) {
  const Box box = box_of_targets(targets);
  const double radius_A = radius_of_box_A(box);
  if (targets.size() <= batch_points && radius_A <= most_radius_A) {
    batches.push_back({first, int(targets.size()), 0.5 * (box.lowest_A + box.highest_A), radius_A});
    return;
  }
  const std::size_t half = halve(targets, box);
  divide(targets.first(half), first, most_radius_A, batches);
  divide(targets.subspan(half), first + half, most_radius_A, batches);
}

}  // namespace

TargetBatches::TargetBatches(std::span<const Vec3<double>> points_A, int threads, double most_radius_A) {
  std::vector<Target> targets(points_A.size());
  parallel_for({threads}, std::ssize(points_A), [&](std::int64_t n) {
    targets[std::size_t(n)] = {points_A[std::size_t(n)], std::uint32_t(n)};
  });
  // The same parts whatever the number of threads.
  std::vector<TargetRange> parts;
  if (!targets.empty()) parts.push_back({0, targets.size()});
  constexpr std::size_t enough = 32, worth_halving = 1 << 12;
  for (bool halved = true; halved && parts.size() < enough;) {
    halved = false;
    std::vector<TargetRange> next(2 * parts.size());
    parallel_for({threads, 1}, std::ssize(parts), [&](std::int64_t n) {
      const TargetRange& part = parts[std::size_t(n)];
      const std::span<Target> of_part = std::span(targets).subspan(part.first, part.last - part.first);
      const std::size_t half = of_part.size() < worth_halving ? 0 : halve(of_part, box_of_targets(of_part));
      next[2 * std::size_t(n)] = {part.first, part.first + half};
      next[2 * std::size_t(n) + 1] = {part.first + half, part.last};
    });
    halved = std::erase_if(next, [](const TargetRange& r) { return r.first == r.last; }) == 0;
    parts = std::move(next);
  }
  std::vector<std::vector<Batch>> found(parts.size());
  parallel_for({threads, 1}, std::ssize(parts), [&](std::int64_t n) {
    const TargetRange& part = parts[std::size_t(n)];
    divide(std::span(targets).subspan(part.first, part.last - part.first), part.first, most_radius_A,
           found[std::size_t(n)]);
  });
  for (const std::vector<Batch>& some : found) batches_.insert(batches_.end(), some.begin(), some.end());
  order_.reserve(targets.size());
  for (const Target& target : targets) order_.push_back(target.number);
}

BatchPlaces::BatchPlaces(std::span<const Vec3<double>> all_A, const TargetBatches& batches,
                         const TargetBatches::Batch& batch) {
  constexpr int of_a_tile = 16;
  places = (batch.count + of_a_tile - 1) / of_a_tile * of_a_tile;
  const std::span<const std::uint32_t> numbers = batches.points(batch);
  for (int p = 0; p < places; ++p) {
    const Vec3<double> at = all_A[numbers[std::size_t(std::min(p, batch.count - 1))]] - batch.centre_A;
    points_A[p] = float(at.x);
    points_A[batch_points + p] = float(at.y);
    points_A[2 * batch_points + p] = float(at.z);
  }
}

}  // namespace ionwell
