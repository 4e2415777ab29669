# SPDX-License-Identifier: BSD-3-Clause
"""Makes an RNA duplex out of a DNA duplex, under PDB2PQR's names; for tests only, since RNA is not in the B form."""


class PqrAtom:
    """An ATOM record in PDB2PQR's columns."""

    def __init__(self, line):
        self.name = line[12:16].strip()
        self.residue = line[17:20].strip()
        self.chain, self.number = line[21], int(line[22:26])
        self.position = [float(line[30 + 8 * n:38 + 8 * n]) for n in range(3)]
        self.charge, self.radius = (float(word) for word in line[54:].split())

    def line(self, serial):
        name = self.name if len(self.name) == 4 else " " + self.name
        return (f"ATOM  {serial:5d} {name:<4} {self.residue:<3} {self.chain}{self.number:4d}    "
                + "".join(f"{x:8.3f}" for x in self.position) + f" {self.charge:7.4f} {self.radius:.4f}\n")


def moved(atom, name, origin, distance, charge, radius):
    """A copy of `atom` under another name, as far from `origin` as given and in the same direction."""
    copy = PqrAtom.__new__(PqrAtom)
    copy.__dict__.update(atom.__dict__, name=name, charge=charge, radius=radius)
    step = [a - o for a, o in zip(atom.position, origin.position)]
    scale = distance / sum(s * s for s in step) ** 0.5
    copy.position = [o + scale * s for o, s in zip(origin.position, step)]
    return copy


def ribonucleotide(atoms):
    """2'-deoxy becomes 2'-hydroxy, a methyl at C5 a hydrogen; the charges' sum stays."""
    by_name = {atom.name: atom for atom in atoms}
    result = []
    for atom in atoms:
        if atom.name == "H2''":  # a ribose has its hydroxyl here
            result.append(moved(atom, "O2'", by_name["C2'"], 1.41, atom.charge - 0.4, 1.721))
            result.append(moved(atom, "H2''", by_name["C2'"], 2.37, 0.4, 0.0))
        elif atom.name == "C7":
            charge = sum(by_name[name].charge for name in ("C7", "H71", "H72", "H73"))
            result.append(moved(atom, "H5", by_name["C5"], 1.08, charge, 1.459))
        elif atom.name not in ("H71", "H72", "H73"):
            result.append(atom)
    base = atoms[0].residue[1].replace("T", "U")
    for atom in result:
        atom.residue = "R" + base
    return result


def make_rna(dna_pqr, rna_pqr):
    with open(dna_pqr) as file:
        atoms = [PqrAtom(line) for line in file if line.startswith("ATOM")]
    residues = {}
    for atom in atoms:
        residues.setdefault((atom.chain, atom.number), []).append(atom)
    serial = 0
    with open(rna_pqr, "w") as file:
        for (chain, _), residue in residues.items():
            if serial and chain != last_chain:
                file.write("TER\n")
            last_chain = chain
            for atom in ribonucleotide(residue):
                serial += 1
                file.write(atom.line(serial))
        file.write("TER\nEND\n")
