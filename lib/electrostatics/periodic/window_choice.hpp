// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "electrostatics/periodic/ewald_error.hpp"
#include "electrostatics/periodic/mesh_window.hpp"

namespace ionwell {

/// The window of a width with the least error, and that error: expected for spreading and interpolating, with
/// prefactor 1. `oversampling`: grid points for each that the largest wave number needs.
struct BestWindow {
  KaiserBessel window;
  double error;
};

BestWindow best_window(const EwaldSplit& split, const ChargeDensity& charges, double wave_number_per_A,
                       double oversampling, int width);

struct WindowChoice {
  double oversampling;
  KaiserBessel window;
};

/// For each density of the grid the narrowest window that is exact enough; the densest grid always has one.
/// Takes about a millisecond.
std::vector<WindowChoice> possible_windows(const EwaldSplit& split, const ChargeDensity& charges,
                                           double wave_number_per_A, double error);

}  // namespace ionwell
