#include "potential/multilevel_blocks.hpp"

namespace ionwell {

MultilevelSum::MultilevelSum(const BlockGrid& grid, const MultilevelPlan& plan,
                             std::span<const PointCharge> charges, bool short_range, SimdLevel simd,
                             const Progress& progress)
    : blocks_(grid),
      plan_(plan),
      block_kernels_(block_kernels(simd)),
      kernels_(grid_kernels(simd)),
      long_range_(long_range_grid(plan, charges, kernels_, progress)) {
  x_ = axis_weights(plan, grid.lattice, Axis::x);
  y_ = axis_weights(plan, grid.lattice, Axis::y);
  z_ = axis_weights(plan, grid.lattice, Axis::z);
  for (const PointCharge& charge : charges) constant_kT_e_ += plan.constant_kT_e * charge.charge_e;
  if (!short_range) return;
  charges_.assign(charges.begin(), charges.end());
  for (const PointCharge& charge : charges) positions_.push_back(charge.position_A);
  cells_ = std::make_unique<CellList>(positions_, 0.5 * plan.options.cutoff_A);
}

void MultilevelSum::add_to(std::int64_t block, float* values) const {
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

void MultilevelSum::add_near_charges(std::int64_t block, float* values) const {
  const Box box = blocks_.box(block);
  const double cutoff_A = plan_.options.cutoff_A;
  thread_local std::vector<double> x, y, z, q;
  for (std::vector<double>* member : {&x, &y, &z, &q}) member->clear();
  cells_->near(box, cutoff_A, [&](std::uint32_t c) {
    const PointCharge& charge = charges_[c];
    if (distance_range(box, charge.position_A).nearest_A >= cutoff_A) return;
    x.push_back(charge.position_A.x);
    y.push_back(charge.position_A.y);
    z.push_back(charge.position_A.z);
    q.push_back(charge.charge_e);
  });
  if (q.empty()) return;
  const ChargeArrays near{x.data(), y.data(), z.data(), q.data(), nullptr, q.size()};
  kernels_.add_short(
      block_frame(blocks_, block), near,
      {plan_.pair, cutoff_A, plan_.long_range_polynomial.data(), int(plan_.long_range_polynomial.size())},
      values);
}

}  // namespace ionwell
