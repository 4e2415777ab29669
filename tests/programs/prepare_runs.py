#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Has an engine take what 'ionwell prepare' makes of a structure: water, counter-ions and salt in one go.

    prepare_runs.py PROGRAM IONWELL STRUCTURE.pqr [PICOSECONDS [SOLUTE.pdb...]]

PROGRAM: gromacs (pdb2gmx, grompp, minimisation, dynamics at 298.15 K and 1 bar; and ions by 'ionwell place' in a box of
'gmx solvate', in genion's place), openmm (AMBER14 and CHARMM36), parmed and mdanalysis (which read the files made from
prmtop and PSF). PICOSECONDS of dynamics: 0.3 (GROMACS) or 0.1 (OpenMM), or as many as are given. Solutes: an RNA duplex made of STRUCTURE (GROMACS
alone) and a small protein, or those that are given. Prints "skipped: " and why, and ends with 77, where PROGRAM is missing.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from harness import check, need, skip
from peptide import make_disulfide
from prepared_files import with_mdanalysis, with_parmed
from read_our_ions import Gromacs
from solvate_runs import (CONSTANT_PRESSURE, MDP, PADDING_A, STANDS_PS, check_volume, energies, inputs, read_gro,
                          seeded_barostat)
from write_for_engines import with_hydrogens

SALT = ["--salt", "NaCl:0.15"]
CELL = ["--padding", PADDING_A, "--cutoff", "9"]
# kg/m^3, of the whole box: TIP3P of 982 to 990 and a solute that is heavier. Before a volume stands it may ring.
DENSITIES = {True: (980.0, 1080.0), False: (940.0, 1120.0)}
PICOSECONDS = {"gromacs": 0.3, "openmm": 0.1}


def prepare(ionwell, folder, *words):
    """Runs it and returns the report, whose box must be neutral."""
    report = os.path.join(folder, "report.json")
    said = subprocess.run([ionwell, "prepare", *words, "--report", report, "--quiet"], cwd=folder, capture_output=True,
                          text=True)
    check(said.returncode == 0, f"ionwell prepare {' '.join(words)}: {said.stderr}")
    with open(report) as file:
        told = json.load(file)
    check(abs(told["net_charge_after_e"]) < 1e-3, f"the box has {told['net_charge_after_e']} e")
    return told


def grompp(gmx, what, mdp, coordinates, topology, output):
    with open(gmx.path(f"{output}.mdp"), "w") as file:
        file.write(mdp)
    said = gmx.run("grompp", "-f", f"{output}.mdp", "-c", coordinates, "-p", topology, "-o", f"{output}.tpr")
    check(not re.search("WARNING|atom name|total charge", said), f"grompp, {what}: " + said[-3000:])


def topology_counts(path):
    """Molecules by name in [ molecules ]."""
    counts = {}
    with open(path) as file:
        for line in file.read().split("[ molecules ]")[1].splitlines():
            if line.strip() and not line.strip().startswith(";"):
                counts[line.split()[0]] = counts.get(line.split()[0], 0) + int(line.split()[1])
    return counts


def check_counts(what, counts, told):
    """`counts` by GROMACS's names, against the report."""
    waters, ions = told["water"]["left"], len(told["ions"])
    check(counts["SOL"] == waters, f"{what}: {counts['SOL']} SOL instead of {waters}")
    found = sum(counts.get(name, 0) for name in ("MG", "NA", "CL", "K"))
    check(found == ions, f"{what}: {found} ions instead of {ions}")


def gromacs_system(gmx, ionwell, name, pdb, shape, picoseconds):
    numpy = need("numpy")
    gmx.run("pdb2gmx", "-f", pdb, "-ff", "amber99sb-ildn", "-water", "tip3p", "-ignh", "-o", "conf.gro", "-p",
            "topol.top")
    ions = ["--ion", "MG:2"] if name == "rna" else []
    told = prepare(ionwell, gmx.folder, "topol.top", "conf.gro", *ions, *SALT, *CELL, "--cell-shape", shape, "--for",
                   "gromacs", "-o", name)
    topology = f"{name}/topol.top"
    check_counts(name, topology_counts(gmx.path(topology)), told)
    steps = round(picoseconds / 0.002)
    for stage, start, text in (
            ("min", f"{name}/conf.gro", MDP.format(integrator="steep", constraints="none", steps=100)),
            ("npt", "min.gro", MDP.format(integrator="md", constraints="h-bonds", steps=steps) + CONSTANT_PRESSURE)):
        grompp(gmx, name, text, start, topology, stage)
        said = gmx.run("mdrun", "-nt", "2", "-deffnm", stage, limit_s=600 * (1 + picoseconds))
        check("LINCS WARNING" not in said, f"mdrun, {name}: " + said[-3000:])
    _, vectors = read_gro(numpy, gmx.path(f"{name}/conf.gro"))
    change = check_volume(name, [1e3 * v for v in energies(gmx, "npt", "Volume")], abs(numpy.linalg.det(vectors)),
                          picoseconds)
    late = energies(gmx, "npt", "Density")
    late = late[len(late) // 2:]
    density = sum(late) / len(late)
    low, high = DENSITIES[picoseconds >= STANDS_PS]
    check(low < density < high, f"{name}: {density:.0f} kg/m^3")
    print(f"gmx mdrun, {name}: {told['water']['left']} waters, {len(told['ions'])} ions, {picoseconds:g} ps; "
          f"{density:.0f} kg/m^3, volume {100 * change:+.2f} %", flush=True)


def gromacs_four_sites(gmx, ionwell, pdb):
    """A water whose fourth site is no atom, by the topology's own; another model is refused."""
    gmx.run("pdb2gmx", "-f", pdb, "-ff", "amber99sb-ildn", "-water", "tip3p", "-ignh", "-o", "conf.gro", "-p",
            "topol.top")
    with open(gmx.path("topol.top")) as file:
        text = file.read().replace("/tip3p.itp", "/tip4pew.itp")
    with open(gmx.path("topol.top"), "w") as file:
        file.write(text)
    words = ["topol.top", "conf.gro", *SALT, *CELL, "--for", "gromacs"]
    prepare(ionwell, gmx.folder, *words, "--water-model", "tip4pew", "-o", "four")
    grompp(gmx, "tip4pew", MDP.format(integrator="steep", constraints="none", steps=5), "four/conf.gro",
           "four/topol.top", "four")
    said = subprocess.run([ionwell, "prepare", *words, "-o", "three", "--quiet"], cwd=gmx.folder, capture_output=True,
                          text=True)
    check(said.returncode == 2 and "defines no water of 3 sites" in said.stderr, f"tip3p for tip4pew: {said.stderr}")
    print("gmx grompp: tip4pew")


def gromacs_from_entry(gmx, ionwell, name, pdb):
    """A PDB file alone: ionwell has pdb2gmx make the topology, and places in that."""
    ions = ["--ion", "MG:2"] if name == "rna" else []
    folder = f"{name}_entry"
    told = prepare(ionwell, gmx.folder, pdb, *ions, *SALT, *CELL, "--for", "gromacs", "-o", folder)
    check_counts(folder, topology_counts(gmx.path(f"{folder}/topol.top")), told)
    grompp(gmx, folder, MDP.format(integrator="steep", constraints="none", steps=5), f"{folder}/conf.gro",
           f"{folder}/topol.top", "entry")
    print(f"gmx grompp: {name} from a PDB file alone")


def gromacs_disulfide(gmx, ionwell):
    """Two chains that a disulfide binds become one molecule, which has the bond and no thiol."""
    make_disulfide(gmx.path("pair.pdb"), 5)
    prepare(ionwell, gmx.folder, "pair.pdb", *SALT, *CELL, "--for", "gromacs", "-o", "pair")
    with open(gmx.path("pair/topol.top")) as file:
        rows = [line.split() for line in file.read().split("[ atoms ]")[1].splitlines()]
    names = {words[0]: (words[3], words[4]) for words in rows if len(words) > 6 and words[0].isdigit()}
    sulfurs = [number for number, (_, name) in names.items() if name == "SG"]
    check(len(sulfurs) == 2 and sulfurs in [words[:2] for words in rows], f"no bond between {sulfurs}")
    check(("CYS", "HG") not in names.values(), "a thiol")
    print("gmx pdb2gmx: a disulfide between two chains")


def gromacs_in_place_of_genion(gmx, ionwell, pdb):
    """The box of gmx solvate, and its ions by 'ionwell place'."""
    gmx.run("pdb2gmx", "-f", pdb, "-ff", "amber99sb-ildn", "-water", "tip3p", "-ignh", "-o", "conf.gro", "-p",
            "topol.top")
    gmx.run("editconf", "-f", "conf.gro", "-o", "box.gro", "-bt", "dodecahedron", "-d", "0.9")
    gmx.run("solvate", "-cp", "box.gro", "-p", "topol.top", "-o", "solvated.gro")
    subprocess.run([ionwell, "place", "topol.top", "solvated.gro", *SALT, "--for", "gromacs", "-o", "salted", "--quiet"],
                   cwd=gmx.folder, check=True)
    grompp(gmx, "place after gmx solvate", MDP.format(integrator="steep", constraints="none", steps=5),
           "salted/conf.gro", "salted/topol.top", "genion")
    before, after = (topology_counts(gmx.path(f"{path}topol.top")) for path in ("", "salted/"))
    ions = after["NA"] + after["CL"]
    check(ions > 0 and before["SOL"] - after["SOL"] == ions, f"{before} became {after}")
    print(f"gmx solvate, then ionwell place: {after['NA']} NA, {after['CL']} CL, grompp is quiet")


def with_gromacs(folder, ionwell, structure, picoseconds, given):
    gmx = Gromacs(folder)
    pdbs = inputs(folder, ionwell, structure, given)
    for (name, pdb), shape in zip(pdbs.items(), ["dodecahedron", "octahedron"] * 9):
        gromacs_system(gmx, ionwell, name, pdb, shape, picoseconds)
    if shutil.which("pdb2pqr30") or shutil.which("pdb2pqr"):
        for name, pdb in pdbs.items():
            gromacs_from_entry(gmx, ionwell, name, pdb)
        gromacs_disulfide(gmx, ionwell)
    else:
        print("without PDB2PQR, which gives an entry charges")
    gromacs_four_sites(gmx, ionwell, list(pdbs.values())[-1])
    gromacs_in_place_of_genion(gmx, ionwell, list(pdbs.values())[0])


# Of three, four and five sites; OpenMM 7.7 has no opc.xml.
WATERS = {"tip3p": {"amber14", "charmm36"}, "tips3p": {"charmm36"}, "tip4pew": {"amber14", "charmm36"},
          "tip5p": {"charmm36"}}


class OpenmmFolder:
    """What 'ionwell prepare --for openmm' made, as its run.py takes it."""

    def __init__(self, ionwell, folder, source, water):
        from openmm import app
        self.path = os.path.join(folder, f"openmm-{water}")
        self.told = prepare(ionwell, folder, source, *SALT, *CELL, "--cell-shape", "octahedron", "--water-model", water,
                            "--for", "openmm", "-o", self.path)
        with open(os.path.join(self.path, "run.py")) as file:
            self.fields = json.loads(re.search(r"^FORCE_FIELDS = (.*)$", file.read(), re.MULTILINE)[1])
        self.structure = app.PDBxFile(os.path.join(self.path, "system.cif"))

    def system(self, field):
        """Topology, positions and forces, as run.py makes them."""
        import openmm
        from openmm import app, unit
        force_field = app.ForceField(*self.fields[field])
        model = app.Modeller(self.structure.topology, self.structure.positions)
        model.addHydrogens(force_field)
        model.addExtraParticles(force_field)
        check(model.topology.getNumAtoms() == self.structure.topology.getNumAtoms(), "atoms were missing")
        system = force_field.createSystem(model.topology, nonbondedMethod=app.PME, constraints=app.HBonds,
                                          nonbondedCutoff=0.9 * unit.nanometer)
        force = next(f for f in system.getForces() if isinstance(f, openmm.NonbondedForce))
        charge = sum(force.getParticleParameters(n)[0].value_in_unit(unit.elementary_charge)
                     for n in range(system.getNumParticles()))
        check(abs(charge) < 1e-4, f"{field}: the box has {charge} e")
        return model.topology, model.positions, system


def openmm_run(what, topology, positions, system, picoseconds):
    import openmm
    from openmm import app, unit
    system.addForce(seeded_barostat(openmm, unit))
    integrator = openmm.LangevinMiddleIntegrator(298.15 * unit.kelvin, 1 / unit.picosecond, 0.002 * unit.picosecond)
    integrator.setRandomNumberSeed(1)
    run = app.Simulation(topology, system, integrator)
    run.context.setPositions(positions)
    run.minimizeEnergy(maxIterations=10)
    run.context.setVelocitiesToTemperature(298.15 * unit.kelvin, 1)
    start = run.context.getState().getPeriodicBoxVolume()
    volumes = []
    for _ in range(20):
        run.step(max(1, round(picoseconds / 0.002 / 20)))
        volumes.append(run.context.getState().getPeriodicBoxVolume() / start)
    change = check_volume(what, volumes, 1.0, picoseconds)
    energy = run.context.getState(getEnergy=True).getPotentialEnergy().value_in_unit(unit.kilojoules_per_mole)
    check(energy < 0, f"{what}: potential energy {energy}")
    print(f"{what}: {topology.getNumAtoms()} atoms, {picoseconds:g} ps; volume {100 * change:+.2f} %; {energy:.0f} "
          "kJ/mol", flush=True)


def with_openmm(folder, ionwell, structure, picoseconds, given):
    openmm = need("openmm")
    fast = any(openmm.Platform.getPlatform(n).getSpeed() > 1 for n in range(openmm.Platform.getNumPlatforms()))
    for name, pdb in inputs(folder, ionwell, structure, given).items():
        if name == "rna":  # CHARMM36 of OpenMM 7.7 has no free ends of RNA
            continue
        with_hydrogens(pdb)
        charged = os.path.join(folder, f"{name}.pqr")
        subprocess.run([ionwell, "convert", pdb, charged, "--charges", "amber", "--quiet"], check=True,
                       stderr=subprocess.DEVNULL)
        for water, expected in WATERS.items():
            made = OpenmmFolder(ionwell, folder, charged, water)
            check(set(made.fields) == expected, f"{water}: {made.fields}")
            for field in made.fields:
                topology, positions, system = made.system(field)
                if not fast or (water, field) not in (("tip3p", "amber14"), ("tips3p", "charmm36")):
                    print(f"openmm {field}, {water}, {name}: {topology.getNumAtoms()} atoms, neutral")
                    continue
                openmm_run(f"openmm {field}, {water}, {name}", topology, positions, system, picoseconds)
            subprocess.run(["rm", "-r", made.path], check=True)


def main():
    program, ionwell, structure = sys.argv[1:4]
    picoseconds = float(sys.argv[4]) if len(sys.argv) > 4 else PICOSECONDS.get(program, 0.0)
    engines = {"gromacs": with_gromacs, "openmm": with_openmm, "parmed": with_parmed, "mdanalysis": with_mdanalysis}
    if program not in engines:
        skip(f"no test for {program}")
    with tempfile.TemporaryDirectory() as folder:
        engines[program](folder, os.path.abspath(ionwell), structure, picoseconds, sys.argv[5:])


if __name__ == "__main__":
    main()
