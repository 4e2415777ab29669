// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/box.hpp"
#include "core/instruction_set.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// What a unit charge's images and its background do near it: the potential of all of them (PeriodicPair)
/// less that of the charge itself, at differences d of positions with |d_x| up to half the box along x and so
/// on. It is smooth there and even in each coordinate: one octant is tabulated and interpolated linearly.
class ImageTable {
 public:
  /// Takes some 10 to 100 ms. Throws as PeriodicPair does.
  ImageTable(const Box& box, const PairPotential& pair, int threads, SimdLevel simd);

  /// Points along each axis, x fastest; the first is at 0, the last at half the box.
  static constexpr int points = 33;

  const std::vector<float>& values_kT_e() const { return values_kT_e_; }
  Vec3<double> edge_A() const { return edge_A_; }

  /// What a unit charge feels of its own images [kT/e].
  double of_own_images_kT_e() const { return own_images_kT_e_; }

 private:
  Vec3<double> edge_A_;
  std::vector<float> values_kT_e_;
  double own_images_kT_e_ = 0.0;
};

}  // namespace ionwell
