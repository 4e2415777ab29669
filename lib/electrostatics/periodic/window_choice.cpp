// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/window_choice.hpp"

#include <array>
#include <cmath>

namespace ionwell {
namespace {

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

}  // namespace

BestWindow best_window(const EwaldSplit& split, const ChargeDensity& charges, double wave_number_per_A,
                       double oversampling, int width) {
  const double spacing_A = EwaldSplit::pi / (wave_number_per_A * oversampling);
  BestWindow best{{width, 0.0}, 1e300};
  // With a share of 1 - 1 / (2 oversampling) all aliases are beyond the window's main lobe.
  for (const double share : {0.5, 0.6, 0.68, 0.75, 0.8, 0.85, 0.9, 0.95}) {
    if (share < 1 - 0.6 / oversampling || share > 1 - 0.2 / oversampling) continue;
    const KaiserBessel window{width, EwaldSplit::pi * width * share};
    const double error = mesh_error(split, charges, wave_number_per_A, spacing_A, window);
    if (error < best.error) best = {window, error};
  }
  return best;
}

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

}  // namespace ionwell
