#include "placement/cube_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "electrostatics/simd/kernel_tables.hpp"
#include "placement/inflate.hpp"

namespace ionwell {
namespace {

constexpr std::size_t padding = 16;  // the inner loops read and write whole vectors

constexpr float infinity = std::numeric_limits<float>::infinity();

float round_down(double x) {
  return std::isinf(x) ? float(x) : std::nextafter(float(x), -infinity);
}
float round_up(double x) {
  return std::isinf(x) ? float(x) : std::nextafter(float(x), infinity);
}

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
  array(Member::lowest)[cube] = array(Member::range_lowest)[cube] = round_down(of_values.range.lowest);
  array(Member::highest)[cube] = array(Member::range_highest)[cube] = round_up(of_values.range.highest);
  array(Member::plane_lowest)[cube] = round_down(of_values.above_plane.lowest);
  array(Member::plane_highest)[cube] = round_up(of_values.above_plane.highest);
  array(Member::plane_slope_x)[cube] = float(of_values.slope_kT_eA.x);
  array(Member::plane_slope_y)[cube] = float(of_values.slope_kT_eA.y);
  array(Member::plane_slope_z)[cube] = float(of_values.slope_kT_eA.z);
  for (const Member m :
       {Member::shift_lowest, Member::shift_highest, Member::slope_x, Member::slope_y, Member::slope_z,
        Member::xx, Member::yy, Member::zz, Member::xy, Member::xz, Member::yz, Member::remainder})
    array(m)[cube] = 0.0f;
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
