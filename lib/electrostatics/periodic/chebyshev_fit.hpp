// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <vector>

namespace ionwell {

/// Coefficients c_0, c_1 ... of the polynomial in t that has the function's values at `terms` Chebyshev
/// points of [-1, 1], without the terms that are `negligible` there. For an entire function the error falls
/// faster than any power of `terms`. The conversion to powers of t is in extended precision, which the
/// function may use as well.
template <typename Function>
std::vector<double> chebyshev_fit(int terms, double negligible, const Function& function) {
  const long double step = 3.141592653589793238462643383279502884L / terms;
  std::vector<long double> values(static_cast<std::size_t>(terms)), series(values);
  for (int i = 0; i < terms; ++i) values[std::size_t(i)] = function(std::cos(step * (i + 0.5L)));
  for (int n = 0; n < terms; ++n) {
    long double c = 0.0L;
    for (int i = 0; i < terms; ++i) c += values[std::size_t(i)] * std::cos(step * n * (i + 0.5L));
    series[std::size_t(n)] = c * (n == 0 ? 1.0L : 2.0L) / terms;
  }
  while (series.size() > 1 && std::abs(series.back()) < negligible) series.pop_back();
  // T_n = 2 t T_(n-1) - T_(n-2), as coefficients of powers.
  std::vector<long double> sum(series.size(), 0.0L), before(sum), present(sum);
  present[0] = 1.0L;
  for (std::size_t n = 0; n < series.size(); ++n) {
    for (std::size_t d = 0; d <= n; ++d) sum[d] += series[n] * present[d];
    std::vector<long double> next(series.size(), 0.0L);
    for (std::size_t d = 0; d + 1 < next.size(); ++d) next[d + 1] = (n == 0 ? 1.0L : 2.0L) * present[d];
    for (std::size_t d = 0; d < next.size() && n > 0; ++d) next[d] -= before[d];
    before = present;
    present = next;
  }
  return {sum.begin(), sum.end()};
}

}  // namespace ionwell
