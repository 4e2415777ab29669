// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "gpu/electrostatics/poisson_boltzmann/interpolation.hpp"

/// What kernels of a V-cycle interpolate, on the host.
namespace ionwell::test {
namespace {

/// The weight with which a coarse point collects a fine one.
float collected_weight(const AxisCoarsening& axis, int coarse, int fine) {
  const CollectedPoints points = collected_by(axis, coarse);
  const int at = fine - points.middle + 1;
  return at < 0 || at > 2 ? 0.0f : points.weight[at];
}

}  // namespace

TEST_CASE("poisson-boltzmann: what kernels interpolate is the transpose of what they collect") {
  // Even and odd, axes that stay, and last intervals of each length that three coarsenings leave.
  for (const std::int64_t last : {8, 9, 10, 13, 17, 18, 21, 36}) {
    const std::array<std::int64_t, 3> counts = {last, 11, 14};
    for (std::size_t turn = 0; turn < 3; ++turn) {
      const Vec3<double> spacing_A = {0.5, 0.5, turn == 1 ? 1.1 : 0.5};
      for (const auto& coarsening :
           plan_coarsening({counts[turn], counts[(turn + 1) % 3], counts[(turn + 2) % 3]}, spacing_A)) {
        const gpu::LevelAxes axes = gpu::level_axes(coarsening);
        PbLevel coarse;
        coarse.nx = axes.x.coarse;
        coarse.ny = axes.y.coarse;
        coarse.nz = axes.z.coarse;
        // Outermost points are zero: they have no equations.
        std::vector<float> values(std::size_t(coarse.size()) + 1);
        std::mt19937 random(7);
        for (int k = 1; k < coarse.nz - 1; ++k)
          for (int j = 1; j < coarse.ny - 1; ++j)
            for (int i = 1; i < coarse.nx - 1; ++i)
              values[std::size_t(i + j * coarse.row_stride() + k * coarse.plane_stride())] =
                  std::uniform_real_distribution<float>(-1.0f, 1.0f)(random);
        const auto expected = [&](int i, int j, int k) {
          double sum = 0.0;
          for (int c = 1; c < coarse.nz - 1; ++c)
            for (int b = 1; b < coarse.ny - 1; ++b)
              for (int a = 1; a < coarse.nx - 1; ++a)
                sum += double(collected_weight(axes.x, a, i)) * double(collected_weight(axes.y, b, j)) *
                       double(collected_weight(axes.z, c, k)) *
                       double(values[std::size_t(a + b * coarse.row_stride() + c * coarse.plane_stride())]);
          return sum;
        };
        for (const int first : {1, 2})
          for (int j = 1; j < axes.y.fine - 1; ++j)
            for (int i = 1; i < axes.x.fine - 1; i += 2) {
              gpu::InterpolatedPair pair(axes, coarse, values.data(), i, j, first);
              for (int k = first; k < axes.z.fine - 1; ++k) {
                const int n = i + 1 < axes.x.fine - 1 ? (i + j + k) & 1 : 0;
                CHECK(double(pair.at(n, k)) == doctest::Approx(expected(i + n, j, k)).epsilon(1e-6));
              }
            }
      }
    }
  }
}

}  // namespace ionwell::test
