#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a cube of equilibrated water from nothing, by GROMACS.

    examples/water/equilibrate.py MODEL FOLDER          (apt-get install gromacs python3)

1. Molecules at random points of a simple cubic lattice, each turned at random; minimised.
2. 20 ps at 400 K and a fixed volume: the lattice melts.
3. --npt ps at 298.15 K and 1 bar; the density is the mean over all but the first quarter, its error from blocks.
4. The box gets that density and runs for --nvt ps at 298.15 K; g_OO(r) is taken over this run, its last frame kept.

Writes FOLDER/MODEL.inc: O, H1, H2 of each molecule as integers in 0.001 A, as lib/solvation/water_boxes has them, and
FOLDER/MODEL.json with what was measured. PME, cutoffs at 0.9 nm, long-range correction for dispersion, rigid molecules
(SETTLE) with hydrogens of 4 u, velocity rescaling and stochastic cell rescaling, 4 fs.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

import gro_box
from water_topology import MODELS, topology

COMMON = """constraints = none
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
DispCorr = EnerPres
"""
MINIMISE = "integrator = steep\nemtol = 200\nemstep = 0.005\n"
DYNAMICS = """integrator = md
dt = 0.004
nstenergy = 25
nstcalcenergy = 25
tcoupl = v-rescale
tc-grps = System
tau-t = 0.5
"""
START = "gen-vel = yes\n"
PRESSURE = "pcoupl = C-rescale\ntau-p = 1.0\nref-p = 1.0\ncompressibility = 4.5e-5\n"
HOT_K, ROOM_K = 400.0, 298.15
STEP_PS = 0.004
NM3_PER_MOLECULE_AT_1 = 18.0154 / 602.214076  # of water at 1 g/cm^3: molar mass over Avogadro's number


class Run:
    """gmx in one folder; its output goes to gmx.log there."""

    def __init__(self, folder, threads):
        self.folder, self.threads = folder, threads
        self.log = folder / "gmx.log"

    def gmx(self, *words, answers=""):
        quiet = dict(os.environ, GMX_SUPPRESS_DUMP="1")  # no file for each large step of a minimisation
        run = subprocess.run(["gmx", "-nobackup", *words], cwd=self.folder, input=answers, text=True, env=quiet,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with self.log.open("a") as log:
            log.write(run.stdout)
        if run.returncode != 0 and "is not supported by the current hardware" in " ".join(run.stdout.split()):
            print("skipped: this gmx was built for other processors than this one, and says so")
            sys.exit(77)
        if run.returncode != 0:
            sys.exit(f"gmx {words[0]} failed in {self.folder}:\n{run.stdout[-3000:]}")
        return run.stdout

    def stage(self, name, start, mdp, checkpoint=None):
        """grompp and mdrun; the end of the stage is name.g96."""
        (self.folder / f"{name}.mdp").write_text(mdp)
        more = ("-t", f"{checkpoint}.cpt") if checkpoint else ()
        said = self.gmx("grompp", "-f", f"{name}.mdp", "-c", start, "-p", "topol.top", "-o", f"{name}.tpr", *more)
        if "WARNING" in said:
            sys.exit(f"grompp warns in {self.folder}:\n{said[-3000:]}")
        self.gmx("mdrun", "-deffnm", name, "-c", f"{name}.g96", "-nt", str(self.threads), "-pin", "off")


def columns(path):
    """The numbers of a file that gmx energy or gmx rdf wrote."""
    lines = path.read_text().splitlines()
    return [[float(x) for x in line.split()] for line in lines if line.strip() and line[0] not in "#@"]


def mean_and_error(values, blocks=10):
    """Mean, and its standard error from the means of blocks."""
    size = len(values) // blocks
    means = [statistics.fmean(values[k * size : (k + 1) * size]) for k in range(blocks)]
    return statistics.fmean(values), statistics.stdev(means) / math.sqrt(blocks)


def edge_of_density(molecules, density):
    return (molecules * NM3_PER_MOLECULE_AT_1 / density) ** (1.0 / 3.0)


def steps(picoseconds):
    return f"nsteps = {round(picoseconds / STEP_PS)}\n"


def equilibrate(run, model, options):
    """The end of all stages: waters, edge [nm] and density [g/cm^3] with its error."""
    n = options.molecules
    edge = edge_of_density(n, 0.99)
    gro_box.write_gro(run.folder / "start.gro", model, gro_box.on_lattice(model, n, edge, options.seed), edge)
    (run.folder / "topol.top").write_text(topology(model, n))
    common = COMMON if edge > 1.9 else COMMON.replace("0.9\n", f"{0.45 * edge:.3f}\n")
    run.stage("minimised", "start.gro", common + MINIMISE + f"nsteps = {options.minimise}\n")
    run.stage("hot", "minimised.g96", common + DYNAMICS + START + steps(options.hot)
              + f"ref-t = {HOT_K}\ngen-temp = {HOT_K}\ngen-seed = {options.seed}\n")
    room = common + DYNAMICS + f"ref-t = {ROOM_K}\n"
    run.stage("npt", "hot.g96", room + PRESSURE + START + steps(options.npt)
              + f"gen-temp = {ROOM_K}\ngen-seed = {options.seed + 1}\n")
    run.gmx("energy", "-f", "npt.edr", "-o", "volume.xvg", answers="Volume\n0\n")
    volumes = [row[1] for row in columns(run.folder / "volume.xvg") if row[0] >= options.npt / 4.0]
    volume, error = mean_and_error(volumes)
    density = n * NM3_PER_MOLECULE_AT_1 / volume
    waters, npt_edge = gro_box.read_g96(run.folder / "npt.g96", model)
    edge = round(volume ** (1.0 / 3.0), 4)  # to 0.001 A
    gro_box.write_gro(run.folder / "scaled.gro", model, gro_box.with_edge(waters, npt_edge, edge), edge)
    run.stage("nvt", "scaled.gro", room + START + steps(options.nvt) + "nstxout-compressed = 50\n"
              + f"gen-temp = {ROOM_K}\ngen-seed = {options.seed + 2}\n")
    waters, edge = gro_box.read_g96(run.folder / "nvt.g96", model)
    return waters, edge, density, density * error / volume


def structure_of_liquid(run, options):
    """First maximum of g_OO(r) [A], its height, the minimum after it [A], and the oxygens within 3.4 A (without the
    one in the middle)."""
    run.gmx("make_ndx", "-f", "nvt.tpr", "-o", "index.ndx", answers="a OW\nq\n")
    run.gmx("rdf", "-f", "nvt.xtc", "-s", "nvt.tpr", "-n", "index.ndx", "-ref", "OW", "-sel", "OW", "-bin", "0.005",
            "-rmax", "1.0",
            "-b", str(options.nvt / 5.0), "-o", "rdf.xvg", "-cn", "cn.xvg")
    rdf = columns(run.folder / "rdf.xvg")
    peak = max((row for row in rdf if row[0] < 0.35), key=lambda row: row[1])
    valley = min((row for row in rdf if peak[0] < row[0] < 0.42), key=lambda row: row[1])
    around = max(row[1] for row in columns(run.folder / "cn.xvg") if row[0] <= 0.34)
    lines = ["r_A,g_OO"] + [f"{10.0 * r:.2f},{g:.4f}" for r, g in rdf if r <= 1.0]
    (run.folder / f"{options.model}_rdf.csv").write_text("\n".join(lines) + "\n")
    return {"peak_A": 10.0 * peak[0], "peak": peak[1], "valley_A": 10.0 * valley[0], "within_3.4_A": around}


def box_text(options, waters, edge, density):
    """The file that lib/solvation/water_boxes takes in."""
    version = subprocess.run(["gmx", "-quiet", "--version"], capture_output=True, text=True).stdout
    version = next(line.split(":")[1].strip() for line in version.splitlines() if line.startswith("GROMACS version"))
    lines = [f"// {options.model}, {len(waters)} molecules (O, H1, H2; 0.001 A), edge {10.0 * edge:.3f} A, "
             f"{density:.4f} g/cm^3; GROMACS {version}, examples/water/equilibrate.py {options.model} FOLDER "
             f"--npt {options.npt:g} --nvt {options.nvt:g} --seed {options.seed}"]
    for sites in waters:
        home = [edge * (round(x * 1e4) >= round(edge * 1e4)) for x in sites[0]]  # an oxygen that rounds to the edge
        lines.append(",".join(str(round(x * 1e4)) for site in sites[:3] for x in gro_box.sub(site, home)) + ",")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--molecules", type=int, default=900)
    parser.add_argument("--minimise", type=int, default=500, help="steps at most")
    parser.add_argument("--hot", type=float, default=20.0, help="ps")
    parser.add_argument("--npt", type=float, default=300.0, help="ps")
    parser.add_argument("--nvt", type=float, default=60.0, help="ps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    run = Run(options.folder.resolve(), options.threads)
    waters, edge, density, error = equilibrate(run, MODELS[options.model], options)
    found = {"model": options.model, "molecules": len(waters), "edge_A": round(10.0 * edge, 3),
             "density_g_cm3": round(density, 5), "density_error": round(error, 5)}
    found.update({key: round(value, 3) for key, value in structure_of_liquid(run, options).items()})
    (run.folder / f"{options.model}.inc").write_text(box_text(options, waters, edge, density))
    (run.folder / f"{options.model}.json").write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
