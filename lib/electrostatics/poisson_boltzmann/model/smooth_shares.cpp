// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/smooth_shares.hpp"

#include <cmath>
#include <utility>

namespace ionwell {

BallsInCells::BallsInCells(std::vector<Ball> balls)
    : balls_(std::move(balls)), list_(centres_of(balls_), 4.0), largest_A_(largest_radius_A(balls_)) {}

void fill_solvent_shares(const BallsInCells& balls, const SurfaceStep& step, const SampleTile& tile,
                         std::vector<float>* shares) {
  shares->assign(std::size_t(tile.size()), 1.0f);
  const double factor = step.surface == SoluteSurface::gaussian ? double(step_reach_A(step, 1.0f)) : 1.0;
  balls.near(tile.box(), factor, double(step.window_A), [&](const Ball& ball) {
    const Vec3<float> centre = tile.local_A(ball.centre_A);
    const float radius = float(ball.radius_A);
    tile.rows_within(centre, step_reach_A(step, radius), [&](int row, int first, int last, float y, float z) {
      for (int i = first; i <= last; ++i) {
        float& share = (*shares)[std::size_t(row) + std::size_t(i)];
        if (share == 0.0f) continue;
        const Vec3<float> away = Vec3<float>{tile.spacing_A.x * float(i), y, z} - centre;
        share *= solvent_share(step, std::sqrt(dot(away, away)), radius);
      }
    });
  });
}

}  // namespace ionwell
