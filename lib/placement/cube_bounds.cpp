// SPDX-License-Identifier: BSD-3-Clause
#include "placement/cube_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "electrostatics/simd/kernel_tables.hpp"
#include "placement/inflate.hpp"

namespace ionwell {
namespace {

constexpr std::size_t padding = 16;  // the inner loops read and write whole vectors

}  // namespace

IONWELL_KERNEL_TABLES(BoundKernels, bound_kernels)

std::size_t CubeBounds::start_range() {
  while (size_ % padding != 0) add_cube(origin_A_);
  return size_;
}

void CubeBounds::add_cube(Vec3<double> centre_A) {
  ++size_;
  for (std::vector<float>& member : arrays_) member.resize(size_ + padding);
  const Vec3<double> centre = centre_A - origin_A_;
  extent_A_ = std::max({extent_A_, std::abs(centre.x) + half_A_.x, std::abs(centre.y) + half_A_.y,
                        std::abs(centre.z) + half_A_.z});
  array(Member::x)[size_ - 1] = float(centre.x);
  array(Member::y)[size_ - 1] = float(centre.y);
  array(Member::z)[size_ - 1] = float(centre.z);
  set(size_ - 1, {});
}

void CubeBounds::set(std::size_t cube, const BoundsOfValues& of_values) {
  const auto outwards = [](const Bounds& bounds) {
    return ValueRange{round_down(bounds.lowest), round_up(bounds.highest)};
  };
  const Vec3<double>& slope = of_values.slope_kT_eA;
  keep(cube, BlockBounds{outwards(of_values.range),
                         outwards(of_values.above_plane),
                         {float(slope.x), float(slope.y), float(slope.z)}});
}

void CubeBounds::keep(std::size_t cube, const BlockBounds& bounds) {
  bounds.keep([&](Member m, float x) { array(m)[cube] = x; });
}

void CubeBounds::add_ions(std::size_t first, std::size_t last, const ChargeArrays& ions,
                          const double* clearance_A) {
  const double origin_A[3] = {origin_A_.x, origin_A_.y, origin_A_.z};
  kernels_.inflate(pointers(), first, last, origin_A, inflation_frame(pair_, half_A_, extent_A_), ions,
                   clearance_A);
}

CubeArrays CubeBounds::pointers() {
  CubeArrays result;
  for (std::size_t m = 0; m < arrays_.size(); ++m) result.member[m] = arrays_[m].data();
  return result;
}

}  // namespace ionwell
