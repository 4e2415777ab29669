// SPDX-License-Identifier: BSD-3-Clause
// Puts three Mg2+ around a structure from C++, as `ionwell place STRUCTURE --ion MG:3` does.
#include <exception>
#include <iostream>

#include "api/lattice_job.hpp"
#include "api/read_solute.hpp"
#include "core/error.hpp"

int main(int argc, char** argv) try {
  using namespace ionwell;
  if (argc != 2) fail<UsageError>("usage: place_magnesium STRUCTURE.pqr");

  const Structure structure = read_solute({argv[1]});
  const IonSpecies magnesium{.name = "MG", .element = "MG", .charge_e = 2.0};
  // The defaults are those of `ionwell place`: Coulomb, a lattice of 0.5 A, 5 A from the solute and between
  // ions.
  const PlacedIons result = place({.structure = structure, .ions = {{magnesium, 3}}});

  for (const std::string& warning : result.summary.warnings) std::cerr << "warning: " << warning << '\n';
  for (const PlacedIon& ion : result.placement.ions)
    std::cout << ion.species.name << "  " << ion.position_A.x << ' ' << ion.position_A.y << ' '
              << ion.position_A.z << "  " << ion.energy_kT << " kT, " << ion.nearest_solute_A << " A from "
              << describe(structure.atoms[ion.nearest_atom]) << '\n';
  return result.placement.ions.size() == 3 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
