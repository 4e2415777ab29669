"""Makes small proteins, extended chains of glycines, heavy atoms only: bond lengths and angles of Engh and Huber."""
import math


def placed(a, b, c, length, angle_deg, torsion_deg):
    """The point at `length` from c, with the angle to b and the torsion about b-c (natural extension of frames)."""
    angle, torsion = math.radians(angle_deg), math.radians(torsion_deg)
    def minus(p, q):
        return [x - y for x, y in zip(p, q)]
    def unit(v):
        size = math.sqrt(sum(x * x for x in v))
        return [x / size for x in v]
    def cross(p, q):
        return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    along = unit(minus(c, b))
    normal = unit(cross(minus(b, a), along))
    side = cross(normal, along)
    local = [-length * math.cos(angle), length * math.sin(angle) * math.cos(torsion),
             length * math.sin(angle) * math.sin(torsion)]
    return [c[i] + local[0] * along[i] + local[1] * side[i] + local[2] * normal[i] for i in range(3)]


def peptide(residues, cysteine=None):
    """(name, residue name, number, position) of each atom; the residue of that number is a cysteine."""
    n, ca, c = [0.0, 0.0, 0.0], [1.458, 0.0, 0.0], [2.009, 1.420, 0.0]
    atoms = []
    def add(name, residue, position):
        atoms.append((name, "CYS" if residue == cysteine else "GLY", residue, position))
    for residue in range(1, residues + 1):
        next_n = placed(n, ca, c, 1.329, 116.2, 150.0)
        oxygen = placed(n, ca, c, 1.231, 120.1, -30.0)
        for name, position in (("N", n), ("CA", ca), ("C", c), ("O", oxygen)):
            add(name, residue, position)
        if residue == residues:
            add("OXT", residue, next_n)
        if residue == cysteine:
            beta = placed(c, n, ca, 1.530, 110.5, -122.6)
            add("CB", residue, beta)
            add("SG", residue, placed(n, ca, beta, 1.808, 114.4, -65.0))
        next_ca = placed(ca, c, next_n, 1.458, 121.7, 180.0)
        c_after = placed(c, next_n, next_ca, 1.525, 111.0, -120.0)
        n, ca, c = next_n, next_ca, c_after
    return atoms


def write_pdb(path, chains):
    """One chain of atoms for each letter from A on."""
    lines = []
    for letter, atoms in zip("ABCDEFGH", chains):
        for name, residue, number, (x, y, z) in atoms:
            lines.append(f"ATOM  {len(lines) + 1:5d}  {name:<3} {residue:>3} {letter}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00"
                         f"  0.00          {name[0]:>2}\n")
        lines.append("TER\n")
    with open(path, "w") as file:
        file.writelines(lines + ["END\n"])


def make_peptide(path, residues):
    """Writes the PDB file."""
    write_pdb(path, [peptide(residues)])


def make_disulfide(path, residues, cysteine):
    """Two chains, the second turned by half a turn about an axis along the first, which goes through the middle of the bond."""
    atoms = peptide(residues, cysteine)
    places = {name: position for name, _, number, position in atoms if number == cysteine}
    other = placed(places["CA"], places["CB"], places["SG"], 2.05, 104.0, 90.0)
    middle = [(a + b) / 2 for a, b in zip(places["SG"], other)]
    across = [b - a for a, b in zip(places["SG"], other)]
    along = [b - a for a, b in zip(atoms[0][3], atoms[-1][3])]
    share = sum(a * b for a, b in zip(along, across)) / sum(a * a for a in across)
    axis = [a - share * b for a, b in zip(along, across)]
    size = sum(a * a for a in axis)
    def turned(position):
        away = [p - m for p, m in zip(position, middle)]
        share = 2 * sum(a * b for a, b in zip(away, axis)) / size
        return [m + share * a - w for m, a, w in zip(middle, axis, away)]
    write_pdb(path, [atoms, [(name, residue, number, turned(position)) for name, residue, number, position in atoms]])
