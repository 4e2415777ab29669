#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Has LEaP and psfgen build, and VMD show, what 'ionwell place' and 'ionwell prepare' write for them.

    build_in_engines.py PROGRAM IONWELL STRUCTURE.pqr

PROGRAM: tleap, psfgen, vmd. The environment variables IONWELL_TLEAP and IONWELL_PSFGEN name the programs, or else PATH leads to
them; TOPPAR names CHARMM's topology files, or else the samples have them; VMD is the Python module `vmd`. CONTRIBUTING.md says where
they are from. Prints "skipped: " and why, and ends with 77, where PROGRAM is missing.
"""
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from harness import check, need, skip
from peptide import make_disulfide
from prepared_files import data_folder, unpacked
from rna import PqrAtom, make_rna

IONS = ["--ion", "MG:4", "--ion", "NA:neutralize"]
AROUND = ["--ion", "MG:2", "--ion", "NA:neutralize", "--spacing", "1"]
IN_WATER = ["--ion", "MG:1", "--ion", "CL:2", "--input-water", "replace"]  # of a box that is neutral already
SALT = ["--salt", "NaCl:0.15", "--padding", "8", "--quiet"]
CHARGE_TOLERANCE = 1e-3  # e, of a system; the files have four decimals or more


def find(variable, program):
    path = os.environ.get(variable) or shutil.which(program)
    if not path:
        skip(f"there is no {program} here; the environment variable {variable} or PATH leads to it (CONTRIBUTING.md)")
    return path


def write(ionwell, folder, command, *words):
    """Runs ionwell; what its report tells."""
    said = subprocess.run([ionwell, command, *words, "--report", "report.json"], cwd=folder, capture_output=True, text=True)
    check(said.returncode == 0, f"ionwell {command} {' '.join(words)}: {said.stderr}")
    with open(os.path.join(folder, "report.json")) as file:
        return json.load(file)


def has_samples():
    above = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3)
    return os.path.isdir(os.path.join(os.environ.get("IONWELL_SHARED_DATA", os.path.join(above, "shared", "data")), "md"))


def records(path):
    with open(path) as file:
        return [line for line in file if line.startswith(("ATOM", "HETATM"))]


def flag_values(prmtop, flag):
    """The numbers of a section."""
    with open(prmtop) as file:
        section = re.split(rf"%FLAG {flag}\s", file.read())[1].split("%FLAG")[0].split(")", 1)[1].splitlines()
    return [float(word) for line in section for word in line.split()]


class Leap:
    def __init__(self, folder, ionwell):
        self.program = find("IONWELL_TLEAP", "tleap")
        self.folder, self.ionwell = folder, ionwell

    def run(self, name, builds_hydrogens=False):
        """LEaP in that folder; its topology has every atom of the PDB files, and no charge. The path of that."""
        path = os.path.join(self.folder, name)
        said = subprocess.run([self.program, "-f", "leap.in"], cwd=path, capture_output=True, text=True, timeout=300).stdout
        check("Errors = 0" in said and "FATAL" not in said, f"LEaP, {name}: " + said[-3000:])
        prmtop = next(os.path.join(path, f) for f in ("system.prmtop", "leap.prmtop") if os.path.exists(os.path.join(path, f)))
        atoms = sum(len(records(os.path.join(path, f"{part}.pdb"))) for part in ("solute", "ions", "water")
                    if os.path.exists(os.path.join(path, f"{part}.pdb")))
        charges = [q / 18.2223 for q in flag_values(prmtop, "CHARGE")]
        check("heavy atom" not in said and "Created a new atom" not in said, f"LEaP, {name}, has other atoms: " + said[-3000:])
        check(len(charges) == atoms or (builds_hydrogens and len(charges) > atoms), f"LEaP, {name}: {len(charges)} atoms instead of {atoms}")
        check(abs(sum(charges)) < CHARGE_TOLERANCE, f"LEaP, {name}: {sum(charges)} e")
        print(f"LEaP, {name}: {atoms} atoms, neutral", flush=True)
        return prmtop


def with_tleap(folder, ionwell, structure):
    leap = Leap(folder, ionwell)
    write(ionwell, folder, "place", structure, *IONS, "--for", "amber", "-o", "placed")
    leap.run("placed")
    write(ionwell, folder, "prepare", structure, *SALT, "--cell-shape", "octahedron", "--for", "amber", "-o", "octahedron")
    leap.run("octahedron")
    check_octahedron(os.path.join(folder, "octahedron"))
    check_own_solvation(leap, os.path.join(folder, "placed"))
    with_entries(folder, ionwell, structure, leap)
    if not has_samples():
        return print("without the samples (IONWELL_SHARED_DATA)")
    for topology, coordinates, ions in (("DNA_mbondi3.prmtop", "DNA_mbondi3.inpcrd", AROUND),
                                        ("1d23.tip3p.lj1264.parm7", "1d23.tip3p.rst7", IN_WATER)):
        name = topology.split(".")[0]
        write(ionwell, folder, "place", unpacked(folder, topology), unpacked(folder, coordinates), *ions, "--for", "amber", "-o", name)
        leap.run(name)


def check_own_solvation(leap, path):
    """What leap.in makes can be solvated by LEaP itself."""
    with open(os.path.join(path, "leap.in")) as file:
        script = file.read().replace("quit\n", "")
    with open(os.path.join(path, "own.in"), "w") as file:
        file.write(script + "solvateOct sys TIP3PBOX 8.0\naddIonsRand sys Na+ 3 Cl- 3\nsaveAmberParm sys own.prmtop own.rst7\nquit\n")
    said = subprocess.run([leap.program, "-f", "own.in"], cwd=path, capture_output=True, text=True, timeout=300).stdout
    check("Errors = 0" in said and "FATAL" not in said, "solvateOct and addIonsRand: " + said[-3000:])
    check(abs(sum(flag_values(os.path.join(path, "own.prmtop"), "CHARGE"))) / 18.2223 < CHARGE_TOLERANCE, "addIonsRand: not neutral")
    print("LEaP: solvateOct and addIonsRand behind leap.in", flush=True)


def sulfur_bonds(prmtop):
    """Bonds without hydrogens between two atoms of sulfur's number."""
    numbers = flag_values(prmtop, "ATOMIC_NUMBER")
    bonds = [int(x) // 3 for x in flag_values(prmtop, "BONDS_WITHOUT_HYDROGEN")]
    return sum(numbers[bonds[n]] == numbers[bonds[n + 1]] == 16 for n in range(0, len(bonds), 3))


def with_entries(folder, ionwell, structure, leap):
    """Names, ends and bonds: RNA under PDB2PQR's names; a protein with a disulfide, and entries, by PDB2PQR where it is."""
    make_rna(structure, os.path.join(folder, "rna.pqr"))
    write(ionwell, folder, "place", "rna.pqr", *IONS, "--for", "amber", "-o", "rna")
    leap.run("rna")
    if shutil.which("pdb2pqr30") is None and shutil.which("pdb2pqr") is None:
        return print("without PDB2PQR")
    make_disulfide(os.path.join(folder, "disulfide.pdb"), 5)
    write(ionwell, folder, "place", "disulfide.pdb", "--ion", "NA:1", "--ion", "CL:1", "--for", "amber", "-o", "disulfide")
    check(sulfur_bonds(leap.run("disulfide")) == 1, "the disulfide is not there")
    entries = os.path.join(os.path.dirname(data_folder()), "entries") if has_samples() else ""
    for name, ion, disulfides in (("1aki.pdb.gz", "CL:neutralize", 4), ("1ehz.pdb.gz", "NA:neutralize", 0), ("2koc.cif.gz", "NA:neutralize", 0)):
        if not os.path.exists(os.path.join(entries, name)):
            continue
        write(ionwell, folder, "place", os.path.join(entries, name), "--ion", ion, "--spacing", "1", "--for", "amber", "-o", name[:4])
        check(sulfur_bonds(leap.run(name[:4], builds_hydrogens=name == "1ehz.pdb.gz")) == disulfides, f"{name}: not {disulfides} disulfides")


def check_octahedron(path):
    """cell.py gives LEaP's files the cell, and the rst7 no time, after which VMD expects velocities."""
    parmed = subprocess.run(["/usr/bin/python3", "cell.py"], cwd=path, capture_output=True, text=True)
    if "No module named 'parmed'" in parmed.stderr:
        return print("without ParmEd, which cell.py needs")
    check(parmed.returncode == 0, "cell.py: " + parmed.stderr)
    with open(os.path.join(path, "system.rst7")) as file:
        lines = file.read().splitlines()
    atoms = int(lines[1])  # alone on its line
    check(len(lines) == 2 + (atoms + 1) // 2 + 1, f"system.rst7 has {len(lines)} lines for {atoms} atoms")
    check(lines[-1].split()[3:] == ["109.4712190"] * 3, "system.rst7: " + lines[-1])
    check(flag_values(os.path.join(path, "system.prmtop"), "BOX_DIMENSIONS")[0] > 109.47, "system.prmtop has no such box")
    print("cell.py: an octahedron")


def psf_atoms(path):
    """(segment, residue number, name, charge) of each."""
    with open(path) as file:
        lines = file.read().split("!NATOM")[1].splitlines()[1:]
    return [(w[1], w[2], w[4], float(w[6])) for w in (line.split() for line in lines[:lines.index("")])]


class Psfgen:
    def __init__(self, folder, ionwell):
        self.program = find("IONWELL_PSFGEN", "psfgen")
        self.folder, self.ionwell = folder, ionwell
        self.toppar = os.environ.get("TOPPAR") or self.sample_files(folder)

    @staticmethod
    def sample_files(folder):
        """Those of the samples, unpacked."""
        if not has_samples():
            skip("there are no topology files of CHARMM here; the environment variable TOPPAR names their folder")
        packed, path = os.path.join(os.path.dirname(data_folder()), "toppar"), os.path.join(folder, "toppar")
        os.mkdir(path)
        for name in os.listdir(packed):
            with gzip.open(os.path.join(packed, name)) as source, open(os.path.join(path, name[:-3]), "wb") as target:
                shutil.copyfileobj(source, target)
        return path

    def run(self, name, toppar):
        path = os.path.join(self.folder, name)
        environment = {**os.environ, "TOPPAR": toppar}
        said = subprocess.run([self.program, "psfgen.tcl"], cwd=path, capture_output=True, text=True, env=environment, timeout=300)
        return said.returncode, said.stdout + said.stderr, os.path.join(path, "system.psf")

    def build(self, name, atoms):
        """The PSF of that folder: so many atoms, no charge, and a position for each heavy one."""
        code, said, psf = self.run(name, self.toppar)
        check(code == 0 and os.path.exists(psf), f"psfgen, {name}: " + said[-3000:])
        found = psf_atoms(psf)
        charge = sum(atom[3] for atom in found)
        check(len(found) == atoms, f"psfgen, {name}: {len(found)} atoms instead of {atoms}")
        check(abs(charge) < CHARGE_TOLERANCE, f"psfgen, {name}: {charge} e")
        guessed = [line for line in said.splitlines() if "poorly guessed coordinates for" in line]
        check(all("(0 non-hydrogen)" in line for line in guessed), f"psfgen, {name}: {guessed}")
        print(f"psfgen, {name}: {atoms} atoms, neutral", flush=True)
        return found


def psf_bonds(path):
    """Pairs of (segment, residue number, name)."""
    with open(path) as file:
        numbers = file.read().split("!NBOND")[1].split("\n\n")[0].split("\n", 1)[1].split()
    atoms = [atom[:3] for atom in psf_atoms(path)]
    return [(atoms[int(a) - 1], atoms[int(b) - 1]) for a, b in zip(numbers[::2], numbers[1::2])]


def make_entry(pqr, pdb):
    """The heavy atoms of a nucleic acid, as an entry of the PDB has them."""
    with open(pqr) as file:
        atoms = [PqrAtom(line) for line in file if line.startswith("ATOM")]
    with open(pdb, "w") as file:
        for serial, atom in enumerate((atom for atom in atoms if not re.match("[0-9]?H", atom.name)), 1):
            residue = atom.residue.removeprefix("R")
            file.write(f"ATOM  {serial:5d}  {atom.name:<3} {residue:>3} {atom.chain}{atom.number:4d}    "
                       + "".join(f"{x:8.3f}" for x in atom.position) + f"  1.00  0.00          {atom.name[0]:>2}\n")
        file.write("END\n")


def psfgen_entries(psfgen, structure):
    """Entries without hydrogens and charges, which PDB2PQR gives them: nothing is guessed, and all ends and links are there."""
    if not (shutil.which("pdb2pqr30") or shutil.which("pdb2pqr")):
        return print("without entries, whose charges PDB2PQR gives")
    folder = psfgen.folder
    make_disulfide(os.path.join(folder, "protein.pdb"), 7)
    make_rna(structure, os.path.join(folder, "rna.pqr"))
    make_entry(os.path.join(folder, "rna.pqr"), os.path.join(folder, "rna.pdb"))
    make_entry(structure, os.path.join(folder, "dna.pdb"))
    for name, atoms, ions in (("protein", 110, ["--ion", "NA:1", "--ion", "CL:1"]), ("rna", None, IONS), ("dna", 758, IONS)):
        told = write(psfgen.ionwell, folder, "place", name + ".pdb", *ions, "--spacing", "1", "--for", "charmm", "-o", name)
        check(atoms in (None, told["structure"]["atoms"]), f"psfgen, {name}: {told['structure']['atoms']} atoms")
        psfgen.build(name, told["structure"]["atoms"] + len(told["ions"]))
        code, said, psf = psfgen.run(name, psfgen.toppar)
        check("guessing coordinates for 0 atoms" in said, f"psfgen, {name}: atoms were guessed")
        bonds = psf_bonds(psf)
        sulfurs = [bond for bond in bonds if all(atom[2] == "SG" for atom in bond)]
        check(len(sulfurs) == (name == "protein"), f"psfgen, {name}: disulfides {sulfurs}")
        if name == "dna":  # and no phosphate at either end
            check(sum(atom[2] == "P" for atom in psf_atoms(psf)) == 22, "psfgen, dna: phosphates")
    told = write(psfgen.ionwell, folder, "prepare", "protein.pdb", *SALT, "--for", "charmm", "-o", "wet")
    psfgen.build("wet", told["structure"]["atoms"] + len(told["ions"]) + 3 * told["water"]["left"])


def with_psfgen(folder, ionwell, structure):
    psfgen = Psfgen(folder, ionwell)
    write(ionwell, folder, "place", structure, *IONS, "--for", "charmm", "-o", "placed")
    psfgen.build("placed", len(records(structure)) + 18)
    told = write(ionwell, folder, "prepare", structure, *SALT, "--for", "charmm", "-o", "prepared")
    psfgen.build("prepared", len(records(structure)) + len(told["ions"]) + 3 * told["water"]["left"])

    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    code, said, psf = psfgen.run("placed", empty)
    check(code == 1 and "there is no top_all36_na.rtf in the folder" in said and "TOPPAR" in said, "without TOPPAR: " + said)
    check("while executing" not in said, "without TOPPAR there is a trace: " + said)
    psfgen_entries(psfgen, structure)
    if not has_samples():
        return print("without the samples (IONWELL_SHARED_DATA)")
    psf, pdb = (unpacked(folder, name) for name in ("1MJI.psf", "1MJI.pdb"))
    other = os.path.join(folder, "topology.txt")
    shutil.copyfile(psf, other)
    before = psf_atoms(psf)
    for name, files in (("behind", [pdb, psf]), ("renamed", [other, pdb])):
        told = write(ionwell, folder, "place", *files, "--ion", "MG:2", "--ion", "NA:neutralize", "--input-water", "solute", "--spacing",
                     "1", "--for", "charmm", "-o", name)
        found = psfgen.build(name, len(before) + len(told["ions"]))
        check(found[:len(before)] == before, f"psfgen, {name}: the PSF's own atoms changed")
    entry = os.path.join(data_folder(), "..", "entries", "1aki.pdb.gz")
    if os.path.exists(entry):
        told = write(ionwell, folder, "prepare", entry, *SALT, "--for", "charmm", "-o", "lysozyme")
        psfgen.build("lysozyme", told["structure"]["atoms"] + len(told["ions"]) + 3 * told["water"]["left"])
        found = psf_bonds(os.path.join(folder, "lysozyme", "system.psf"))
        check(sum(a[2] == b[2] == "SG" for a, b in found) == 4, "psfgen, lysozyme: disulfides")
    for topology, coordinates, ions in (("DNA_mbondi3.prmtop", "DNA_mbondi3.inpcrd", AROUND),
                                        ("rGACC.full.parm7", "rGACC.full.nc", IN_WATER)):
        name = topology.split(".")[0]
        write(ionwell, folder, "place", unpacked(folder, topology), unpacked(folder, coordinates), *ions, "--for", "charmm", "-o", name)
        path = os.path.join(folder, name)
        parts = [f for f in os.listdir(path) if f.startswith("segment_") or f == "ion.pdb"]
        psfgen.build(name, sum(len(records(os.path.join(path, f))) for f in parts))


VMD_TCL = """
lappend auto_path {%s}
package require ionwell
set solute [mol new {%s} type pqr waitfor all]
set ions [ionwell place -sel [atomselect $solute all] -ions {{MG 4} {CLA 2}} -spacing 1 -map yes]
set all [atomselect $ions all]
list [$all get charge] [expr {[molinfo top] == $solute}]
"""


# What users of VMD do next; its packages print on its console.
VMD_BUILD_TCL = """
set env(TOPPAR) {%s}
cd {%s}
package require psfgen
resetpsf
source psfgen.tcl
package require solvate
package require autoionize
solvate system.psf system.pdb -t 6 -o wet
autoionize -psf wet.psf -pdb wet.pdb -sc 0.15 -o salted
mol delete all
"""


def check_vmd_solvates(folder, ionwell, structure, evaltcl):
    """VMD's own psfgen builds what psfgen.tcl says, and its solvate and autoionize continue: all is there unmoved, and neutral."""
    if not (os.environ.get("TOPPAR") or has_samples()):
        return print("without CHARMM's topology files (TOPPAR), which psfgen.tcl needs before solvate and autoionize")
    toppar = os.environ.get("TOPPAR") or Psfgen.sample_files(folder)
    here = os.getcwd()
    for name, ions in (("alone", ["--ion", "MG:4"]), ("neutral", IONS)):
        write(ionwell, folder, "place", structure, *ions, "--spacing", "1", "--for", "charmm", "-o", name)
        path = os.path.join(folder, name)
        try:
            evaltcl(VMD_BUILD_TCL % (os.path.abspath(toppar), path))
        finally:
            os.chdir(here)
        psf = {part: psf_atoms(os.path.join(path, part + ".psf")) for part in ("system", "wet", "salted")}
        own = psf["system"]
        check(psf["wet"][:len(own)] == own and psf["salted"][:len(own)] == own, f"VMD, {name}: other atoms behind solvate")
        waters = (len(psf["wet"]) - len(own)) // 3
        check(waters > 500 and len(psf["wet"]) == len(own) + 3 * waters, f"VMD, {name}: {waters} waters by solvate")
        salt = [atom[2] for atom in psf["salted"][len(own):] if atom[2] in ("SOD", "CLA")]
        charge = sum(atom[3] for atom in psf["salted"])
        check(salt.count("CLA") > 0 and abs(charge) < CHARGE_TOLERANCE, f"VMD, {name}: {charge} e with {len(salt)} ions")
        check(salt.count("SOD") - salt.count("CLA") == -round(sum(atom[3] for atom in own)), f"VMD, {name}: {len(salt)} ions")
        before, after = ([line[30:54] for line in records(os.path.join(path, part + ".pdb"))[:len(own)]]
                         for part in ("system", "salted"))
        check(before == after, f"VMD, {name}: solvate or autoionize moved the solute or its ions")
        print(f"VMD, {name}: solvate adds {waters} waters, autoionize {len(salt)} ions; the system is neutral", flush=True)


def with_vmd(folder, ionwell, structure):
    need("vmd")
    from vmd import evaltcl, molecule
    write(ionwell, folder, "place", structure, *IONS, "--for", "vmd", "-o", "placed")
    script = os.path.join(folder, "placed", "view.tcl")
    loaded = len(molecule.listall())
    evaltcl(f"source {{{script}}}")
    check(len(molecule.listall()) == loaded + 2, f"view.tcl loaded {molecule.listall()}")
    charges = evaltcl("[atomselect $ions all] get charge").split()
    check([float(q) for q in charges] == [2.0] * 4 + [1.0] * 14, f"view.tcl: charges {charges}")
    print(f"VMD, view.tcl: {len(charges)} ions with their charges")

    package = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "apps", "vmd")
    evaltcl(f"set env(IONWELL) {{{ionwell}}}")
    said = evaltcl(VMD_TCL % (package, structure))
    check(said == "{2.0 2.0 2.0 2.0 -1.0 -1.0} 1", f"the package: {said}")
    print("VMD, the package: ions with their charges, and the top molecule stays")
    check_vmd_solvates(folder, ionwell, structure, evaltcl)

    if not (os.environ.get("IONWELL_TLEAP") or shutil.which("tleap")):
        return print("without LEaP, whose rst7 VMD shows")
    write(ionwell, folder, "prepare", structure, *SALT, "--cell-shape", "octahedron", "--for", "amber", "-o", "octahedron")
    path = os.path.join(folder, "octahedron")
    Leap(folder, ionwell).run("octahedron")
    check_octahedron(path)
    if os.path.exists(os.path.join(path, "system.rst7")):
        shown = molecule.load("parm7", os.path.join(path, "system.prmtop"), "rst7", os.path.join(path, "system.rst7"))
        check(molecule.numframes(shown) == 1, f"VMD shows {molecule.numframes(shown)} frames of system.rst7")
        print(f"VMD, system.rst7: {molecule.numatoms(shown)} atoms")


def main():
    program, ionwell, structure = sys.argv[1:4]
    engines = {"tleap": with_tleap, "psfgen": with_psfgen, "vmd": with_vmd}
    if program not in engines:
        skip(f"no test for {program}")
    with tempfile.TemporaryDirectory() as folder:
        engines[program](folder, os.path.abspath(ionwell), os.path.abspath(structure))


if __name__ == "__main__":
    main()
