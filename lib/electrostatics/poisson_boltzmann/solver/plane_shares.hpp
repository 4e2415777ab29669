// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/vec3.hpp"
#include "electrostatics/poisson_boltzmann/solver/axis_coarsening.hpp"

namespace ionwell {

/// Planes across z from `begin` to before `end`.
struct PlaneSpan {
  int begin = 0, end = 0;

  int count() const { return end - begin; }
  bool operator==(const PlaneSpan&) const = default;
};

/// Neighbours' planes that a processor has copies of on each side of its own, at most: an iteration asks for
/// those that its sweeps and the residual read one after the other, and does them there once more.
constexpr int most_ghosts(std::size_t level) {
  return level == 0 ? 6 : 12;
}

/// Who has which planes of the levels, when several processes share them: the finest levels in slabs, and
/// coarser ones each has whole, for they are less work than telling others of them.
struct PlaneShares {
  /// [level][process], of the whole level, in order: those of the shared levels, and last of the first level
  /// that all have, which planes of it each makes. Empty where nothing is shared. Processes that are too many
  /// have no planes.
  std::vector<std::vector<PlaneSpan>> own;

  std::size_t shared_levels() const { return own.empty() ? 0 : own.size() - 1; }

  /// Of the finest level and of coarser ones: neighbours' planes that a process has copies of on each side.
  int finest_ghosts = most_ghosts(0), coarse_ghosts = most_ghosts(1);
  int ghosts(std::size_t level) const { return level == 0 ? finest_ghosts : coarse_ghosts; }

  /// Work of a cycle, in points, of the process with most, what waiting for others takes being counted too;
  /// and, for processors, of one that is alone.
  double work = 0.0, work_alone = 0.0;
};

/// Shares the levels of a lattice of `counts` points, by axis, in the way that takes least time; nothing for
/// one process, and where there are not planes enough for two.
PlaneShares share_planes(const Vec3<std::int64_t>& counts,
                         const std::vector<std::array<AxisCoarsening, 3>>& coarsenings, int processes);

}  // namespace ionwell
