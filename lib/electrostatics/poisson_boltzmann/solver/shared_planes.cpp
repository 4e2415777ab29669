// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"

#include <algorithm>
#include <numeric>

namespace ionwell {
LevelPlanes planes_of(const PlaneShares& shares, std::size_t level, int process, int planes) {
  if (level >= shares.shared_levels()) return {0, planes, {0, planes}, planes};
  const PlaneSpan own = shares.own[level][std::size_t(process)];
  if (own.count() == 0) return {.whole = planes};
  const int first = std::max(0, own.begin - shares.ghosts(level)) / 2 * 2;
  const int end = std::min(planes, own.end + shares.ghosts(level));
  return {first, end - first, {own.begin - first, own.end - first}, planes};
}

SharedPlanes::SharedPlanes(const Vec3<std::int64_t>& counts,
                           const std::vector<std::array<AxisCoarsening, 3>>& coarsenings, RankGroup* group)
    : group_(group) {
  if (group != nullptr) shares_ = share_planes(counts, coarsenings, group->count());
  for (std::size_t n = 0; n <= coarsenings.size(); ++n) {
    const int planes = n == 0 ? int(counts.z) : coarsenings[n - 1][2].coarse;
    here_.push_back(planes_of(shares_, n, group == nullptr ? 0 : group->rank(), planes));
  }
}

double SharedPlanes::sum(std::vector<double>& by_plane) const {
  if (shared_levels() > 0) gather(0, reinterpret_cast<std::byte*>(by_plane.data()), sizeof(double));
  double sum = 0.0;
  for (std::size_t k = 1; k + 1 < by_plane.size(); ++k) sum += by_plane[k];
  return sum;
}

void SharedPlanes::exchange(const LevelPlanes& planes, std::byte* values, std::size_t plane_bytes,
                            int ghosts) const {
  if (planes.count == 0) return;
  const auto part = [&](int first) {
    return std::span(values + std::size_t(first) * plane_bytes, std::size_t(ghosts) * plane_bytes);
  };
  std::vector<RankMessage> sent, received;
  if (!planes.is_lowest()) {
    sent.push_back({group_->rank() - 1, part(planes.own.begin)});
    received.push_back({group_->rank() - 1, part(planes.own.begin - ghosts)});
  }
  if (!planes.is_highest()) {
    sent.push_back({group_->rank() + 1, part(planes.own.end - ghosts)});
    received.push_back({group_->rank() + 1, part(planes.own.end)});
  }
  group_->exchange(sent, received);
}

void SharedPlanes::gather(std::size_t level, std::byte* values, std::size_t plane_bytes) const {
  std::vector<std::size_t> sizes;
  for (const PlaneSpan& own : shares_.own[level]) sizes.push_back(std::size_t(own.count()) * plane_bytes);
  group_->all_gather({values, std::accumulate(sizes.begin(), sizes.end(), std::size_t{0})}, sizes);
}

}  // namespace ionwell
