// SPDX-License-Identifier: BSD-3-Clause
#include "compute/poisson_boltzmann/plane_exchange.hpp"

#include <algorithm>
#include <cstring>

namespace ionwell {
namespace {

PlaneSpan common(const PlaneSpan& a, const PlaneSpan& b) {
  const PlaneSpan both{std::max(a.begin, b.begin), std::min(a.end, b.end)};
  return both.count() > 0 ? both : PlaneSpan{};
}

/// Of `all`, which begins with the first of `planes`, those of `part`.
std::span<std::byte> part_of(std::span<std::byte> all, const PlaneSpan& planes, const PlaneSpan& part,
                             std::size_t plane_bytes) {
  if (part.count() == 0) return {};
  return all.subspan(std::size_t(part.begin - planes.begin) * plane_bytes,
                     std::size_t(part.count()) * plane_bytes);
}

}  // namespace

PlanesOfRanks own_planes(std::span<const LevelPlanes> planes) {
  PlanesOfRanks own;
  for (const LevelPlanes& of : planes) own.push_back({of.first + of.own.begin, of.first + of.own.end});
  return own;
}

PlanesOfRanks all_planes(std::span<const LevelPlanes> planes) {
  PlanesOfRanks all;
  for (const LevelPlanes& of : planes) all.push_back({of.first, of.first + of.count});
  return all;
}

PlanesOfRanks planes_of_first(std::int64_t planes, int ranks) {
  PlanesOfRanks all(static_cast<std::size_t>(ranks));
  all.front() = {0, int(planes)};
  return all;
}

void exchange_planes(RankGroup& group, const PlanesOfRanks& from, const PlanesOfRanks& to,
                     std::size_t plane_bytes, std::span<std::byte> mine, std::span<std::byte> wanted) {
  const std::size_t me = std::size_t(group.rank());
  std::vector<RankMessage> sent, received;
  for (std::size_t other = 0; other < from.size(); ++other) {
    const std::span<std::byte> given = part_of(mine, from[me], common(from[me], to[other]), plane_bytes),
                               taken = part_of(wanted, to[me], common(from[other], to[me]), plane_bytes);
    if (other == me) {
      if (!given.empty() && given.data() != taken.data())
        std::memcpy(taken.data(), given.data(), given.size());
      continue;
    }
    if (!given.empty()) sent.push_back({int(other), given});
    if (!taken.empty()) received.push_back({int(other), taken});
  }
  group.exchange(sent, received);
}

}  // namespace ionwell
