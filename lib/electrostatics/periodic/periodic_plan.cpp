// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/periodic_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "electrostatics/periodic/ewald_error.hpp"
#include "electrostatics/periodic/window_choice.hpp"

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

}  // namespace

PeriodicPlan periodic_plan(const PeriodicCell& cell, const PairPotential& pair,
                           std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                           double error_kT_e, const PeriodicCosts& costs,
                           const std::optional<double>& smooth_per_A) {
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
    for (const WindowChoice& choice : windows) {
      const auto& window = choice.window;
      const double per_A = wave_number_per_A(split) * choice.oversampling / EwaldSplit::pi;
      const auto along = [&](double edge_A) {
        return fast_fourier_points(std::max(edge_A * per_A, double(window.width)));
      };
      PeriodicPlan plan{.split = split,
                        .cutoff_A = smooth_per_A ? 0.0 : cutoff_A(n),
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
  const EwaldSplit split = smooth_per_A ? EwaldSplit::of(pair, *smooth_per_A) : split_at(chosen);
  PeriodicPlan best = cheapest_of(chosen, split, windows_at(split));
  // Sorting: numbers, positions and weights by cells; see the cell lists and PeriodicMesh.
  constexpr std::int64_t bytes_per_charge = 144, bytes_per_point = 88;
  best.bytes = FourierGrid::bytes(best.layout()) + bytes_per_charge * std::int64_t(charges.size()) +
               bytes_per_point * std::int64_t(points_A.size());
  return best;
}

}  // namespace ionwell
