#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"
#include "core/unit_cell.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// The coulomb potential [kT/e] of charges and all their images at a few points, in a rectangular cell with a
/// neutralising background, by an Ewald sum written out in fp64, to 1e-13: O(charges x (points + waves)).
std::vector<double> plain_ewald(const CellVectors& cell, const PairPotential& pair,
                                std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                                int threads);

}  // namespace ionwell
