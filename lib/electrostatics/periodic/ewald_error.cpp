// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/ewald_error.hpp"

#include <algorithm>

namespace ionwell {

double cutoff_error(const EwaldSplit& split, const ChargeDensity& charges, double cutoff_A) {
  const double value = split.short_range(cutoff_A);
  // It falls as exp(-alpha^2 r^2), and its square's integral over the rest of space is that of its tail.
  const double tail_A = 1 / (4 * split.alpha_per_A * split.alpha_per_A * cutoff_A);
  const double volume_A3 = 4 * EwaldSplit::pi * cutoff_A * cutoff_A * tail_A;
  return value * (charges.largest_e + std::sqrt(charges.squares_per_A3 * volume_A3));
}

double wave_error(const EwaldSplit& split, const ChargeDensity& charges, double wave_number_per_A) {
  const double k2 = wave_number_per_A * wave_number_per_A, value = split.transform(k2);
  const double tail_per_A = 2 * split.alpha_per_A * split.alpha_per_A / wave_number_per_A;
  const double shell = k2 * value * tail_per_A / (2 * EwaldSplit::pi * EwaldSplit::pi);
  return charges.largest_e * shell +
         std::sqrt(charges.sum_of_squares / charges.volume_A3 * shell * value / 2);
}

namespace {

/// The least x in [low, high] with error(x) <= most, of an error that falls; `high` when there is none.
template <typename Error>
double least_with(double low, double high, double most, const Error& error) {
  if (error(low) <= most) return low;
  for (int n = 0; n < 40; ++n) {
    const double middle = 0.5 * (low + high);
    (error(middle) <= most ? high : low) = middle;
  }
  return high;
}

}  // namespace

EwaldSplit split_for_cutoff(EwaldSplit split, const ChargeDensity& charges, double cutoff_A, double error) {
  const double product = least_with(least_alpha_cutoff, most_alpha_cutoff, error, [&](double x) {
    split.alpha_per_A = x / cutoff_A;
    return cutoff_error(split, charges, cutoff_A);
  });
  split.alpha_per_A = product / cutoff_A;
  return split;
}

double largest_wave_number_per_A(const EwaldSplit& split, const ChargeDensity& charges, double error) {
  constexpr double least = 0.5, most = 14.0;  // of alpha; exp(-14^2 / 4) is 5e-22
  return split.alpha_per_A * least_with(least, most, error, [&](double x) {
           return wave_error(split, charges, x * split.alpha_per_A);
         });
}

}  // namespace ionwell
