// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"

/// Dielectrics and accessibilities of an equation, which ranks compute tile by tile and give to those who
/// have these planes.
namespace ionwell {

/// For each rank, and after the last: the first tile (tiles_of) of a lattice that is its own; so that each
/// has about as much to do, by the points and atoms in them.
std::vector<std::size_t> tiles_of_ranks(const LatticeGeometry& lattice, std::span<const Atom> atoms,
                                        int ranks);

/// What a SetCoefficients does, of the slab of each rank, which has `planes` by rank: all ranks call it.
/// Throws AgreedFailure (plane_exchange).
void set_coefficients(RankGroup& group, std::span<const LevelPlanes> planes, const PbModelOptions& options,
                      std::span<const Atom> atoms, int threads, PbSystem* slab);

}  // namespace ionwell
