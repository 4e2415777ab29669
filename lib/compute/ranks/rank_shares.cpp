// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ranks/rank_shares.hpp"

#include <algorithm>

#include "core/block.hpp"
#include "maps/map_slabs.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

/// Devices of the backend that the options ask for; 0 where none is looked for.
int devices_of(const BackendOptions& options, const Backends& backends) {
  const DeviceBackend* const backend = backend_of(options, backends);
  return backend != nullptr ? int(backend->devices().devices.size()) : 0;
}

}  // namespace

const DeviceBackend* backend_of(const BackendOptions& options, const Backends& backends) {
  if (options.backend == Backend::cpu) return nullptr;
  for (const DeviceBackend* const backend : backends)
    if (options.backend == Backend::automatic || options.backend == backend->kind())
      return backend->may_have_device() ? backend : nullptr;
  return nullptr;
}

std::vector<LatticeGeometry> rank_slabs(const LatticeGeometry& lattice, int ranks) {
  const std::int64_t blocks = blocks_along(lattice.counts.z);
  const auto first_point = [&](std::int64_t rank) {
    return std::min(block_edge * (blocks * rank / ranks), lattice.counts.z);
  };
  std::vector<LatticeGeometry> slabs;
  for (std::int64_t rank = 0; rank < ranks; ++rank)
    slabs.push_back(lattice.slab(first_point(rank), first_point(rank + 1) - first_point(rank)));
  return slabs;
}

LatticeGeometry largest_slab(const LatticeGeometry& lattice, int ranks) {
  const std::vector<LatticeGeometry> slabs = rank_slabs(lattice, ranks);
  return *std::max_element(slabs.begin(), slabs.end(),
                           [](const auto& a, const auto& b) { return a.counts.z < b.counts.z; });
}

BackendOptions options_of_rank(const BackendOptions& options, const RankGroup& group, int devices_on_host) {
  BackendOptions mine = options;
  const std::size_t rank = std::size_t(group.rank_on_host()), ranks = std::size_t(group.count_on_host());
  if (options.devices.empty()) {
    if (devices_on_host > 1) mine.devices = {int(rank) % devices_on_host};
    return mine;
  }
  mine.devices.clear();
  for (std::size_t n = rank % options.devices.size(); n < options.devices.size(); n += ranks)
    mine.devices.push_back(options.devices[n]);
  return mine;
}

int own_threads(int of_first) {
  const int share = thread_count(0);
  return of_first > 0 ? std::min(of_first, share) : share;
}

PlannedShare planned_share(RankGroup* group, const LatticeGeometry& lattice, const BackendOptions& options,
                           const Backends& backends) {
  if (group == nullptr) return {.lattice = lattice, .backend = options};
  return {.lattice = largest_slab(lattice, group->count()),
          .backend = options_of_rank(options, *group, devices_of(options, backends)),
          .group = group,
          .ranks_on_host = group->count_on_host()};
}

std::int64_t host_bytes_of_ranks(std::int64_t share_bytes, const PlannedShare& share,
                                 const LatticeGeometry& lattice, MapUse use) {
  if (share.group == nullptr) return share_bytes;
  std::int64_t map_bytes = 0;
  if (use == MapUse::gathered) map_bytes = lattice.size() * std::int64_t{sizeof(float)};
  if (use == MapUse::written) map_bytes = slab_bytes(lattice);
  return share.ranks_on_host * share_bytes + map_bytes;
}

LatticePart part_in_slab(const LatticeGeometry& slab, const LatticePart& part) {
  const std::int64_t begin = std::max(part.first.z, slab.first_plane),
                     end = std::min(part.first.z + part.counts.z, slab.first_plane + slab.counts.z);
  return {{part.first.x, part.first.y, begin - slab.first_plane},
          {part.counts.x, part.counts.y, std::max<std::int64_t>(0, end - begin)}};
}

void copy_part(const LatticeGeometry& lattice, std::span<const float> from, const LatticePart& part,
               std::span<float> to) {
  float* at = to.data();
  for (std::int64_t k = 0; k < part.counts.z; ++k)
    for (std::int64_t j = 0; j < part.counts.y; ++j) {
      const std::int64_t row = lattice.index(part.first.x, part.first.y + j, part.first.z + k);
      at = std::copy_n(from.data() + row, part.counts.x, at);
    }
}

}  // namespace ionwell
