// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lattice.hpp"
#include "jobs/place/job/job.hpp"

namespace ionwell {

/// A solute's potential on so few points that a page or a message can hold it.
struct CoarseMap {
  LatticeGeometry lattice;
  std::vector<float> values_kT_e;  // i fastest; empty when there is none
  std::string why_not;             // a sentence about a map that there is not
};

/// The points of a coarse map: a browser draws the surfaces of so many at once, and a viewer whose surfaces
/// have 16-bit vertex numbers can hold them.
constexpr std::int64_t most_coarse_points = 60'000;

/// The finest lattice around all atoms, 10 A beyond them and spaced 0.5 A or more, of at most `most_points`
/// points; there must be at least one atom.
LatticeGeometry coarse_lattice(std::span<const Atom> atoms, std::int64_t most_points = most_coarse_points);

/// The potential of the job's solute alone, where the job sums its charges or has it from maps; of a solver,
/// a model of sites or a box of water there is none here, nor where maps do not reach. Costs a run of
/// the job without ions on so few points: 3 s of two busy cores for the 245,000 charges of a ribosome.
CoarseMap coarse_map(const Job& job, const Backends& backends = {});

}  // namespace ionwell
