#include "structures/engines/openmm_files.hpp"

#include "core/chemistry/residue_kind.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/engines/engine_water.hpp"
#include "structures/writers/mmcif_writer.hpp"

namespace ionwell {
namespace {

constexpr std::string_view head = R"(#!/usr/bin/env python3
"""Minimises the system in system.cif and runs it for a while; the result is in run.cif.

    python3 run.py [FORCE FIELD] [STEPS]
"""
import os
import sys

import openmm
from openmm import app, unit

)";

constexpr std::string_view script = R"(name = sys.argv[1] if len(sys.argv) > 1 else next(iter(FORCE_FIELDS))
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
if name not in FORCE_FIELDS:
    sys.exit(f"no force field '{name}' here; take one of {', '.join(FORCE_FIELDS)}")

folder = os.path.dirname(os.path.abspath(__file__))
structure = app.PDBxFile(os.path.join(folder, "system.cif"))
try:
    force_field = app.ForceField(*FORCE_FIELDS[name])
except ValueError as problem:
    sys.exit(f"OpenMM {openmm.__version__} lacks a file of {name}; another version or force field may have it: {problem}")
model = app.Modeller(structure.topology, structure.positions)
model.addHydrogens(force_field)  # those that are missing
)";

constexpr std::string_view run = R"(periodic = model.topology.getPeriodicBoxVectors() is not None
system = force_field.createSystem(
    model.topology,
    nonbondedMethod=app.PME if periodic else app.NoCutoff,
    constraints=app.HBonds,
)
integrator = openmm.LangevinMiddleIntegrator(300 * unit.kelvin, 1 / unit.picosecond, 2 * unit.femtosecond)
simulation = app.Simulation(model.topology, system, integrator)
simulation.context.setPositions(model.positions)
simulation.minimizeEnergy()
energy = simulation.context.getState(getEnergy=True).getPotentialEnergy()
print("minimised:", energy)
simulation.step(steps)
state = simulation.context.getState(getPositions=True, getEnergy=True)
print(f"after {steps} steps:", state.getPotentialEnergy())
with open(os.path.join(folder, "run.cif"), "w") as out:
    app.PDBxFile.writeFile(simulation.topology, state.getPositions(), out)
)";

/// The force fields that have this water.
std::string force_fields(const EngineWater& water) {
  std::string entries;
  if (!water.openmm_amber.empty())
    entries += "\"amber14\": [\"amber14-all.xml\", \"" + std::string(water.openmm_amber) + "\"]";
  if (!water.openmm_charmm.empty())
    entries += std::string(entries.empty() ? "" : ", ") + "\"charmm36\": [\"charmm36.xml\", \"" +
               std::string(water.openmm_charmm) + "\"]";
  return "FORCE_FIELDS = {" + entries + "}\n";
}

bool has_water(std::span<const Atom> atoms) {
  for (const Atom& atom : atoms)
    if (residue_kind(atom.residue.view()) == ResidueKind::water) return true;
  return false;
}

std::string run_script(const EngineSystem& system) {
  std::string text(head);
  text.append(force_fields(engine_water(system.water_model))).append(script);
  if (has_water(system.atoms))
    text +=
        "model.addExtraParticles(force_field)  # the sites of waters that are no atoms, where they are "
        "missing\n";
  else
    text +=
        "# Water and more salt, once the ions are where they belong:\n"
        "# model.addSolvent(force_field, padding=1.2 * unit.nanometer, ionicStrength=0.15 * unit.molar)\n";
  return text.append(run);
}

}  // namespace

std::vector<EngineFile> openmm_files(const EngineSystem& system) {
  const std::vector<Atom> atoms = with_engine_waters(system.atoms, Engine::openmm);
  return {{"system.cif", mmcif_text({.remarks = system.remarks,
                                     .solute = atoms,
                                     .ions = named_ions(system.ions, IonNaming::pdb),
                                     .cell = system.cell})},
          {"run.py", run_script(system)}};
}

}  // namespace ionwell
