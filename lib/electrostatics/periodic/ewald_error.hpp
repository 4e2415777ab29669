// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/periodic/ewald_split.hpp"

namespace ionwell {

/// What the errors of an Ewald sum depend on besides its parameters.
struct ChargeDensity {
  double volume_A3 = 0.0;
  double largest_e = 0.0;  // size of the largest charge
  double sum_of_squares = 0.0;
  double squares_per_A3 = 0.0;  // where they lie densest
};

/// Expected errors of the potential, with prefactor 1: root mean squares for charges at random places (Kolafa
/// and Perram 1992, for any pair potential), and what one charge alone does at worst.
/// Of leaving out pairs beyond the cutoff:
double cutoff_error(const EwaldSplit& split, const ChargeDensity& charges, double cutoff_A);
/// Of leaving out wave numbers beyond `wave_number_per_A`:
double wave_error(const EwaldSplit& split, const ChargeDensity& charges, double wave_number_per_A);

/// Bounds on alpha times cutoff. With the least one the smooth part has hardly a share in what is near.
constexpr double least_alpha_cutoff = 0.5, most_alpha_cutoff = 6.5;  // erfc(6.5) is 4e-20

/// The split with the smallest alpha, from least_alpha_cutoff up, whose cutoff error is at most `error`.
EwaldSplit split_for_cutoff(EwaldSplit split, const ChargeDensity& charges, double cutoff_A, double error);

/// The smallest wave number beyond which all can be left out.
double largest_wave_number_per_A(const EwaldSplit& split, const ChargeDensity& charges, double error);

}  // namespace ionwell
