// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/at_points/sampled_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"

namespace ionwell {
namespace {

constexpr std::array<MultilevelSet, 5> sets = {{{{MultilevelBasis::bspline4, 10.0, 2.0}, 2e-3},
                                                {{MultilevelBasis::bspline6, 8.0, 2.0}, 8e-4},
                                                {{MultilevelBasis::bspline6, 10.0, 2.0}, 2e-4},
                                                {{MultilevelBasis::bspline8, 10.0, 2.0}, 3e-5},
                                                {{MultilevelBasis::bspline8, 6.0, 1.0}, 1e-5}}};

}  // namespace

std::vector<std::size_t> sample_numbers(std::size_t points) {
  constexpr std::size_t most_samples = 256;
  std::vector<std::size_t> numbers(std::min(most_samples, points));
  for (std::size_t s = 0; s < numbers.size(); ++s) numbers[s] = s * points / numbers.size();
  return numbers;
}

std::optional<SampledError> sampled_error(std::span<const double> exact_kT_e,
                                          std::span<const double> values_kT_e) {
  double exact_square = 0.0, square = 0.0, largest = 0.0;
  for (std::size_t s = 0; s < exact_kT_e.size(); ++s) {
    const double difference = values_kT_e[s] - exact_kT_e[s];
    exact_square += exact_kT_e[s] * exact_kT_e[s];
    square += difference * difference;
    largest = std::max(largest, std::abs(difference));
  }
  if (!(exact_square > 0.0)) return {};
  const double potential_rms_kT_e = std::sqrt(exact_square / double(exact_kT_e.size()));
  return SampledError{int(exact_kT_e.size()), std::sqrt(square / exact_square), largest / potential_rms_kT_e,
                      potential_rms_kT_e};
}

std::span<const MultilevelSet> multilevel_sets() {
  return sets;
}

std::size_t first_multilevel_set(double error) {
  std::size_t set = 0;
  while (set + 1 < sets.size() && sets[set].error > error) ++set;
  return set;
}

void fail_to_be_exact(double wanted, double sampled) {
  fail<UsageError>("--accuracy ", wanted, ": the error of multilevel summation is ", sampled,
                   " of the root mean square of the potential at the samples; use --method direct, or a "
                   "larger --accuracy");
}

}  // namespace ionwell
