// SPDX-License-Identifier: BSD-3-Clause
#include "structures/charmm/dcd_cell.hpp"

#include <cmath>
#include <numbers>

#include "structures/charmm/cell_vectors.hpp"

namespace ionwell {

std::optional<UnitCell> cell_of_dcd(const DcdCell& numbers) {
  const double a = numbers[0], gamma = numbers[1], b = numbers[2], beta = numbers[3], alpha = numbers[4],
               c = numbers[5];
  const auto all = [&](const auto& holds) { return holds(alpha) && holds(beta) && holds(gamma); };
  if (all([](double x) { return std::abs(x) <= 1.0; })) {
    constexpr double degrees = 180.0 / std::numbers::pi;
    // 90 - asin is exactly 90 for 0, where acos is not.
    const auto angle_deg = [](double cosine) { return 90.0 - std::asin(cosine) * degrees; };
    return cell_of_parameters({{a, b, c}, {angle_deg(alpha), angle_deg(beta), angle_deg(gamma)}});
  }
  if (all([](double angle_deg) { return angle_deg >= 20.0 && angle_deg <= 160.0; })) {
    const std::optional<UnitCell> cell = cell_of_parameters({{a, b, c}, {alpha, beta, gamma}});
    if (cell) return cell;
  }
  const auto& [xx, xy, yy, xz, yz, zz] = numbers;
  const bool is_positive_definite =
      xx > 0.0 && xx * yy > xy * xy &&
      xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz) > 0.0;
  if (!is_positive_definite) return {};
  return cell_of_vectors({{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}});
}

}  // namespace ionwell
