// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/ion_accessibility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/model/half_space_share.hpp"
#include "electrostatics/poisson_boltzmann/model/smooth_shares.hpp"
#include "electrostatics/poisson_boltzmann/model/solvent_excluded.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// How far [A] from an atom of that radius its distance changes accessibility.
double accessibility_reach_A(const AccessibilityOptions& options, double radius_A,
                             const Vec3<double>& spacing_A) {
  const double surface_A = radius_A + options.ion_radius_A;
  if (is_spline(options)) return double(step_reach_A(step_of(options), float(surface_A)));
  return surface_A + half_diagonal_A(spacing_A);
}

void close_inside(SolventExcluded::Samples& samples, const SolventExcluded& surface, const SampleTile& tile,
                  std::vector<float>* shares) {
  samples.look_around(surface, tile.box());
  samples.fill_sides(tile);
  for (int n = 0; n < tile.size(); ++n)
    if (samples.is_inside(n)) (*shares)[std::size_t(n)] = 0.0f;
}

/// What balls leave free of the boxes around a tile's points.
void fill_shares(const BallsInCells& balls, const SampleTile& tile, const AccessibilityOptions& options,
                 std::vector<float>* shares) {
  const Vec3<double> h{double(tile.spacing_A.x), double(tile.spacing_A.y), double(tile.spacing_A.z)};
  const auto beside = float(share_depth_A(options, h));
  // The depth in the ball that holds a sample deepest, and which one that is.
  constexpr std::size_t vector_room = 16;
  const std::size_t size = std::size_t(tile.size());
  std::vector<float> depth_A(size + vector_room, -std::numeric_limits<float>::infinity());
  std::vector<int> deepest(size + vector_room);
  std::vector<AroundPart> near;
  const SurfaceKernels& kernels = surface_kernels(SimdLevel::automatic);
  balls.near(tile.box(), 1.0, double(beside), [&](const Ball& ball) {
    const Vec3<float> centre = tile.local_A(ball.centre_A);
    const AroundPart local{centre.x, centre.y, centre.z, float(ball.radius_A)};
    kernels.deepen(tile.box_around({local.x, local.y, local.z, local.radius + beside}), local, beside,
                   int(near.size()), depth_A.data(), deepest.data());
    near.push_back(local);
  });
  shares->resize(size);
  for (std::size_t n = 0; n < size; ++n) {
    const float depth = depth_A[n];
    if (!(std::fabs(depth) < beside)) {
      (*shares)[n] = depth > 0.0f ? 0.0f : 1.0f;
      continue;
    }
    const AroundPart& ball = near[std::size_t(deepest[n])];
    const int at = int(n), row = at / tile.counts.x;
    const Vec3<float> from = tile.position_A(at % tile.counts.x, row % tile.counts.y, row / tile.counts.y);
    const Vec3<double> away{double(from.x - ball.x), double(from.y - ball.y), double(from.z - ball.z)};
    const double r = std::sqrt(dot(away, away));
    const Vec3<double> normal = r > 0.0 ? 1.0 / r * away : Vec3<double>{1.0, 0.0, 0.0};
    const double inside = half_space_share(double(depth), {normal.x * h.x, normal.y * h.y, normal.z * h.z});
    (*shares)[n] = float(1.0 - inside);
  }
}

}  // namespace

void validate(const AccessibilityOptions& options) {
  if (!(options.ion_radius_A >= 0.0 && std::isfinite(options.ion_radius_A)))
    fail<UsageError>("the radius of the solution's ions is ", options.ion_radius_A,
                     " A (it must not be negative); 2 is common");
}

PointBox accessibility_points(const AccessibilityOptions& options, const DielectricOptions& solute,
                              const Atom& atom, const LatticeGeometry& lattice) {
  const double reach_A = accessibility_reach_A(options, atom.radius_A, lattice.spacing_A);
  const Vec3<double> reach{reach_A, reach_A, reach_A};
  const PointBox near = points_around(lattice, {atom.position_A - reach, atom.position_A + reach});
  return fit_where_no_probe_does(options, solute)
             ? joined_points(near, dielectric_points(solute, atom, lattice))
             : near;
}

void set_accessibility(const AccessibilityOptions& options, const DielectricOptions& solute,
                       std::span<const Atom> atoms, const PointBox& range, std::span<const PointBox> tiles,
                       int threads, const PbCoefficients& to, const SolventExcluded* surface) {
  if (tiles.empty()) return;
  const std::vector<Ball> all = balls_of(atoms, options.ion_radius_A);
  const double reach_A =
      accessibility_reach_A(options, largest_radius_A(all) - options.ion_radius_A, to.lattice.spacing_A);
  const BallsInCells balls(balls_near(all, extents_of(to.lattice, range), reach_A));
  std::shared_ptr<const SolventExcluded> own_surface;
  const bool is_closed_inside = fit_where_no_probe_does(options, solute);
  if (is_closed_inside && surface == nullptr) {
    own_surface = surface_at_points(solute, atoms, to.lattice, range, tiles, threads);
    surface = own_surface.get();
  }
  parallel_ranges({threads, 1}, std::ssize(tiles), [&](std::int64_t first, std::int64_t last) {
    std::vector<float> shares;
    SolventExcluded::Samples samples;
    for (std::int64_t n = first; n < last; ++n) {
      const PointBox& tile = tiles[std::size_t(n)];
      const SampleTile positions(to.lattice, tile, {0, 0, 0});
      if (is_spline(options))
        fill_solvent_shares(balls, step_of(options), positions, &shares);
      else
        fill_shares(balls, positions, options, &shares);
      if (is_closed_inside) close_inside(samples, *surface, positions, &shares);
      for (std::int64_t k = tile.low.z; k <= tile.high.z; ++k)
        for (std::int64_t j = tile.low.y; j <= tile.high.y && to.has_plane(k); ++j)
          for (std::int64_t i = tile.low.x; i <= tile.high.x; ++i)
            to.accessibility[to.index(i, j, k)] = shares[std::size_t(
                positions.index(int(i - tile.low.x), int(j - tile.low.y), int(k - tile.low.z)))];
    }
  });
}

void set_accessibility(const AccessibilityOptions& options, const DielectricOptions& solute,
                       std::span<const Atom> atoms, const PointBox& range, int threads, PbSystem* system,
                       const SolventExcluded* surface) {
  const PbCoefficients to = coefficients_of(*system);
  set_accessibility(options, solute, atoms, range, tiles_with(to, range), threads, to, surface);
}

}  // namespace ionwell
