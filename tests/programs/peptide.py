"""Makes a small protein, an extended chain of glycines, heavy atoms only: bond lengths and angles of Engh and Huber."""
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
