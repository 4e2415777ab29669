# SPDX-License-Identifier: BSD-3-Clause
"""Small files that stand for a reader's own: the example's duplex as other programs write it, and frames that wobble.

The charges and atoms are all there, and no bonds: it is what a program that sums charges has to read.
"""
import math
import struct


def atoms_of(source):
    """(name, residue, chain, number, x, y, z, charge, radius) of each atom of the duplex."""
    found = []
    for line in (source / "examples/nucleic_acid/duplex.pqr").read_text().splitlines():
        if line.startswith("ATOM"):
            found.append((line[12:16].strip(), line[17:20].strip(), line[21], int(line[22:26]), float(line[30:38]),
                          float(line[38:46]), float(line[46:54]), *map(float, line[54:].split()[:2])))
    return found


def frames_of(atoms, count=8):
    """Positions of each frame: the duplex as a whole turns and shifts, and every atom wobbles by up to 0.3 A."""
    for frame in range(count):
        angle = 0.1 * frame
        c, s = math.cos(angle), math.sin(angle)
        found = []
        for n, (_, _, _, _, x, y, z, _, _) in enumerate(atoms):
            dx, dy, dz = (0.3 * math.sin(1.7 * n + k + 0.9 * frame) for k in range(3))
            x, y, z = x + dx, y + dy, z + dz
            found.append((x + frame, c * y - s * z, s * y + c * z))
        yield found


def element(name):
    return name.lstrip("0123456789")[0]


def psf(atoms):
    lines = ["PSF EXT XPLOR", "", "       1 !NTITLE", " the example's duplex", "", f"{len(atoms):10d} !NATOM"]
    for n, (name, residue, chain, number, _, _, _, charge, _) in enumerate(atoms, 1):
        lines.append(f"{n:10d} DNA{chain:5s} {number:<8d} {residue:8s} {name:8s} {element(name):6s} {charge:9.6f}     12.0000"
                     "           0")
    return "\n".join(lines + ["", f"{0:10d} !NBOND: bonds", "", ""]).encode()


def pdb(atoms):
    lines = []
    for n, (name, residue, chain, number, x, y, z, _, _) in enumerate(atoms, 1):
        four = name if len(name) == 4 else " " + name
        lines.append(f"ATOM  {n:5d} {four:4s} {residue:>3s} {chain}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00"
                     f"      {'DNA' + chain:4s}{element(name):>2s}")
        if n == len(atoms) or atoms[n][2] != chain:
            lines.append("TER")
    return "\n".join(lines + ["END", ""]).encode()


def dcd(atoms, first):
    """CHARMM's trajectory without a cell; `first` tells one file's frames from another's."""
    def record(data):
        return struct.pack("<i", len(data)) + data + struct.pack("<i", len(data))

    frames = list(frames_of(atoms))[first:first + 4]
    header = b"CORD" + struct.pack("<9if10i", len(frames), 1, 1, len(frames), 0, 0, 0, 0, 0, 1.0, *([0] * 9), 24)
    parts = [record(header), record(struct.pack("<i", 1) + b"the example's duplex".ljust(80)),
             record(struct.pack("<i", len(atoms)))]
    for frame in frames:
        parts += [record(struct.pack(f"<{len(frame)}f", *(p[axis] for p in frame))) for axis in range(3)]
    return b"".join(parts)


def prmtop(atoms):
    residues = [n for n, a in enumerate(atoms) if n == 0 or atoms[n - 1][2:4] != a[2:4]]
    pointers = [len(atoms), 1] + [0] * 9 + [len(residues)] + [0] * 19
    numbers = {"H": 1, "C": 6, "N": 7, "O": 8, "P": 15}

    def section(flag, form, values, width, each):
        lines = [f"%FLAG {flag}".ljust(80), f"%FORMAT({form})".ljust(80)]
        texts = [width(v) for v in values]
        return lines + ["".join(texts[n:n + each]) for n in range(0, len(texts), each)]

    lines = ["%VERSION  VERSION_STAMP = V0001.000  DATE = 01/01/25  00:00:00".ljust(80)]
    lines += section("TITLE", "20a4", ["dna"], "{:4s}".format, 20)
    lines += section("POINTERS", "10I8", pointers, "{:8d}".format, 10)
    lines += section("ATOM_NAME", "20a4", [a[0] for a in atoms], "{:4s}".format, 20)
    lines += section("CHARGE", "5E16.8", [a[7] * 18.2223 for a in atoms], "{:16.8E}".format, 5)
    lines += section("ATOMIC_NUMBER", "10I8", [numbers[element(a[0])] for a in atoms], "{:8d}".format, 10)
    lines += section("MASS", "5E16.8", [12.0] * len(atoms), "{:16.8E}".format, 5)
    lines += section("RESIDUE_LABEL", "20a4", [atoms[n][1] for n in residues], "{:4s}".format, 20)
    lines += section("RESIDUE_POINTER", "10I8", [n + 1 for n in residues], "{:8d}".format, 10)
    for flag in ("BONDS_INC_HYDROGEN", "BONDS_WITHOUT_HYDROGEN"):
        lines += section(flag, "10I8", [], "{:8d}".format, 10) + [""]
    lines += section("RADII", "5E16.8", [a[8] for a in atoms], "{:16.8E}".format, 5)
    return "\n".join(lines + [""]).encode()


def rst7(atoms):
    numbers = [value for a in atoms for value in a[4:7]]
    lines = ["the example's duplex", f"{len(atoms):6d}"]
    lines += ["".join(f"{v:12.7f}" for v in numbers[n:n + 6]) for n in range(0, len(numbers), 6)]
    return "\n".join(lines + [""]).encode()


def netcdf(atoms):
    """AMBER's trajectory, NetCDF-3 with 64-bit offsets."""
    def name(text):
        return struct.pack(">i", len(text)) + text.encode().ljust(-(-len(text) // 4) * 4, b"\0")

    def attributes(*pairs):
        return struct.pack(">ii", 12, len(pairs)) + b"".join(name(k) + struct.pack(">i", 2) + name(v) for k, v in pairs)

    frames = list(frames_of(atoms))
    size = 12 * len(atoms)
    head = b"CDF\x02" + struct.pack(">i", len(frames)) + struct.pack(">ii", 10, 3)
    head += name("frame") + struct.pack(">i", 0) + name("spatial") + struct.pack(">i", 3)
    head += name("atom") + struct.pack(">i", len(atoms))
    head += attributes(("Conventions", "AMBER"), ("ConventionVersion", "1.0"), ("program", "a test"), ("title", "dna"))
    head += struct.pack(">ii", 11, 1) + name("coordinates") + struct.pack(">iiii", 3, 0, 2, 1)
    head += attributes(("units", "angstrom")) + struct.pack(">ii", 5, size)
    head += struct.pack(">q", len(head) + 8)
    return head + b"".join(struct.pack(f">{3 * len(f)}f", *(v for p in f for v in p)) for f in frames)


def top(atoms):
    lines = ["; the example's duplex, as one molecule without bonds", "[ defaults ]", "1 2 yes 0.5 0.8333", "[ atomtypes ]"]
    lines += [f"{e} {e} 12.0 0.0 A 0.3 0.2" for e in "CHNOP"]
    lines += ["MG MG 24.305 0.0 A 0.14 3.7", "NA NA 22.99 0.0 A 0.33 0.01", "CL CL 35.45 0.0 A 0.44 0.4"]
    lines += ["[ moleculetype ]", "DNA 3", "[ atoms ]"]
    residue, before = 0, None
    for n, (name, label, chain, number, _, _, _, charge, _) in enumerate(atoms, 1):
        residue += (chain, number) != before
        before = (chain, number)
        lines.append(f"{n} {element(name)} {residue} {label} {name} {n} {charge} 12.0")
    for ion, charge in (("MG", 2), ("NA", 1), ("CL", -1)):
        lines += ["[ moleculetype ]", f"{ion} 1", "[ atoms ]", f"1 {ion} 1 {ion} {ion} 1 {charge}"]
    return "\n".join(lines + ["[ system ]", "the example's duplex", "[ molecules ]", "DNA 1", ""]).encode()


def gro(atoms):
    lines = ["the example's duplex", f"{len(atoms):5d}"]
    residue, before = 0, None
    for n, (name, label, chain, number, x, y, z, _, _) in enumerate(atoms, 1):
        residue += (chain, number) != before
        before = (chain, number)
        lines.append(f"{residue:5d}{label:<5s}{name:>5s}{n:5d}{x / 10:8.3f}{y / 10:8.3f}{z / 10:8.3f}")
    return "\n".join(lines + ["   8.00000   8.00000   8.00000", ""]).encode()


def xyz_table(atoms):
    """Points 6 A above phosphorus, away from the axis of the helix (x)."""
    lines = ["x,y,z,what"]
    for name, residue, chain, number, x, y, z, _, _ in atoms:
        if name == "P":
            r = math.hypot(y, z)
            lines.append(f"{x:.3f},{y * (r + 6) / r:.3f},{z * (r + 6) / r:.3f},{residue} {number} {chain}")
    return "\n".join(lines + [""]).encode()


MAKERS = {
    "sys.psf": psf, "sys.pdb": pdb, "run1.dcd": lambda a: dcd(a, 0), "run2.dcd": lambda a: dcd(a, 4),
    "sys.prmtop": prmtop, "sys.rst7": rst7, "md.nc": netcdf, "topol.top": top, "conf.gro": gro, "sites.csv": xyz_table,
}


def make(name, folder, source):
    """Writes the file `name` into a folder; a name that is not in MAKERS is a KeyError."""
    (folder / name).write_bytes(MAKERS[name](atoms_of(source)))
