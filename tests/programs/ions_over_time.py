#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What becomes of Na+ around RNA in dynamics, by how it was placed: in place of waters by 'ionwell place', by 'gmx genion',
and in place of waters drawn at random. The same box of water, the same number of ions, and nothing held in place.

    ions_over_time.py gromacs IONWELL STRUCTURE.pqr [PICOSECONDS [SOLUTE.pdb]]

PICOSECONDS of dynamics at 298.15 K and 1 bar: 0.05, or as many as are given. The solute: an RNA duplex made of STRUCTURE, or
the one that is given. Prints at the start, after a fifth, and at the end (means over a tenth of the run): the mean distance
of an ion from its nearest phosphorus, how many are within 7 A of one, and g(r) of the pairs. Prints "skipped: " and why, and
ends with 77, where GROMACS is not installed.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from harness import check, need, skip
from read_our_ions import Gromacs, solutes
from solvate_runs import CONSTANT_PRESSURE, MDP

SHELLS_A = ((3, 4), (4, 5), (5, 6), (6, 8), (8, 12), (12, 20))
NEAR_A = 7.0  # an ion with its shell of water beside a phosphate: 5 to 6 A from the phosphorus
FRAMES = 100
# The same masses for all: hydrogens of 4 u for steps of 4 fs.
HEAVY_WATER = {"16.00000": "10.01600", "1.00800": "4.00000"}


def solvated(gmx, ionwell, pdb):
    """The files of a solute in water, without ions; returns the charge to neutralise."""
    said = gmx.run("pdb2gmx", "-f", pdb, "-ff", "amber99sb-ildn", "-water", "tip3p", "-ignh", "-heavyh", "-o", "dry.gro",
                   "-p", "topol.top")
    charge = round(sum(float(q) for q in re.findall(r"Total charge (\S+) e", said)))  # of each chain
    check(charge < 0, f"the solute has {charge} e, and this is about Na+")
    subprocess.run([ionwell, "solvate", "dry.gro", "--padding", "10", "--cell-shape", "dodecahedron", "-o", "wet.gro",
                    "--quiet"], cwd=gmx.folder, check=True)
    with open(gmx.path("wet.gro")) as file:
        waters = sum(line[5:15].split() == ["SOL", "OW"] for line in file)
    top = os.path.join(os.path.dirname(gmx.gmx), "../share/gromacs/top/amber99sb-ildn.ff/tip3p.itp")
    with open(top) as file, open(gmx.path("heavy_tip3p.itp"), "w") as heavy:
        text = file.read()
        for light, mass in HEAVY_WATER.items():
            text = text.replace(light, mass)
        heavy.write(text)
    with open(gmx.path("topol.top")) as file:
        text = file.read().replace('"amber99sb-ildn.ff/tip3p.itp"', '"heavy_tip3p.itp"')
    with open(gmx.path("wet.top"), "w") as file:
        file.write(text.rstrip("\n") + f"\nSOL {waters}\n")
    return -charge


def by_energy(gmx, ionwell, _count):
    subprocess.run([ionwell, "place", "wet.top", "wet.gro", "--input-water", "replace", "--ion", "NA:neutralize", "--for",
                    "gromacs", "-o", "energy-files", "--quiet"], cwd=gmx.folder, check=True)
    shutil.copy(gmx.path("energy-files/conf.gro"), gmx.path("energy.gro"))
    shutil.copy(gmx.path("energy-files/wet.top"), gmx.path("energy.top"))


def by_genion(gmx, _ionwell, count):
    with open(gmx.path("empty.mdp"), "w") as file:
        file.write("integrator = steep\ncoulombtype = cutoff\nrcoulomb = 0.9\nrvdw = 0.9\n")
    gmx.run("grompp", "-f", "empty.mdp", "-c", "wet.gro", "-p", "wet.top", "-o", "genion.tpr", "-maxwarn", "2")
    shutil.copy(gmx.path("wet.top"), gmx.path("genion.top"))
    gmx.run("genion", "-s", "genion.tpr", "-p", "genion.top", "-o", "genion.gro", "-pname", "NA", "-np", str(count),
            "-seed", "1", answers="SOL\n")


def at_random(gmx, _ionwell, count):
    """Any water, with no rule of distance."""
    with open(gmx.path("wet.gro")) as file:
        lines = file.read().splitlines()
    atoms = lines[2:-1]
    first = next(n for n, line in enumerate(atoms) if line[5:10].strip() == "SOL")
    waters = [atoms[n:n + 3] for n in range(first, len(atoms), 3)]
    chosen = set(random.Random(1).sample(range(len(waters)), count))
    ions = [f"{waters[n][0][:5]}NA      NA{waters[n][0][15:]}" for n in sorted(chosen)]
    atoms = atoms[:first] + ions + [line for n, water in enumerate(waters) if n not in chosen for line in water]
    with open(gmx.path("random.gro"), "w") as file:
        file.write("\n".join([lines[0], str(len(atoms)), *atoms, lines[-1]]) + "\n")
    with open(gmx.path("wet.top")) as file, open(gmx.path("random.top"), "w") as changed:
        changed.write(re.sub(r"SOL +\d+\n$", f"NA {count}\nSOL {len(waters) - count}\n", file.read()))


def run(gmx, name, picoseconds):
    """Minimises and runs; the frames of phosphorus and Na+ as [(positions of P, of Na, cell vectors)] in A."""
    numpy = need("numpy")
    steps = max(FRAMES // 5, round(picoseconds / 0.004))
    heavy = MDP.replace("dt = 0.002", "dt = 0.004")
    minimised, moved = f"{name}-min", f"{name}-md"
    for stage, start, text in (
            (minimised, f"{name}.gro", heavy.format(integrator="steep", constraints="none", steps=min(steps, 200))),
            (moved, f"{minimised}.gro", heavy.format(integrator="md", constraints="all-bonds", steps=steps)
             + CONSTANT_PRESSURE + f"nstxout-compressed = {max(1, steps // FRAMES)}\nlincs-order = 6\n")):
        with open(gmx.path(f"{stage}.mdp"), "w") as file:
            file.write(text)
        said = gmx.run("grompp", "-f", f"{stage}.mdp", "-c", start, "-p", f"{name}.top", "-o", f"{stage}.tpr")
        check("WARNING" not in said and "atom name" not in said, f"grompp, {name}: " + said[-3000:])
        gmx.run("mdrun", "-nt", "2", "-deffnm", stage, limit_s=600 + 120 * picoseconds)
    gmx.run("select", "-s", f"{moved}.tpr", "-select", "name P or resname NA", "-on", "pairs.ndx")
    gmx.run("trjconv", "-f", f"{moved}.xtc", "-s", f"{moved}.tpr", "-n", "pairs.ndx", "-o", "pairs.gro", answers="0\n")
    with open(gmx.path("pairs.gro")) as file:
        lines = file.read().splitlines()
    count = int(lines[1])
    frames = []
    for begin in range(0, len(lines), count + 3):
        rows = lines[begin + 2:begin + 2 + count]
        positions = numpy.array([[10 * float(row[20 + 8 * n:28 + 8 * n]) for n in range(3)] for row in rows])
        ions = numpy.array([row[5:10].strip() == "NA" for row in rows])
        box = [10 * float(word) for word in lines[begin + 2 + count].split()] + [0.0] * 6
        vectors = numpy.array([[box[0], box[3], box[4]], [box[5], box[1], box[6]], [box[7], box[8], box[2]]])
        frames.append((positions[~ions], positions[ions], vectors))
    return frames


def pair_distances(numpy, phosphorus, ions, vectors):
    """[ion][phosphorus], each by the nearest image."""
    apart = ions[:, None, :] - phosphorus[None, :, :]
    fractional = apart @ numpy.linalg.inv(vectors)
    fractional -= numpy.rint(fractional)
    shifts = [(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]
    return numpy.min([numpy.linalg.norm((fractional + shift) @ vectors, axis=-1) for shift in shifts], axis=0)


def measured(numpy, frames):
    """Mean distance to the nearest phosphorus, ions within NEAR_A of one, and g(r) by SHELLS_A: means over the frames."""
    nearest, near, pairs, ideal = [], [], [0.0] * len(SHELLS_A), [0.0] * len(SHELLS_A)
    for phosphorus, ions, vectors in frames:
        distances = pair_distances(numpy, phosphorus, ions, vectors)
        nearest.append(distances.min(axis=1).mean())
        near.append((distances.min(axis=1) < NEAR_A).sum())
        density = distances.size / abs(numpy.linalg.det(vectors))
        for n, (low, high) in enumerate(SHELLS_A):
            pairs[n] += ((distances >= low) & (distances < high)).sum()
            ideal[n] += density * 4 / 3 * numpy.pi * (high**3 - low**3)
    return sum(nearest) / len(nearest), sum(near) / len(near), [p / i for p, i in zip(pairs, ideal)]


def main():
    program, ionwell, structure = sys.argv[1:4]
    if program != "gromacs":
        skip(f"no test for {program}")
    picoseconds = float(sys.argv[4]) if len(sys.argv) > 4 else 0.05
    numpy = need("numpy")
    with tempfile.TemporaryDirectory() as folder:
        gmx = Gromacs(folder)
        ionwell = os.path.abspath(ionwell)
        if len(sys.argv) > 5:
            pdb = os.path.abspath(sys.argv[5])
        else:
            pdb = gmx.path("rna.pdb")
            subprocess.run([ionwell, "convert", solutes(folder, structure)["RNA"], pdb, "--quiet"], check=True)
        count = solvated(gmx, ionwell, pdb)
        print("ions        time [ps]  nearest P [A]  within 7 A  g(r) by " + " ".join(f"{a}-{b} A" for a, b in SHELLS_A))
        at_start = {}
        for name, place in (("energy", by_energy), ("genion", by_genion), ("random", at_random)):
            place(gmx, ionwell, count)
            frames = run(gmx, name, picoseconds)
            check(len(frames[0][1]) == count, f"{name}: {len(frames[0][1])} ions instead of {count}")
            tenth = max(1, len(frames) // 10)
            fifth = len(frames) // 5
            for part, time in ((frames[:1], 0.0), (frames[fifth - tenth // 2:fifth + (tenth + 1) // 2], 0.2 * picoseconds),
                               (frames[-tenth:], picoseconds)):
                mean, near, g = measured(numpy, part)
                at_start.setdefault(name, mean)
                print(f"{name:<10} {time:9.1f} {mean:14.2f} {near:11.1f}  " + " ".join(f"{x:8.2f}" for x in g), flush=True)
        check(at_start["energy"] < at_start["genion"] and at_start["energy"] < at_start["random"],
              f"ions placed by energy start no nearer to the phosphates: {at_start}")


if __name__ == "__main__":
    main()
