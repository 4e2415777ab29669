// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "electrostatics/periodic/fourier_grid.hpp"
#include "electrostatics/periodic/mesh_window.hpp"
#include "electrostatics/periodic/periodic_kernels.hpp"

namespace ionwell {

/// Calls use(patch) with the window's part of a grid around a position, in fractions of the cell.
template <typename Use>
auto with_patch(const FourierLayout& layout, const MeshWindow& window, const Vec3<double>& fraction,
                const Use& use) {
  const int width = window.width();
  const MeshPosition x = mesh_position(fraction.x, layout.points.x, width),
                     y = mesh_position(fraction.y, layout.points.y, width),
                     z = mesh_position(fraction.z, layout.points.z, width);
  std::array<std::int64_t, MeshWindow::largest_width> planes, rows;
  const std::int64_t row = layout.row(), plane = layout.plane();
  for (int p = 0; p < width; ++p) {
    const int j = y.first + p, k = z.first + p;
    rows[std::size_t(p)] = row * (j < layout.points.y ? j : j - layout.points.y);
    planes[std::size_t(p)] = plane * (k < layout.points.z ? k : k - layout.points.z);
  }
  return use(MeshPatch{window.polynomials().data(),
                       width,
                       MeshWindow::terms,
                       {x.t, y.t, z.t},
                       planes.data(),
                       rows.data(),
                       x.first});
}

}  // namespace ionwell
