// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/backend.hpp"
#include "core/geometry/lattice_values.hpp"
#include "core/lattice.hpp"
#include "parallel/rank_group.hpp"

/// What each rank of a group has of a run.
namespace ionwell {

/// A lattice in slabs of whole blocks, one a rank, as even as they come; without planes for ranks that are
/// too many.
std::vector<LatticeGeometry> rank_slabs(const LatticeGeometry& lattice, int ranks);

/// The largest of them.
LatticeGeometry largest_slab(const LatticeGeometry& lattice, int ranks);

/// The backend whose devices the options ask for; null where none is to be looked for, or can be there.
const DeviceBackend* backend_of(const BackendOptions& options, const Backends& backends);

/// The devices that a rank may use, of those that a run names: every so-many-th of them, or one where there
/// are fewer devices than ranks on its host; of none named its own by number, of so many that there are.
BackendOptions options_of_rank(const BackendOptions& options, const RankGroup& group, int devices_on_host);

template <typename Message>
void transfer(Message& message, BackendOptions& options) {
  message(options.backend, options.devices, options.memory_bytes);
}

/// Threads of a rank other than the first, which has so many: no more, and no more than its share of its
/// machine.
int own_threads(int of_first);

/// What a run on a lattice is planned for: a rank's share of the group's, or all of it where there is none.
struct PlannedShare {
  LatticeGeometry lattice;
  BackendOptions backend;
  RankGroup* group = nullptr;
  int ranks_on_host = 1;
};
PlannedShare planned_share(RankGroup* group, const LatticeGeometry& lattice, const BackendOptions& options,
                           const Backends& backends);

/// What the first rank does with the values of all points: it gathers them, or has a part at a time of them
/// for a file.
enum class MapUse { none, gathered, written };

/// Host memory of a run, when one rank's share takes so much, with a copy of its values where they are used:
/// ranks of a machine share its memory.
std::int64_t host_bytes_of_ranks(std::int64_t share_bytes, const PlannedShare& share,
                                 const LatticeGeometry& lattice, MapUse use);

/// What a slab has of `part` of the lattice: in planes counted from the slab's own first one, and none when
/// nothing.
LatticePart part_in_slab(const LatticeGeometry& slab, const LatticePart& part);

/// Values of a part of a lattice, all of whose values are `from`, i fastest.
void copy_part(const LatticeGeometry& lattice, std::span<const float> from, const LatticePart& part,
               std::span<float> to);

}  // namespace ionwell
