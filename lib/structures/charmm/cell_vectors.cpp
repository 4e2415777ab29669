#include "structures/charmm/cell_vectors.hpp"

#include <cmath>
#include <numbers>

#include "structures/charmm/possible_values.hpp"

namespace ionwell {
namespace {

constexpr double degrees = 180.0 / std::numbers::pi;

bool is_length(double length_A) {
  return length_A > 0.0 && length_A < largest_coordinate_A;
}

}  // namespace

std::optional<UnitCell> cell_of_vectors(const std::array<Vec3<double>, 3>& vectors_A) {
  const auto& [a, b, c] = vectors_A;
  const Vec3<double> lengths_A{std::sqrt(dot(a, a)), std::sqrt(dot(b, b)), std::sqrt(dot(c, c))};
  const auto angle_deg = [](const Vec3<double>& u, const Vec3<double>& v, double lengths) {
    return std::acos(dot(u, v) / lengths) * degrees;
  };
  const UnitCell cell{lengths_A,
                      {angle_deg(b, c, lengths_A.y * lengths_A.z), angle_deg(a, c, lengths_A.x * lengths_A.z),
                       angle_deg(a, b, lengths_A.x * lengths_A.y)}};
  return is_possible(cell) ? std::optional(cell) : std::nullopt;
}

bool is_possible(const UnitCell& cell) {
  const auto cosine = [](double angle_deg) { return std::cos(angle_deg / degrees); };
  const auto is_angle = [](double angle_deg) { return angle_deg > 0.0 && angle_deg < 180.0; };
  const Vec3<double>& angles = cell.angles_deg;
  const double x = cosine(angles.x), y = cosine(angles.y), z = cosine(angles.z);
  return is_length(cell.lengths_A.x) && is_length(cell.lengths_A.y) && is_length(cell.lengths_A.z) &&
         is_angle(angles.x) && is_angle(angles.y) && is_angle(angles.z) &&
         1.0 + 2.0 * x * y * z - x * x - y * y - z * z > 0.0;  // the volume's square over that of a cuboid
}

}  // namespace ionwell
