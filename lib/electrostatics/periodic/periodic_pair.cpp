// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/periodic_pair.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "electrostatics/periodic/mesh_filter.hpp"
#include "electrostatics/periodic/mesh_patch.hpp"
#include "electrostatics/periodic/window_choice.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {

struct PeriodicPair::Plan {
  EwaldSplit split;
  double cutoff_A = 0.0;
  KaiserBessel window{};
  FourierLayout layout;
  double error_kT_e = 0.0;
};

namespace {

/// Images that may be within a distance of a point of the cell.
std::vector<Vec3<double>> near_images(const PeriodicCell& reduced, double distance_A) {
  const Vec3<double> widths_A = reduced.widths_A();
  const auto reach = [&](double width_A) { return int(std::ceil(distance_A / width_A)); };
  const auto& [a, b, c] = reduced.vectors();
  // The distance from the cell's middle to any of its points.
  double radius2_A2 = 0.0;
  for (const double j : {-0.5, 0.5})
    for (const double k : {-0.5, 0.5}) {
      const Vec3<double> corner_A = 0.5 * a + j * b + k * c;
      radius2_A2 = std::max(radius2_A2, dot(corner_A, corner_A));
    }
  const Vec3<double> middle_A = 0.5 * (a + b + c);
  const double farthest_A = std::sqrt(radius2_A2) + distance_A;
  std::vector<Vec3<double>> shifts_A;
  for (int k = 1 - reach(widths_A.z); k <= reach(widths_A.z); ++k)
    for (int j = 1 - reach(widths_A.y); j <= reach(widths_A.y); ++j)
      for (int i = 1 - reach(widths_A.x); i <= reach(widths_A.x); ++i) {
        const Vec3<double> shift_A = reduced.cartesian_A({double(i), double(j), double(k)});
        if (distance_squared(shift_A, middle_A) <= farthest_A * farthest_A) shifts_A.push_back(shift_A);
      }
  return shifts_A;
}

/// An absolute error with prefactor 1, of one relative to the potential of a charge nearby.
double absolute_error(const PeriodicCell& cell, const PairPotential& pair, double tolerance) {
  constexpr double usual_distance_A = 4;
  const double r_A = std::min(usual_distance_A, cell.inscribed_radius_A());
  return tolerance * pair.at(r_A * r_A) / pair.prefactor;
}

}  // namespace

/// The cheapest of many cutoffs, windows and grids: the grid is filled once and read often.
PeriodicPair::Plan PeriodicPair::planned(const PeriodicCell& cell, const PairPotential& pair, double error) {
  const ChargeDensity one{.volume_A3 = cell.volume_A3(),
                          .largest_e = 1.0,
                          .sum_of_squares = 1.0,
                          .squares_per_A3 = 1 / cell.volume_A3()};
  const auto& [a, b, c] = cell.reduced();
  constexpr double safety = 6, most_points = 5e8;
  Plan best;
  double least_ns = 1e300;
  for (const double share : {0.7, 0.85, 1.0, 1.4, 2.0, 3.0, 4.5, 6.5}) {
    const double cutoff_A = 2 * share * cell.inscribed_radius_A();
    const EwaldSplit split = split_for_cutoff(EwaldSplit::of(pair, 1.0), one, cutoff_A, error / safety);
    const double k = largest_wave_number_per_A(split, one, error / safety);
    const double images = 4 * EwaldSplit::pi / 3 * cutoff_A * cutoff_A * cutoff_A / cell.volume_A3();
    for (int width = 8; width <= 14; width += 2)
      for (double oversampling = 1.0; oversampling < 4; oversampling *= 1.15) {
        const BestWindow window = best_window(split, one, k, oversampling, width);
        if (window.error > error / safety) continue;
        const auto along = [&](const Vec3<double>& edge) {
          const double least = std::sqrt(dot(edge, edge)) * k * oversampling / EwaldSplit::pi;
          return fast_fourier_points(std::clamp(least, double(width), 1e6));
        };
        const FourierLayout layout{{along(a), along(b), along(c)}, width};
        // Measured: weights that a core's cache holds, lines that come from farther away, and images.
        constexpr double weight_ns = 0.25, line_ns = 4, image_ns = 12, cached_bytes = 1e6;
        const double ns =
            weight_ns * std::pow(width, 3) + image_ns * images +
            line_ns * width * width * std::min(1.0, double(FourierGrid::bytes(layout)) / cached_bytes);
        if (ns < least_ns && double(layout.size()) < most_points) {
          least_ns = ns;
          best = {split, cutoff_A, window.window, layout, error * pair.prefactor};
        }
        break;
      }
  }
  if (least_ns == 1e300)
    fail("a cell of ", cell.volume_A3(), " A^3 whose nearest images are ", 2 * cell.inscribed_radius_A(),
         " A apart needs a grid of more than ", most_points,
         " points; correct the cell, or make it less flat");
  return best;
}

PeriodicPair::PeriodicPair(const PeriodicCell& cell, const PairPotential& pair,
                           const PeriodicPairOptions& options)
    : PeriodicPair(cell, pair, options, planned(cell, pair, absolute_error(cell, pair, options.tolerance))) {}

PeriodicPair::PeriodicPair(const PeriodicCell& cell, const PairPotential& pair,
                           const PeriodicPairOptions& options, const Plan& plan)
    : cell_(cell),
      pair_(pair),
      split_(plan.split),
      reduced_(cell.reduced()),
      reciprocal_(PeriodicCell(cell.reduced()).reciprocal()),
      shifts_A_(near_images(PeriodicCell(cell.reduced()), plan.cutoff_A)),
      short_(plan.split, plan.cutoff_A),
      window_(plan.window),
      kernels_(periodic_kernels(options.simd)),
      grid_(plan.layout, thread_count(options.threads), *kernels_.fourier),
      mean_(plan.split.mean() / cell.volume_A3()),
      error_kT_e_(plan.error_kT_e) {
  const MeshFilter filter(PeriodicCell(reduced_), split_, plan.layout.points, plan.window,
                          MeshFilter::Use::interpolated);
  grid_.values()[0] = 1.0;  // one charge on a grid point: no window
  grid_.filter([&](double* factors, int h_y, int h_z) { filter.row(factors, h_y, h_z); });
  grid_.fill_overhang();
  double images = smooth({}) - split_.smooth(0.0);
  for (const Vec3<double>& shift_A : shifts_A_)
    if (const double r2_A2 = dot(shift_A, shift_A); r2_A2 > 0 && r2_A2 < short_.cutoff2_A2())
      images += short_.at(r2_A2);
  own_images_kT_e_ = pair_.prefactor * images;
}

double PeriodicPair::smooth(const Vec3<double>& fraction) const {
  return mean_ + with_patch(grid_.layout(), window_, fraction, [&](const MeshPatch& patch) {
           return kernels_.interpolate(patch, grid_.values());
         });
}

double PeriodicPair::at(const Vec3<double>& difference_A) const {
  Vec3<double> f{dot(reciprocal_.a, difference_A), dot(reciprocal_.b, difference_A),
                 dot(reciprocal_.c, difference_A)};
  const Vec3<double> whole{std::floor(f.x), std::floor(f.y), std::floor(f.z)};
  const Vec3<double> d_A = difference_A - whole.x * reduced_.a - whole.y * reduced_.b - whole.z * reduced_.c;
  f = f - whole;
  double sum = smooth(f);
  constexpr double smallest2_A2 = smallest_distance_A * smallest_distance_A;
  for (const Vec3<double>& shift_A : shifts_A_) {
    const double r2_A2 = distance_squared(d_A, shift_A);
    if (r2_A2 >= short_.cutoff2_A2()) continue;
    if (r2_A2 >= smallest2_A2)
      sum += short_.at(r2_A2);
    else  // the pair potential alone is cut off
      sum += split_.whole(smallest_distance_A) - split_.smooth(std::sqrt(r2_A2));
  }
  return pair_.prefactor * sum;
}

}  // namespace ionwell
