// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/structure.hpp"
#include "electrostatics/pair_potential.hpp"
#include "electrostatics/simd/simd_level.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

struct OpenSumOptions {
  int threads = 1;
  SimdLevel simd = SimdLevel::automatic;
};

/// The potential [kT/e] at any points of charges that stand alone, in fp64: the direct sum, O(charges
/// points). It does not depend on the number of threads. Throws what `progress` throws.
std::vector<double> open_potential(const PairPotential& pair, std::span<const PointCharge> charges,
                                   std::span<const Vec3<double>> points_A, const OpenSumOptions& options,
                                   const Progress& progress);

/// The same into `values_kT_e`, whose first `done` are there already. `done` is up to date whenever
/// `progress` is called.
void open_potential(const PairPotential& pair, std::span<const PointCharge> charges,
                    std::span<const Vec3<double>> points_A, const OpenSumOptions& options,
                    const Progress& progress, std::span<double> values_kT_e, std::size_t& done);

}  // namespace ionwell
