// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "jobs/place/run.hpp"
#include "solvation/box_of_water.hpp"
#include "support/rotations.hpp"

// Space has no direction of its own: a box that is rotated with its cell is the same box.
using namespace ionwell;
using namespace ionwell::test;

namespace {

/// What a run in a box of waters comes to.
struct Outcome {
  std::vector<std::size_t> replaced;  // the first atom of each water, in the order of placement
  std::vector<double> energies_kT;
};

Outcome outcome_of(const std::vector<Atom>& atoms, const UnitCell& cell, SaltPlacement salt) {
  Structure solute{.path = "box"};
  solute.atoms.assign(atoms.begin(), atoms.begin() + 6);
  solute.cell = cell;
  BoxOptions options;
  options.salt.salts = parse_salts({"NaCl:0.3"}, IonNaming::pdb);
  options.salt.placement = salt;
  Job job{.structure = solute, .ions = {{{"MG", "MG", 2.0}, 2}, {{"NA", "NA", 1.0}, 2}}};
  job.box = SolvatedBoxJob{atoms, options};
  Stages stages;
  const Result result = run(job, stages);
  Outcome outcome;
  for (const BoxWater& water : result.box->replaced) outcome.replaced.push_back(water.begin);
  for (const PlacedIon& ion : result.placement.ions) outcome.energies_kT.push_back(ion.energy_kT);
  return outcome;
}

}  // namespace

TEST_CASE("rotated boxes: energies and the waters that ions take the places of stay the same") {
  for (const CellParameters& shape :
       {CellParameters{{40, 36, 33}}, CellParameters{{41, 38, 47}, {81, 67, 103}}}) {
    const UnitCell cell = unit_cell(shape, CellKind::simulation);
    const std::vector<Atom> atoms = charged_rod_in_water(PeriodicCell(cell));
    for (const SaltPlacement salt : {SaltPlacement::random, SaltPlacement::energy}) {
      const Outcome expected = outcome_of(atoms, cell, salt);
      REQUIRE(expected.replaced.size() > 4);
      for (const auto& [name, rotation] : rotations()) {
        CAPTURE(name);
        std::vector<Atom> turned = atoms;
        for (Atom& atom : turned) atom.position_A = rotation(atom.position_A);
        const Outcome found = outcome_of(turned, rotated(cell, rotation), salt);
        CHECK(found.replaced == expected.replaced);
        REQUIRE(found.energies_kT.size() == expected.energies_kT.size());
        for (std::size_t n = 0; n < found.energies_kT.size(); ++n)
          CHECK(found.energies_kT[n] == doctest::Approx(expected.energies_kT[n]).epsilon(1e-4));
      }
    }
  }
}
