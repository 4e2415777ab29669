// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/at_points/multilevel_at_points.hpp"

#include <algorithm>
#include <cmath>

#include "core/box.hpp"
#include "electrostatics/multilevel/basis_function.hpp"
#include "electrostatics/multilevel/multilevel_grid.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

constexpr int row = 8;  // weights of an axis

std::vector<Vec3<double>> positions_of_charges(std::span<const PointCharge> charges) {
  std::vector<Vec3<double>> positions_A;
  positions_A.reserve(charges.size());
  for (const PointCharge& charge : charges) positions_A.push_back(charge.position_A);
  return positions_A;
}

}  // namespace

LatticeGeometry lattice_around(std::span<const Vec3<double>> points_A, double spacing_A) {
  Box box{points_A.front(), points_A.front()};
  for (const Vec3<double>& p : points_A) box = extended(box, p);
  const Vec3<double> extent = box.highest_A - box.lowest_A;
  const auto count = [spacing_A](double length_A) {
    return std::int64_t(std::ceil(length_A / spacing_A)) + 1;
  };
  return {
      box.lowest_A, {spacing_A, spacing_A, spacing_A}, {count(extent.x), count(extent.y), count(extent.z)}};
}

MultilevelAtPoints::MultilevelAtPoints(std::span<const PointCharge> charges,
                                       std::span<const Vec3<double>> points_A, const PairPotential& pair,
                                       const MultilevelOptions& options, SimdLevel simd, int threads,
                                       const Progress& progress)
    : plan_(multilevel_plan(lattice_around(points_A, options.spacing_A), charges, pair, options)),
      kernels_(batch_kernels(simd)),
      long_range_(long_range_grid(plan_, charges, {0, plan_.levels.front().grid.counts.z}, grid_kernels(simd),
                                  threads, progress)),
      cells_(positions_of_charges(charges), 0.5 * options.cutoff_A) {
  for (const PointCharge& charge : charges) constant_kT_e_ += plan_.constant_kT_e * charge.charge_e;
  sorted_.reserve(charges.size());
  for (const std::uint32_t number : cells_.order()) sorted_.push_back(charges[number]);
}

double MultilevelAtPoints::long_range_kT_e(const Vec3<double>& position_A) const {
  const LatticeGeometry& grid = plan_.levels.front().grid;
  const Vec3<double> r = position_A - grid.origin_A;
  alignas(32) float weights[3 * row] = {};
  std::array<std::int64_t, 3> first;
  std::size_t axis = 0;
  for (const double x : {r.x / grid.spacing_A.x, r.y / grid.spacing_A.y, r.z / grid.spacing_A.z}) {
    const auto cell = std::int64_t(x);
    bspline_weights(plan_.order, float(x - double(cell)), weights + row * axis);
    first[axis++] = cell - plan_.order / 2 + 1;
  }
  return double(
      kernels_.interpolate({long_range_.data(), grid.counts.x, grid.counts.x * grid.counts.y, plan_.order},
                           grid.index(first[0], first[1], first[2]), weights));
}

void MultilevelAtPoints::add_near(const TargetBatches::Batch& batch, const BatchPlaces& places,
                                  double* sums_kT_e) const {
  constexpr int most = 512;
  float x_A[most], y_A[most], z_A[most], charge_e[most];
  int count = 0;
  const double cutoff_A = plan_.options.cutoff_A, reach_A = cutoff_A + batch.radius_A;
  const ShortRange range{plan_.pair, cutoff_A, plan_.long_range_polynomial.data(),
                         int(plan_.long_range_polynomial.size())};
  const auto flush = [&] {
    kernels_.add_short(places.points_A, places.places, {x_A, y_A, z_A, charge_e, count}, range, sums_kT_e);
    count = 0;
  };
  cells_.near_ranges({batch.centre_A, batch.centre_A}, reach_A, [&](std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
      const Vec3<double> from = sorted_[n].position_A - batch.centre_A;
      x_A[count] = float(from.x);
      y_A[count] = float(from.y);
      z_A[count] = float(from.z);
      charge_e[count] = float(sorted_[n].charge_e);
      count += dot(from, from) < reach_A * reach_A;
      if (count == most) flush();
    }
  });
  flush();
}

void MultilevelAtPoints::potential(std::span<const Vec3<double>> points_A, const TargetBatches& batches,
                                   int threads, std::span<double> values_kT_e, const Progress& progress,
                                   std::size_t* done) const {
  constexpr std::size_t at_once = 1024;  // batches between two calls of `progress`
  for (std::size_t begin = done != nullptr ? *done : 0; begin < batches.size(); begin += at_once) {
    if (done != nullptr) *done = begin;
    if (progress) progress(double(begin) / double(batches.size()));
    parallel_for({threads, 4}, std::int64_t(std::min(at_once, batches.size() - begin)), [&](std::int64_t n) {
      const TargetBatches::Batch& batch = batches[begin + std::size_t(n)];
      const BatchPlaces places(points_A, batches, batch);
      alignas(64) double sums_kT_e[batch_points] = {};
      add_near(batch, places, sums_kT_e);
      const std::span<const std::uint32_t> numbers = batches.points(batch);
      for (std::size_t p = 0; p < numbers.size(); ++p)
        values_kT_e[numbers[p]] = constant_kT_e_ + sums_kT_e[p] + long_range_kT_e(points_A[numbers[p]]);
    });
  }
}

}  // namespace ionwell
