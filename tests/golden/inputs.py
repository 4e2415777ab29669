# SPDX-License-Identifier: BSD-3-Clause
"""Small inputs of the golden runs that are not in this repository; the same bytes each time."""
import math
import os
import shutil
import struct


def read_atoms(pqr):
    """Name, residue, chain, number, position, charge and radius of each atom of a PQR file with columns."""
    atoms = []
    with open(pqr, encoding="ascii") as lines:
        for line in lines:
            if line.startswith("ATOM"):
                at = [float(line[a:b]) for a, b in ((30, 38), (38, 46), (46, 54))]
                atoms.append((line[12:16].strip(), line[17:20].strip(), line[21], int(line[22:26]), at,
                              *(float(word) for word in line[54:].split())))
    return atoms


def write(path, text):
    with open(path, "w", encoding="ascii") as out:
        out.write(text)


def pdb_line(serial, atom, record="ATOM"):
    name, residue, chain, number, (x, y, z), *_ = atom
    column = name if len(name) == 4 else " " + name
    return (f"{record:6}{serial:5} {column:4} {residue:>3} {chain}{number:4}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00"
            f"          {name.lstrip('0123456789')[0]:>2}\n")


def make_psf(atoms, folder):
    """The duplex as a topology of CHARMM's kind and a PDB file."""
    rows = "".join(f"{n:8} {'DNA' + chain:4} {number:<4} {residue:4} {name:4} {name[0]:4} {charge:10.6f} {12.011:13.4f} {0:11}\n"
                   for n, (name, residue, chain, number, _, charge, _) in enumerate(atoms, 1))
    write(os.path.join(folder, "dna.psf"), f"PSF\n\n       1 !NTITLE\n REMARKS duplex\n\n{len(atoms):8} !NATOM\n{rows}\n")
    write(os.path.join(folder, "dna.pdb"), "".join(pdb_line(n, atom) for n, atom in enumerate(atoms, 1)) + "END\n")


def make_topology(folder):
    """A charged rod and two waters as GROMACS's topology and positions, with ions and water in its force field."""
    kinds = {"ROD": [("P", "U", -1.0, 30.97)], "NA": [("NA", "NA", 1.0, 22.99)], "CL": [("CL", "CL", -1.0, 35.45)],
             "MG": [("MG", "MG", 2.0, 24.305)],
             "SOL": [("OW", "SOL", -0.834, 16.0), ("HW1", "SOL", 0.417, 1.008), ("HW2", "SOL", 0.417, 1.008)]}
    top = '#include "posre.itp"\n'
    for kind, atoms in kinds.items():
        top += f"[ moleculetype ]\n{kind} 1\n[ atoms ]\n"
        for n, (name, residue, charge, mass) in enumerate(atoms, 1):
            top += f"{n} {name} 1 {residue} {name} 1 {charge} {mass}\n"
    write(os.path.join(folder, "posre.itp"), "; nothing is restrained\n")
    write(os.path.join(folder, "topol.top"), top + "[ system ]\nrod\n[ molecules ]\nROD 6\nSOL 2\n")
    gro = [("U", "P", (0.5 * n, 0.1 * n, 0.0)) for n in range(6)]
    for n in range(2):
        gro += [("SOL", name, (0.4 + n + x, 0.9 + y, 0.3)) for name, x, y in
                (("OW", 0.0, 0.0), ("HW1", 0.09572, 0.0), ("HW2", -0.024, 0.09266))]
    number, rows = 0, ""
    for n, (residue, name, (x, y, z)) in enumerate(gro, 1):
        number += name in ("P", "OW")
        rows += f"{number:5}{residue:5}{name:>5}{n:5}{x:8.3f}{y:8.3f}{z:8.3f}\n"
    write(os.path.join(folder, "conf.gro"), f"rod\n{len(gro):5}\n{rows}   4.00000   4.00000   4.00000\n")


def make_rods(folder):
    """A rod of a few charges, for the runs that take long; another that is a set of two entries with sites."""
    rod = "".join(f"ATOM {n + 1} P U A {n + 1} {4 * n}.0 {n % 2}.5 0.25 -1.0 2.0\n" for n in range(8))
    write(os.path.join(folder, "rod.pqr"), rod)
    entries = os.path.join(folder, "set")
    os.makedirs(entries)
    for name, x in (("one", 6.5), ("two", 14.5)):
        write(os.path.join(entries, name + ".pqr"), rod)
        site = f"HETATM    1 MG    MG A   1    {x:8.3f}   4.250   0.000  1.00 10.00          MG2+\n"
        write(os.path.join(entries, name + ".sites.pdb"), site)
    write(os.path.join(folder, "points.csv"), "x,y,z\n" + "".join(f"{n % 7 * 3}.25,{n // 7 - 9},6.5\n" for n in range(140)))
    write(os.path.join(folder, "points.xyz"), "3\nthree\nX 0 0 9\nX 5.5 0 9\nX 11 0.25 9\n")
    write(os.path.join(folder, "place.in"),
          "# every command\nR_ION_SOLUTE 5.1\nR_ION_ION 5.2\nGRIDSPACING 1\nBORDERSIZE 9\nDDD 3\nSHOWOPT\nBEGIN\n"
          "PLACEION MG 2 2\nSAVEION mg.pdb\nPLACEION XX 2 1.5\nSAVEION gro xx.gro\nSAVEGRID after.dx\nEXIT\n")
    write(os.path.join(folder, "gridfile.in"), "GRIDFILE rod.dx\nXYZDIM -6 -6 -6 34 8 8\nBEGIN\nPLACEION NA 3 1\n"
          "SAVEION pqr na.pqr\n")


def make_trajectory(atoms, path, frames):
    """The duplex, turned a little from frame to frame, in CHARMM's DCD."""
    def record(data):
        return struct.pack("<i", len(data)) + data + struct.pack("<i", len(data))
    with open(path, "wb") as out:
        out.write(record(b"CORD" + struct.pack("<9i", frames, 1, 1, 0, 0, 0, 0, 0, 0) + struct.pack("<f", 1.0) +
                         struct.pack("<10i", *([0] * 9), 24)))
        out.write(record(struct.pack("<i", 1) + b"turned duplex".ljust(80)))
        out.write(record(struct.pack("<i", len(atoms))))
        for n in range(frames):
            c, s = math.cos(0.03125 * n), math.sin(0.03125 * n)
            at = [(x, c * y - s * z, s * y + c * z) for x, y, z in (atom[4] for atom in atoms)]
            for axis in range(3):
                out.write(record(struct.pack(f"<{len(at)}f", *(round(p[axis], 3) for p in at))))


def make_inputs(source, folder):
    """All of them in one folder, beside copies of those of the repository."""
    shutil.copy(os.path.join(source, "examples/nucleic_acid/duplex.pqr"), folder)
    shutil.copytree(os.path.join(source, "tests/data/fuzz"), os.path.join(folder, "seeds"))
    atoms = read_atoms(os.path.join(folder, "duplex.pqr"))
    make_psf(atoms, folder)
    make_topology(folder)
    make_rods(folder)
    make_trajectory(atoms, os.path.join(folder, "run.dcd"), 6)
