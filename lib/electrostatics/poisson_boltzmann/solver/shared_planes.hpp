// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "electrostatics/poisson_boltzmann/solver/plane_shares.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"
#include "parallel/rank_group.hpp"

namespace ionwell {

/// The planes of a level that are in this process's memory: its own, and ghosts beside them where others have
/// planes. Counted from `first` on.
struct LevelPlanes {
  int first = 0;  // of the whole level; even, so that points have the colours that they have there
  int count = 0;
  PlaneSpan own;
  int whole = 0;  // planes of the whole level

  /// Whether its own planes begin, and end, where the level does.
  bool is_lowest() const { return own.begin == 0; }
  bool is_highest() const { return own.end == count; }

  /// Its own inner planes, and `ghosts` more on each side where others have planes.
  PlaneSpan inner(int ghosts) const {
    if (own.count() == 0) return {};
    return {is_lowest() ? 1 : own.begin - ghosts, is_highest() ? count - 1 : own.end + ghosts};
  }

  /// Where ghosts end, a stage has a plane less than the one before.
  StageEnds ends() const { return {.low = is_lowest() ? 0 : 1, .high = is_highest() ? 0 : 1}; }
};

/// Ghosts of a coarse level that interpolation to so many of the finer one reads.
inline int interpolated_ghosts(int fine_ghosts, const AxisCoarsening& along_z) {
  return along_z.halved ? fine_ghosts / 2 + 1 : fine_ghosts;
}

/// Those that a process has of a level of so many planes; all of one that is not shared.
LevelPlanes planes_of(const PlaneShares& shares, std::size_t level, int process, int planes);

/// The planes of all levels as one of several processes has them, and what it tells the others of them; or
/// all planes, of one that is alone. All processes call the same functions in the same order. What is
/// computed from ghosts is what the neighbour computes, to the bit.
class SharedPlanes {
 public:
  /// `group`: null for one that is alone. It must stay.
  SharedPlanes(const Vec3<std::int64_t>& counts,
               const std::vector<std::array<AxisCoarsening, 3>>& coarsenings, RankGroup* group);

  /// Levels from the finest on whose planes are shared.
  std::size_t shared_levels() const { return shares_.shared_levels(); }

  const LevelPlanes& at(std::size_t level) const { return here_[level]; }

  /// The planes of the whole level that this process makes, where it is made from a finer one.
  PlaneSpan made_here(std::size_t level) const {
    return level <= shared_levels() && shared_levels() > 0
               ? shares_.own[level][rank()]
               : PlaneSpan{at(level).own.begin, at(level).own.end};
  }

  /// Gets so many ghosts on each side from the neighbours; of a level that is not shared nothing.
  template <typename T>
  void fill_ghosts(std::size_t level, T* values, std::int64_t plane_points, int ghosts) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (level < shared_levels())
      exchange(at(level), reinterpret_cast<std::byte*>(values), std::size_t(plane_points) * sizeof(T),
               ghosts);
  }

  /// Gets what the others have made of the first level that all have.
  template <typename T>
  void gather_made(T* values, std::int64_t plane_points) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (shared_levels() > 0)
      gather(shared_levels(), reinterpret_cast<std::byte*>(values), std::size_t(plane_points) * sizeof(T));
  }

  /// The sum over the inner planes of the finest level, in their order. `by_plane`: for each plane of the
  /// whole level; those of the others are filled in.
  double sum(std::vector<double>& by_plane) const;

 private:
  std::size_t rank() const { return std::size_t(group_->rank()); }
  void exchange(const LevelPlanes& planes, std::byte* values, std::size_t plane_bytes, int ghosts) const;
  void gather(std::size_t level, std::byte* values, std::size_t plane_bytes) const;

  RankGroup* group_;
  PlaneShares shares_;
  std::vector<LevelPlanes> here_;
};

}  // namespace ionwell
