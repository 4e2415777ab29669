// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/structure.hpp"

/// How far the lattice may be from the exact potential: what both backends do alike.
namespace ionwell {

/// Distance that every available point keeps from every one of `charges`: `exclusion_A`, if they are all
/// among `excluded_centres` (in their order, as when both were made from one structure), otherwise 0.
double clearance_A(std::span<const PointCharge> charges, std::span<const Vec3<double>> excluded_centres,
                   double exclusion_A);

/// Right beside a charge its own term rounds the most, and samples may miss the few points there: with a
/// clearance below this a multilevel sum gets the direct sum's error bound on top.
constexpr double beside_a_charge_A = 1.0;

/// The largest error at the samples, times this, is taken to hold everywhere.
constexpr double room_for_unseen_errors = 3.0;

/// A sample: the first available point of a block from `point` on, cyclically.
struct ErrorSample {
  std::size_t slot;
  int point;
};

/// Where to compare a multilevel sum of `charges` charges with fp64: half of the samples in blocks next to
/// the solute, the others in all blocks with an available point. The same in every run.
std::vector<ErrorSample> error_samples(std::size_t charges, std::span<const std::size_t> beside_solute,
                                       std::span<const std::size_t> all);

}  // namespace ionwell
