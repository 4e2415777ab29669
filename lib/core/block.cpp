// SPDX-License-Identifier: BSD-3-Clause
#include "core/block.hpp"

#include <algorithm>
#include <bit>

namespace ionwell {

BlockFrame block_frame(const BlockGrid& grid, std::int64_t block) {
  const Box box = grid.box(block);
  const Vec3<double> centre = 0.5 * (box.lowest_A + box.highest_A);
  const Vec3<double>& h = grid.lattice.spacing_A;
  const Vec3<std::int64_t> left = grid.lattice.counts - grid.first_point(block);
  return {{box.lowest_A.x, box.lowest_A.y, box.lowest_A.z},
          {centre.x, centre.y, centre.z},
          {h.x, h.y, h.z},
          0,
          int(std::min<std::int64_t>(left.y, block_edge)) - 1,
          0,
          int(std::min<std::int64_t>(left.z, block_edge)) - 1};
}

BlockFrame frame_of_points(BlockFrame frame, const std::uint64_t* wanted) {
  std::uint64_t shadow = 0;  // of all planes
  for (int k = 0; k < mask_words; ++k) shadow |= wanted[k];
  if (shadow == 0) return frame;
  frame.first_row = std::countr_zero(shadow) / block_edge;
  frame.last_row = (63 - std::countl_zero(shadow)) / block_edge;
  while (wanted[frame.first_plane] == 0) ++frame.first_plane;
  while (wanted[frame.last_plane] == 0) --frame.last_plane;
  return frame;
}

}  // namespace ionwell
