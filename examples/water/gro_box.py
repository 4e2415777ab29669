# SPDX-License-Identifier: BSD-3-Clause
"""Boxes of water as .gro files: one made from nothing, one read, one scaled. Lengths in nm."""

import math
import random


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def scaled(a, factor):
    return [x * factor for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def random_axes(rng):
    """Three unit vectors at right angles, every orientation equally likely."""
    def direction():
        while True:
            v = [rng.gauss(0.0, 1.0) for _ in range(3)]
            length = math.sqrt(sum(x * x for x in v))
            if length > 0.1:
                return scaled(v, 1.0 / length)
    x = direction()
    while True:
        v = direction()
        y = sub(v, scaled(x, sum(a * b for a, b in zip(v, x))))
        length = math.sqrt(sum(a * a for a in y))
        if length > 0.1:
            y = scaled(y, 1.0 / length)
            return x, y, cross(x, y)


def molecule(model, oxygen, axes):
    """The sites of one molecule: its bisector along axes[0], its hydrogens in the plane of axes[0] and axes[1]."""
    x, y, z = axes
    half = math.radians(model.angle) / 2.0
    along, aside = model.bond * math.cos(half), model.bond * math.sin(half)
    sites = [oxygen, add(oxygen, add(scaled(x, along), scaled(y, aside))),
             add(oxygen, add(scaled(x, along), scaled(y, -aside)))]
    if model.kind == "M":
        sites.append(add(oxygen, scaled(x, model.off_oxygen)))
    if model.kind == "L":
        tilt = math.radians(model.lone_pair_angle) / 2.0
        back = add(oxygen, scaled(x, -model.off_oxygen * math.cos(tilt)))
        sites += [add(back, scaled(z, sign * model.off_oxygen * math.sin(tilt))) for sign in (-1.0, 1.0)]
    return sites


def on_lattice(model, molecules, edge, seed):
    """Molecules at random points of a simple cubic lattice in a cube, each turned at random: [molecule][site][axis]."""
    rng = random.Random(seed)
    along = math.ceil(molecules ** (1.0 / 3.0) - 1e-9)
    step = edge / along
    points = rng.sample(range(along**3), molecules)
    return [molecule(model, [(p // along**axis % along + 0.5) * step for axis in range(3)], random_axes(rng))
            for p in sorted(points)]


def write_gro(path, model, waters, edge):
    with open(path, "w") as file:
        file.write(f"{model.name}\n{len(waters) * len(model.sites)}\n")
        serial = 0
        for number, sites in enumerate(waters, 1):
            for name, position in zip(model.sites, sites, strict=True):
                serial += 1
                file.write(f"{number % 100000:5d}SOL  {name:>5}{serial % 100000:5d}"
                           + "".join(f"{x:11.6f}" for x in position) + "\n")
        file.write(f"{edge:.6f} {edge:.6f} {edge:.6f}\n")


def read_g96(path, model):
    """Waters and edge of a cube, each molecule whole and its oxygen within [0, edge). A .g96 has nine decimals."""
    blocks = {}
    with open(path) as file:
        for line in file:
            name = line.strip()
            blocks[name] = [row.split() for row in iter(lambda: file.readline().strip(), "END")]
    edge = float(blocks["BOX"][0][0])
    positions = [[float(x) for x in row[-3:]] for row in blocks["POSITION"]]
    waters = []
    for first in range(0, len(positions), len(model.sites)):
        oxygen = positions[first]
        home = [x - math.floor(x / edge) * edge for x in oxygen]
        offsets = [[d - round(d / edge) * edge for d in sub(p, oxygen)]
                   for p in positions[first : first + len(model.sites)]]
        waters.append([add(home, offset) for offset in offsets])
    return waters, edge


def with_edge(waters, edge, new_edge):
    """The same box a little larger or smaller: the oxygens move, the molecules keep their shape."""
    return [[add(scaled(sites[0], new_edge / edge), sub(site, sites[0])) for site in sites] for sites in waters]
