#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Has an engine run a small protein with two copies of a ligand (ethylene glycol), whose hydrogens the entry lacks, by files
that the user gives with --ligand.

    ligand_runs.py PROGRAM IONWELL STRUCTURE.pqr

PROGRAM: gromacs (.itp), openmm (.xml). STRUCTURE is not used. Prints "skipped: " and why, and ends with 77, where PROGRAM
or PDB2PQR is missing.
"""
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

from harness import check, need, skip
from peptide import make_peptide
from read_our_ions import Gromacs
from solvate_runs import MDP

# Name, type of AMBER99SB-ILDN, charge, element, mass, sigma [nm], epsilon [kJ/mol].
CARBON, OXYGEN = ("CT", "C", 12.011, 0.33997, 0.45773), ("OH", "O", 15.999, 0.30665, 0.88031)
ON_CARBON, ON_OXYGEN = ("H1", "H", 1.008, 0.24714, 0.06569), ("HO", "H", 1.008, 0.0, 0.0)
ATOMS = [("C1", 0.16, CARBON), ("O1", -0.66, OXYGEN), ("C2", 0.16, CARBON), ("O2", -0.66, OXYGEN),
         ("H11", 0.04, ON_CARBON), ("H12", 0.04, ON_CARBON), ("HO1", 0.42, ON_OXYGEN), ("H21", 0.04, ON_CARBON),
         ("H22", 0.04, ON_CARBON), ("HO2", 0.42, ON_OXYGEN)]
BONDS = [(0, 2), (0, 1), (2, 3), (0, 4), (0, 5), (1, 6), (2, 7), (2, 8), (3, 9)]
HEAVY = [(0.0, 0.0, 0.0), (1.20, 0.77, 0.0), (-1.24, 0.90, 0.0), (-2.44, 0.13, 0.0)]  # by the order of ATOMS
LENGTH_NM = {"CC": 0.1526, "CO": 0.1410, "CH": 0.1090, "HO": 0.0960}


def neighbours(n):
    return sorted(sum(bond) - n for bond in BONDS if n in bond)


def angles():
    return [(i, j, k) for j in range(len(ATOMS)) for i, k in itertools.combinations(neighbours(j), 2)]


def torsions():
    return [(i, j, k, m) for j, k in BONDS for i in neighbours(j) for m in neighbours(k) if i != k and m != j]


def rows(numbers, function):
    return "".join(" ".join(str(n + 1) for n in row) + f" {function}\n" for row in numbers)


def write_itp(path):
    atoms = "".join(f"{n + 1} {kind[0]} 1 EDO {name} {n + 1} {charge} {kind[2]}\n"
                    for n, (name, charge, kind) in enumerate(ATOMS))
    ends = [(t[0], t[3]) for t in torsions()]
    with open(path, "w") as file:
        file.write(f"[ moleculetype ]\nglycol 3\n[ atoms ]\n{atoms}[ bonds ]\n{rows(BONDS, 1)}[ pairs ]\n{rows(ends, 1)}"
                   f"[ angles ]\n{rows(angles(), 1)}[ dihedrals ]\n{rows(torsions(), 9)}")


def write_xml(path):
    def of(*numbers):
        return " ".join(f'class{i + 1}="glycol-{ATOMS[n][0]}"' for i, n in enumerate(numbers))

    def length(i, j):
        return LENGTH_NM["".join(sorted(ATOMS[i][2][1] + ATOMS[j][2][1]))]
    types = "".join(f'<Type name="glycol-{name}" class="glycol-{name}" element="{kind[1]}" mass="{kind[2]}"/>\n'
                    for name, _, kind in ATOMS)
    atoms = "".join(f'<Atom name="{name}" type="glycol-{name}"/>\n' for name, _, _ in ATOMS)
    bonds = "".join(f'<Bond atomName1="{ATOMS[i][0]}" atomName2="{ATOMS[j][0]}"/>\n' for i, j in BONDS)
    with open(path, "w") as file:
        file.write(
            f'<ForceField>\n<AtomTypes>\n{types}</AtomTypes>\n<Residues>\n<Residue name="EDO">\n{atoms}{bonds}</Residue>\n'
            "</Residues>\n<HarmonicBondForce>\n"
            + "".join(f'<Bond {of(i, j)} length="{length(i, j)}" k="260000"/>\n' for i, j in BONDS)
            + "</HarmonicBondForce>\n<HarmonicAngleForce>\n"
            + "".join(f'<Angle {of(*row)} angle="1.911" k="420"/>\n' for row in angles())
            + '</HarmonicAngleForce>\n<NonbondedForce coulomb14scale="0.8333333333333334" lj14scale="0.5">\n'
            + "".join(f'<Atom type="glycol-{name}" charge="{charge}" sigma="{kind[3]}" epsilon="{kind[4]}"/>\n'
                      for name, charge, kind in ATOMS)
            + "</NonbondedForce>\n</ForceField>\n")


def write_entry(path):
    """The protein, two copies, and a water of the crystal between them in the file."""
    make_peptide(path, 4)
    with open(path) as file:
        lines = [line for line in file if line.startswith("ATOM")] + ["TER\n"]

    def add(residue, number, name, position):
        lines.append(f"HETATM{len(lines) + 1:5d}  {name:<3} {residue} A{number:4d}    "
                     + "".join(f"{x:8.3f}" for x in position) + f"  1.00  0.00          {name[0]:>2}\n")
    for copy in range(2):
        for (name, _, _), (x, y, z) in zip(ATOMS, HEAVY):
            add("EDO", 101 + copy, name, (x + 3.0, y - 8.0 - 8.0 * copy, z))
        if copy == 0:
            add("HOH", 201, "O", (3.0, -12.0, 3.0))
    with open(path, "w") as file:
        file.writelines(lines + ["END\n"])


def ionwell_run(ionwell, folder, *words):
    said = subprocess.run([ionwell, *words, "--quiet"], cwd=folder, capture_output=True, text=True)
    check(said.returncode == 0, f"ionwell {' '.join(words)}: {said.stderr}")


def with_gromacs(folder, ionwell):
    gmx = Gromacs(folder)
    write_itp(gmx.path("glycol.itp"))
    ionwell_run(ionwell, folder, "prepare", "entry.pdb", "--ligand", "glycol.itp", "--salt", "NaCl:0.15", "--padding", "9",
                "--for", "gromacs", "-o", "run")
    with open(gmx.path("min.mdp"), "w") as file:
        file.write(MDP.format(integrator="steep", constraints="none", steps=100))
    said = gmx.run("grompp", "-f", "min.mdp", "-c", "run/conf.gro", "-p", "run/topol.top", "-o", "min.tpr")
    check(not re.search("WARNING|atom name|total charge", said), "grompp: " + said[-3000:])
    ionwell_run(ionwell, folder, "solvate", "entry.pdb", "--ligand", "glycol.itp", "--padding", "9", "--for", "gromacs", "-o",
                "water")
    gmx.run("grompp", "-f", "min.mdp", "-c", "water/conf.gro", "-p", "water/topol.top", "-o", "water.tpr", "-maxwarn", "1")
    with open(gmx.path("entry.pdb")) as file:  # the ligand alone, which is nothing for pdb2gmx
        alone = [line for line in file if line[17:20] == "EDO"]
    with open(gmx.path("alone.pdb"), "w") as file:
        file.writelines(alone)
    ionwell_run(ionwell, folder, "prepare", "alone.pdb", "--ligand", "glycol.itp", "--salt", "NaCl:0.15", "--padding", "9",
                "--for", "gromacs", "-o", "alone")
    gmx.run("grompp", "-f", "min.mdp", "-c", "alone/conf.gro", "-p", "alone/topol.top", "-o", "alone.tpr")
    gmx.run("mdrun", "-nt", "2", "-deffnm", "min")
    with open(gmx.path("run/topol.top")) as file:
        counts = [line.split() for line in file.read().split("[ molecules ]")[1].splitlines() if line[:1] not in ("", ";")]
    check(counts[1] == ["glycol", "2"], f"[ molecules ] has {counts}")
    energies = gmx.run("energy", "-f", "min.edr", "-o", "energy.xvg", answers="Potential\n\n")
    with open(gmx.path("energy.xvg")) as file:
        values = [float(line.split()[1]) for line in file if line[0] not in "#@"]
    check(values[-1] < values[0] < 1e9 and values[-1] < 0.0, f"energies {values[0]} and {values[-1]}: {energies[-300:]}")
    print(f"gmx mdrun: two copies of a ligand, {values[0]:.0f} and {values[-1]:.0f} kJ/mol")


def with_openmm(folder, ionwell):
    openmm = need("openmm")
    from openmm import app, unit
    write_xml(os.path.join(folder, "glycol.xml"))
    ionwell_run(ionwell, folder, "place", "entry.pdb", "--ligand", "glycol.xml", "--ion", "NA:1", "--ion", "CL:1", "--for",
                "openmm", "-o", "run")
    run = os.path.join(folder, "run")
    model = app.PDBxFile(os.path.join(run, "system.cif"))
    system = app.ForceField("amber14-all.xml", "amber14/tip3p.xml", os.path.join(run, "ligand1.xml")).createSystem(
        model.topology, nonbondedMethod=app.NoCutoff)
    force = next(f for f in system.getForces() if isinstance(f, openmm.NonbondedForce))
    charge = sum(force.getParticleParameters(n)[0].value_in_unit(unit.elementary_charge)
                 for n in range(system.getNumParticles()))
    check(abs(charge) < 1e-4, f"the system has {charge} e")
    simulation = app.Simulation(model.topology, system, openmm.VerletIntegrator(0.001))
    simulation.context.setPositions(model.positions)

    def energy():
        value = simulation.context.getState(getEnergy=True).getPotentialEnergy()
        return value.value_in_unit(unit.kilojoules_per_mole)
    before = energy()
    simulation.minimizeEnergy(maxIterations=100)
    check(energy() < before < 1e9, f"energies {before} and {energy()}")
    print(f"openmm: two copies of a ligand, {before:.0f} and {energy():.0f} kJ/mol")
    with open(os.path.join(run, "ligand1.xml")) as file:
        text = file.read()
    residue = re.search('<Residue name="EDO">.*</Residue>\n', text, re.DOTALL)[0]
    twin = residue.replace('"EDO"', '"TWIN"').replace("glycol-H11", "X").replace("glycol-HO1", "glycol-H11")
    with open(os.path.join(run, "ligand1.xml"), "w") as file:  # another template with the same atoms and bonds
        file.write(text.replace(residue, residue + twin.replace('"X"', '"glycol-HO1"')))
    said = subprocess.run([sys.executable, "run/run.py", "amber14", "5"], cwd=folder, capture_output=True, text=True)
    check(said.returncode == 0 and "after 5 steps" in said.stdout, f"run.py: {said.stdout}{said.stderr}")
    with open(os.path.join(run, "ligand1.xml"), "w") as file:  # as if the template were missing
        file.write("<ForceField/>\n")
    said = subprocess.run([sys.executable, "run/run.py"], cwd=folder, capture_output=True, text=True)
    check(said.returncode == 1 and "It is EDO 101 of chain" in said.stderr and "--ligand" in said.stderr
          and "Traceback" not in said.stderr, f"run.py without a template: {said.stderr}")


def main():
    program, ionwell = sys.argv[1:3]
    engines = {"gromacs": with_gromacs, "openmm": with_openmm}
    if program not in engines:
        skip(f"no test for {program}")
    if not (shutil.which("pdb2pqr30") or shutil.which("pdb2pqr")):
        skip("there is no PDB2PQR, which gives an entry charges")
    if program == "openmm":
        need("openmm")
    with tempfile.TemporaryDirectory() as folder:
        write_entry(os.path.join(folder, "entry.pdb"))
        engines[program](folder, os.path.abspath(ionwell))


if __name__ == "__main__":
    main()
