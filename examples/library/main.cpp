// Puts three Mg2+ around a structure from C++, as `ionwell place STRUCTURE --ion MG:3` does.
#include <exception>
#include <iostream>

#include "core/error.hpp"
#include "core/lattice.hpp"
#include "placement/host_field.hpp"
#include "placement/place_ions.hpp"
#include "structures/read_structure.hpp"

int main(int argc, char** argv) try {
  using namespace ionwell;
  if (argc != 2) fail<UsageError>("usage: place_magnesium STRUCTURE.pqr");

  const Structure structure = read_structure(argv[1]);
  const LatticeGeometry lattice = enclosing_lattice(structure.atoms, LatticeOptions{});
  auto masked = make_host_lattice(lattice, pair_potential(ElectrostaticsOptions{}), FieldOptions{});

  const ExclusionOptions exclusion;  // 5 A from the solute, 5 A between ions
  std::vector<Vec3<double>> centres;
  for (const Atom& atom : structure.atoms) centres.push_back(atom.position_A);
  masked->exclude(centres, exclusion.ion_solute_A);  // first: where no ion can go, nothing is computed
  const std::vector<PointCharge> charges = point_charges(structure.atoms);
  const auto field = fill(std::move(masked), DirectSum{charges}, {});

  const IonSpecies magnesium{.name = "MG", .element = "MG", .charge_e = 2.0};
  const Placement placement = place_ions(*field, structure, {{magnesium, 3}}, exclusion, [](std::int64_t) {});
  for (const PlacedIon& ion : placement.ions)
    std::cout << ion.species.name << "  " << ion.position_A.x << ' ' << ion.position_A.y << ' '
              << ion.position_A.z << "  " << ion.energy_kT << " kT, " << ion.nearest_solute_A << " A from "
              << describe(structure.atoms[ion.nearest_atom]) << '\n';
  return placement.ions.size() == 3 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
