#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Has an engine run what 'ionwell solvate' writes: minimisation, and dynamics at 298.15 K and 1 bar. The box must keep its
volume, no bubble may open, and nothing may fly apart.

    solvate_runs.py PROGRAM IONWELL STRUCTURE.pqr [PICOSECONDS [SOLUTE.pdb...]]

PROGRAM: gromacs, openmm. PICOSECONDS of dynamics: 0.5, or as many as are given; a volume is taken to stand after 10. Solutes:
an RNA duplex made of STRUCTURE (GROMACS alone) and a small protein, or those that are given (to OpenMM: proteins). Prints
"skipped: " and why, and ends with 77, where PROGRAM is not installed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from empty_space import largest_empty_radius
from harness import check, need, skip
from peptide import make_peptide
from read_our_ions import Gromacs, solutes
from write_for_engines import ionwell_place, with_hydrogens

PADDING_A = "9"  # 18 A between images, so twice a cutoff of 9
CUTOFF_NM = 0.9
STANDS_PS = 10.0
LARGEST_CHANGE = 0.01  # of the volume, once it stands
LARGEST_CHANGE_BEFORE = 0.06  # while the pressure of the first steps rings
# A bubble: no heavy atom within this. In TIP3P without a solute the largest such sphere has 3.4 A (examples/water).
BUBBLE_A = 4.6

MDP = """integrator = {integrator}
nsteps = {steps}
dt = 0.002
constraints = {constraints}
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
DispCorr = EnerPres
cutoff-scheme = Verlet
nstenergy = 50
"""
CONSTANT_PRESSURE = """tcoupl = v-rescale
tc-grps = System
tau-t = 0.5
ref-t = 298.15
pcoupl = C-rescale
tau-p = 1.0
ref-p = 1.0
compressibility = 4.5e-5
gen-vel = yes
gen-temp = 298.15
gen-seed = 1
"""


def inputs(folder, ionwell, structure, given):
    """Names and PDB files of the solutes."""
    if given:
        return {os.path.splitext(os.path.basename(path))[0]: shutil.copy(path, folder) for path in given}
    rna = os.path.join(folder, "rna.pdb")
    subprocess.run([ionwell, "convert", solutes(folder, structure)["RNA"], rna, "--quiet"], check=True)
    protein = os.path.join(folder, "protein.pdb")
    make_peptide(protein, 6)
    return {"rna": rna, "protein": protein}


def solvate(ionwell, folder, source, target, shape, model="tip3p"):
    said = subprocess.run([ionwell, "solvate", source, "--water-model", model, "--padding", PADDING_A, "--cell-shape",
                           shape, "-o", target], cwd=folder, capture_output=True, text=True)
    check(said.returncode == 0, f"ionwell solvate {source}: {said.stderr}")


def check_volume(what, volumes, start, picoseconds):
    """`volumes`: of the whole run; what counts is the mean of its second half."""
    late = volumes[len(volumes) // 2:]
    change = sum(late) / len(late) / start - 1.0
    limit = LARGEST_CHANGE if picoseconds >= STANDS_PS else LARGEST_CHANGE_BEFORE
    check(abs(change) < limit, f"{what}: the volume changed by {100 * change:.2f} %")
    return change


def read_gro(numpy, path):
    """Heavy atoms' positions and the cell's vectors, in A."""
    with open(path) as file:
        lines = file.read().splitlines()
    atoms = lines[2:2 + int(lines[1])]
    heavy = [line for line in atoms if line[10:15].strip()[0] not in "HM0123456789"]
    positions = numpy.array([[10 * float(line[20 + 8 * n:28 + 8 * n]) for n in range(3)] for line in heavy])
    box = [10 * float(word) for word in lines[2 + len(atoms)].split()] + [0.0] * 6
    # xx yy zz xy xz yx yz zx zy
    vectors = numpy.array([[box[0], box[3], box[4]], [box[5], box[1], box[6]], [box[7], box[8], box[2]]])
    return positions, vectors


def check_bubble(what, numpy, positions, vectors):
    radius = largest_empty_radius(numpy, positions, vectors)
    check(radius < BUBBLE_A, f"{what}: a sphere of {radius:.1f} A is empty")
    return radius


def energies(gmx, name, term):
    """A column of what mdrun wrote."""
    gmx.run("energy", "-f", f"{name}.edr", "-o", "energy.xvg", answers=f"{term}\n0\n")
    with open(gmx.path("energy.xvg")) as file:
        return [float(line.split()[1]) for line in file if line[0] not in "#@"]


def with_gromacs(folder, ionwell, structure, picoseconds, given):
    gmx = Gromacs(folder)
    numpy = need("numpy")
    for (name, pdb), shape in zip(inputs(folder, ionwell, structure, given).items(), ["dodecahedron", "octahedron"] * 9):
        said = gmx.run("pdb2gmx", "-f", pdb, "-ff", "amber99sb-ildn", "-water", "tip3p", "-ignh", "-o", "conf.gro", "-p",
                       "topol.top")
        solute, topology = "conf.gro", "topol.top"
        charge = sum(float(q) for q in re.findall(r"Total charge (\S+) e", said))  # of each chain
        if round(charge) != 0:  # grompp warns of a charged cell
            ionwell_place(ionwell, folder, topology, solute, "--ion", f"{'NA' if charge < 0 else 'CL'}:neutralize",
                          "--for", "gromacs", "-o", f"{name}-ions")
            solute, topology = f"{name}-ions/conf.gro", f"{name}-ions/topol.top"
        solvate(ionwell, folder, solute, "solvated.gro", shape)
        with open(gmx.path("solvated.gro")) as file:
            waters = sum(line[5:10].strip() == "SOL" for line in file) // 3
        with open(gmx.path(topology), "a") as file:
            file.write(f"SOL {waters}\n")
        steps = round(picoseconds / 0.002)
        for stage, start, text in (
                ("min", "solvated.gro", MDP.format(integrator="steep", constraints="none", steps=100)),
                ("npt", "min.gro", MDP.format(integrator="md", constraints="h-bonds", steps=steps) + CONSTANT_PRESSURE)):
            with open(gmx.path(f"{stage}.mdp"), "w") as file:
                file.write(text)
            said = gmx.run("grompp", "-f", f"{stage}.mdp", "-c", start, "-p", topology, "-o", f"{stage}.tpr")
            check("WARNING" not in said and "atom name" not in said, f"grompp, {name}: " + said[-3000:])
            said = gmx.run("mdrun", "-nt", "2", "-deffnm", stage, limit_s=600 * (1 + picoseconds))
            check("LINCS WARNING" not in said, f"mdrun, {name}: " + said[-3000:])
        positions, vectors = read_gro(numpy, gmx.path("solvated.gro"))
        before = check_bubble(f"{name}, as solvated", numpy, positions, vectors)
        change = check_volume(name, [1e3 * v for v in energies(gmx, "npt", "Volume")],
                              abs(numpy.linalg.det(vectors)), picoseconds)
        after = check_bubble(f"{name}, after the run", numpy, *read_gro(numpy, gmx.path("npt.gro")))
        print(f"gmx mdrun, {name}: {waters} waters, {picoseconds:g} ps; volume {100 * change:+.2f} %; largest empty "
              f"sphere {before:.1f} A, then {after:.1f} A")


def seeded_barostat(openmm, unit):
    barostat = openmm.MonteCarloBarostat(1.0 * unit.bar, 298.15 * unit.kelvin, 10)
    barostat.setRandomNumberSeed(1)  # not the time of day
    return barostat


def with_openmm(folder, ionwell, structure, picoseconds, given):
    openmm = need("openmm")
    numpy = need("numpy")
    from openmm import app, unit
    if not any(openmm.Platform.getPlatform(n).getSpeed() > 1 for n in range(openmm.Platform.getNumPlatforms())):
        skip("OpenMM has its reference platform alone here, which takes minutes (apt-get install libopenmm-plugins)")
    for name, pdb in inputs(folder, ionwell, structure, given).items():
        if name == "rna":  # CHARMM36 of OpenMM 7.7 has no free ends of RNA, and a processor takes minutes for it
            continue
        with_hydrogens(pdb)
        for field, water, files in (("amber14", "tip3p", ("amber14-all.xml", "amber14/tip3p.xml")),
                                    ("charmm36", "tips3p", ("charmm36.xml", "charmm36/water.xml"))):
            what = f"openmm {field}, {name}"
            solvate(ionwell, folder, pdb, "solvated.pdb", "dodecahedron", water)
            system = app.PDBFile(os.path.join(folder, "solvated.pdb"))
            model = app.ForceField(*files).createSystem(
                system.topology, nonbondedMethod=app.PME, nonbondedCutoff=CUTOFF_NM * unit.nanometer,
                constraints=app.HBonds)
            model.addForce(seeded_barostat(openmm, unit))
            integrator = openmm.LangevinMiddleIntegrator(298.15 * unit.kelvin, 1 / unit.picosecond,
                                                         0.002 * unit.picosecond)
            integrator.setRandomNumberSeed(1)
            run = app.Simulation(system.topology, model, integrator)
            run.context.setPositions(system.positions)
            run.minimizeEnergy(maxIterations=10)
            run.context.setVelocitiesToTemperature(298.15 * unit.kelvin, 1)
            start = run.context.getState().getPeriodicBoxVolume()
            volumes = []
            for _ in range(20):
                run.step(round(picoseconds / 0.002 / 20))
                volumes.append(run.context.getState().getPeriodicBoxVolume() / start)
            change = check_volume(what, volumes, 1.0, picoseconds)
            state = run.context.getState(getPositions=True, getEnergy=True)
            energy = state.getPotentialEnergy().value_in_unit(unit.kilojoules_per_mole)
            check(energy < 0, f"{what}: potential energy {energy}")
            positions = state.getPositions(asNumpy=True).value_in_unit(unit.angstrom)
            heavy = [a.index for a in system.topology.atoms() if a.element is not None and a.element.symbol != "H"]
            vectors = state.getPeriodicBoxVectors(asNumpy=True).value_in_unit(unit.angstrom)
            radius = check_bubble(what, numpy, positions[heavy], vectors)
            print(f"{what}: {system.topology.getNumAtoms()} atoms, {picoseconds:g} ps; volume {100 * change:+.2f} %; "
                  f"largest empty sphere {radius:.1f} A; {energy:.0f} kJ/mol")


def main():
    program, ionwell, structure = sys.argv[1:4]
    picoseconds = float(sys.argv[4]) if len(sys.argv) > 4 else 0.5
    engines = {"gromacs": with_gromacs, "openmm": with_openmm}
    if program not in engines:
        skip(f"no test for {program}")
    with tempfile.TemporaryDirectory() as folder:
        engines[program](folder, os.path.abspath(ionwell), structure, picoseconds, sys.argv[5:])


if __name__ == "__main__":
    main()
