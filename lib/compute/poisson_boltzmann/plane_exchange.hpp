// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <type_traits>
#include <vector>

#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"
#include "parallel/rank_group.hpp"

/// What ranks that share lattices in planes do together: each calls the same function at the same time.
namespace ionwell {

/// What all ranks throw when one of them has failed.
struct AgreedFailure {
  std::exception_ptr why;  // on those that have; null on the others
};

/// work() of each rank; throws AgreedFailure on all where it has failed on any, so that none is waited for in
/// what comes next.
template <typename Work>
void all_or_none(RankGroup& group, const Work& work) {
  std::exception_ptr why;
  try {
    work();
  } catch (...) {
    why = std::current_exception();
  }
  std::vector<std::byte> failed(std::size_t(group.count()));
  failed[std::size_t(group.rank())] = std::byte(why != nullptr);
  group.all_gather(failed, std::vector<std::size_t>(failed.size(), 1));
  for (const std::byte one : failed)
    if (one != std::byte{0}) throw AgreedFailure{why};
}

/// Of each rank, planes of a whole lattice.
using PlanesOfRanks = std::vector<PlaneSpan>;

/// Their own planes, without copies of others', where they have `planes`; and those with the copies.
PlanesOfRanks own_planes(std::span<const LevelPlanes> planes);
PlanesOfRanks all_planes(std::span<const LevelPlanes> planes);

/// All `planes` of a lattice for the first rank, none for the others.
PlanesOfRanks planes_of_first(std::int64_t planes, int ranks);

/// Each rank has its planes of `from` in `mine`, and gets those of `to`, of so many bytes each, in `wanted`;
/// what nobody has stays as it is. `wanted` may have `mine` in it, where these planes are in it.
void exchange_planes(RankGroup& group, const PlanesOfRanks& from, const PlanesOfRanks& to,
                     std::size_t plane_bytes, std::span<std::byte> mine, std::span<std::byte> wanted);

template <typename T>
void exchange_planes(RankGroup& group, const PlanesOfRanks& from, const PlanesOfRanks& to,
                     std::int64_t plane_points, std::span<T> mine, std::span<T> wanted) {
  static_assert(std::is_trivially_copyable_v<T>);
  exchange_planes(group, from, to, std::size_t(plane_points) * sizeof(T), std::as_writable_bytes(mine),
                  std::as_writable_bytes(wanted));
}

}  // namespace ionwell
