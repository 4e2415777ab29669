#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes entries of the PDB for an engine by 'ionwell place', with two ions, and has the engine build them and minimise by 100 steps.

    entries_in_engines.py IONWELL ENGINE ENTRY...

ENGINE: openmm-FIELD, where FIELD is one of run.py's (amber14, charmm36); gromacs-FIELD, where FIELD is one of GROMACS's; amber
(LEaP and OpenMM) or charmm (psfgen alone), whose programs are found as CONTRIBUTING.md says. Where ionwell or the engine refuses an
entry, what the message proposes is tried: --ignore for ligands, --replace-nonstandard, --allow-missing, --crystal-ions. One row of a
table for each entry, separated by tabs: entry, engine, "runs", "refused" or "FAILED"; options; residues that were refused first;
charge of the solute, disulfides, longest bond between non-metals [A], energies before and after [kJ/mol]; the last message. Ends
with 1 where an entry failed: a wrong charge, a missing disulfide, a bond of more than 2.2 A, an energy that is not finite or does
not fall, an atom that the engine guessed, or a refusal without a remedy.
"""
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

from harness import need

LONGEST_BOND_A = 2.2
STEPS = 100
CHARGE_TOLERANCE_E = 0.02
MDP = """integrator = steep
nsteps = {steps}
emtol = 0
cutoff-scheme = Verlet
coulombtype = Reaction-Field
rcoulomb = 1.0
rvdw = 1.0
"""


class Refusal(Exception):
    """A message of ionwell or of the engine; `residue`: which one it names, where it is the engine's."""


class Failure(Exception):
    """What must not happen."""


def run(words, folder, **more):
    return subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)


def place(ionwell, folder, entry, engine, options):
    """The folder "made", and what the report tells."""
    words = [ionwell, "place", entry, *options, "--ion", "NA:1", "--ion", "CL:1", "--spacing", "1", "--for", engine, "-o",
             "made", "--report", "report.json", "--quiet"]
    said = run(words, folder)
    if said.returncode in (1, 2) and "failed with exit code" not in said.stderr:
        raise Refusal(said.stderr.strip().splitlines()[-1])
    if said.returncode != 0:
        raise Failure(f"ionwell ended with {said.returncode}: {said.stderr[-500:]}")
    with open(os.path.join(folder, "report.json")) as file:
        return json.load(file)


def longest(bonds, positions, elements):
    """[A] of pairs of atoms, their positions [A] and elements; of non-metals alone."""
    non_metals = {"H", "C", "N", "O", "F", "P", "S", "CL", "SE", "BR", "I"}
    pairs = [(a, b) for a, b in bonds if elements[a].upper() in non_metals and elements[b].upper() in non_metals]
    return max((math.dist(positions[a], positions[b]) for a, b in pairs), default=0.0)


# What run.py makes, seen from inside: it is executed with a minimisation of a hundred steps in place of its own.
INSIDE = '''
import json, sys
try:
    import openmm
    from openmm import app, unit
except ImportError:
    from simtk import openmm, unit
    from simtk.openmm import app
path, field, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
made = {}
def minimize(self, *_, **__):
    def energy():
        return self.context.getState(getEnergy=True).getPotentialEnergy().value_in_unit(unit.kilojoules_per_mole)
    atoms = list(self.topology.atoms())
    force = next(f for f in self.system.getForces() if isinstance(f, openmm.NonbondedForce))
    state = self.context.getState(getPositions=True)
    made.update(
        charges=[force.getParticleParameters(n)[0].value_in_unit(unit.elementary_charge) for n in range(len(atoms))],
        bonds=[[b[0].index, b[1].index] for b in self.topology.bonds()],
        elements=[a.element.symbol if a.element else "" for a in atoms], names=[a.name for a in atoms],
        positions=[list(p) for p in state.getPositions(asNumpy=True).value_in_unit(unit.angstrom).tolist()],
        before=energy())
    openmm.LocalEnergyMinimizer.minimize(self.context, 0.0, steps)
    made.update(after=energy())
    with open(path + "/found.json", "w") as file:
        json.dump(made, file)
    sys.exit(0)
app.Simulation.minimizeEnergy = minimize
whole = openmm.LocalEnergyMinimizer.minimize
def of_hydrogens(context, *_):  # by addHydrogens, without a cutoff: minutes for a large solute
    whole(context, 1.0, 2)
app.modeller.LocalEnergyMinimizer = type("LocalEnergyMinimizer", (), {"minimize": staticmethod(of_hydrogens)})
sys.argv = [path + "/run.py", field, "0"]
__file__ = path + "/run.py"
script = open(__file__).read()
# Without a cutoff a hundred steps of a large solute would take minutes.
script = script.replace("else app.NoCutoff", "else app.CutoffNonPeriodic")
script = script.replace("constraints=app.HBonds", "constraints=None")  # which would be minimised again and again
script = script.replace("nonbondedMethod=method,", "nonbondedMethod=method, nonbondedCutoff=1.2 * unit.nanometer,")
exec(compile(script, __file__, "exec"))
'''

FROM_PRMTOP = '''#!/usr/bin/env python3
import os, sys
try:
    import openmm
    from openmm import app, unit
except ImportError:
    from simtk import openmm, unit
    from simtk.openmm import app
folder = os.path.dirname(__file__)
top = app.AmberPrmtopFile(folder + "/system.prmtop")
crd = app.AmberInpcrdFile(folder + "/system.rst7")
system = top.createSystem(nonbondedMethod=app.CutoffNonPeriodic, nonbondedCutoff=1.2 * unit.nanometer)
simulation = app.Simulation(top.topology, system, openmm.VerletIntegrator(0.001))
simulation.context.setPositions(crd.positions)
simulation.minimizeEnergy()
'''


def inside_openmm(folder, path, field):
    script = os.path.join(folder, "inside.py")
    with open(script, "w") as file:
        file.write(INSIDE)
    said = run([sys.executable, script, path, field, str(STEPS)], folder)
    found = os.path.join(path, "found.json")
    if os.path.exists(found):
        with open(found) as file:
            return json.load(file)
    last = (said.stderr.strip() or said.stdout.strip()).splitlines()[-1:]
    if last and "make the folder anew" in last[0]:
        raise Refusal(last[0])
    raise Failure("run.py: " + said.stderr[-800:])


def with_openmm(ionwell, folder, entry, field, options):
    told = place(ionwell, folder, entry, "openmm", options)
    return told, inside_openmm(folder, os.path.join(folder, "made"), field)


def tleap():
    return os.environ.get("IONWELL_TLEAP") or shutil.which("tleap")


def with_amber(ionwell, folder, entry, _, options):
    told = place(ionwell, folder, entry, "amber", options)
    path = os.path.join(folder, "made")
    said = run([tleap(), "-f", "leap.in"], path).stdout
    if "Errors = 0" not in said or "FATAL" in said or "heavy atom" in said:
        raise Failure("LEaP: " + " | ".join(re.findall(r".*(?:FATAL|[Ee]rror|heavy atom).*", said)[:5]))
    with open(os.path.join(path, "run.py"), "w") as file:
        file.write(FROM_PRMTOP)
    return told, inside_openmm(folder, path, "")


def psf_section(text, title):
    return text.split(title)[1].split("\n\n")[0].split("\n", 1)[1]


def with_charmm(ionwell, folder, entry, _, options):
    """Energies are not computed: that needs the parameters of each residue's stream."""
    told = place(ionwell, folder, entry, "charmm", options)
    path = os.path.join(folder, "made")
    program = os.environ.get("IONWELL_PSFGEN") or shutil.which("psfgen")
    said = run([program, "psfgen.tcl"], path)
    text = said.stdout + said.stderr
    guessed = [line for line in text.splitlines() if "poorly guessed coordinates for" in line]
    if said.returncode != 0 or not os.path.exists(os.path.join(path, "system.psf")) or guessed:
        raise Failure("psfgen: " + (guessed[0] if guessed else text[-500:]))
    with open(os.path.join(path, "system.psf")) as file:
        psf = file.read()
    with open(os.path.join(path, "system.pdb")) as file:
        positions = [[float(line[30 + 8 * n:38 + 8 * n]) for n in range(3)] for line in file if line.startswith("ATOM")]
    rows = [line.split() for line in psf_section(psf, "!NATOM").splitlines()]
    numbers = [int(word) - 1 for word in psf_section(psf, "!NBOND").split()]
    elements = [element_of_mass(float(row[7])) for row in rows]
    return told, {"charges": [float(row[6]) for row in rows], "names": [row[4] for row in rows], "elements": elements,
                  "bonds": list(zip(numbers[::2], numbers[1::2])), "positions": positions, "before": None, "after": None}


def element_of_mass(mass):
    masses = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999, "F": 18.998, "P": 30.974, "S": 32.06, "CL": 35.45,
              "BR": 79.904, "I": 126.9, "SE": 78.97}
    return next((name for name, m in masses.items() if abs(mass - m) < 0.06), "metal")


class GromacsTopology:
    """What 'grompp -pp' writes."""

    def __init__(self, path):
        self.molecules, self.system, self.types = {}, [], {}
        section = name = ""
        with open(path) as file:
            for line in file:
                line = line.split(";")[0].strip()
                words = line.split()
                if not words or line.startswith("#"):
                    continue
                if line.startswith("["):
                    section = line.strip("[] \t")
                elif section == "moleculetype":
                    name = words[0]
                    self.molecules[name] = {"atoms": [], "bonds": []}
                elif section == "atoms":
                    self.molecules[name]["atoms"].append(words)
                elif section == "bonds":
                    self.molecules[name]["bonds"].append((int(words[0]) - 1, int(words[1]) - 1))
                elif section == "atomtypes":
                    numbers = [w for w in words[1:] if re.fullmatch(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?", w)]
                    self.types[words[0]] = float(numbers[-4])  # mass, charge, sigma and epsilon are the last ones
                elif section == "molecules":
                    self.system.append((words[0], int(words[1])))

    def found(self, positions):
        made = {"charges": [], "names": [], "elements": [], "bonds": [], "positions": positions}
        for name, count in self.system:
            for _ in range(count):
                first = len(made["names"])
                for words in self.molecules[name]["atoms"]:
                    made["charges"].append(float(words[6]))
                    made["names"].append(words[4])
                    mass = float(words[7]) if len(words) > 7 else self.types[words[1]]
                    made["elements"].append(element_of_mass(mass))
                made["bonds"] += [(first + a, first + b) for a, b in self.molecules[name]["bonds"]]
        return made


def with_gromacs(ionwell, folder, entry, field, options):
    told = place(ionwell, folder, entry, "gromacs", [*options, "--force-field", field])
    with open(os.path.join(folder, "min.mdp"), "w") as file:
        file.write(MDP.format(steps=STEPS))

    def gmx(*words):
        said = run(["gmx", "-quiet", "-nobackup", *words], folder)
        if said.returncode != 0:
            raise Failure(f"gmx {words[0]}: {said.stderr[-800:]}")
        return said.stdout + said.stderr
    gmx("editconf", "-f", "made/conf.gro", "-o", "box.gro", "-d", "1.2")
    said = gmx("grompp", "-f", "min.mdp", "-c", "box.gro", "-p", "made/topol.top", "-o", "min.tpr", "-pp", "all.top")
    if re.search("WARNING|atom name", said):
        raise Failure("grompp: " + said[-800:])
    steps = gmx("mdrun", "-v", "-nt", "1", "-deffnm", "min")
    energies = [float(e) for e in re.findall(r"Epot=\s*(\S+)", steps)]
    with open(os.path.join(folder, "made", "conf.gro")) as file:
        lines = file.read().splitlines()
    positions = [[10 * float(line[20 + 8 * n:28 + 8 * n]) for n in range(3)] for line in lines[2:2 + int(lines[1])]]
    found = GromacsTopology(os.path.join(folder, "all.top")).found(positions)
    with open(os.path.join(folder, "min.log")) as file:
        log = file.read()
    final = re.search(r"Potential Energy\s*=\s*(\S+)", log)
    return told, {**found, "before": energies[0], "after": float(final[1])}


ENGINES = {"openmm": with_openmm, "gromacs": with_gromacs, "amber": with_amber, "charmm": with_charmm}


def numbers_of(told, found):
    """Charge without the two ions, disulfides, longest bond; fails where they are wrong."""
    charge, expected = sum(found["charges"]), told["structure"]["net_charge_e"]
    if abs(charge - expected) > CHARGE_TOLERANCE_E:
        raise Failure(f"{charge:.2f} e instead of {expected}")
    decided = {tuple(sorted((row["residue"], re.search(r"disulfide bond to (.*)", row["what"])[1])))
               for row in told.get("chemistry", []) if row["what"].startswith("disulfide bond to")}
    made = [(a, b) for a, b in found["bonds"] if found["names"][a] == found["names"][b] == "SG"]
    if len(made) != len(decided):
        raise Failure(f"{len(made)} disulfides instead of {len(decided)}")
    bond = longest(found["bonds"], found["positions"], found["elements"])
    if bond > LONGEST_BOND_A:
        raise Failure(f"a bond of {bond:.2f} A")
    before, after = found["before"], found["after"]
    if before is not None and not (math.isfinite(before) and math.isfinite(after) and after < before):
        raise Failure(f"the energy is {before} and {after} kJ/mol")
    return [f"{charge:.0f}", str(len(made)), f"{bond:.2f}", *("" if e is None else f"{e:.0f}" for e in (before, after))]


class Remedies:
    """Options that messages proposed."""

    def __init__(self):
        self.ignored, self.others = [], []

    def options(self):
        return [*self.others, *(["--ignore", " or ".join(f"({s})" for s in self.ignored)] if self.ignored else [])]

    def take(self, message):
        """One more of them; false where nothing is left."""
        ligands = re.search(r"--ligand FILE[^;]* or leave them out with --ignore (?:'([^']*)'|(additive))", message)
        ion = re.search(r"It is (NA|K|MG|CA|ZN|MN|CD|CO|SR|BA|RB|CS|LI|HG|NI|FE|CU|CL|BR|IOD) ", message)
        before = self.options()
        if ligands:
            self.ignore(ligands[1] or ligands[2])
        if "--replace-nonstandard" in message and not ion:
            self.add("--replace-nonstandard")
        if self.options() == before and ion:
            self.add("--crystal-ions", "ignore")
        if self.options() == before and "--allow-missing" in message:
            self.add("--allow-missing")
        if self.options() == before and (other := re.search(r"--ignore '([^']*)'", message)):
            self.ignore(other[1])
        return self.options() != before

    def ignore(self, selection):
        if selection not in self.ignored:
            self.ignored.append(selection)

    def add(self, *words):
        if words[0] not in self.others:
            self.others += words


def row_of(ionwell, engine, entry):
    kind, _, field = engine.partition("-")
    remedies, first, message = Remedies(), "", ""
    numbers = [""] * 5
    while True:
        with tempfile.TemporaryDirectory() as folder:
            try:
                numbers = numbers_of(*ENGINES[kind](ionwell, folder, entry, field, remedies.options()))
                result = "runs"
                break
            except Refusal as refusal:
                message = str(refusal).replace("\t", " ").replace(folder, "").replace(entry, os.path.basename(entry))
                first = first or message
                result = "refused"
                if not remedies.take(message):
                    break
            except Failure as failure:
                message, result = " ".join(str(failure).split()), "FAILED"
                break
    if result == "refused" and not re.search("--|engine|another", message):
        result = "FAILED"
    words = " ".join(f"'{w}'" if " " in w else w for w in remedies.options())
    return [os.path.basename(entry).split(".gz")[0], engine, result, words, first, *numbers,
            message if result != "runs" else ""]


def main():
    ionwell, engine, entries = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    need("openmm")
    failed = False
    for entry in entries:
        row = row_of(ionwell, engine, os.path.abspath(entry))
        failed = failed or row[2] == "FAILED"
        print("\t".join(row), flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
