// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/interpolated/rigid_charges.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "electrostatics/interpolated/simd/force_kernels.hpp"

namespace ionwell {
namespace {

/// Bits of a number with two zeros behind each; of the lowest 16.
std::uint64_t with_gaps(std::uint64_t n) {
  n = (n | n << 16) & 0x0000ff0000ff;
  n = (n | n << 8) & 0x00f00f00f00f;
  n = (n | n << 4) & 0x0c30c30c30c3;
  return (n | n << 2) & 0x249249249249;
}

/// Places along a Morton curve through cubes of 1/65535 of the largest extent.
class MortonCurve {
 public:
  explicit MortonCurve(std::span<const PointCharge> charges) : low_A_(charges.front().position_A) {
    Vec3<double> high_A = low_A_;
    for (const auto& [p, charge_e] : charges) {
      low_A_ = {std::min(low_A_.x, p.x), std::min(low_A_.y, p.y), std::min(low_A_.z, p.z)};
      high_A = {std::max(high_A.x, p.x), std::max(high_A.y, p.y), std::max(high_A.z, p.z)};
    }
    const Vec3<double> extent_A = high_A - low_A_;
    const double largest_A = std::max({extent_A.x, extent_A.y, extent_A.z});
    if (largest_A > 0) cubes_per_A_ = 65535.0 / largest_A;
  }

  std::uint64_t operator()(const Vec3<double>& p) const {
    const auto cube = [&](double from_A, double to_A) {
      const double n = cubes_per_A_ * (to_A - from_A);
      return n > 0 ? std::uint64_t(std::min(n, 65535.0)) : 0;  // of extents beyond the numbers all are 0
    };
    return with_gaps(cube(low_A_.x, p.x)) | with_gaps(cube(low_A_.y, p.y)) << 1 |
           with_gaps(cube(low_A_.z, p.z)) << 2;
  }

 private:
  Vec3<double> low_A_;
  double cubes_per_A_ = 0.0;
};

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

RigidCharges::RigidCharges(std::span<const PointCharge> charges, const Vec3<double>& centre_A)
    : id_(next_id()) {
  std::vector<PointCharge> some;
  for (std::size_t n = 0; n < charges.size(); ++n) {
    const auto& [at_A, charge_e] = charges[n];
    const Vec3<double> p = at_A - centre_A;
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z) || !std::isfinite(charge_e))
      fail<UsageError>("charge ", n + 1, " of a rigid body is ", charge_e, " e at ", at_A.x, " ", at_A.y, " ",
                       at_A.z, ", and rotates about ", centre_A.x, " ", centre_A.y, " ", centre_A.z,
                       "; these must be finite numbers");
    if (charge_e != 0.0) some.push_back({p, charge_e});
  }
  count_ = std::ssize(some);
  if (some.empty()) return;
  const MortonCurve curve(some);
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  order.reserve(some.size());
  for (const PointCharge& one : some) order.emplace_back(curve(one.position_A), order.size());
  std::sort(order.begin(), order.end());
  const std::size_t size = (some.size() + body_batch - 1) / body_batch * body_batch;
  for (std::vector<double>* array : {&x_A_, &y_A_, &z_A_, &charge_e_}) array->reserve(size);
  for (std::size_t n = 0; n < size; ++n) {
    const auto& [p, charge_e] = some[order[std::min(n, some.size() - 1)].second];
    x_A_.push_back(p.x);
    y_A_.push_back(p.y);
    z_A_.push_back(p.z);
    charge_e_.push_back(n < some.size() ? charge_e : 0.0);
  }
}

}  // namespace ionwell
