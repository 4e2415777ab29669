// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace ionwell {

/// The mean of a quantity, and how sure it is.
struct SeriesMean {
  double mean = 0.0;
  double error = 0.0;          // standard error, by blocks; NaN of fewer than two
  double samples_apart = 0.0;  // integrated autocorrelation time, in samples
};

/// Of several series of equal meaning, one from each replica. Each is cut into `blocks` equal blocks, and the
/// means of all blocks give the error (Flyvbjerg and Petersen, J. Chem. Phys. 91:461, 1989); samples after
/// the last whole block count in the mean alone.
SeriesMean series_mean(std::span<const std::vector<double>> series, int blocks);

/// The integrated autocorrelation time of a series [samples], 1/2 + sum of the correlations up to the first
/// window of five times the result (Sokal's rule, Madras and Sokal, J. Stat. Phys. 50:109, 1988, appendix C);
/// 1/2 for samples that know nothing of each other. O(samples x window).
double autocorrelation_time(std::span<const double> series);

/// Mean and standard error of numbers; the error of fewer than two is NaN.
SeriesMean mean_of(std::span<const double> numbers);

}  // namespace ionwell
