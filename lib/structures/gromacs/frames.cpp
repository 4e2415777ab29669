// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/frames.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "structures/atom_limits.hpp"

namespace ionwell {

std::int64_t chosen_frame(FrameChoice choice, std::int64_t frames, const std::string& path) {
  const std::int64_t index = choice.number > 0 ? choice.number - 1 : frames + choice.number;
  if (choice.number == 0 || index < 0 || index >= frames)
    fail(path, ": frame ", choice.number, " is not among its ", count_of(frames, "frame"),
         "; frames are counted from 1, and from -1 backwards");
  return index;
}

std::optional<UnitCell> cell_of_box(const std::array<Vec3<double>, 3>& vectors_nm) {
  const auto& [a, b, c] = vectors_nm;
  const UnitCell cell{{nm_A * a, nm_A * b, nm_A * c}, CellKind::simulation};
  const Vec3<double> lengths = lengths_A(cell);
  for (const double length_A : {lengths.x, lengths.y, lengths.z})
    if (!(length_A > 0.0 && length_A < largest_coordinate_A)) return {};
  return has_volume(cell) ? std::optional(cell) : std::nullopt;
}

std::optional<UnitCell> cell_of_box(const std::array<double, 9>& numbers_nm) {
  const auto& [xx, yy, zz, xy, xz, yx, yz, zx, zy] = numbers_nm;
  return cell_of_box(std::array<Vec3<double>, 3>{{{xx, xy, xz}, {yx, yy, yz}, {zx, zy, zz}}});
}

void check_positions(const Coordinates& coordinates, std::int64_t frame, const std::string& path) {
  const auto is_possible = [](double x) { return std::abs(x) < largest_coordinate_A; };
  std::int64_t atom = 0;
  for (const Vec3<double>& p : coordinates.positions_A) {
    ++atom;
    if (!is_possible(p.x) || !is_possible(p.y) || !is_possible(p.z))
      fail(path, ": frame ", frame + 1, " has atom ", grouped(atom), " at (", p.x, ", ", p.y, ", ", p.z,
           ") A, which is not a possible position; choose a frame before the run failed");
  }
}

std::string cut_warning(const std::string& path, std::int64_t frames) {
  return path + ": after frame " + std::to_string(frames) +
         " there is an incomplete frame, which was left out (was the run or the copy stopped?)";
}

}  // namespace ionwell
