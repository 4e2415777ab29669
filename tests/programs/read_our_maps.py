#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Has another program read maps that ionwell wrote, and compares geometry and values.

    read_our_maps.py PROGRAM IONWELL STRUCTURE.pqr

PROGRAM: h5py, gemmi, griddataformats, pymol, apbs. The reference are the values of the OpenDX text, read here in a
few lines that share nothing with ionwell. Prints "skipped: " and why, and ends with 77, where PROGRAM is not installed.
"""
import os
import shutil
import subprocess
import sys
import tempfile

from harness import check, check_vector, need, skip


def close(a, b, tolerance):
    return abs(a - b) <= tolerance * (abs(a) + abs(b)) + 1e-30


class Reference:
    """OpenDX text, value by value."""

    def __init__(self, path):
        words = []
        deltas = []
        with open(path) as file:
            for line in file:
                word = line.split()
                if line.startswith("object 1"):
                    self.counts = tuple(int(w) for w in word[-3:])
                elif line.startswith("origin"):
                    self.origin = tuple(float(w) for w in word[1:])
                elif line.startswith("delta"):
                    deltas.append([float(w) for w in word[1:]])
                elif line.startswith("attribute"):
                    break
                elif line[0] in "-0123456789":
                    words += word
        self.spacing = tuple(deltas[axis][axis] for axis in range(3))
        self.values = [float(w) for w in words]
        nx, ny, nz = self.counts
        assert len(self.values) == nx * ny * nz

    def at(self, i, j, k):
        return self.values[(i * self.counts[1] + j) * self.counts[2] + k]

    def some_points(self):
        nx, ny, nz = self.counts
        for n in range(0, nx * ny * nz, 41):
            yield n // (ny * nz), n // nz % ny, n % nz


def compare(reference, value_at, tolerance, what):
    compared = 0
    for i, j, k in reference.some_points():
        check(close(value_at(i, j, k), reference.at(i, j, k), tolerance),
              f"{what} has {value_at(i, j, k)} at ({i}, {j}, {k}) instead of {reference.at(i, j, k)}")
        compared += 1
    check(compared > 1000, f"only {compared} points were compared")
    print(f"{what}: {compared} values agree")


# A map that begins at whole steps of its lattice, which a .ccp4 can say to every program.
WHOLE_STEPS = "steps.ccp4"
WHOLE_STEPS_BOX = "-9,-4.5,3.6,18,18,18"
WHOLE_STEPS_ORIGIN = (-9, -4.5, 3.6)


def check_whole_steps(origin, reference, what):
    """At the whole step that is nearest to the true origin."""
    for found, true, h in zip(origin, reference.origin, reference.spacing):
        check(abs(found - true) <= 0.5 * h + 1e-5, f"{what}: the origin is {found} instead of {true}")
        check(abs(found / h - round(found / h)) < 1e-5, f"{what}: the origin {found} is at no whole step")


def with_h5py(make, reference):
    h5py = need("h5py")
    path = make("a.h5")
    with h5py.File(path, "r") as file:
        mesh = file["/data/0/meshes/potential"]
        values = mesh[...]
        check(values.shape == reference.counts[::-1], f"the shape is {values.shape}")
        compare(reference, lambda i, j, k: float(values[k, j, i]), 6e-7, "h5py")
        check_vector(mesh.attrs["gridSpacing"][::-1], reference.spacing, 0, "gridSpacing")
        check_vector(mesh.attrs["gridGlobalOffset"][::-1], reference.origin, 0, "gridGlobalOffset")
        check_vector(mesh.parent.attrs["step"], reference.spacing, 0, "step")
        check_vector(mesh.parent.attrs["origin"], reference.origin, 0, "origin")
        check(list(mesh.attrs["axisLabels"]) == [b"z", b"y", b"x"], "axisLabels")
        check(file.attrs["openPMD"] in (b"1.1.0", "1.1.0"), "openPMD")
        check(mesh.chunks is not None and mesh.compression == "gzip", "it is not packed in chunks")
        for name in ("command", "structure", "method", "unit", "program"):
            check(len(mesh.attrs[name]) > 0, f"no attribute {name}")


def with_gemmi(make, reference):
    gemmi = need("gemmi")
    map_ = gemmi.read_ccp4_map(make("a.ccp4"))
    check(tuple(map_.grid.shape) == reference.counts, "the shape differs")
    compare(reference, lambda i, j, k: map_.grid.get_value(i, j, k), 6e-7, "gemmi")
    cell = map_.grid.unit_cell
    check_vector([cell.a / map_.grid.nu, cell.b / map_.grid.nv, cell.c / map_.grid.nw], reference.spacing, 1e-6,
                 "spacing")
    check_vector([map_.header_float(50 + n) for n in range(3)], (0, 0, 0), 0, "ORIGIN")
    # The first point, as gemmi numbers points; it knows whole steps only.
    check_whole_steps([map_.header_i32(5 + n) * h for n, h in enumerate(reference.spacing)], reference, "gemmi")
    at_steps = gemmi.read_ccp4_map(make(WHOLE_STEPS))
    check([at_steps.header_i32(5 + n) for n in range(3)] == [-10, -5, 4], "gemmi: another first point")


def with_griddataformats(make, reference):
    grid_data = need("gridData")
    for name in ("a.dx", "a.dx.gz", "a.mrc", "a.ccp4"):
        grid = grid_data.Grid(make(name))
        compare(reference, lambda i, j, k: float(grid.grid[i, j, k]), 6e-7, "GridDataFormats " + name)
        if name == "a.ccp4":
            check_whole_steps(grid.origin, reference, "GridDataFormats")
        else:
            check_vector(grid.origin, reference.origin, 1e-4, "origin")
        check_vector(grid.delta, reference.spacing, 1e-6, "delta")
    check_vector(grid_data.Grid(make(WHOLE_STEPS)).origin, WHOLE_STEPS_ORIGIN, 1e-5, "GridDataFormats: whole steps")


PYMOL_SCRIPT = """
from pymol import cmd
cmd.set("normalize_ccp4_maps", 0)
for name in NAMES:
    cmd.load(name, "map")
    field = cmd.get_volume_field("map")
    extent = cmd.get_extent("map")
    cmd.isosurface("surface", "map", -10)
    values = [] if name == NAMES[-1] else [float(field[i, j, k]) for i, j, k in POINTS]
    with open("found.txt", "a") as found:  # PyMOL's own words come in the middle of what is printed
        print(name, *field.shape, *extent[0], *values, file=found)
    cmd.delete("all")
"""


def with_pymol(make, reference):
    if not shutil.which("pymol"):
        skip("there is no pymol here")
    names = ("a.dx", "a.mrc", "a.ccp4", "a.cube", WHOLE_STEPS)
    for name in names:
        folder = os.path.dirname(make(name))
    points = list(reference.some_points())
    with open(os.path.join(folder, "script.py"), "w") as script:
        script.write(f"NAMES = {names!r}\nPOINTS = {points!r}\n" + PYMOL_SCRIPT)
    environment = dict(os.environ, PATH="/usr/bin:/bin:" + os.environ["PATH"])  # Debian's wrapper calls python3
    result = subprocess.run(["pymol", "-cq", "script.py"], cwd=folder, env=environment, capture_output=True, text=True,
                            timeout=300)
    found = os.path.join(folder, "found.txt")
    lines = [line.split() for line in open(found)] if os.path.exists(found) else []
    check(len(lines) == len(names), "pymol read not all of the maps: " + result.stdout[-2000:] + result.stderr[-2000:])
    for name, *numbers in lines:
        if name == WHOLE_STEPS:
            check_vector([float(n) for n in numbers[3:6]], WHOLE_STEPS_ORIGIN, 1e-5, "pymol: whole steps")
            continue
        check(tuple(int(n) for n in numbers[:3]) == reference.counts, f"pymol: {name} has another shape")
        found = dict(zip(points, (float(n) for n in numbers[6:])))
        compare(reference, lambda i, j, k: found[i, j, k], 6e-6 if name == "a.cube" else 6e-7, "pymol " + name)
        tolerance = 0.51 if name == "a.cube" else 1e-5  # it takes points for the middle of cells
        check_vector([float(n) / h for n, h in zip(numbers[3:6], reference.spacing)],
                     [o / h for o, h in zip(reference.origin, reference.spacing)], tolerance / min(reference.spacing),
                     "pymol: origin")


def with_apbs(make, reference):
    tools = [os.path.join(folder, "bin") for folder in ("/usr/lib/apbs/tools", "/usr/share/apbs/tools")]
    tool = {name: next((os.path.join(t, name) for t in tools if os.path.exists(os.path.join(t, name))),
                       shutil.which(name)) for name in ("value", "dxmath")}
    if not all(tool.values()):
        skip("APBS's tools value and dxmath are not here")
    inside = [p for p in reference.some_points() if all(0 < n < count - 1 for n, count in zip(p, reference.counts))]
    points = inside[::199]
    for name in ("a.dx", "a.dxbin"):
        path = make(name)
        for point in points:
            at = [o + h * n for o, h, n in zip(reference.origin, reference.spacing, point)]
            kind = ["dxbin"] if name.endswith("bin") else []
            output = subprocess.run([tool["value"], *[f"{x:.12f}" for x in at], path, *kind], capture_output=True,
                                    text=True, cwd=os.path.dirname(path)).stdout
            value = next(float(line.split()[2]) for line in output.splitlines() if line.startswith("Value ="))
            # it interpolates at a point that rounding puts beside the lattice point
            check(close(value, reference.at(*point), 1e-5), f"value {name}: {value} at {point}")
        print(f"apbs value {name}: {len(points)} values agree")
    folder = os.path.dirname(path)
    with open(os.path.join(folder, "math.in"), "w") as script:
        script.write("a.dx\na.dxbin +\n2.0 *\nsum.dx =\n")
    subprocess.run([tool["dxmath"], "math.in"], cwd=folder, check=True, capture_output=True)
    total = Reference(os.path.join(folder, "sum.dx"))
    check(total.counts == reference.counts, "dxmath: another shape")
    check_vector(total.spacing, reference.spacing, 1e-6, "dxmath: spacing")
    compare(reference, lambda i, j, k: total.at(i, j, k) / 4.0, 2e-6, "apbs dxmath")


PROGRAMS = {"h5py": with_h5py, "gemmi": with_gemmi, "griddataformats": with_griddataformats, "pymol": with_pymol,
            "apbs": with_apbs}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in PROGRAMS:
        sys.exit(__doc__)
    _, program, ionwell, structure = sys.argv
    with tempfile.TemporaryDirectory() as folder:
        def make(name):
            path = os.path.join(folder, name)
            where = ["--box", WHOLE_STEPS_BOX] if name == WHOLE_STEPS else ["--border", "5"]
            subprocess.run([ionwell, "map", structure, "--spacing", "0.9", *where, "--quiet", "-o", path], check=True)
            return path
        reference = Reference(make("reference.dx"))
        PROGRAMS[program](make, reference)


main()
