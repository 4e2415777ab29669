# SPDX-License-Identifier: BSD-3-Clause
"""What ParmEd and MDAnalysis read in the files that 'ionwell prepare' makes of an AMBER prmtop and of a PSF: atoms and charges
as in the topology, as many ions and waters as the report tells, and a cell in which nothing clashes."""
import gzip
import json
import os
import shutil
import subprocess
import sys

from harness import check, need, skip

TOPOLOGIES = {"prmtop": ("DNA_mbondi3.prmtop", "DNA_mbondi3.inpcrd"), "psf": ("1MJI.psf", "1MJI.pdb")}
WET_PRMTOP = ("1d23.tip3p.lj1264.parm7", "1d23.tip3p.rst7")
OPTIONS = ["--salt", "NaCl:0.15", "--padding", "6.5", "--quiet"]
SMALL = ["--cell-shape", "rectangular", "--orient"]
CHARGE_TOLERANCE = 1e-4  # e, of a box: PQR files have some decimals


class PreparedSystem:
    """A topology, the files made of it, and the report."""

    def __init__(self, folder, ionwell, kind, *more, output):
        self.files = [unpacked(folder, name) for name in TOPOLOGIES[kind]]
        self.path = os.path.join(folder, output)
        report = os.path.join(folder, "report.json")
        said = subprocess.run([ionwell, "prepare", *self.files, *OPTIONS, *more, "-o", self.path, "--report", report],
                              capture_output=True, text=True)
        check(said.returncode == 0, f"ionwell prepare, {kind}: {said.stderr}")
        with open(report) as file:
            told = json.load(file)
        self.ions = told["ions"]
        self.waters = told["solvation"]["water"]["molecules"] - told["water"]["replaced"]  # besides those of the topology
        check(len(self.ions) > 0 and self.waters > 0, f"{kind}: no ions or no water")

    def file(self, name):
        return os.path.join(self.path, name)

    def parts(self, beginning):
        """PDB files of an engine's folder."""
        return [self.file(name) for name in sorted(os.listdir(self.path))
                if name.startswith(beginning) and name.endswith(".pdb")]

    def check_count(self, what, atoms, solute):
        expected = solute + len(self.ions) + 3 * self.waters
        check(atoms == expected, f"{what}: {atoms} atoms instead of {expected}")

    def ion_charge(self):
        return sum(ion["charge_e"] for ion in self.ions)


def data_folder():
    above = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3)
    path = os.path.join(os.environ.get("IONWELL_SHARED_DATA", os.path.join(above, "shared", "data")), "md")
    if not os.path.isdir(path):
        skip("the samples are not here; IONWELL_SHARED_DATA may name the folder that has them")
    return path


def unpacked(folder, name):
    path = os.path.join(folder, name)
    with gzip.open(os.path.join(data_folder(), name + ".gz")) as packed, open(path, "wb") as plain:
        shutil.copyfileobj(packed, plain)
    return path


def check_charges(what, found, expected, of_ions):
    """Of the solute atom by atom, and of all together."""
    for n, (one, other) in enumerate(zip(found, expected)):
        check(abs(one - other) < 1e-4, f"{what}: charge {one} of atom {n + 1} is not {other}")
    total = sum(found[:len(expected)]) + of_ions
    check(abs(total) < len(expected) * 1e-6 + CHARGE_TOLERANCE, f"{what}: solute and ions have {total} e")
    print(f"{what}: {len(expected)} atoms of the solute agree, and {of_ions:+.0f} e of ions neutralize them")


def with_parmed(folder, ionwell, *_):
    parmed = need("parmed")
    for kind in TOPOLOGIES:
        made = PreparedSystem(folder, ionwell, kind, *SMALL, output=f"{kind}.pqr")
        topology, written = parmed.load_file(made.files[0]), parmed.load_file(made.path)
        made.check_count(f"parmed, {kind}.pqr", len(written.atoms), len(topology.atoms))
        check_charges(f"parmed, {kind}.pqr", [a.charge for a in written.atoms], [a.charge for a in topology.atoms],
                      made.ion_charge())
        all_e = sum(a.charge for a in written.atoms)
        check(abs(all_e) < len(written.atoms) * 1e-6, f"parmed, {kind}.pqr: {all_e} e in all")
    made = PreparedSystem(folder, ionwell, "psf", "--for", "charmm", *SMALL, output="charmm")
    psf, source = parmed.load_file(made.file("solute.psf")), parmed.load_file(made.files[0])
    rest = sum(len(parmed.load_file(path).atoms) for path in made.parts("segment_") + made.parts("ion"))
    made.check_count("parmed, charmm", len(psf.atoms) + rest, len(source.atoms))
    check_charges("parmed, charmm", [a.charge for a in psf.atoms], [a.charge for a in source.atoms], made.ion_charge())
    made = PreparedSystem(folder, ionwell, "prmtop", "--for", "amber", "--cell-shape", "octahedron", output="amber")
    cell_by_parmed(parmed, folder, made)


def cell_by_parmed(parmed, folder, made):
    """cell.py on a system of LEaP's, in place of the one that leap.in makes."""
    for name, path in zip(("leap.prmtop", "leap.rst7"), WET_PRMTOP):
        shutil.copy(unpacked(folder, path), made.file(name))
    subprocess.run([sys.executable, made.file("cell.py")], check=True)
    system = parmed.load_file(made.file("system.prmtop"), made.file("system.rst7"))
    check(system.ptr("ifbox") == 2, f"IFBOX is {system.ptr('ifbox')}, and a truncated octahedron has 2")
    angles = list(system.box[3:])
    check(all(abs(angle - 109.4712190) < 1e-6 for angle in angles), f"angles {angles}")
    check(abs(system.box[0] - system.box[2]) < 1e-4, f"lengths {system.box[:3]}")
    print(f"parmed, cell.py: IFBOX 2, {system.box[0]:.3f} A, {angles[0]:.7f} degrees")


def with_mdanalysis(folder, ionwell, *_):
    mda, numpy = need("MDAnalysis"), need("numpy")
    formats = {"prmtop": "PRMTOP", "psf": "PSF"}
    for kind in TOPOLOGIES:
        made = PreparedSystem(folder, ionwell, kind, *SMALL, output=f"{kind}.pqr")
        topology = mda.Universe(made.files[0], topology_format=formats[kind])
        written = mda.Universe(made.path)
        made.check_count(f"mdanalysis, {kind}.pqr", len(written.atoms), len(topology.atoms))
        check_charges(f"mdanalysis, {kind}.pqr", list(written.atoms.charges), list(topology.atoms.charges),
                      made.ion_charge())
    made = PreparedSystem(folder, ionwell, "psf", "--for", "charmm", *SMALL, output="charmm")
    solute = mda.Universe(made.file("solute.psf"), made.file("solute.pdb"))
    source = mda.Universe(made.files[0], topology_format="PSF")
    check_charges("mdanalysis, charmm", list(solute.atoms.charges), list(source.atoms.charges), made.ion_charge())
    for shape in ("octahedron", "dodecahedron", "rectangular"):
        made = PreparedSystem(folder, ionwell, "prmtop", "--for", "amber", "--cell-shape", shape, output=shape)
        check_cell(mda, numpy, shape, made)


def check_cell(mda, numpy, shape, made):
    """In AMBER's cell no heavy atom is on another one's image, and the lattice is not too large either."""
    from MDAnalysis.lib.distances import self_capped_distance
    from MDAnalysis.lib.mdamath import triclinic_vectors
    parts = [mda.Universe(made.file(name)) for name in ("solute.pdb", "ions.pdb", "water.pdb")]
    solute = mda.Universe(made.files[0], topology_format="PRMTOP")
    made.check_count(f"mdanalysis, amber, {shape}", sum(len(part.atoms) for part in parts), len(solute.atoms))
    box = parts[2].dimensions
    if shape == "octahedron":
        check(numpy.allclose(box[3:], 109.47, atol=0.005), f"{shape}: angles {box[3:]}")
    heavy = numpy.concatenate([part.atoms[[not name.startswith("H") for name in part.atoms.names]].positions
                               for part in parts[1:]])  # waters and ions
    _, distances = self_capped_distance(heavy, max_cutoff=3.0, box=box)
    check(distances.min() > 2.0, f"{shape}: two waters are {distances.min():.2f} A apart")
    density = made.waters / abs(numpy.linalg.det(triclinic_vectors(box)))
    check(0.025 < density < 0.0335, f"{shape}: {density:.4f} waters for each A^3")
    print(f"mdanalysis, amber, {shape}: {made.waters} waters, nearest {distances.min():.2f} A")
