// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include "core/large_array.hpp"
#include "core/lattice.hpp"
#include "electrostatics/poisson_boltzmann/solver/red_black/red_black_lattice.hpp"

namespace ionwell {

/// The vectors of an equation that hold nothing between two solves: equations that are solved one after the
/// other may share them. On a machine whose memory was in other hands, a page that is touched first costs
/// more than what is computed on it.
class HostWorkspace {
 public:
  HostWorkspace() = default;

  /// For any of these lattices.
  HostWorkspace(std::initializer_list<LatticeGeometry> lattices) {
    for (const LatticeGeometry& lattice : lattices) fit(lattice.counts);
  }

  /// For a lattice of so many points, by axis, too: an array that is too small has new memory when it is
  /// requested again.
  void fit(const Vec3<std::int64_t>& n) {
    points_ = std::max(points_, std::size_t(n.x * n.y * n.z));
    half_ = std::max(half_, std::size_t(RedBlackLattice{int(n.x), int(n.y), int(n.z)}.size()));
  }

  LargeArray<double>& potential() { return made(potential_, points_); }

  /// Of the points of one colour.
  LargeArray<float>& residual() { return made(residual_, half_); }
  LargeArray<float>& correction() { return made(correction_, half_); }

  /// Two vectors of them: the direction, and what is preconditioned.
  LargeArray<float>& directions() { return made(directions_, 2 * half_); }

 private:
  template <typename T>
  static LargeArray<T>& made(LargeArray<T>& array, std::size_t size) {
    if (array.size() < size) {
      array = {};
      array = LargeArray<T>(size);
    }
    return array;
  }

  std::size_t points_ = 0, half_ = 0;
  LargeArray<double> potential_;
  LargeArray<float> residual_, correction_, directions_;
};

}  // namespace ionwell
