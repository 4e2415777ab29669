// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/cell_list.hpp"
#include "electrostatics/poisson_boltzmann/model/sample_tile.hpp"
#include "electrostatics/poisson_boltzmann/model/solute_surface.hpp"

namespace ionwell {

/// Balls with their places, to find those near a tile.
class BallsInCells {
 public:
  explicit BallsInCells(std::vector<Ball> balls);

  /// Calls visit(ball) for all balls that reach a box with `factor` times their radius and `added_A` more,
  /// and for some others.
  template <typename Visit>
  void near(const Box& box, double factor, double added_A, const Visit& visit) const {
    list_.near(box, factor * largest_A_ + added_A, [&](std::uint32_t n) { visit(balls_[n]); });
  }

 private:
  std::vector<Ball> balls_;
  CellList list_;
  double largest_A_;
};

/// The share of solvent at each sample of a tile: the product over all atoms. O(samples near atoms).
void fill_solvent_shares(const BallsInCells& balls, const SurfaceStep& step, const SampleTile& tile,
                         std::vector<float>* shares);

}  // namespace ionwell
