// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/multilevel/multilevel_evaluator.hpp"

#include <algorithm>
#include <cmath>

#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// Planes of the finest grid that blocks with these weights read.
PlaneRange planes_read(const std::vector<AxisWeights>& z) {
  return {z.front().first, z.back().first + z.back().reach};
}

}  // namespace

MultilevelEvaluator::MultilevelEvaluator(const BlockGrid& grid, const MultilevelPlan& plan,
                                         std::span<const PointCharge> charges, bool short_range,
                                         SimdLevel simd, int threads, const Progress& progress)
    : blocks_(grid),
      plan_(plan),
      kernels_(grid_kernels(simd)),
      x_(axis_weights(plan, grid.lattice, Axis::x)),
      y_(axis_weights(plan, grid.lattice, Axis::y)),
      z_(axis_weights(plan, grid.lattice, Axis::z)),
      long_range_(long_range_grid(plan, charges, planes_read(z_), kernels_, threads, progress)) {
  for (const PointCharge& charge : charges) constant_kT_e_ += plan.constant_kT_e * charge.charge_e;
  if (!short_range) return;
  std::vector<Vec3<double>> positions_A;
  for (const PointCharge& charge : charges) positions_A.push_back(charge.position_A);
  cells_ = std::make_unique<CellList>(positions_A, 0.5 * plan.options.cutoff_A);
  sorted_.resize(charges.size());
  parallel_for({threads}, std::ssize(charges), [&](std::int64_t i) {
    const auto n = std::size_t(i);
    const PointCharge& charge = charges[cells_->order()[n]];
    sorted_.x_A[n] = charge.position_A.x;
    sorted_.y_A[n] = charge.position_A.y;
    sorted_.z_A[n] = charge.position_A.z;
    sorted_.charge_e[n] = charge.charge_e;
  });
}

void MultilevelEvaluator::Columns::resize(std::size_t size) {
  for (std::vector<double>* member : {&x_A, &y_A, &z_A, &charge_e}) member->resize(size);
}

void MultilevelEvaluator::add_to(std::int64_t block, float* values) const {
  const Vec3<std::int64_t> point = blocks_.first_point(block);
  const AxisWeights& x = x_[point.x / block_edge];
  const AxisWeights& y = y_[point.y / block_edge];
  const AxisWeights& z = z_[point.z / block_edge];
  const LatticeGeometry& fine = plan_.levels.front().grid;
  thread_local std::vector<float> workspace;
  workspace.resize(block_edge * std::size_t(x.reach * (y.reach + block_edge)) + 64);
  kernels_.interpolate({.grid = long_range_.data() + fine.index(x.first, y.first, z.first),
                        .stride = {1, fine.counts.x, fine.counts.x * fine.counts.y},
                        .weights = {x.weights.data(), y.weights.data(), z.weights.data()},
                        .reach = {x.reach, y.reach, z.reach},
                        .constant = float(constant_kT_e_),
                        .workspace = workspace.data()},
                       values);
  if (cells_) add_near_charges(block, values);
}

void MultilevelEvaluator::add_near_charges(std::int64_t block, float* values) const {
  const Box box = blocks_.box(block);
  const double cutoff_A = plan_.options.cutoff_A;
  const Vec3<double> centre_A = 0.5 * (box.lowest_A + box.highest_A);
  const Vec3<double> half_A = 0.5 * (box.highest_A - box.lowest_A);
  thread_local Columns near;
  std::size_t count = 0;
  cells_->near_ranges(box, cutoff_A, [&](std::size_t first, std::size_t last) {
    if (near.x_A.size() < count + (last - first)) near.resize(2 * (count + (last - first)));
    for (std::size_t n = first; n < last; ++n) {
      const double x = sorted_.x_A[n], y = sorted_.y_A[n], z = sorted_.z_A[n];
      const double dx = std::max(std::abs(x - centre_A.x) - half_A.x, 0.0);
      const double dy = std::max(std::abs(y - centre_A.y) - half_A.y, 0.0);
      const double dz = std::max(std::abs(z - centre_A.z) - half_A.z, 0.0);
      near.x_A[count] = x;
      near.y_A[count] = y;
      near.z_A[count] = z;
      near.charge_e[count] = sorted_.charge_e[n];
      count += dx * dx + dy * dy + dz * dz < cutoff_A * cutoff_A;  // most are near, but not predictably so
    }
  });
  if (count == 0) return;
  const ChargeArrays charges{near.x_A.data(),      near.y_A.data(), near.z_A.data(),
                             near.charge_e.data(), nullptr,         count};
  kernels_.add_short(
      block_frame(blocks_, block), charges,
      {plan_.pair, cutoff_A, plan_.long_range_polynomial.data(), int(plan_.long_range_polynomial.size())},
      values);
}

}  // namespace ionwell
