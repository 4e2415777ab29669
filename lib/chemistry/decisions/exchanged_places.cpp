// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/exchanged_places.hpp"

namespace ionwell {

std::vector<Atom> exchanged(std::span<const Atom> atoms, std::span<const ExchangedPlaces> exchanges) {
  std::vector<Atom> result(atoms.begin(), atoms.end());
  for (const ExchangedPlaces& exchange : exchanges)
    for (const auto& [a, b] : exchange.atoms) std::swap(result[a].position_A, result[b].position_A);
  return result;
}

}  // namespace ionwell
