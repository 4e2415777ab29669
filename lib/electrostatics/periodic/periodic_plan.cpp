#include "electrostatics/periodic/periodic_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "electrostatics/periodic/ewald_error.hpp"

namespace ionwell {
namespace {

/// Cutoffs that are looked at: each a tenth longer than the one before.
constexpr int cutoffs = 40;
double cutoff_A(int n) {
  return 2.5 * std::pow(1.1, n);  // 2.5 to 103 A
}

/// Charges and points from a few places all over the lists tell how many pairs are how near.
std::array<double, cutoffs> estimated_pairs(const PeriodicCell& cell, std::span<const PointCharge> charges,
                                            std::span<const Vec3<double>> points_A) {
  constexpr std::size_t most_points = 64, most_charges = 1024;
  const std::size_t point_count = std::min(points_A.size(), most_points),
                    charge_count = std::min(charges.size(), most_charges);
  std::array<double, cutoffs> pairs{};
  for (std::size_t p = 0; p < point_count; ++p)
    for (std::size_t c = 0; c < charge_count; ++c) {
      const double d_A =
          std::sqrt(cell.distance_squared_A2(points_A[p * points_A.size() / point_count],
                                             charges[c * charges.size() / charge_count].position_A));
      const double n = std::ceil(std::log(std::max(d_A, 1e-3) / cutoff_A(0)) / std::log(1.1));
      if (n < cutoffs) ++pairs[std::size_t(std::max(n, 0.0))];
    }
  const double all = double(points_A.size()) * double(charges.size());
  const double weight = point_count > 0 ? all / double(point_count * charge_count) : 0.0;
  double sum = 0.0;
  for (int n = 0; n < cutoffs; ++n) {
    const double r_A = cutoff_A(n);
    sum += weight * pairs[std::size_t(n)];
    const double anywhere = all * 4 * EwaldSplit::pi / 3 * r_A * r_A * r_A / cell.volume_A3();
    pairs[std::size_t(n)] = r_A > cell.inscribed_radius_A() ? std::max(sum, anywhere) : sum;
  }
  return pairs;
}

/// Expected error of spreading and interpolating on a grid, relative to `charges`: what of a wave appears as
/// another one, whose number differs by that of the grid points (aliasing).
double mesh_error(const EwaldSplit& split, const ChargeDensity& charges, double wave_number_per_A,
                  double spacing_A, const KaiserBessel& window) {
  constexpr int waves = 24, directions = 6;
  double alone = 0.0, squares = 0.0;
  const double step_per_A = wave_number_per_A / waves;
  for (int i = 0; i < waves; ++i) {
    const double k = step_per_A * (i + 0.5), value = split.transform(k * k);
    for (int j = 0; j < directions; ++j) {
      const double angle = k * spacing_A * (j + 0.5) / directions;
      const double own = window.relative_bound(angle);
      double ratio = 0.0;
      for (const double turns : {-2.0, -1.0, 1.0, 2.0})
        ratio += window.relative_bound(std::abs(angle + 2 * EwaldSplit::pi * turns)) / own;
      const double shell = k * k * step_per_A / (2 * EwaldSplit::pi * EwaldSplit::pi) / directions;
      alone += shell * value * ratio;
      squares += shell * value * value * ratio * ratio;
    }
  }
  constexpr double axes = 3, ways = 2;  // spreading and interpolating
  return axes * ways * charges.largest_e * alone +
         std::sqrt(axes * ways * charges.sum_of_squares / charges.volume_A3 * squares);
}

struct WindowChoice {
  double oversampling;  // grid points for each that the largest wave number needs
  KaiserBessel window;
};

/// The window of a width with the least error, and that error.
struct BestWindow {
  KaiserBessel window;
  double error;
};

BestWindow best_window(const EwaldSplit& split, const ChargeDensity& charges, double wave_number_per_A,
                       double oversampling, int width) {
  const double spacing_A = EwaldSplit::pi / (wave_number_per_A * oversampling);
  BestWindow best{{width, 0.0}, 1e300};
  // With a share of 1 - 1 / (2 oversampling) all aliases are beyond the window's main lobe.
  for (const double share : {0.5, 0.6, 0.68, 0.75, 0.8}) {
    if (share < 1 - 0.6 / oversampling) continue;
    const KaiserBessel window{width, EwaldSplit::pi * width * share};
    const double error = mesh_error(split, charges, wave_number_per_A, spacing_A, window);
    if (error < best.error) best = {window, error};
  }
  return best;
}

/// For each density of the grid the narrowest window; the densest grid always has one.
std::vector<WindowChoice> possible_windows(const EwaldSplit& split, const ChargeDensity& charges,
                                           double wave_number_per_A, double error) {
  constexpr std::array oversamplings = {1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.4};
  std::vector<WindowChoice> choices;
  int width = MeshWindow::largest_width;
  for (const double oversampling : oversamplings) {
    BestWindow narrowest = best_window(split, charges, wave_number_per_A, oversampling, width);
    if (narrowest.error > error && oversampling != oversamplings.back()) continue;
    while (width > MeshWindow::smallest_width) {
      const BestWindow narrower = best_window(split, charges, wave_number_per_A, oversampling, width - 2);
      if (narrower.error > error) break;
      narrowest = narrower;
      width -= 2;
    }
    choices.push_back({oversampling, narrowest.window});
  }
  return choices;
}

}  // namespace

PeriodicPlan periodic_plan(const PeriodicCell& cell, const PairPotential& pair,
                           std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                           double error_kT_e, const PeriodicCosts& costs) {
  ChargeDensity density{.volume_A3 = cell.volume_A3()};
  for (const PointCharge& q : charges) {
    density.sum_of_squares += q.charge_e * q.charge_e;
    density.largest_e = std::max(density.largest_e, std::abs(q.charge_e));
  }
  constexpr double atoms_per_A3 = 0.12;  // of matter; charges may fill a part of the cell only
  density.squares_per_A3 =
      density.sum_of_squares / std::min(density.volume_A3, double(charges.size()) / atoms_per_A3);

  // The largest of many errors is about 5 root mean squares, and there are three kinds of them.
  constexpr double safety = 10;
  const double error = error_kT_e / pair.prefactor / safety;
  const auto& [a, b, c] = cell.reduced();
  const Vec3<double> edges_A{std::sqrt(dot(a, a)), std::sqrt(dot(b, b)), std::sqrt(dot(c, c))};
  const std::array<double, cutoffs> pairs = estimated_pairs(cell, charges, points_A);

  const auto split_at = [&](int n) {
    return split_for_cutoff(EwaldSplit::of(pair, 1.0), density, cutoff_A(n), error);
  };
  const auto wave_number_per_A = [&](const EwaldSplit& split) {
    return largest_wave_number_per_A(split, density, error);
  };
  const auto cheapest_of = [&](int n, const EwaldSplit& split, std::span<const WindowChoice> windows) {
    PeriodicPlan best{.expected_s = 1e300};
    for (const auto& [oversampling, window] : windows) {
      const double per_A = wave_number_per_A(split) * oversampling / EwaldSplit::pi;
      const auto along = [&](double edge_A) {
        return fast_fourier_points(std::max(edge_A * per_A, double(window.width)));
      };
      PeriodicPlan plan{.split = split,
                        .cutoff_A = cutoff_A(n),
                        .grid = {along(edges_A.x), along(edges_A.y), along(edges_A.z)},
                        .window = window,
                        .expected_error_kT_e = error_kT_e};
      const double grid = double(plan.layout().size());
      plan.expected_s =
          pairs[std::size_t(n)] * costs.pair_s +
          double(charges.size() + points_A.size()) * std::pow(window.width, 3) * costs.weight_s +
          grid * std::log2(grid) * costs.grid_point_s;
      if (plan.expected_s < best.expected_s) best = plan;
    }
    return best;
  };
  // In units of alpha the windows' errors hardly depend on the cutoff, unless screening does most of its
  // work: they are found again for the cutoff that turns out best.
  const auto windows_at = [&](const EwaldSplit& split) {
    return possible_windows(split, density, wave_number_per_A(split), error);
  };
  const std::vector<WindowChoice> usual_windows = windows_at(split_at(cutoffs / 4));
  double least_s = 1e300;
  int chosen = 0;
  for (int n = 0; n < cutoffs; ++n) {
    const EwaldSplit split = split_at(n);
    const double expected_s = cheapest_of(n, split, usual_windows).expected_s;
    if (expected_s < least_s) {
      least_s = expected_s;
      chosen = n;
    }
    // Screening has ended the potential by itself.
    if (split.alpha_per_A * cutoff_A(n) <= least_alpha_cutoff) break;
  }
  const EwaldSplit split = split_at(chosen);
  PeriodicPlan best = cheapest_of(chosen, split, windows_at(split));
  // Sorting: numbers, positions and weights by cells; see the cell lists and PeriodicMesh.
  constexpr std::int64_t bytes_per_charge = 144, bytes_per_point = 88;
  best.bytes = FourierGrid::bytes(best.layout()) + bytes_per_charge * std::int64_t(charges.size()) +
               bytes_per_point * std::int64_t(points_A.size());
  return best;
}

}  // namespace ionwell
