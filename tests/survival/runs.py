# SPDX-License-Identifier: BSD-3-Clause
"""Small runs of every command that takes long in earnest, for the checks of this folder."""
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77  # the exit code that CTest knows


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def read_atoms(pqr):
    with open(pqr) as lines:
        return [[float(line[a:b]) for a, b in ((30, 38), (38, 46), (46, 54))]
                for line in lines if line.startswith("ATOM")]


def write_dcd(path, frames):
    """Frames of positions in CHARMM's DCD, single precision, little-endian, no cell."""
    def record(data):
        return struct.pack("<i", len(data)) + data + struct.pack("<i", len(data))
    with open(path, "wb") as out:
        out.write(record(b"CORD" + struct.pack("<9i", len(frames), 1, 1, 0, 0, 0, 0, 0, 0) + struct.pack("<f", 1.0) +
                         struct.pack("<10i", *([0] * 9), 24)))
        out.write(record(struct.pack("<i", 1) + b"turned duplex".ljust(80)))
        out.write(record(struct.pack("<i", len(frames[0]))))
        for frame in frames:
            for axis in range(3):
                out.write(record(struct.pack(f"<{len(frame)}f", *(at[axis] for at in frame))))


class Run:
    """One command: its words but for the output, and the outputs, of which the first is given with an option."""

    def __init__(self, name, words, outputs, option="-o"):
        self.name, self.words, self.outputs, self.option = name, words, outputs, option

    def command(self, program, folder, more=()):
        return [program, *self.words, self.option, os.path.join(folder, self.outputs[0]), "--quiet", *more]

    def results(self, folder):
        """What the files hold but for the command that wrote them; None for a file that is not there."""
        return [lasting_part(os.path.join(folder, name)) for name in self.outputs]


def lasting_part(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith((".dx", ".csv")):
        return b"\n".join(line for line in data.split(b"\n") if not line.startswith(b"#"))
    if path.endswith(".mrc"):
        return data[:224] + data[1024:]  # without its labels
    if path.endswith(".json"):
        return without_times(json.loads(data))
    return data


def without_times(report):
    if isinstance(report, dict):
        return {name: without_times(value) for name, value in report.items() if name != "seconds"}
    return [without_times(value) for value in report] if isinstance(report, list) else report


def make_runs(duplex, folder, backend="cpu"):
    """The runs, whose inputs are put into the folder."""
    atoms = read_atoms(duplex)
    frames = []
    for n in range(24):
        c, s = math.cos(0.03 * n), math.sin(0.03 * n)
        frames.append([(x, c * y - s * z, s * y + c * z) for x, y, z in atoms])
    trajectory = os.path.join(folder, "run.dcd")
    write_dcd(trajectory, frames)
    ions = ["--ion", "MG:4", "--ion", "NA:neutralize"]
    points = os.path.join(folder, "points.csv")
    with open(points, "w") as out:
        out.write("x,y,z\n" + "".join(f"{n % 61 - 5},{n // 61 % 37 - 18},{0.2 * (n // 2257) - 18}\n" for n in range(150000)))
    protocols = ["--protocol", "coulomb", "--protocol", "ddd", "--protocol", "iterated", "--pb", "own"]
    moving = ["sample", duplex, "--ion", "NA:neutralize", "--spacing", "2", "--wall-distance", "9", "--replicas", "2"]
    all_runs = [
        Run("place, direct sum", ["place", duplex, *ions, "--spacing", "0.7", "--method", "direct"], ["ions.pdb"]),
        Run("place, multilevel sum", ["place", duplex, *ions, "--spacing", "0.5", "--method", "msm"], ["ions.pdb"]),
        Run("place, a solve for each ion",
            ["place", duplex, "--ion", "MG:3", "--ion", "NA:3", "--pb", "own", "--pb-every", "1", "--spacing", "1.5"],
            ["ions.pdb"]),
        Run("place, a solve for three ions",
            ["place", duplex, "--ion", "NA:9", "--pb", "own", "--pb-every", "3", "--spacing", "1.5"], ["ions.pdb"]),
        Run("prepare, by energy",
            ["prepare", duplex, *ions, "--salt", "NaCl:0.15", "--salt-by", "energy", "--padding", "9"],
            ["system.pdb"]),
        Run("prepare, by chance", ["prepare", duplex, *ions, "--salt", "NaCl:0.15", "--padding", "9"], ["system.pdb"]),
        Run("sample, Monte Carlo",
            [*moving, "--salt", "NaCl:0.1", "--tune", "bulk-sweeps=200", "--sweeps", "600", "--sample-every", "5",
             "--equilibration", "50"], ["ions.pdb"]),
        Run("sample, Brownian dynamics",
            [*moving, "--sampler", "bd", "--steps", "3000", "--sample-every", "20", "--equilibration", "50"], ["ions.pdb"]),
        Run("map, direct sum", ["map", duplex, "--method", "direct", "--spacing", "0.3"], ["map.mrc"]),
        Run("potential, direct sum", ["potential", duplex, "--at", points, "--method", "direct"], ["values.csv"]),
        Run("potential, HCP", ["potential", duplex, "--at", points, "--method", "hcp", "--alpb"], ["values.csv"]),
        Run("potential, multilevel sum", ["potential", duplex, "--at", points, "--method", "msm"], ["values.csv"]),
        Run("compare, protocols", ["compare", duplex, "--ion", "MG:2", *protocols], ["table.json"], "--report"),
        Run("average", ["average", duplex, trajectory, "--statistics", "sd", "--spacing", "1"], ["mean.dx", "mean.sd.dx"]),
    ]
    for run in all_runs:
        if run.words[0] != "compare":  # on the CPU
            run.words += ["--backend", backend]
    return all_runs


def arguments(about):
    """PROGRAM, DUPLEX and what may follow, with defaults for CTest."""
    if not 3 <= len(sys.argv) <= 6:
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} PROGRAM DUPLEX.pqr [{about}]")
    return os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
