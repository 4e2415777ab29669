// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "electrostatics/at_points/point_sum.hpp"

/// How the error of an approximation at scattered points is measured, and with which settings it is tried.
namespace ionwell {

/// What is nearer to a charge is no sample.
constexpr double beside_charge_A = 1.0;

/// Numbers of up to 256 of `points`, evenly spread.
std::vector<std::size_t> sample_numbers(std::size_t points);

/// None when there are no samples, or all of them are 0.
std::optional<SampledError> sampled_error(std::span<const double> exact_kT_e,
                                          std::span<const double> values_kT_e);

/// Sets of multilevel summation from the fastest on, with the errors that ionwell-bench points finds for
/// them, or less.
struct MultilevelSet {
  MultilevelOptions options;
  double error;
};
std::span<const MultilevelSet> multilevel_sets();

/// Number of the first set that should have an error; of the last one when none has.
std::size_t first_multilevel_set(double error);

/// What is said when no set has the error.
[[noreturn]] void fail_to_be_exact(double wanted, double sampled);

}  // namespace ionwell
