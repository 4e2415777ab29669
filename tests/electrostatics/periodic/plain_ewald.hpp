// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"
#include "core/unit_cell.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// The potential [kT/e] of charges and all their images at one point, by an Ewald sum written out: all images
/// within `reach` / alpha, all wave vectors below 2 `reach` alpha. `alpha_per_A` changes nothing but the
/// time.
double plain_ewald(const CellVectors& cell, const PairPotential& pair, std::span<const PointCharge> charges,
                   const Vec3<double>& point_A, double alpha_per_A, double reach = 6.5);

/// The waves of that sum alone: the potential of charges that are spread as Gaussians.
double plain_smooth_ewald(const CellVectors& cell, const PairPotential& pair,
                          std::span<const PointCharge> charges, const Vec3<double>& point_A,
                          double alpha_per_A);

/// What of all its images a charge feels, with the same background: plain_ewald at its own place, without its
/// own potential.
double plain_own_images(const CellVectors& cell, const PairPotential& pair, double alpha_per_A);

struct NamedCell {
  const char* name;
  CellVectors vectors;
};

/// Of every usual shape, and of some that no program would lay so.
std::vector<NamedCell> cells_of_all_shapes();

}  // namespace ionwell
