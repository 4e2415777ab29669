#include "electrostatics/poisson_boltzmann/model/ion_accessibility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/model/half_space_share.hpp"
#include "electrostatics/poisson_boltzmann/model/smooth_shares.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// The surface of atoms made larger by the ions' radius.
SurfaceStep step_of(const AccessibilityOptions& options) {
  // A Gaussian density says nothing of ions: they keep away as from a sharp surface.
  return {options.surface, float(options.window_A), 1.0f};
}

bool is_spline(const AccessibilityOptions& options) {
  return is_smooth(options.surface) && options.surface != SoluteSurface::gaussian;
}

double half_diagonal_A(const Vec3<double>& spacing_A) {
  return 0.5 * std::sqrt(dot(spacing_A, spacing_A));
}

/// How far [A] from an atom of that radius accessibility changes.
double accessibility_reach_A(const AccessibilityOptions& options, double radius_A,
                             const Vec3<double>& spacing_A) {
  const double surface_A = radius_A + options.ion_radius_A;
  if (is_spline(options)) return double(step_reach_A(step_of(options), float(surface_A)));
  return surface_A + half_diagonal_A(spacing_A);
}

/// What balls leave free of the boxes around a tile's points.
void fill_shares(const BallsInCells& balls, const SampleTile& tile, bool by_share,
                 std::vector<float>* shares) {
  const Vec3<double> h{double(tile.spacing_A.x), double(tile.spacing_A.y), double(tile.spacing_A.z)};
  const float beside = by_share ? float(half_diagonal_A(h)) : 0.0f;
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
    if (!by_share || !(std::fabs(depth) < beside)) {
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
                     " A (it must not be negative); 2 is usual");
}

PointBox accessibility_points(const AccessibilityOptions& options, const Atom& atom,
                              const LatticeGeometry& lattice) {
  const double reach_A = accessibility_reach_A(options, atom.radius_A, lattice.spacing_A);
  const Vec3<double> reach{reach_A, reach_A, reach_A};
  return points_around(lattice, {atom.position_A - reach, atom.position_A + reach});
}

void set_accessibility(const AccessibilityOptions& options, std::span<const Atom> atoms,
                       const PointBox& range, std::span<const PointBox> tiles, int threads,
                       const PbCoefficients& to) {
  if (tiles.empty()) return;
  const std::vector<Ball> all = balls_of(atoms, options.ion_radius_A);
  const double reach_A =
      accessibility_reach_A(options, largest_radius_A(all) - options.ion_radius_A, to.lattice.spacing_A);
  const BallsInCells balls(balls_near(all, extents_of(to.lattice, range), reach_A));
  parallel_ranges({threads, 1}, std::ssize(tiles), [&](std::int64_t first, std::int64_t last) {
    std::vector<float> shares;
    for (std::int64_t n = first; n < last; ++n) {
      const PointBox& tile = tiles[std::size_t(n)];
      const SampleTile positions(to.lattice, tile, {0, 0, 0});
      if (is_spline(options))
        fill_solvent_shares(balls, step_of(options), positions, &shares);
      else
        fill_shares(balls, positions, options.by_share, &shares);
      for (std::int64_t k = tile.low.z; k <= tile.high.z; ++k)
        for (std::int64_t j = tile.low.y; j <= tile.high.y && to.has_plane(k); ++j)
          for (std::int64_t i = tile.low.x; i <= tile.high.x; ++i)
            to.accessibility[to.index(i, j, k)] = shares[std::size_t(
                positions.index(int(i - tile.low.x), int(j - tile.low.y), int(k - tile.low.z)))];
    }
  });
}

void set_accessibility(const AccessibilityOptions& options, std::span<const Atom> atoms,
                       const PointBox& range, int threads, PbSystem* system) {
  const PbCoefficients to = coefficients_of(*system);
  set_accessibility(options, atoms, range, tiles_with(to, range), threads, to);
}

}  // namespace ionwell
