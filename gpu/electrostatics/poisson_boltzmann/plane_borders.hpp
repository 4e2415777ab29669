#pragma once

#include <algorithm>
#include <vector>

#include "electrostatics/poisson_boltzmann/solver/axis_coarsening.hpp"
#include "gpu/runtime/spread_memory.hpp"
#include "gpu/runtime/team.hpp"

namespace ionwell::gpu {

/// The planes of a level that each of several devices works at: device n has those from first[n] up to
/// first[n + 1]. The first number is 0, the last one the level's planes.
struct PlaneBorders {
  std::vector<int> first;

  int planes() const { return first.back(); }
  int begin(const Share& share) const { return share.parts == 1 ? 0 : first[std::size_t(share.part)]; }
  int end(const Share& share) const {
    return share.parts == 1 ? planes() : first[std::size_t(share.part) + 1];
  }
};

/// Of the next coarser level: a coarse plane is the device's that has the fine planes which it is made of,
/// but for one at a border.
inline PlaneBorders coarse_borders(const PlaneBorders& fine, const AxisCoarsening& along_z) {
  PlaneBorders coarse = fine;
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
    spreading.ends.push_back(double(borders.first[n]) / double(borders.planes()));
  return spreading;
}

}  // namespace ionwell::gpu
