# SPDX-License-Identifier: BSD-3-Clause
"""Makes small proteins, extended chains, heavy atoms only: bond lengths and angles of Engh and Huber."""
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


def make_disulfide(path, residues):
    """Two chains of glycines, whose cysteines in the middle are bound: the second is the first, turned by a twofold axis."""
    make_peptide(path, residues)
    with open(path) as file:
        lines = [line for line in file if line.startswith("ATOM")]
    middle = (residues + 1) // 2
    atoms = [(line[12:16], int(line[22:26]), [float(line[n:n + 8]) for n in (30, 38, 46)]) for line in lines]
    at = {name.strip(): position for name, number, position in atoms if number == middle}
    beta = placed(at["C"], at["N"], at["CA"], 1.530, 110.5, -122.0)
    sulfur = placed(at["N"], at["CA"], beta, 1.808, 114.4, -65.0)
    last = max(n for n, atom in enumerate(atoms) if atom[1] == middle)
    atoms[last + 1:last + 1] = [(" CB ", middle, beta), (" SG ", middle, sulfur)]
    out = [s - b for s, b in zip(sulfur, at["CA"])]
    out = [x / math.sqrt(sum(y * y for y in out)) for x in out]
    centre = [s + 2.03 / 2 * x for s, x in zip(sulfur, out)]
    along = [a - b for a, b in zip(atoms[-1][2], atoms[0][2])]
    along = [a - sum(p * q for p, q in zip(along, out)) * x for a, x in zip(along, out)]
    axis = [x / math.sqrt(sum(y * y for y in along)) for x in along]
    def turned(position):
        step = [x - c for x, c in zip(position, centre)]
        size = sum(s * a for s, a in zip(step, axis))
        return [c + 2 * size * a - s for c, a, s in zip(centre, axis, step)]
    with open(path, "w") as file:
        serial = 0
        for chain, turn in (("A", list), ("B", turned)):
            for name, number, position in atoms:
                serial += 1
                residue = "CYS" if number == middle else "GLY"
                file.write(f"ATOM  {serial:5d} {name} {residue} {chain}{number:4d}    "
                           + "".join(f"{x:8.3f}" for x in turn(position)) + f"  1.00  0.00          {name.strip()[0]:>2}\n")
            file.write("TER\n")
        file.write("END\n")


def make_peptide(path, residues):
    """Writes the PDB file."""
    n, ca, c = [0.0, 0.0, 0.0], [1.458, 0.0, 0.0], [2.009, 1.420, 0.0]
    lines = []
    def add(name, residue, position):
        x, y, z = position
        lines.append(f"ATOM  {len(lines) + 1:5d}  {name:<3} GLY A{residue:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00"
                     f"          {name[0]:>2}\n")
    for residue in range(1, residues + 1):
        next_n = placed(n, ca, c, 1.329, 116.2, 150.0)
        oxygen = placed(n, ca, c, 1.231, 120.1, -30.0)
        for name, position in (("N", n), ("CA", ca), ("C", c), ("O", oxygen)):
            add(name, residue, position)
        if residue == residues:
            add("OXT", residue, next_n)
        next_ca = placed(ca, c, next_n, 1.458, 121.7, 180.0)
        c_after = placed(c, next_n, next_ca, 1.525, 111.0, -120.0)
        n, ca, c = next_n, next_ca, c_after
    with open(path, "w") as file:
        file.writelines(lines + ["TER\n", "END\n"])
