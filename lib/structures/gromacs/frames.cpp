#include "structures/gromacs/frames.hpp"

#include <cmath>
#include <numbers>

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
  const auto length = [](const Vec3<double>& v) { return std::sqrt(dot(v, v)); };
  const auto angle_deg = [&](const Vec3<double>& u, const Vec3<double>& v) {
    return std::acos(dot(u, v) / (length(u) * length(v))) * 180.0 / std::numbers::pi;
  };
  const double volume_nm3 =
      a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) + a.z * (b.x * c.y - b.y * c.x);
  constexpr double longest_nm = largest_coordinate_A / nm_A;
  const auto is_length = [&](const Vec3<double>& v) { return length(v) > 0.0 && length(v) < longest_nm; };
  // Flatter than any cell of a simulation: angles would be 0 or none.
  constexpr double flat = 1e-6;
  if (!(std::abs(volume_nm3) > flat * length(a) * length(b) * length(c)) || !is_length(a) || !is_length(b) ||
      !is_length(c))
    return {};
  return UnitCell{nm_A * Vec3<double>{length(a), length(b), length(c)},
                  {angle_deg(b, c), angle_deg(a, c), angle_deg(a, b)}};
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
           ") A, where no atom can be; choose a frame before the run failed");
  }
}

std::string cut_warning(const std::string& path, std::int64_t frames) {
  return path + ": behind frame " + std::to_string(frames) +
         " comes what is no complete frame; it was left out (was the run stopped, or the copy?)";
}

}  // namespace ionwell
