#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Has another program read the PDB files that 'ionwell place' writes, and compares what it found.

    read_our_ions.py PROGRAM IONWELL STRUCTURE.pqr

PROGRAM: gromacs, openmm, mdanalysis, gemmi, openbabel, pymol. Positions, elements and charges are compared with the
run's report. Prints "skipped: " and why, and ends with 77, where PROGRAM is not installed.
"""
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

from harness import check, check_vector, need, skip
from rna import make_rna

# By the names of --ion-names: ions with one, and their residue and atom there (the table of CHARMM36, LEaP, GROMACS).
NAMES = {
    "pdb": {"LI": "LI", "NA": "NA", "K": "K", "RB": "RB", "CS": "CS", "MG": "MG", "CA": "CA", "SR": "SR", "BA": "BA",
            "ZN": "ZN", "CD": "CD", "MN": "MN", "CO": "CO", "F": "F", "CL": "CL", "BR": "BR", "I": ("IOD", "I")},
    "charmm": {"LI": "LIT", "NA": "SOD", "K": "POT", "RB": "RUB", "CS": "CES", "MG": "MG", "CA": "CAL", "BA": "BAR",
               "ZN": ("ZN2", "ZN"), "CD": ("CD2", "CD"), "CL": "CLA"},
    "amber": {"LI": "LI", "NA": "Na+", "K": "K+", "RB": "RB", "CS": "CS", "MG": "MG", "CA": "CA", "SR": "SR", "BA": "BA",
              "ZN": "ZN", "CD": "CD", "MN": "MN", "CO": "CO", "F": "F", "CL": "Cl-", "BR": "BR", "I": ("IOD", "I")},
    "gromacs": {"LI": "LI", "NA": "NA", "K": "K", "RB": "RB", "CS": "CS", "MG": "MG", "CA": "CA", "ZN": "ZN",
                "CL": "CL"},
}


class Written:
    """Files of one run: ions alone, ions with the solute, and what is in them by the report."""

    def __init__(self, folder, ionwell, structure, naming):
        self.naming = naming
        self.alone = os.path.join(folder, f"{naming}.pdb")
        self.with_solute = os.path.join(folder, f"{naming}-all.pdb")
        report = os.path.join(folder, "report.json")
        ions = [word for name in NAMES[naming] for word in ("--ion", f"{name}:1")]
        for path, more in ((self.with_solute, ["--with-solute"]), (self.alone, ["--report", report])):
            subprocess.run([ionwell, "place", structure, *ions, "--spacing", "1", "--ion-names", naming, "--quiet", "-o",
                            path, *more], check=True, stderr=subprocess.DEVNULL)
        with open(report) as file:
            self.ions = json.load(file)["ions"]
        with open(structure) as file:
            self.solute = [line for line in file if line.startswith(("ATOM", "HETATM"))]
        check(len(self.ions) == len(NAMES[naming]), "the report has another number of ions")
        names = [name if isinstance(name, tuple) else (name, name) for name in NAMES[naming].values()]
        self.residues = [residue for residue, _ in names]
        self.atoms = [atom for _, atom in names]
        self.elements = [name.capitalize() for name in NAMES[naming]]
        self.positions = [ion["position_A"] for ion in self.ions]
        self.charges = [ion["charge_e"] for ion in self.ions]


def check_ions(written, program, positions, residues=None, atoms=None, elements=None, charges=None):
    """Each list has one entry for each ion, in the order of the file."""
    what = f"{program}, names of {written.naming}"
    check(len(positions) == len(written.ions), f"{what}: {len(positions)} ions instead of {len(written.ions)}")
    for found, expected in zip(positions, written.positions):
        check_vector(found, expected, 1e-3, f"{what}: a position")
    for found, expected in ((residues, written.residues), (atoms, written.atoms), (elements, written.elements),
                            (charges, written.charges)):
        check(found is None or list(found) == expected, f"{what}: {found} instead of {expected}")
    print(f"{what}: {len(positions)} ions agree")


def neutralized(folder, ionwell, structure, naming, *more):
    """As many ions as make the structure neutral, in one file."""
    path = os.path.join(folder, "neutral.pdb")
    subprocess.run([ionwell, "place", structure, "--ion", "MG:4", "--ion", "NA:neutralize", "--spacing", "1",
                    "--ion-names", naming, "--quiet", "-o", path, *more], check=True)
    return path


def solutes(folder, structure):
    """The DNA duplex of the example, and an RNA duplex made of it."""
    rna = os.path.join(folder, "rna.pqr")
    make_rna(structure, rna)
    return {"DNA": structure, "RNA": rna}


def gro_atoms(path):
    """Residue, atom and position in A of each line of a .gro file."""
    with open(path) as file:
        lines = file.readlines()
    return [(line[5:10].strip(), line[10:15].strip(), [10 * float(line[20 + 8 * n:28 + 8 * n]) for n in range(3)])
            for line in lines[2:2 + int(lines[1])]]


class Gromacs:
    """gmx in a folder."""

    # Enough for every file here. pdb2gmx asks without end for a terminus when its input has ended.
    largest_file = 64 * 1024 * 1024

    def __init__(self, folder):
        self.gmx = shutil.which("gmx") or skip("there is no gmx (GROMACS) here")
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, answers="", limit_s=600):
        """What the command says; it must end well, and in time."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.largest_file, self.largest_file))

        with open(self.path("said.txt"), "w+", errors="replace") as said:
            code = subprocess.run([self.gmx, "-nobackup", *words], cwd=self.folder, input=answers, stdout=said,
                                  stderr=subprocess.STDOUT, text=True, preexec_fn=limit, timeout=limit_s).returncode
            said.seek(0)
            text = said.read()
        if code != 0 and "is not supported by the current hardware" in " ".join(text.split()):
            skip("this gmx was built for other processors than this one, and says so")
        check(code == 0, f"gmx {' '.join(words)}: " + text[-2000:])
        return text

    def pdb2gmx(self, source, field, *more, answers=""):
        return self.run("pdb2gmx", "-f", source, "-ff", field, "-water", "tip3p", "-o", "out.pdb", "-p", "topol.top",
                        *more, answers=answers)


def gromacs_positions(gmx, runs):
    for written in runs.values():
        for path, skipped in ((written.alone, 0), (written.with_solute, len(written.solute))):
            gmx.run("editconf", "-f", path, "-o", "out.gro")
            atoms = gro_atoms(gmx.path("out.gro"))[skipped:]
            # three decimals of nm
            for (_, _, found), expected in zip(atoms, written.positions, strict=True):
                check_vector(found, expected, 6e-3, f"editconf, {os.path.basename(path)}: a position")
            check([atom[0] for atom in atoms] == written.residues, f"editconf: residues {atoms}")
            check([atom[1] for atom in atoms] == written.atoms, f"editconf: atoms {atoms}")
        print(f"gmx editconf, names of {written.naming}: {len(written.ions)} ions agree")


def gromacs_residues(gmx, runs):
    """pdb2gmx has ions among its residues; CHARMM27 knows no LIT, RUB, BAR and CD2."""
    known = {"charmm27": ("charmm", {"SOD", "POT", "CES", "MG", "CAL", "ZN2", "CLA"}),
             "amber99sb-ildn": ("gromacs", set(runs["gromacs"].residues))}
    for field, (naming, residues) in known.items():
        written = runs[naming]
        kept = [n for n, residue in enumerate(written.residues) if residue in residues]
        with open(written.alone) as all_ions, open(gmx.path("known.pdb"), "w") as some:
            lines = [line for line in all_ions if line.startswith("HETATM")]
            some.writelines(lines[n] + "TER\n" for n in kept)
        said = gmx.pdb2gmx("known.pdb", field)
        charge = sum(written.charges[n] for n in kept)
        check(f"Total charge in system {charge:.3f} e" in said, f"pdb2gmx, {field}: " + said[-2000:])
        with open(gmx.path("out.pdb")) as file:
            check(sum(line.startswith("ATOM") for line in file) == len(kept), "pdb2gmx: another number of ions")
        print(f"gmx pdb2gmx, {field}: {len(kept)} ions, {charge} e")


def gromacs_one_file(gmx, ionwell, solute, name):
    """The README's way for solute and ions in one file."""
    neutral = neutralized(gmx.folder, ionwell, solute, "gromacs", "--with-solute")
    said = gmx.pdb2gmx(neutral, "amber99sb-ildn", "-ignh", "-chainsep", "id")
    check(re.search(r"Total charge in system -?0\.000 e", said), f"pdb2gmx, {name} and ions: " + said[-2000:])
    print(f"gmx pdb2gmx, amber99sb-ildn: {name} and ions in one file are neutral")


def gromacs_molecules(gmx, ionwell, solute, name, field):
    """The README's way for every force field, from the solute's PDB file to steps of mdrun."""
    ions = neutralized(gmx.folder, ionwell, solute, "gromacs", "--with-solute")
    with open(ions) as file:
        lines = file.readlines()
    with open(gmx.path("solute.pdb"), "w") as file:
        file.writelines(line for line in lines if line.startswith("ATOM"))
    strands = 2
    termini = ("-ter",) if field == "charmm27" else ()
    gmx.pdb2gmx("solute.pdb", field, "-ignh", *termini, answers="2\n4\n" * strands)  # 5' and 3'
    ions = [line for line in lines if line.startswith("HETATM")]
    with open(gmx.path("out.pdb")) as out, open(gmx.path("system.pdb"), "w") as system:
        system.writelines([line for line in out if line.startswith("ATOM")] + ions)
    with open(gmx.path("topol.top"), "a") as topology:
        topology.write(f"MG 4\nNA {len(ions) - 4}\n")
    with open(gmx.path("min.mdp"), "w") as file:
        file.write("integrator = steep\nnsteps = 5\n")
    gmx.run("editconf", "-f", "system.pdb", "-o", "box.gro", "-d", "0.5")
    gmx.run("solvate", "-cp", "box.gro", "-p", "topol.top", "-o", "solvated.gro")
    said = gmx.run("grompp", "-f", "min.mdp", "-c", "solvated.gro", "-p", "topol.top", "-o", "min.tpr")
    check("WARNING" not in said and "total charge" not in said, f"grompp, {field}: " + said[-2000:])
    gmx.run("mdrun", "-nt", "1", "-deffnm", "min")
    with open(gmx.path("min.log")) as log:
        energies = re.findall(r"Potential Energy *= *(\S+)", log.read())
    check(energies and float(energies[-1]) < 0, f"mdrun, {field}: energies {energies}")
    print(f"gmx mdrun, {field}: {name} and {len(ions)} ions in water, {energies[-1]} kJ/mol")


def with_gromacs(runs, folder, ionwell, structure):
    gmx = Gromacs(folder)
    gromacs_positions(gmx, runs)
    gromacs_residues(gmx, runs)
    for name, solute in solutes(folder, structure).items():
        gromacs_one_file(gmx, ionwell, solute, name)
        for field in ("amber99sb-ildn", "charmm27"):
            gromacs_molecules(gmx, ionwell, solute, name, field)


def with_openmm(runs, folder, ionwell, structure):
    need("openmm")
    from openmm import NonbondedForce, app, unit
    fields = {"charmm": "charmm36/water.xml", "amber": "amber14/tip3p.xml"}

    def charges_of(field, pdb):
        system = field.createSystem(pdb.topology)
        force = next(f for f in system.getForces() if isinstance(f, NonbondedForce))
        return [force.getParticleParameters(n)[0].value_in_unit(unit.elementary_charge)
                for n in range(system.getNumParticles())]

    for naming, written in runs.items():
        for path, skipped in ((written.alone, 0), (written.with_solute, len(written.solute))):
            pdb = app.PDBFile(path)
            atoms = list(pdb.topology.atoms())[skipped:]
            positions = pdb.positions.value_in_unit(unit.angstrom)[skipped:]
            check_ions(written, "openmm", positions, elements=[atom.element.symbol for atom in atoms])
        if naming not in fields:
            continue
        pdb = app.PDBFile(written.alone)
        field = app.ForceField(fields[naming])
        charges = charges_of(field, pdb)
        check(charges == written.charges, f"openmm, {fields[naming]}: charges {charges}")
        names = [template.name for template in field.getMatchingTemplates(pdb.topology)]
        if naming == "charmm":  # Amber's templates are not named as LEaP's units are: NA for Na+
            check(names == written.residues, f"openmm, {fields[naming]}: residues {names}")
            check([a.name for a in pdb.topology.atoms()] == [field._templates[n].atoms[0].name for n in names], "atoms")
        print(f"openmm, {fields[naming]}: {len(names)} ions, {sum(charges)} e")
    field = app.ForceField("amber14-all.xml", fields["amber"])
    for name, solute in solutes(folder, structure).items():
        pdb = app.PDBFile(neutralized(folder, ionwell, solute, "pdb", "--with-solute"))
        charge = sum(charges_of(field, pdb))
        check(abs(charge) < 1e-6, f"openmm: {name} and ions have {charge} e")
        print(f"openmm, amber14: {name} and ions are neutral")


def with_mdanalysis(runs, *_):
    universe = need("MDAnalysis").Universe
    for written in runs.values():
        for path, skipped in ((written.alone, 0), (written.with_solute, len(written.solute))):
            atoms = universe(path).atoms[skipped:]
            check_ions(written, "mdanalysis", atoms.positions, atoms.resnames, atoms.names,
                       [element.capitalize() for element in atoms.elements])
            check(len(set(atoms.residues.resids)) == len(atoms), "mdanalysis: residue numbers come up twice")


def with_gemmi(runs, *_):
    gemmi = need("gemmi")
    for written in runs.values():
        for path, skipped in ((written.alone, 0), (written.with_solute, len(written.solute))):
            found = [(chain, residue, atom) for chain in gemmi.read_structure(path)[0] for residue in chain
                     for atom in residue][skipped:]
            check_ions(written, "gemmi", [atom.pos.tolist() for _, _, atom in found], [r.name for _, r, _ in found],
                       [atom.name for _, _, atom in found], [atom.element.name for _, _, atom in found],
                       [atom.charge for _, _, atom in found])
            check(all(atom.occ == 1.0 and residue.het_flag == "H" for _, residue, atom in found), "gemmi: occupancy")


def with_openbabel(runs, folder, *_):
    program = shutil.which("obabel") or skip("there is no obabel here")
    for written in runs.values():
        for path, skipped in ((written.alone, 0), (written.with_solute, len(written.solute))):
            out = os.path.join(folder, "out.xyz")
            subprocess.run([program, path, "-O", out], check=True, capture_output=True)
            with open(out) as file:
                rows = [line.split() for line in file.readlines()[2:]][skipped:]
            check_ions(written, "openbabel", [[float(x) for x in row[1:]] for row in rows],
                       elements=[row[0] for row in rows])


PYMOL_SCRIPT = """
from pymol import cmd
for path in PATHS:
    cmd.load(path, "ions")
    for atom in cmd.get_model("ions").atom[-COUNTS[path]:]:
        with open("found.txt", "a") as found:  # PyMOL's own words come in the middle of what is printed
            print(path, atom.resn, atom.name, atom.symbol, atom.formal_charge, *atom.coord, file=found)
    cmd.delete("all")
"""


def with_pymol(runs, folder, *_):
    program = shutil.which("pymol") or skip("there is no pymol here")
    counts = {path: len(w.ions) for w in runs.values() for path in (w.alone, w.with_solute)}
    with open(os.path.join(folder, "script.py"), "w") as script:
        script.write(f"PATHS = {list(counts)!r}\nCOUNTS = {counts!r}\n" + PYMOL_SCRIPT)
    environment = dict(os.environ, PATH="/usr/bin:/bin:" + os.environ["PATH"])  # Debian's wrapper calls python3
    result = subprocess.run([program, "-cq", "script.py"], cwd=folder, env=environment, capture_output=True, text=True,
                            timeout=300)
    check(os.path.exists(os.path.join(folder, "found.txt")), f"pymol said: {result.stdout[-2000:]} {result.stderr[-2000:]}")
    with open(os.path.join(folder, "found.txt")) as found:
        rows = [line.split() for line in found]
    for written in runs.values():
        for path in (written.alone, written.with_solute):
            found = sorted((row[1:] for row in rows if row[0] == path), key=lambda row: row[0])
            expected = sorted(range(len(written.ions)), key=lambda n: written.residues[n])  # PyMOL sorts atoms
            check([row[0] for row in found] == [written.residues[n] for n in expected], f"pymol: residues {found}")
            for row, n in zip(found, expected):
                check([row[1], row[2].capitalize()] == [written.atoms[n], written.elements[n]], f"pymol: {row}")
                check(float(row[3]) == written.charges[n], f"pymol: charge of {row}")
                check_vector([float(x) for x in row[4:]], written.positions[n], 1e-3, "pymol: a position")
        print(f"pymol, names of {written.naming}: {len(written.ions)} ions agree")


PROGRAMS = {"gromacs": with_gromacs, "openmm": with_openmm, "mdanalysis": with_mdanalysis, "gemmi": with_gemmi,
            "openbabel": with_openbabel, "pymol": with_pymol}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in PROGRAMS:
        sys.exit(__doc__)
    _, program, ionwell, structure = sys.argv
    with tempfile.TemporaryDirectory() as folder:
        runs = {naming: Written(folder, ionwell, structure, naming) for naming in NAMES}
        PROGRAMS[program](runs, folder, ionwell, structure)


if __name__ == "__main__":
    main()
