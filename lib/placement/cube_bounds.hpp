// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/vec3.hpp"
#include "placement/block_bounds.hpp"
#include "placement/simd/bound_kernels.hpp"

namespace ionwell {

/// What is known of the potential at the available points of a cube: lowest <= V <= highest [kT/e]. Nothing
/// available: lowest > highest.
struct Bounds {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();

  bool empty() const { return lowest > highest; }

  /// No ion of this charge has a lower energy [kT] here.
  double energy_kT(double charge_e) const {
    if (empty()) return lowest;
    return charge_e > 0.0 ? charge_e * lowest : charge_e * highest;
  }

  void include(const Bounds& other) {
    lowest = other.lowest < lowest ? other.lowest : lowest;
    highest = other.highest > highest ? other.highest : highest;
  }
};

/// What a cube's values say: their range, and their range once a plane through the cube's centre is taken
/// away.
struct BoundsOfValues {
  Bounds range;
  Bounds above_plane;
  Vec3<double> slope_kT_eA;  // of that plane
};

/// Bounds on the potential in many cubes of one size, which inflate as ions are added that the cubes' values
/// do not contain yet. Ions on opposite sides pull the potential of a cube in opposite directions, so their
/// slopes and curvatures are added up before they are bounded:
///   V(x) = V(centre) + slope (x - centre) + (x - centre) curvature (x - centre) / 2 + remainder,
/// and the sum may cancel the slope of the cube's own values. For 1/r the remainder is at most Sum_n>=3 d^n /
/// r^(n+1), d from the centre to a corner: the Legendre expansion. Kept in fp32 and rounded outwards.
class CubeBounds {
 public:
  /// `half_A` is from a cube's centre to its faces; `origin_A` a point near the cubes.
  CubeBounds(Vec3<double> origin_A, Vec3<double> half_A, const PairPotential& pair,
             const BoundKernels& kernels)
      : origin_A_(origin_A), half_A_(half_A), pair_(pair), kernels_(kernels) {}

  /// Begins a range of cubes that may be changed while another thread changes another range; returns its
  /// first cube.
  std::size_t start_range();

  std::size_t size() const { return size_; }

  /// Appends a cube with nothing available in it.
  void add_cube(Vec3<double> centre_A);

  /// Sets what the values say, and forgets the ions added so far.
  void set(std::size_t cube, const BoundsOfValues& of_values);

  /// The same, from bounds that are rounded outwards already.
  void keep(std::size_t cube, const BlockBounds& bounds);

  /// Adds ions [first_ion, last_ion) to the cubes [first, last). No point within `clearance_A[i]` of ion i is
  /// available.
  void add_ions(std::size_t first, std::size_t last, const ChargeArrays& ions, const double* clearance_A);

  Bounds operator[](std::size_t cube) const {
    return {double(array(Member::lowest)[cube]), double(array(Member::highest)[cube])};
  }

 private:
  using Member = CubeMember;
  const std::vector<float>& array(Member m) const { return arrays_[std::size_t(m)]; }
  std::vector<float>& array(Member m) { return arrays_[std::size_t(m)]; }
  CubeArrays pointers();

  Vec3<double> origin_A_, half_A_;
  double extent_A_ = 0.0;  // largest coordinate in any cube, relative to the origin
  PairPotential pair_;
  const BoundKernels& kernels_;
  std::array<std::vector<float>, std::size_t(CubeMember::count)> arrays_;
  std::size_t size_ = 0;
};

}  // namespace ionwell
