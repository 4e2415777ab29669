// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "electrostatics/poisson_boltzmann/solver/axis_coarsening.hpp"
#include "gpu/runtime/spread_memory.hpp"
#include "gpu/runtime/team.hpp"

namespace ionwell::gpu {

/// The planes of a level that each of several devices of this process works at: device n has those from
/// first[n] up to first[n + 1]. The first number is 0 and the last one the level's planes, unless other
/// processes have planes, too.
struct PlaneBorders {
  std::vector<int> first;
  int planes = 0;  // of the level

  int begin(const Share& share) const {
    return share.parts == 1 ? first.front() : first[std::size_t(share.part)];
  }
  int end(const Share& share) const {
    return share.parts == 1 ? first.back() : first[std::size_t(share.part) + 1];
  }

  /// With so many planes more of other processes' on each side.
  PlaneBorders with(int ghosts) const {
    if (first.front() == first.back()) return *this;
    PlaneBorders more = *this;
    more.first.front() = std::max(more.first.front() - ghosts, 0);
    more.first.back() = std::min(more.first.back() + ghosts, planes);
    return more;
  }
};

/// Of the next coarser level: a coarse plane is the device's that has the fine planes which it is made of,
/// but for one at a border.
inline PlaneBorders coarse_borders(const PlaneBorders& fine, const AxisCoarsening& along_z) {
  PlaneBorders coarse{fine.first, along_z.coarse};
  for (int& plane : coarse.first) {
    if (plane == along_z.fine)
      plane = along_z.coarse;
    else if (along_z.halved)
      plane = (plane + 1) / 2;
  }
  return coarse;
}

/// Where each device's part of a level's arrays ends.
inline Spreading spreading_of(const PlaneBorders& borders, const std::vector<int>& ordinals) {
  Spreading spreading{ordinals, {}};
  for (std::size_t n = 1; n < borders.first.size(); ++n)
    spreading.ends.push_back(double(borders.first[n]) / double(borders.planes));
  return spreading;
}

}  // namespace ionwell::gpu
