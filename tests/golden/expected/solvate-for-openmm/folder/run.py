#!/usr/bin/env python3
"""Minimises the system in system.cif and runs it for a while; the result is in run.cif.

    python3 run.py [FORCE FIELD] [STEPS]
"""
import os
import re
import sys

try:
    import openmm
    from openmm import app, unit
except ImportError:  # before OpenMM 7.6
    from simtk import openmm, unit
    from simtk.openmm import app

FORCE_FIELDS = {"amber14": ["amber14-all.xml", "amber14/tip3p.xml"], "charmm36": ["charmm36.xml", "charmm36/water.xml"]}
CHARGE = -22  # [e]
name = sys.argv[1] if len(sys.argv) > 1 else next(iter(FORCE_FIELDS))
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
if name not in FORCE_FIELDS:
    sys.exit(f"no force field '{name}' here; take one of {', '.join(FORCE_FIELDS)}")

folder = os.path.dirname(os.path.abspath(__file__))
structure = app.PDBxFile(os.path.join(folder, "system.cif"))
try:
    force_field = app.ForceField(*FORCE_FIELDS[name])
except ValueError as problem:
    sys.exit(f"OpenMM {openmm.Platform.getOpenMMVersion()} lacks a file of {name}; another version or force field may have it: {problem}")


def variant(residue):
    """The state that a residue's hydrogens show, where OpenMM would add others."""
    names = {atom.name for atom in residue.atoms()}
    if residue.name == "CYS" and "HG" not in names:
        return "CYX"
    if residue.name == "LYS" and "HZ2" in names and len(names & {"HZ1", "HZ2", "HZ3"}) == 2:
        return "LYN"
    return None


def stop(problem):
    """Says which residue has no template, and what to do."""
    number = re.search(r'No template found for residue (\d+)', str(problem))
    residue = list(structure.topology.residues())[int(number[1]) - 1] if number else None
    place = f" It is {residue.name} {residue.id} of chain {residue.chain.id} in system.cif." if residue else ""
    sys.exit(
        f"{name}: {problem}{place} Take another force field of {', '.join(FORCE_FIELDS)}, or make the folder anew: with "
        "--ligand and the force field of a ligand (.xml), with --replace-nonstandard, with --ignore for what can be left "
        "out, or with --for amber or --for charmm, whose prmtop and PSF OpenMM reads."
    )


model = app.Modeller(structure.topology, structure.positions)
try:
    model.addHydrogens(force_field, variants=[variant(residue) for residue in model.topology.residues()])  # those that are missing
except Exception as problem:  # OpenMM has no class of its own for some
    stop(problem)


def check_charge(system):
    """OpenMM chooses the state of a residue by its atoms and bonds: not another one than the ions were placed for."""
    force = next(force for force in system.getForces() if isinstance(force, openmm.NonbondedForce))
    charges = (force.getParticleParameters(n)[0] for n in range(force.getNumParticles()))
    found = sum(charge.value_in_unit(unit.elementary_charge) for charge in charges)
    if abs(found - CHARGE) > 0.01:
        sys.exit(
            f"{name}: the system has {found:.2f} e, and {CHARGE} e in ionwell's report: a residue has another state here. "
            "Compare the residues of system.cif with the report's chemistry, or make the folder anew with --for amber or "
            "--for charmm, whose prmtop and PSF OpenMM reads."
        )


model.addExtraParticles(force_field)  # missing virtual sites of waters
periodic = model.topology.getPeriodicBoxVectors() is not None
method = app.PME if periodic else app.NoCutoff
try:
    system = force_field.createSystem(model.topology, nonbondedMethod=method, constraints=app.HBonds)
except Exception as problem:  # OpenMM has no class of its own for some
    stop(problem)
check_charge(system)
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
