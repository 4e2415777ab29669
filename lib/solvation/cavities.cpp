// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/cavities.hpp"

#include <cstddef>

#include "core/cell_list.hpp"
#include "solvation/images_near_cell.hpp"

namespace ionwell {
namespace {

constexpr double step_A =
    4.0;  // beyond the first peak of g_OO, where it has its minimum (3.4 A), with some play

}  // namespace

std::vector<std::uint8_t> waters_outside_small_cavities(const NearWaters& waters, const PeriodicCell& cell,
                                                        int smallest_cavity) {
  const std::size_t near = waters.near_A.size();
  std::vector<Vec3<double>> oxygens = waters.near_A;
  oxygens.insert(oxygens.end(), waters.open_A.begin(), waters.open_A.end());
  const ImagesNearCell images = images_near_cell(oxygens, cell, step_A);
  const CellList list(images.positions_A, step_A);
  std::vector<std::uint8_t> is_reached(oxygens.size()), stays(near);
  std::vector<std::uint32_t> cluster;
  for (std::uint32_t start = 0; start < near; ++start) {
    if (is_reached[start]) continue;
    // Open waters end a path, so that the bulk is not walked through.
    bool leads_out = false;
    is_reached[start] = 1;
    cluster.assign(1, start);
    for (std::size_t at = 0; at < cluster.size(); ++at) {
      const Vec3<double>& p = images.positions_A[cluster[at]];
      list.near({p, p}, step_A, [&](std::uint32_t image) {
        const std::uint32_t other = images.point[image];
        if (distance_squared(p, images.positions_A[image]) > step_A * step_A) return;
        leads_out |= other >= near;
        if (other >= near || is_reached[other]) return;
        is_reached[other] = 1;
        cluster.push_back(other);
      });
    }
    if (leads_out || std::ssize(cluster) >= smallest_cavity)
      for (const std::uint32_t n : cluster) stays[n] = 1;
  }
  return stays;
}

}  // namespace ionwell
