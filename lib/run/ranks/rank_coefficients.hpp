#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "run/ranks/rank_orders.hpp"

/// Dielectrics and accessibilities of an equation, which ranks compute tile by tile and the first collects.
namespace ionwell {

/// For each rank, and behind the last: the first tile (tiles_of) of a lattice that is its own; so that each
/// has about as much to do, by the points and atoms in them.
std::vector<std::size_t> tiles_of_ranks(const LatticeGeometry& lattice, std::span<const Atom> atoms,
                                        int ranks);

/// What a SetCoefficients does, by all ranks; the first rank's side. Throws Error for what one cannot do.
void set_coefficients(RankOrders& orders, const PbModelOptions& options, std::span<const Atom> atoms,
                      int threads, PbSystem* system);

/// What another rank computes of that: of each of its tiles the dielectric along x, y and z and the
/// accessibility, each in the order of the tile's points.
std::vector<float> own_coefficients(MessageReader message, const RankGroup& group);

}  // namespace ionwell
