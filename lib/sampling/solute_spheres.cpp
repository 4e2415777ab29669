// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/solute_spheres.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sampling/periodic_images.hpp"

namespace ionwell {
namespace {

constexpr double cell_edge_A = 3.0;
constexpr double soft_reach = 1.122462048309373;  // 2^(1/6)

}  // namespace

SoluteSpheres::SoluteSpheres(std::span<const Atom> atoms, const Box& box, SampleBoundary boundary,
                             Repulsion repulsion, double largest_ion_A)
    : repulsion_(repulsion) {
  const double longer = repulsion == Repulsion::soft ? soft_reach : 1.0;
  const auto reach_A = [&](const Sphere& sphere) { return longer * (sphere.radius_A + largest_ion_A); };
  double farthest_A = 0.0;
  for (const Atom& atom : atoms) farthest_A = std::max(farthest_A, longer * (atom.radius_A + largest_ion_A));
  std::vector<Vec3<double>> centres_A;
  for_each_image(atoms, box, boundary, farthest_A, [&](std::size_t n, const Vec3<double>& at_A) {
    spheres_.push_back({at_A, atoms[n].radius_A});
    centres_A.push_back(at_A);
  });
  if (spheres_.empty()) {
    grid_ = {box, {cell_edge_A, cell_edge_A, cell_edge_A}, {0, 0, 0}};
    return;
  }
  Box around{centres_A.front(), centres_A.front()};
  for (const Vec3<double>& centre_A : centres_A) around = extended(around, centre_A);
  const Vec3<double> margin{farthest_A, farthest_A, farthest_A};
  const std::vector<Vec3<double>> corners = {around.lowest_A - margin, around.highest_A + margin};
  grid_ = cells_around(corners, cell_edge_A);
  const auto for_each_cell = [&](const auto& visit) {
    for (std::size_t n = 0; n < spheres_.size(); ++n) {
      const Vec3<double>& centre_A = spheres_[n].centre_A;
      const double within_A = reach_A(spheres_[n]);
      const CellRange range = grid_.within({centre_A, centre_A}, within_A);
      for (std::int64_t k = range.first.z; k <= range.last.z; ++k)
        for (std::int64_t j = range.first.y; j <= range.last.y; ++j)
          for (std::int64_t i = range.first.x; i <= range.last.x; ++i) {
            const Vec3<double> low{grid_.box.lowest_A.x + grid_.edge_A.x * double(i),
                                   grid_.box.lowest_A.y + grid_.edge_A.y * double(j),
                                   grid_.box.lowest_A.z + grid_.edge_A.z * double(k)};
            const Vec3<double> nearest_A = nearest_in({low, low + grid_.edge_A}, centre_A);
            if (distance_squared(nearest_A, centre_A) < within_A * within_A)
              visit(std::size_t(cell_number(grid_.counts, {i, j, k})), std::uint32_t(n));
          }
    }
  };
  first_.assign(std::size_t(grid_.size()) + 1, 0);
  for_each_cell([&](std::size_t cell, std::uint32_t) { ++first_[cell + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  numbers_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for_each_cell([&](std::size_t cell, std::uint32_t n) { numbers_[next[cell]++] = n; });
}

std::span<const std::uint32_t> SoluteSpheres::near(const Vec3<double>& at_A) const {
  if (spheres_.empty()) return {};
  const Box& box = grid_.box;
  if (at_A.x < box.lowest_A.x || at_A.y < box.lowest_A.y || at_A.z < box.lowest_A.z ||
      at_A.x > box.highest_A.x || at_A.y > box.highest_A.y || at_A.z > box.highest_A.z)
    return {};
  const auto cell = std::size_t(grid_.cell_of(at_A));
  return {numbers_.data() + first_[cell], first_[cell + 1] - first_[cell]};
}

double SoluteSpheres::energy_kT(const Vec3<double>& at_A, double radius_A) const {
  double sum = 0.0;
  for (const std::uint32_t n : near(at_A)) {
    const double sigma_A = spheres_[n].radius_A + radius_A,
                 r2_A2 = distance_squared(at_A, spheres_[n].centre_A);
    if (repulsion_ == Repulsion::soft)
      sum += SoftRepulsion::at(r2_A2, sigma_A).energy_kT;
    else if (r2_A2 < sigma_A * sigma_A)
      return overlap_kT;
  }
  return sum;
}

double SoluteSpheres::add_force(const Vec3<double>& at_A, double radius_A, Vec3<double>& force_kT_A) const {
  double sum = 0.0;
  for (const std::uint32_t n : near(at_A)) {
    const Vec3<double> away_A = at_A - spheres_[n].centre_A;
    const SoftRepulsion soft = SoftRepulsion::at(dot(away_A, away_A), spheres_[n].radius_A + radius_A);
    sum += soft.energy_kT;
    force_kT_A = force_kT_A + soft.force_per_A_kT * away_A;
  }
  return sum;
}

}  // namespace ionwell
