#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what ionwell reads of topologies with what another program reads of them.

    read_their_files.py PROGRAM IONWELL [unused]

PROGRAM: parmed, mdanalysis. The files are those of the folder md in IONWELL_SHARED_DATA, or in shared/data beside the
source folder. Charges must be equal to 1e-6 e,
names and radii as well where both have them, positions to 1e-3 A. Prints "skipped: " and why, and ends with 77, where
PROGRAM or the files are missing.
"""
import gzip
import os
import shutil
import subprocess
import sys
import tempfile

from harness import check, check_vector, need, skip

# Topology and coordinates; the latter None where the topology has its own.
SYSTEMS = [
    ("1MJI.psf", "1MJI.pdb"), ("1k5i_c36.psf", "1k5i_c36.pdb"), ("adk.psf", "adk_dims.dcd"),
    ("1d23.tip3p.lj1264.parm7", "1d23.tip3p.rst7"), ("DNA_mbondi3.prmtop", "DNA_mbondi3.inpcrd"),
    ("htmd_6VA1.prmtop", "htmd_6VA1.crd"), ("rGACC.full.parm7", "rGACC.full.nc"), ("tz2.parm7", "tz2.nc"),
    ("dna30.mol2", None),
]
CHARGE_TOLERANCE = 1e-6  # e


class Written:
    """The PQR that ionwell makes of a system."""

    def __init__(self, ionwell, folder, paths):
        pqr = os.path.join(folder, "out.pqr")
        subprocess.run([ionwell, "convert", *paths, pqr, "--input-water", "solute", "--quiet"], check=True,
                       stderr=subprocess.DEVNULL)
        with open(pqr) as file:
            atoms = [line.split() for line in file if line.startswith(("ATOM", "HETATM"))]
        self.names = [atom[2] for atom in atoms]
        self.charges = [float(atom[-2]) for atom in atoms]
        self.radii = [float(atom[-1]) for atom in atoms]
        self.positions = [[float(x) for x in atom[-5:-2]] for atom in atoms]

    def compare(self, what, names, charges, radii=None, positions=None):
        check(len(self.charges) == len(charges), f"{what}: {len(self.charges)} atoms instead of {len(charges)}")
        for n, (found, expected) in enumerate(zip(self.charges, charges)):
            check(abs(found - expected) <= CHARGE_TOLERANCE, f"{what}: charge {found} of atom {n + 1} is not {expected}")
        check(self.names == list(names), f"{what}: names differ")
        if radii is not None:
            for found, expected in zip(self.radii, radii):
                check(abs(found - expected) <= 1e-4, f"{what}: a radius {found} is not {expected}")
        if positions is not None:
            for found, expected in zip(self.positions, positions):
                check_vector(found, expected, 1e-3, f"{what}: a position")
        print(f"{what}: {len(charges)} atoms agree")


def compare_with_parmed(written, topology, _coordinates, what):
    parmed = need("parmed")
    system = parmed.load_file(topology, structure=True) if topology.endswith(".mol2") else parmed.load_file(topology)
    radii = [atom.solvent_radius for atom in system.atoms] if topology.endswith(("parm7", "prmtop")) else None
    written.compare(what, [atom.name for atom in system.atoms], [atom.charge for atom in system.atoms], radii)


def compare_with_mdanalysis(written, topology, coordinates, what):
    mda = need("MDAnalysis")
    if topology.endswith(".mol2"):
        return
    formats = {".parm7": "PRMTOP", ".prmtop": "PRMTOP", ".psf": "PSF"}
    positions = {".rst7": "INPCRD", ".inpcrd": "INPCRD", ".crd": "INPCRD", ".nc": "NCDF", ".dcd": "DCD", ".pdb": "PDB"}
    system = mda.Universe(topology, coordinates, topology_format=formats[os.path.splitext(topology)[1]],
                          format=positions[os.path.splitext(coordinates)[1]])
    written.compare(what, system.atoms.names, system.atoms.charges, positions=system.atoms.positions)


def main():
    program, ionwell = sys.argv[1:3]
    above = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3)
    data = os.environ.get("IONWELL_SHARED_DATA", os.path.join(above, "shared", "data"))
    if not os.path.isdir(os.path.join(data, "md")):
        skip("the samples are not here; IONWELL_SHARED_DATA may name the folder that has them")
    need({"parmed": "parmed", "mdanalysis": "MDAnalysis"}[program])
    compare = {"parmed": compare_with_parmed, "mdanalysis": compare_with_mdanalysis}[program]
    with tempfile.TemporaryDirectory() as folder:
        for names in SYSTEMS:
            paths = []
            for name in filter(None, names):
                paths.append(os.path.join(folder, name))
                with gzip.open(os.path.join(data, "md", name + ".gz")) as packed, open(paths[-1], "wb") as plain:
                    shutil.copyfileobj(packed, plain)
            compare(Written(ionwell, folder, paths), paths[0], paths[-1], f"{program}, {' '.join(filter(None, names))}")


if __name__ == "__main__":
    main()
