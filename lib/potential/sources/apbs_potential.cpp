// SPDX-License-Identifier: BSD-3-Clause
#include "potential/sources/apbs_potential.hpp"

#include <algorithm>

namespace ionwell {

ApbsPotential::ApbsPotential(const ApbsOptions& options, const ApbsCalculation& calculation,
                             std::vector<Atom> solute)
    : apbs_(options), calculation_(calculation), atoms_(std::move(solute)) {}

PbCosts ApbsPotential::costs() const {
  // The old map is there while the new one is read, but not while APBS runs.
  const std::int64_t maps = 2 * lattice().size() * std::int64_t{sizeof(double)};
  return {.host_bytes = std::max(apbs_bytes(lattice()), maps)};
}

PbValues ApbsPotential::solve(std::span<const Atom> added, const PbSolve& solve, PoissonBoltzmann*) {
  atoms_.insert(atoms_.end(), added.begin(), added.end());
  map_ = {};
  map_ = apbs_.solve(calculation_, atoms_, solve.name, solve.threads, solve.notes, solve.progress);
  return {map_.lattice, map_.all()};
}

void ApbsPotential::restore(std::span<const std::vector<Atom>> added, const SavedState&, const PbSolve&) {
  for (const std::vector<Atom>& atoms : added) atoms_.insert(atoms_.end(), atoms.begin(), atoms.end());
}

}  // namespace ionwell
