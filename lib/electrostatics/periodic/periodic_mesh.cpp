// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/periodic_mesh.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "electrostatics/periodic/mesh_patch.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {

PeriodicMesh::PeriodicMesh(const PeriodicCell& cell, const PeriodicPlan& plan, const PeriodicKernels& kernels,
                           int threads)
    : cell_(cell.reduced()),
      plan_(plan),
      window_(plan.window),
      filter_(cell_, plan.split, plan.grid, plan.window, MeshFilter::Use::spread_and_interpolated),
      kernels_(kernels),
      threads_(threads),
      // A window that begins in one pencil ends in the next one at the latest.
      pencils_{1, std::max(1, plan.grid.y / plan.window.width), std::max(1, plan.grid.z / plan.window.width)},
      grid_(plan.layout(), threads, *kernels.fourier) {}

/// Numbers of the positions, by pencils of the grid: rows along x.
struct PeriodicMesh::Sorted {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> first;  // of each pencil, y fastest
};

template <typename Position>
PeriodicMesh::Sorted PeriodicMesh::sorted(std::size_t count, const Position& position) const {
  constexpr int stretch = 8;  // grid points along x whose charges come together: their windows share lines
  const int stretches = (plan_.grid.x + stretch - 1) / stretch;
  const int width = window_.width();
  const auto key = [&](std::size_t n) {
    const Vec3<double> f = cell_.fractional(position(n));
    const int x = mesh_position(f.x, plan_.grid.x, width).first,
              y = mesh_position(f.y, plan_.grid.y, width).first,
              z = mesh_position(f.z, plan_.grid.z, width).first;
    const int py = int(std::int64_t(y) * pencils_.y / plan_.grid.y),
              pz = int(std::int64_t(z) * pencils_.z / plan_.grid.z);
    return std::uint32_t((pz * pencils_.y + py) * stretches + x / stretch);
  };
  std::vector<std::uint32_t> keys(count);
  parallel_for({threads_}, std::int64_t(count),
               [&](std::int64_t n) { keys[std::size_t(n)] = key(std::size_t(n)); });
  const std::size_t pencils = std::size_t(pencils_.y) * std::size_t(pencils_.z);
  std::vector<std::uint32_t> first(pencils * std::size_t(stretches) + 1);
  for (const std::uint32_t k : keys) ++first[k + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  Sorted result{std::vector<std::uint32_t>(count), std::vector<std::uint32_t>(pencils + 1)};
  for (std::size_t p = 0; p <= pencils; ++p) result.first[p] = first[p * std::size_t(stretches)];
  for (std::size_t n = 0; n < count; ++n) result.order[first[keys[n]]++] = std::uint32_t(n);
  return result;
}

void PeriodicMesh::spread(std::span<const PointCharge> charges) {
  const Sorted by_pencil = sorted(charges.size(), [&](std::size_t n) { return charges[n].position_A; });
  // Pencils whose windows cannot meet are filled at the same time: every other one, and the last of an odd
  // number by itself.
  const auto colour = [](int pencil, int of) { return pencil + 1 == of && of % 2 == 1 ? 2 : pencil % 2; };
  for (int colour_z = 0; colour_z < 3; ++colour_z)
    for (int colour_y = 0; colour_y < 3; ++colour_y) {
      std::vector<int> pencils;
      for (int z = 0; z < pencils_.z; ++z)
        for (int y = 0; y < pencils_.y; ++y)
          if (colour(z, pencils_.z) == colour_z && colour(y, pencils_.y) == colour_y)
            pencils.push_back(z * pencils_.y + y);
      parallel_for({threads_, 1}, std::int64_t(pencils.size()), [&](std::int64_t p) {
        const auto pencil = std::size_t(pencils[std::size_t(p)]);
        for (std::size_t at = by_pencil.first[pencil]; at < by_pencil.first[pencil + 1]; ++at) {
          const PointCharge& q = charges[by_pencil.order[at]];
          with_patch(grid_.layout(), window_, cell_.fractional(q.position_A),
                     [&](const MeshPatch& patch) { kernels_.spread(patch, q.charge_e, grid_.values()); });
        }
      });
    }
}

void PeriodicMesh::solve() {
  grid_.fold_overhang();
  grid_.filter([this](double* factors, int h_y, int h_z) { filter_.row(factors, h_y, h_z); });
  grid_.fill_overhang();
}

void PeriodicMesh::interpolate(std::span<const Vec3<double>> points_A, std::span<double> values) const {
  const Sorted by_pencil = sorted(points_A.size(), [&](std::size_t n) { return points_A[n]; });
  constexpr std::int64_t chunk = 256;
  parallel_for({threads_, chunk}, std::int64_t(points_A.size()), [&](std::int64_t at) {
    const std::size_t n = by_pencil.order[std::size_t(at)];
    with_patch(grid_.layout(), window_, cell_.fractional(points_A[n]),
               [&](const MeshPatch& patch) { values[n] = kernels_.interpolate(patch, grid_.values()); });
  });
}

}  // namespace ionwell
