// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "jobs/place/run.hpp"
#include "solvation/box_of_water.hpp"

namespace ionwell::test {

/// What a run in a box of waters comes to.
struct BoxOutcome {
  Backend computed_on;
  std::vector<std::size_t> replaced;  // the first atom of each water, in the order of placement
  std::vector<double> energies_kT;
  std::vector<std::string> warnings;
};

/// So large that their images have polynomials: a cuboid, a truncated octahedron, a triclinic one.
inline std::vector<CellParameters> cells_of_boxes() {
  return {{{64, 62, 70}}, {{80, 80, 80}, {70.528779, 109.471221, 70.528779}}, {{72, 74, 76}, {81, 77, 103}}};
}

/// Ions and salt, all by energy, in a box around a charged rod.
inline BoxOutcome box_outcome(const CellParameters& shape, Backend backend, const DeviceBackend& device) {
  const UnitCell cell = unit_cell(shape, CellKind::simulation);
  const std::vector<Atom> atoms = charged_rod_in_water(PeriodicCell(cell));
  Structure solute{.path = "box"};
  solute.atoms.assign(atoms.begin(), atoms.begin() + 6);
  solute.cell = cell;
  BoxOptions options;
  options.salt.salts = parse_salts({"NaCl:0.3"}, IonNaming::pdb);
  options.salt.placement = SaltPlacement::energy;
  Job job{.structure = solute, .ions = {{{"MG", "MG", 2.0}, 2}, {{"NA", "NA", 1.0}, 2}}};
  job.backend.backend = backend;
  job.box = SolvatedBoxJob{atoms, options};
  const Result result = run(job, {&device});
  BoxOutcome outcome{.computed_on = result.run.backend, .warnings = result.run.warnings};
  for (const BoxWater& water : result.box->replaced) outcome.replaced.push_back(water.begin);
  for (const PlacedIon& ion : result.placement.ions) outcome.energies_kT.push_back(ion.energy_kT);
  return outcome;
}

}  // namespace ionwell::test
