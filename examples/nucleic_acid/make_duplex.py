#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes duplex.pqr: a B-DNA duplex with AMBER charges, from nothing but its sequence.

    examples/nucleic_acid/make_duplex.py          (needs Open Babel 3.1 and PDB2PQR 3: apt-get install openbabel pdb2pqr)

1. Open Babel builds the duplex in the fibre model's B form; its output has elements and positions, but neither
   atom nor residue names.
2. The names follow from the order of its atoms, which is fixed for each base. Every expected bond is then measured,
   so a version with another order cannot pass unnoticed.
3. Two things are changed. The 5' phosphates go, since AMBER's 5' residues have none. N3 of each cytosine moves by
   0.26 A to where its two bonds have their proper lengths: Open Babel puts it 1.15 A from C4.
4. PDB2PQR adds hydrogens, charges and radii (AMBER). The sum must be one negative charge for each phosphate.
"""

import math
import pathlib
import subprocess
import sys
import tempfile

SEQUENCE = "CGCGAATTCGCG"  # reads the same on the other strand
HERE = pathlib.Path(__file__).resolve().parent

BACKBONE = ["P", "OP1", "OP2", "O5'", "C5'", "C4'", "O4'", "C3'", "O3'", "C2'", "C1'"]
BASES = {
    "A": ["N9", "C8", "N7", "C5", "C6", "N6", "N1", "C2", "N3", "C4"],
    "C": ["N1", "C2", "O2", "N3", "C4", "N4", "C5", "C6"],
    "G": ["N9", "C8", "N7", "C5", "C6", "O6", "N1", "C2", "N2", "N3", "C4"],
    "T": ["N1", "C2", "O2", "N3", "C4", "O4", "C5", "C7", "C6"],
}
SUGAR_BONDS = "P-OP1 P-OP2 P-O5' O5'-C5' C5'-C4' C4'-O4' C4'-C3' C3'-O3' C3'-C2' C2'-C1' C1'-O4'"
PURINE_BONDS = "C1'-N9 N9-C8 C8-N7 N7-C5 C5-C6 C6-N1 N1-C2 C2-N3 N3-C4 C4-C5 C4-N9"
PYRIMIDINE_BONDS = "C1'-N1 N1-C2 C2-O2 C2-N3 N3-C4 C4-C5 C5-C6 C6-N1"
BONDS = {
    "A": PURINE_BONDS + " C6-N6",
    "C": PYRIMIDINE_BONDS + " C4-N4",
    "G": PURINE_BONDS + " C6-O6 C2-N2",
    "T": PYRIMIDINE_BONDS + " C4-O4 C5-C7",
}
# Neighbours in the order that makes the triple product negative (2.2 to 2.9 A^3 in the 294 nucleotides of 1kx5).
# A pyrimidine has N1 where a purine has N9.
CHIRAL_CENTRES = [
    ("C4'", "C5'", "O4'", "C3'"),
    ("C3'", "O3'", "C2'", "C4'"),
    ("C1'", "O4'", "N9", "C2'"),
    ("P", "OP1", "OP2", "O5'"),
]
PAIRS = {"A": ("N1", "N3"), "T": ("N3", "N1"), "G": ("N1", "N3"), "C": ("N3", "N1")}


def build_heavy_atoms():
    """(element, position) of the heavy atoms, in Open Babel's order."""
    with tempfile.TemporaryDirectory() as folder:
        fasta = pathlib.Path(folder, "duplex.fasta")
        fasta.write_text(f">duplex\n{SEQUENCE}\n")
        run = subprocess.run(["obabel", "-ifasta", str(fasta), "-oxyz"], check=True, capture_output=True, text=True)
    fields = [line.split() for line in run.stdout.splitlines()[2:] if line.strip()]
    return [(f[0], tuple(map(float, f[1:4]))) for f in fields if f[0] != "H"]


def name_atoms(atoms):
    """Two strands of residues, each a dictionary from atom name to position."""
    atoms = iter(atoms)
    strands = []
    for _ in range(2):
        element, _ = next(atoms)
        assert element == "O", "each strand starts with the third oxygen of its 5' phosphate, which is left out"
        strand = []
        for base in SEQUENCE:
            residue = {}
            for name in BACKBONE + BASES[base]:
                element, position = next(atoms)
                assert element == name[0], f"expected {name}, got {element}: Open Babel's order has changed"
                residue[name] = position
            strand.append(residue)
        strands.append(strand)
    assert next(atoms, None) is None, "more atoms than the sequence has"
    return strands


def add(a, b, factor=1.0):
    return tuple(x + factor * y for x, y in zip(a, b))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    return tuple(x / math.sqrt(dot(a, a)) for x in a)


def mend_cytosine(residue, to_c2=1.353, to_c4=1.335):
    """Puts N3 in the plane of the ring at its two bond lengths [A] (crystal averages), away from the ring's middle."""
    c2, c4, n1 = residue["C2"], residue["C4"], residue["N1"]
    along = unit(add(c4, c2, -1.0))
    outwards = add(c2, n1, -1.0)
    outwards = add(outwards, along, -dot(outwards, along))
    away = unit(add(outwards, residue["C5"], 0.0))
    gap = math.dist(c2, c4)
    step = (to_c2**2 - to_c4**2 + gap**2) / (2 * gap)
    residue["N3"] = add(add(c2, along, step), away, math.sqrt(to_c2**2 - step**2))


def check(strands):
    """Bonds, base pairs, handedness, clashes: raises when something is not B-DNA."""
    for strand in strands:
        for base, residue in zip(SEQUENCE, strand):
            for bond in (SUGAR_BONDS + " " + BONDS[base]).split():
                a, b = bond.split("-")
                length = math.dist(residue[a], residue[b])
                longest = 1.7 if "P" in (a, b) else 1.6
                assert 1.18 < length < longest, f"bond {base} {bond} is {length:.3f} A"
        for here, there in zip(strand, strand[1:]):
            length = math.dist(here["O3'"], there["P"])
            assert 1.5 < length < 1.7, f"bond O3'-P is {length:.3f} A"
            distance = math.dist(here["P"], there["P"])
            assert 6.0 < distance < 7.5, f"neighbouring phosphates are {distance:.2f} A apart"
    for i, base in enumerate(SEQUENCE):
        length = math.dist(strands[0][i][PAIRS[base][0]], strands[1][len(SEQUENCE) - 1 - i][PAIRS[base][1]])
        assert 2.7 < length < 3.2, f"base pair {i + 1} has a hydrogen bond of {length:.2f} A"
    # A right-handed helix: going up the axis, the phosphates turn counter-clockwise.
    phosphates = [residue["P"] for residue in strands[0]]
    axis = unit(add(phosphates[10], phosphates[0], -1.0))  # one turn, so along the axis
    turn = cross(add(phosphates[2], phosphates[1], -1.0), add(phosphates[3], phosphates[2], -1.0))
    assert dot(turn, axis) > 0.0, "the helix is left-handed"
    for strand in strands:
        for residue in strand:
            for centre, *neighbours in CHIRAL_CENTRES:
                a, b, c = (add(residue.get(n, residue["N1"]), residue[centre], -1.0) for n in neighbours)
                assert dot(a, cross(b, c)) < -2.0, f"{centre} has the wrong hand"
    atoms = [p for strand in strands for residue in strand for p in residue.values()]
    closest = min(math.dist(a, b) for i, a in enumerate(atoms) for b in atoms[:i])
    assert closest > 1.18, f"two heavy atoms are {closest:.2f} A apart"


def pdb_lines(strands):
    serial = 0
    for chain, strand in zip("AB", strands):
        for number, (base, residue) in enumerate(zip(SEQUENCE, strand), start=1):
            for name, (x, y, z) in residue.items():
                if number == 1 and name in ("P", "OP1", "OP2"):
                    continue
                serial += 1
                yield (f"ATOM  {serial:5d}  {name:<3s}  D{base} {chain}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
                       f"  1.00  0.00           {name[0]}  \n")
        yield "TER\n"
    yield "END\n"


def add_charges(pdb_text, pqr):
    with tempfile.TemporaryDirectory() as folder:
        pdb, raw = pathlib.Path(folder, "duplex.pdb"), pathlib.Path(folder, "duplex.pqr")
        pdb.write_text(pdb_text)
        subprocess.run(["pdb2pqr30", "--ff=AMBER", "--keep-chain", "--nodebump", "--noopt", str(pdb), str(raw)],
                       check=True, capture_output=True, text=True)
        lines = [line for line in raw.read_text().splitlines() if line.startswith(("ATOM", "TER"))]
    atoms = [line for line in lines if line.startswith("ATOM")]
    net_e = sum(float(line.split()[-2]) for line in atoms)
    phosphates = 2 * (len(SEQUENCE) - 1)
    assert abs(net_e + phosphates) < 1e-3, f"net charge {net_e:.4f} e, expected {-phosphates}"
    places = [tuple(map(float, line[30:54].split())) for line in atoms]
    closest = min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])
    assert closest > 0.9, f"two atoms are {closest:.2f} A apart"
    remarks = [f"REMARK   B-DNA duplex {SEQUENCE}, both strands, made by make_duplex.py (Open Babel, PDB2PQR, AMBER)",
               f"REMARK   {len(atoms)} atoms, net charge {net_e:.4f} e"]
    pqr.write_text("\n".join(remarks + lines + ["END", ""]))
    return len(atoms), net_e


def main():
    strands = name_atoms(build_heavy_atoms())
    for strand in strands:
        for base, residue in zip(SEQUENCE, strand):
            if base == "C":
                mend_cytosine(residue)
    check(strands)
    pqr = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "duplex.pqr"
    count, net_e = add_charges("".join(pdb_lines(strands)), pqr)
    print(f"{pqr}: {count} atoms, net charge {net_e:.4f} e")


if __name__ == "__main__":
    main()
