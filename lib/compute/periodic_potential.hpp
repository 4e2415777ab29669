// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "compute/backend.hpp"
#include "electrostatics/periodic/periodic_sum.hpp"

namespace ionwell {

/// The potential of charges that repeat with a cell, and what computed it.
struct PeriodicPotential {
  std::vector<double> values_kT_e;  // in the order of the points
  Backend computed_on = Backend::cpu;
  std::string note;  // why the CPU did what a device was to do; otherwise empty
};

/// periodic_potential (electrostatics/periodic/periodic_sum.hpp) on the first device of a choice, or on the
/// CPU where it has none; also when that device fails at it or has not the memory, and the note says so then.
PeriodicPotential periodic_potential(const BackendChoice& choice, const PeriodicCell& cell,
                                     const PairPotential& pair, std::span<const PointCharge> charges,
                                     std::span<const Vec3<double>> points_A,
                                     const PeriodicSumOptions& options = {}, const Progress& progress = {});

}  // namespace ionwell
