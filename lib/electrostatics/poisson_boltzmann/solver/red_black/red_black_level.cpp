// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/red_black/red_black_level.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"
#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(RedBlackKernels, red_black_kernels)

RedBlackLevel::RedBlackLevel(const PbLevel& level, SimdLevel simd, ThreadPool& pool)
    : kernels_(red_black_kernels(simd)), pool_(pool) {
  matrix_.lattice = {level.nx, level.ny, level.nz};
  const RedBlackLattice& lattice = matrix_.lattice;
  const std::int64_t row = lattice.row_stride(), plane = lattice.plane_stride();
  for (auto* arrays : {&face_x_, &face_y_, &face_z_, &root_})
    for (LargeArray<float>& array : *arrays) array = LargeArray<float>(std::size_t(lattice.size()));
  // Inner rows are set as a whole, but for a number behind the points.
  for_ranges(pool_, level.size(), lattice.nz, [&](std::int64_t first, std::int64_t last) {
    for (auto* arrays : {&face_x_, &face_y_, &face_z_, &root_})
      for (LargeArray<float>& array : *arrays)
        for (std::int64_t k = first; k < last; ++k) {
          float* const at = array.data() + k * plane;
          const bool is_given = k == 0 || k == lattice.nz - 1;
          std::fill(at, at + (is_given ? plane : row), 0.0f);
          std::fill(at + plane - row, at + plane, 0.0f);
          for (int j = 1; j < lattice.ny; ++j) at[j * row - 1] = 0.0f;
        }
  });
  for (std::size_t colour = 0; colour < 2; ++colour) {
    matrix_.face_x[colour] = face_x_[colour].data();
    matrix_.face_y[colour] = face_y_[colour].data();
    matrix_.face_z[colour] = face_z_[colour].data();
    matrix_.root[colour] = root_[colour].data();
  }
}

void RedBlackLevel::update(const PbLevel& level, const PointBox& changed) {
  // A diagonal has faces of the points before, a scaled face the diagonal of the point behind.
  const int first_j = int(std::max<std::int64_t>(changed.low.y - 1, 1)),
            last_j = int(std::min<std::int64_t>(changed.high.y + 2, level.ny - 1)),
            first_k = int(std::max<std::int64_t>(changed.low.z - 1, 1)),
            last_k = int(std::min<std::int64_t>(changed.high.z + 2, level.nz - 1));
  const std::int64_t planes = last_k - first_k;
  if (planes <= 0) return;
  for_ranges(pool_, planes * level.plane_stride(), planes, [&](std::int64_t begin, std::int64_t end) {
    // One over the roots of the diagonal, 0 at points that are given; a number more, for the last face.
    const std::size_t size = std::size_t(level.plane_stride()) + 1;
    std::vector<float> here(size), above(size), workspace(std::size_t(level.nx));
    const auto fill = [&](int k, std::vector<float>& roots) {
      if (k < level.nz - 1)
        kernels_.inverse_roots(level, k, roots.data());
      else
        std::fill(roots.begin(), roots.end(), 0.0f);
    };
    fill(first_k + int(begin), here);
    for (int k = first_k + int(begin); k < first_k + int(end); ++k) {
      fill(k + 1, above);
      for (int j = first_j; j < last_j; ++j)
        set_row(level, j, k, here.data() + j * level.row_stride(), above.data() + j * level.row_stride(),
                workspace.data());
      std::swap(here, above);
    }
  });
}

void RedBlackLevel::set_row(const PbLevel& level, int j, int k, const float* u, const float* u_above,
                            float* workspace) {
  const std::int64_t row = k * level.plane_stride() + j * level.row_stride(),
                     to = k * matrix_.lattice.plane_stride() + j * matrix_.lattice.row_stride();
  const std::size_t of_even = std::size_t((j + k) % 2), of_odd = 1 - of_even;  // indices along x
  const auto scale = [&](const float* face, float factor, const float* next,
                         std::array<LargeArray<float>, 2>& out) {
    kernels_.scale_row(face + row, factor, u, next, level.nx, out[of_even].data() + to,
                       out[of_odd].data() + to, workspace);
  };
  scale(level.face_x, level.factor_x, u + 1, face_x_);
  scale(level.face_y, level.factor_y, u + level.row_stride(), face_y_);
  scale(level.face_z, level.factor_z, u_above, face_z_);
  for (std::size_t colour = 0; colour < 2; ++colour) {
    const int offset = colour == of_even ? 0 : 1, points = (level.nx + 1 - offset) / 2;
    float* const root = root_[colour].data() + to;
    for (int m = 0; m < points; ++m) root[m] = u[2 * m + offset] == 0.0f ? 0.0f : 1.0f / u[2 * m + offset];
  }
}

}  // namespace ionwell
