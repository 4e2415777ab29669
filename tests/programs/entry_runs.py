#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs entries of the PDB from the raw file: dynamics at constant pressure, or the time until an engine has the system.

    entry_runs.py npt IONWELL ENTRY PICOSECONDS THREADS ENGINE [OPTION...]
    entry_runs.py times IONWELL ENTRY THREADS [OPTION...]

npt: 'ionwell prepare' with these options for ENGINE (gromacs, or amber: LEaP, whose prmtop ParmEd converts), then GROMACS
minimises and runs at 298.15 K and 1 bar. Prints density, change of volume and the largest empty sphere, and fails as
solvate_runs.py does. times: one line for each engine, 'ionwell prepare' and the engine's own command until the first energy
or the finished topology; then what GROMACS, LEaP and OpenMM do by themselves with the entry's polymer, or why they stop.
"""
import gzip
import os
import re
import subprocess
import sys
import tempfile
import time

from entries_in_engines import INSIDE
from harness import check, need
from prepare_runs import DENSITIES
from solvate_runs import CONSTANT_PRESSURE, MDP, PADDING_A, STANDS_PS, check_bubble, check_volume, read_gro

CELL = ["--padding", PADDING_A, "--cutoff", "9"]
SALT = ["--salt", "NaCl:0.15"]
PARMED = """import parmed
system = parmed.load_file("made/system.prmtop", "made/system.rst7")
system.save("system.top")
system.save("system.gro")
"""


class Commands:
    """Programs that run in a folder, and the time of each."""

    def __init__(self, folder, threads):
        self.folder, self.threads = folder, threads
        self.environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OPENMM_CPU_THREADS": str(threads)}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, answers="", under=""):
        """What it prints; fails where it does."""
        said = self.tried(*words, answers=answers, under=under)
        check(said.returncode == 0, f"{' '.join(words)} ended with {said.returncode}: {(said.stdout + said.stderr)[-1500:]}")
        return said.stdout + said.stderr

    def tried(self, *words, answers="", under=""):
        begin = time.time()
        said = subprocess.run(words, cwd=self.path(under), input=answers, capture_output=True, text=True, env=self.environment)
        self.seconds = time.time() - begin
        return said

    def gmx(self, *words, answers=""):
        return self.run("gmx", "-quiet", "-nobackup", *words, answers=answers)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def energies(self, term):
        self.gmx("energy", "-f", "npt.edr", "-o", "energy.xvg", answers=f"{term}\n0\n")
        with open(self.path("energy.xvg")) as file:
            return [float(line.split()[1]) for line in file if line[0] not in "#@"]


def npt(ionwell, entry, picoseconds, threads, engine, *options):
    numpy = need("numpy")
    picoseconds = float(picoseconds)
    name = os.path.basename(entry).split(".")[0]
    with tempfile.TemporaryDirectory() as folder:
        at = Commands(folder, int(threads))
        at.run(ionwell, "prepare", entry, *options, *SALT, *CELL, "--for", engine, "-o", "made", "--quiet")
        coordinates, topology = "made/conf.gro", "made/topol.top"
        if engine == "amber":
            at.run(os.environ.get("IONWELL_TLEAP") or "tleap", "-f", "leap.in", under="made")
            if os.path.exists(at.path("made/cell.py")):  # LEaP knows no other cell than rectangular ones
                at.run(sys.executable, "cell.py", under="made")
            at.write("convert.py", PARMED)
            at.run(sys.executable, "convert.py")
            coordinates, topology = "system.gro", "system.top"
        for stage, start, text in (
                ("min", coordinates, MDP.format(integrator="steep", constraints="none", steps=500)),
                ("npt", "min.gro", MDP.format(integrator="md", constraints="h-bonds", steps=round(picoseconds / 0.002))
                 + CONSTANT_PRESSURE)):
            at.write(f"{stage}.mdp", text)
            said = at.gmx("grompp", "-f", f"{stage}.mdp", "-c", start, "-p", topology, "-o", f"{stage}.tpr")
            check(not re.search("WARNING|total charge", said), f"grompp, {name}: " + said[-3000:])
            said = at.gmx("mdrun", "-ntmpi", "1", "-ntomp", str(threads), "-deffnm", stage)
            check("LINCS WARNING" not in said, f"mdrun, {name}: " + said[-3000:])
        _, vectors = read_gro(numpy, at.path(coordinates))
        positions, last_vectors = read_gro(numpy, at.path("npt.gro"))
        volumes, densities = ([x for x in at.energies(term)] for term in ("Volume", "Density"))
    change = check_volume(name, [1e3 * v for v in volumes], abs(numpy.linalg.det(vectors)), picoseconds)
    late = densities[len(densities) // 2:]
    density = sum(late) / len(late)
    low, high = DENSITIES[picoseconds >= STANDS_PS]
    check(low < density < high, f"{name}: {density:.0f} kg/m^3")
    bubble = check_bubble(name, numpy, positions, last_vectors)
    print("\t".join([name, engine, f"{picoseconds:g} ps", f"{len(positions)} heavy atoms", f"{density:.0f} kg/m^3",
                     f"{100 * change:+.2f} %", f"{bubble:.1f} A"]), flush=True)


# The first energy of the system that run.py makes.
UNTIL_ENERGY = INSIDE.split("def minimize")[0] + '''
def minimize(self, *_, **__):
    print("first energy:", self.context.getState(getEnergy=True).getPotentialEnergy())
    sys.exit(0)
app.Simulation.minimizeEnergy = minimize
sys.argv = [path + "/run.py", field, "0"]
__file__ = path + "/run.py"
exec(compile(open(__file__).read(), __file__, "exec"))
'''

MODELLER = '''import sys
try:
    import openmm
    from openmm import app, unit
except ImportError:
    from simtk import openmm, unit
    from simtk.openmm import app
structure = app.PDBFile("polymer.pdb")
field = app.ForceField("amber14-all.xml", "amber14/tip3p.xml")
model = app.Modeller(structure.topology, structure.positions)
model.addHydrogens(field)
model.addSolvent(field, padding=1.0 * unit.nanometer, ionicStrength=0.15 * unit.molar)
system = field.createSystem(model.topology, nonbondedMethod=app.PME, constraints=app.HBonds)
run = app.Simulation(model.topology, system, openmm.VerletIntegrator(0.002))
run.context.setPositions(model.positions)
print("first energy:", run.context.getState(getEnergy=True).getPotentialEnergy())
'''

LEAP = """source leaprc.protein.ff19SB
source leaprc.DNA.OL15
source leaprc.RNA.OL3
source leaprc.water.tip3p
mol = loadPdb leap.pdb
addIons mol Na+ 0
addIons mol Cl- 0
solvateBox mol TIP3PBOX 10.0
addIonsRand mol Na+ {pairs} Cl- {pairs}
saveAmberParm mol own.prmtop own.rst7
quit
"""


def own_gromacs(at):
    total = 0.0
    for words, answers in (
            (("pdb2gmx", "-f", "polymer.pdb", "-ff", "amber99sb-ildn", "-water", "tip3p", "-ignh", "-o", "c.gro", "-p", "own.top"), ""),
            (("editconf", "-f", "c.gro", "-o", "box.gro", "-bt", "cubic", "-d", "1.0"), ""),
            (("solvate", "-cp", "box.gro", "-p", "own.top", "-o", "wet.gro"), ""),
            (("grompp", "-f", "min.mdp", "-c", "wet.gro", "-p", "own.top", "-o", "ions.tpr", "-maxwarn", "1"), ""),
            (("genion", "-s", "ions.tpr", "-p", "own.top", "-o", "own.gro", "-neutral", "-conc", "0.15"), "SOL\n"),
            (("grompp", "-f", "min.mdp", "-c", "own.gro", "-p", "own.top", "-o", "own.tpr"), "")):
        said = at.tried("gmx", "-quiet", "-nobackup", *words, answers=answers)
        total += at.seconds
        if said.returncode != 0:
            text = " ".join((said.stdout + said.stderr).split("Fatal error:")[-1].split())
            return f"gmx {words[0]} stops ({said.returncode}): {text[:150]}"
    return f"{total:.1f} s"


def own_leap(at):
    at.write("own.in", LEAP.format(pairs=20))
    said = at.tried(os.environ.get("IONWELL_TLEAP") or "tleap", "-f", "own.in")
    if os.path.exists(at.path("own.prmtop")) and "FATAL" not in said.stdout:
        return f"{at.seconds:.1f} s"
    faults = re.findall(r".*(?:FATAL|Error).*", said.stdout)
    return "stops: " + " ".join((faults or [said.stdout[-150:]])[0].split())[:150]


def own_openmm(at):
    at.write("own.py", MODELLER)
    said = at.tried(sys.executable, "own.py")
    if said.returncode == 0:
        return f"{at.seconds:.1f} s"
    return "stops: " + " ".join(said.stderr.strip().splitlines()[-1].split())[:150]


def raw_lines(at, ionwell, entry):
    """The entry's in the PDB format."""
    if ".cif" in entry:
        at.run(ionwell, "convert", entry, "all.pdb", "--quiet")
        entry = at.path("all.pdb")
    with (gzip.open if entry.endswith(".gz") else open)(entry, "rt") as file:
        return file.read().splitlines()


def own_entry(at, ionwell, entry):
    """The usual steps: the polymers alone, without waters, ions, ligands, hydrogens, second places of an atom and phosphates that
    begin a chain; for LEaP (leap.pdb) cysteines of disulfides are CYX."""
    lines = raw_lines(at, ionwell, entry)
    left_out = {"HOH", "MG", "NA", "K", "CL", "MN", "CD", "ADE", "NO3"}
    bound = {line[n:n + 6] for line in lines if line.startswith("SSBOND") for n in (15, 29)}  # chain and number
    kept, begun = [], set()
    for line in lines:
        if line[:6] not in ("ATOM  ", "HETATM") or line[17:20].strip() in left_out or line[76:78].strip() == "H" or line[16] not in " A":
            continue
        first = next((first for first in begun if first[0] == line[21]), line[21:27])
        begun.add(first)
        if first != line[21:27] or line[12:16].strip() not in ("P", "OP1", "OP2", "OP3"):
            kept.append(line[:16] + " " + line[17:])
    connected = [line for line in lines if line.startswith("CONECT")]
    at.write("polymer.pdb", "\n".join([*kept, "END", ""]))
    named = [line[:17] + "CYX" + line[20:] if line[17:20] == "CYS" and line[21:27].rstrip() in {b.rstrip() for b in bound} else line
             for line in kept]
    at.write("leap.pdb", "\n".join([*named, *connected, "END", ""]))


def times(ionwell, entry, threads, *options):
    need("openmm")
    name = os.path.basename(entry).split(".")[0]
    with tempfile.TemporaryDirectory() as folder:
        at = Commands(folder, int(threads))
        at.write("min.mdp", MDP.format(integrator="steep", constraints="none", steps=5))
        at.write("inside.py", UNTIL_ENERGY)
        engines = {
            "gromacs": ([], (["gmx", "-quiet", "grompp", "-f", "../min.mdp", "-c", "conf.gro", "-p", "topol.top"])),
            "amber": ([], [os.environ.get("IONWELL_TLEAP") or "tleap", "-f", "leap.in"]),
            "charmm": (["--water-model", "tips3p"], [os.environ.get("IONWELL_PSFGEN") or "psfgen", "psfgen.tcl"]),
            "openmm": ([], [sys.executable, "../inside.py", at.path("openmm"), "amber14", "0"])}
        for engine, (more, command) in engines.items():
            words = [w for w in options if w != "--replace-nonstandard" or engine in ("gromacs", "openmm")]
            at.run(ionwell, "prepare", entry, *words, *SALT, "--padding", "10", *more, "--for", engine, "-o", engine, "--quiet")
            prepared = at.seconds
            said = at.run(*command, under=engine)
            made = {"gromacs": "topol.tpr", "amber": "system.prmtop", "charmm": "system.psf"}.get(engine)
            check(os.path.exists(at.path(f"{engine}/{made}")) if made else "first energy: -" in said, f"{engine}: {said[-800:]}")
            print("\t".join([name, engine, f"{prepared:.1f} s", f"{at.seconds:.1f} s"]), flush=True)
        own_entry(at, ionwell, entry)
        for program, own in (("gmx", own_gromacs), ("LEaP", own_leap), ("Modeller.addSolvent", own_openmm)):
            print("\t".join([name, program + " alone", own(at)]), flush=True)


def main():
    what, ionwell, entry, *others = sys.argv[1:]
    {"npt": npt, "times": times}[what](os.path.abspath(ionwell), os.path.abspath(entry), *others)


if __name__ == "__main__":
    main()
