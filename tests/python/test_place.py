# SPDX-License-Identifier: BSD-3-Clause
"""Placing ions and computing potentials: the same as the program, as arrays."""
import json
import tempfile
import unittest
import warnings
from pathlib import Path

import ionwell
import numpy as np
from support import DUPLEX, IonwellTest, files_in, gromacs_files, run_program, main, small_structure


def gromacs_files_with_magnesium(folder):
    """A topology whose force field defines MG, and its coordinates."""
    top, gro = gromacs_files(folder)
    magnesium = "[ moleculetype ]\nMG 1\n[ atoms ]\n 1 MG 1 MG MG 1 2.0 24.3\n[ system ]"
    top.write_text(top.read_text().replace("[ system ]", magnesium))
    return top, gro


class Place(IonwellTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_the_same_ions_as_the_program_bit_for_bit(self):
        for options, words in [({}, []), ({"method": "direct", "ddd": 3}, ["--method", "direct", "--ddd", "3"]),
                               ({"ionic_strength": 0.15, "ion_ion": 7}, ["--ionic-strength", "0.15", "--ion-ion", "7"])]:
            with self.subTest(options):
                output, report = self.folder / "program.pdb", self.folder / "report.json"
                run_program("place", DUPLEX, "--ion", "MG:4", "--ion", "NA:neutralize", "--spacing", 1, *words, "-o",
                            output, "--report", report)
                result = ionwell.place(ionwell.read(DUPLEX), {"MG": 4, "NA": "neutralize"}, spacing=1, **options)
                self.assertEqual(result.to_pdb(), output.read_text())
                ions = json.loads(report.read_text())["ions"]
                self.assertEqual(len(result), 18)
                self.assertEqual(result.positions.round(6).tolist(), [ion["position_A"] for ion in ions])
                self.assertEqual(result.energies.tolist(), [ion["energy_kT"] for ion in ions])
                self.assertEqual(result.lattice_indices.tolist(), [ion["lattice_index"] for ion in ions])
                self.assertEqual(result.nearest_atom_distances.round(6).tolist(), [ion["nearest_solute_A"] for ion in ions])
                self.assertEqual(result.nearest_ion_distances.round(6).tolist(), [ion["nearest_ion_A"] for ion in ions])
                self.assertEqual(result.names.tolist(), [ion["name"] for ion in ions])
                self.assertEqual(result.charges.tolist(), [ion["charge_e"] for ion in ions])
                atoms = [ion["nearest_atom"]["name"] for ion in ions]
                self.assertEqual(result.structure.names[result.nearest_atoms].tolist(), atoms)
                self.assertEqual(result.report["ions"], ions)

    def test_the_same_in_the_solution_of_the_poisson_boltzmann_equation(self):
        output = self.folder / "program.pdb"
        run_program("place", DUPLEX, "--ion", "MG:2", "--pb", "own", "--spacing", 2, "--pb-every", 1, "--pb-option",
                    "pdie=4", "-o", output)
        result = ionwell.place(ionwell.read(DUPLEX), {"MG": 2}, pb="own", spacing=2, pb_every=1,
                               pb_options={"pdie": 4})
        self.assertEqual(result.to_pdb(), output.read_text())

    def test_the_same_with_radii_of_ions(self):
        output, report = self.folder / "program.pdb", self.folder / "report.json"
        run_program("place", DUPLEX, "--ion", "MG:2", "--pb", "own", "--spacing", 2, "--pb-energy", "--ion-radius", "MG:2.5", "--tune",
                    "simd=baseline", "-o", output, "--report", report)
        result = ionwell.place(ionwell.read(DUPLEX), {"MG": 2}, pb="own", spacing=2, pb_energy=True, radii={"MG": 2.5}, simd="baseline")
        self.assertEqual(result.to_pdb(), output.read_text())
        solver = result.report["poisson_boltzmann"]
        self.assertEqual(solver["solvation_energy_kJ_mol"], json.loads(report.read_text())["poisson_boltzmann"]["solvation_energy_kJ_mol"])
        structure = small_structure()
        self.fails(ionwell.UsageError, "radii needs pb;", ionwell.place, structure, {"MG": 1}, radii={"MG": 2.5})
        self.fails(ionwell.UsageError, "pb_timeout needs pb='apbs'", ionwell.place, structure, {"MG": 1}, pb="own", pb_timeout=9)
        self.fails(ionwell.UsageError, "simd is 'sse'; it must be one of 'auto', 'baseline'", ionwell.place, structure, {"MG": 1},
                   simd="sse")

    def test_the_same_in_a_map(self):
        output, map_path = self.folder / "program.pdb", self.folder / "potential.dx"
        structure = ionwell.read(DUPLEX)
        ionwell.potential(structure, spacing=2).save(map_path)
        run_program("place", DUPLEX, "--ion", "MG:3", "--map", map_path, "--update", "coulomb", "-o", output)
        result = ionwell.place(structure, {"MG": 3}, map=map_path, update="coulomb")
        self.assertEqual(result.to_pdb(), output.read_text())

    def test_the_same_where_crystals_have_them(self):
        output = self.folder / "program.pdb"
        run_program("place", DUPLEX, "--ion", "MG:2", "--model", "sites", "-o", output)
        result = ionwell.place(ionwell.read(DUPLEX), {"MG": 2}, model="sites")
        self.assertEqual(result.to_pdb(), output.read_text())

    def test_as_many_as_are_likely_to_be_near_a_site(self):
        structure, output = ionwell.read(DUPLEX), self.folder / "program.pdb"
        run_program("place", DUPLEX, "--ion", "MG:likely:0.08", "--model", "sites", "-o", output)
        result = ionwell.place(structure, {"MG": ("likely", 0.08)}, model="sites")
        self.assertEqual(result.to_pdb(), output.read_text())
        self.assertEqual(result.report["requested_ions"], len(result))
        self.assertGreater(len(result), 1)
        self.assertEqual(len(ionwell.place(structure, {"MG": "likely"}, model="sites")), 0)  # usually 0.2
        self.fails(ionwell.UsageError, "needs model sites", ionwell.place, structure, ["MG:likely"])
        self.fails(ionwell.UsageError, "also 'likely'", ionwell.place, structure, {"MG": None}, model="sites")

    def test_others_around_those_that_are_likely(self):
        structure, output, report = ionwell.read(DUPLEX), self.folder / "program.pdb", self.folder / "report.json"
        run_program("place", DUPLEX, "--ion", "MG:likely:0.07", "--ion", "NA:neutralize", "--model", "sites", "--ionic-strength", "0.15",
                    "--hydrate", "MG:6", "-o", output, "--report", report)
        result = ionwell.place(structure, {"MG": ("likely", 0.07), "NA": "neutralize"}, model="sites", ionic_strength=0.15,
                               hydrate={"MG": 6})
        self.assertEqual(result.to_pdb(), output.read_text())
        told = json.loads(report.read_text())
        for part in ["ions", "expected_sites", "site_model", "requested_ions", "method", "net_charge_after_e"]:
            self.assertEqual(result.report[part], told[part], part)
        self.assertEqual(told["net_charge_after_e"], 0)
        self.assertIn("MG", result.names.tolist())
        self.assertIn("NA", result.names.tolist())
        self.assertGreater(len(result.html()), 10_000)
        self.fails(ionwell.UsageError, "map_unit is for map", ionwell.place, structure, {"MG": 1, "NA": 1}, map_unit="mV")
        self.fails(ionwell.UsageError, "update cannot be used with model", ionwell.place, structure, {"MG": 1, "NA": 1}, model="sites",
                   update="none")
        self.fails(ionwell.UsageError, "must be the first", ionwell.place, structure, {"NA": 1, "MG": "likely"}, model="sites")
        error = self.fails(ionwell.TooFewPlaced, "makes room", ionwell.place, structure, {"MG": 5000, "NA": 1}, model="sites")
        self.assertEqual(set(error.result.names.tolist()), {"MG"})

    def test_the_same_in_a_cell_that_repeats_or_not(self):
        files, output = gromacs_files(self.folder), self.folder / "program.pdb"
        for boundary, border, is_periodic in [("open", 20, False), ("periodic", 8, True), (None, 20, True), (None, 8, False)]:
            with self.subTest(boundary=boundary, border=border):
                words = [] if boundary is None else ["--boundary", boundary]
                run_program("place", *files, "--ion", "MG:2", "--spacing", 2, "--border", border, *words, "-o", output)
                result = ionwell.place(ionwell.read(*files), {"MG": 2}, spacing=2, border=border, boundary=boundary)
                self.assertEqual(result.to_pdb(), output.read_text())
                self.assertEqual(result.report["structure"]["cell"]["used"], is_periodic)
        structure = ionwell.read(*files)
        self.fails(ionwell.UsageError, "boundary is 'x'", ionwell.place, structure, {"MG": 1}, boundary="x")
        self.fails(ionwell.UsageError, "boundary periodic cannot be used with pb", ionwell.place, structure, {"MG": 1}, pb="own",
                   boundary="periodic")

    def test_the_page_has_every_ion(self):
        result = ionwell.place(ionwell.read(DUPLEX), {"MG": 3}, spacing=1)
        page = result.html()
        self.assertTrue(page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>"), page[:40])
        self.assertIn("MG", page)
        output, html = self.folder / "program.pdb", self.folder / "page.html"
        run_program("place", DUPLEX, "--ion", "MG:3", "--spacing", 1, "-o", output, "--html", html)
        program = html.read_text()
        self.assertLess(abs(len(page) - len(program)), 3000)  # times, memory and the command are other ones

    def test_files_are_those_of_the_program(self):
        output = self.folder / "program.cif"
        run_program("place", DUPLEX, "--ion", "MG:2", "--spacing", 1, "--with-solute", "--ion-names", "charmm", "-o", output)
        result = ionwell.place(ionwell.read(DUPLEX), {"MG": 2}, spacing=1)
        own = self.folder / "own.cif"
        result.save(own, ion_names="charmm", with_solute=True)
        self.assertEqual(own.read_bytes(), output.read_bytes())
        self.fails(ionwell.UsageError, "own.xtc", result.save, self.folder / "own.xtc")
        self.fails(ionwell.Error, "no/such", result.save, self.folder / "no/such/ions.pdb")

    def check_files(self, result, files, words, endings=(), engines=(), with_solute=False):
        """That files and folders are the program's, byte for byte."""
        options = ["--with-solute"] if with_solute else []
        for ending in endings:
            theirs, ours = self.folder / f"theirs.{ending}", self.folder / f"ours.{ending}"
            run_program("place", *files, *words, *options, "-o", theirs)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a cell that is rotated
                result.save(ours, with_solute=with_solute)
            self.assertEqual(ours.read_bytes(), theirs.read_bytes(), ending)
        for engine in engines:
            theirs, ours = self.folder / f"their-{engine}", self.folder / f"our-{engine}"
            run_program("place", *files, *words, "--for", engine, "-o", theirs)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result.save(ours, engine=engine)
            self.assertEqual(files_in(ours), files_in(theirs), engine)
            self.assertGreater(len(files_in(ours)), 1)

    def test_every_format_and_folder_is_that_of_the_program(self):
        words = ["--ion", "MG:2", "--spacing", 1]
        for names, engines in [("pdb", ["openmm"]), ("charmm", ["charmm", "vmd"]), ("amber", ["amber"])]:
            result = ionwell.place(ionwell.read(DUPLEX), {"MG": 2}, spacing=1, ion_names=names)
            self.check_files(result, [DUPLEX], words, engines=engines)
        endings = ["pdb", "cif", "gro", "pqr", "crd", "rst7", "xyz", "pdb.gz"]
        self.check_files(result, [DUPLEX], words, endings)
        self.check_files(result, [DUPLEX], words, endings, with_solute=True)
        files = gromacs_files_with_magnesium(self.folder)
        result = ionwell.place(ionwell.read(*files), {"MG": 1}, spacing=2)
        self.check_files(result, files, ["--ion", "MG:1", "--spacing", 2], endings, ["gromacs"], with_solute=True)

    def test_a_folder_has_what_a_topology_keeps(self):
        files = gromacs_files_with_magnesium(self.folder)
        ignoring = {"ignore": "resid 2"}
        result = ionwell.place(ionwell.read(*files, **ignoring), {"MG": 1}, spacing=2)
        self.assertEqual(len(result.structure), 2)
        words = ["--ion", "MG:1", "--spacing", 2, "--ignore", "resid 2"]
        self.check_files(result, files, words, ["gro"], ["gromacs"], with_solute=True)
        self.assertIn(b"2U", (self.folder / "our-gromacs/conf.gro").read_bytes())
        with self.assertWarns(ionwell.IonwellWarning) as told:
            result.save(self.folder / "again", engine="gromacs")
        self.assertIn("still has 2 ignored atoms, whose charge of -1.4 e is not counted", str(told.warning))

    def test_waters_around_ions_are_those_of_the_program(self):
        structure = ionwell.read(DUPLEX)
        for keywords, words in [({"hydrate": {"MG": 6}}, ["--hydrate", "MG:6"]),
                                ({"hydrate": "MG", "hydrate_water": "spce"},
                                 ["--hydrate", "MG", "--tune", "hydrate-water=spce"]),
                                ({"hydrate": ["MG:6"], "hydrate_as": "residue"},
                                 ["--hydrate", "MG:6", "--hydrate-as", "residue"])]:
            with self.subTest(keywords):
                words = ["--ion", "MG:2", "--ion", "NA:1", "--spacing", 1, *words]
                result = ionwell.place(structure, {"MG": 2, "NA": 1}, spacing=1, **keywords)
                self.check_files(result, [DUPLEX], words, ["pdb", "gro"], ["openmm"] if keywords == {"hydrate": {"MG": 6}} else [])
                theirs = self.folder / "theirs.pdb"
                self.assertEqual(result.to_pdb(), theirs.read_text())
                self.assertEqual(result.to_pdb().count("MO6" if "hydrate_as" in keywords else " HOH "),
                                 14 if "hydrate_as" in keywords else 36)
        for part, keywords in [("hydrate is {'MG': 'x'}", {"hydrate": {"MG": "x"}}),
                               ("hydrate_as is 'x'", {"hydrate": "MG", "hydrate_as": "x"}),
                               ("hydrate_as residue is only for MG:6", {"hydrate": "NA", "hydrate_as": "residue"}),
                               ("hydrate_water needs hydrate", {"hydrate_water": "spce"}),
                               ("hydrate_water tip5p", {"hydrate": "MG", "hydrate_water": "tip5p"})]:
            self.fails(ionwell.UsageError, part, ionwell.place, structure, {"MG": 1}, spacing=2, **keywords)

    def test_what_cannot_be_saved_leaves_nothing(self):
        result = ionwell.place(ionwell.read(DUPLEX), {"MG": 1}, spacing=2)
        for parts, path, keywords in [
                ("engine is 'x'", "x", {"engine": "x"}),
                (["engine writes a folder", "x.pdb"], "x.pdb", {"engine": "vmd"}),
                (["engine sets the names", "with_solute"], "x", {"engine": "vmd", "with_solute": True}),
                ("topology", "x", {"engine": "gromacs"}),
                ("pdb_serials is 'x'", "x.pdb", {"pdb_serials": "x"})]:
            with self.subTest(path=path, **keywords):
                self.fails(ionwell.UsageError, parts, result.save, self.folder / path, **keywords)
                self.assertFalse((self.folder / path).exists())

    def test_maps_before_and_after(self):
        before, after = self.folder / "before.dx", self.folder / "after.dx"
        run_program("place", DUPLEX, "--ion", "MG:2", "--spacing", 2, "--save-map", before, "--save-map-after", after,
                    "-o", self.folder / "ions.pdb")
        result = ionwell.place(ionwell.read(DUPLEX), {"MG": 2}, spacing=2, maps=True)
        for own, path in [(result.solute_map, before), (result.map, after)]:
            theirs = ionwell.read_map(path)
            np.testing.assert_allclose(own.values, theirs.values, rtol=1e-6)  # as many digits as the file has
            self.assertEqual(own.unit, theirs.unit)
        self.assertIsNone(ionwell.place(small_structure(), {"NA": 1}, spacing=2).map)
        self.fails(ionwell.UsageError, "maps=True cannot be used with pb", ionwell.place, small_structure(), {"NA": 1},
                   maps=True, pb="own")

    def test_ions_as_dicts_and_texts(self):
        structure = small_structure()
        for ions in [{"NA": 2, "XYZ": (1, 3)}, ["NA:2", "XYZ:1:+3"], {"NA": np.int32(2), "XYZ": (1, 3.0)}]:
            result = ionwell.place(structure, ions, spacing=2)
            self.assertEqual(result.names.tolist(), ["NA", "NA", "XYZ"])
            self.assertEqual(result.charges.tolist(), [1, 1, 3])
        self.assertEqual(len(ionwell.place(structure, "NA:neutralize", spacing=2)), 3)

    def test_what_makes_no_sense(self):
        structure = small_structure()
        for parts, ions, options in [
                ("ions is {}", {}, {}), ("ions['NA'] is 1.5", {"NA": 1.5}, {}), ("ions['NA'] is True", {"NA": True}, {}),
                ("'MG:1'", {"MG:1": 2}, {}), ("XX", {"XX": 2}, {}), ("ions has 3", [3], {}),
                ("spacing is 'fine'", {"NA": 1}, {"spacing": "fine"}), ("spacing", {"NA": 1}, {"spacing": -1}),
                ("ion_solute is -1", {"NA": 1}, {"ion_solute": -1}), ("backend is 'tpu'", {"NA": 1}, {"backend": "tpu"}),
                ("devices is for GPUs", {"NA": 1}, {"backend": "cpu", "devices": [0]}),
                ("map and pb", {"NA": 1}, {"map": "a.dx", "pb": "own"}), ("ddd cannot be used with pb", {"NA": 1},
                                                                          {"ddd": 1, "pb": "own"}),
                ("update is for map or pb", {"NA": 1}, {"update": "none"}),
                ("refine cannot be used with model", {"MG": 1}, {"refine": False, "model": "sites"}),
                ("map_interpolation is for map", {"NA": 1}, {"pb": "own", "map_interpolation": "trilinear"}),
                ("threads is -1", {"NA": 1}, {"threads": -1}), ("threads is 1.5", {"NA": 1}, {"threads": 1.5}),
                ("box is 3", {"NA": 1}, {"box": 3}), ("method='direct'", {"NA": 1}, {"method": "direct", "msm_cutoff": 8}),
                ("progress is 3", {"NA": 1}, {"progress": 3}), ("ion_names is 'x'", {"NA": 1}, {"ion_names": "x"}),
                ("map is 5", {"NA": 1}, {"map": 5}), ("map has 5", {"NA": 1}, {"map": [5]}),
                ("devices is 0", {"NA": 1}, {"devices": 0}), ("devices is [-1]", {"NA": 1}, {"devices": [-1]}),
                ("pb_options is 'pdie=2'", {"NA": 1}, {"pb": "own", "pb_options": "pdie=2"}),
                ("pb is 'yes'", {"NA": 1}, {"pb": "yes"}), ("pb is True", {"NA": 1}, {"pb": True}),
                ("max_energy", {"NA": 1}, {"max_energy": float("nan")})]:
            with self.subTest(parts):
                self.fails(ionwell.UsageError, parts, ionwell.place, structure, ions, **options)
        with self.assertRaises(TypeError):
            ionwell.place(structure, {"NA": 1}, spacings=1)

    def test_too_few(self):
        structure = small_structure()
        box = ((0, 0, 0), (8, 6, 0))
        error = self.fails(ionwell.TooFewPlaced, ["of 99 ions", "ion_ion", "allow_fewer=True"], ionwell.place, structure,
                           {"NA": 99}, box=box, spacing=1)
        with self.assertWarns(ionwell.IonwellWarning):
            result = ionwell.place(structure, {"NA": 99}, box=box, spacing=1, allow_fewer=True)
        self.assertEqual(result.positions.tolist(), error.result.positions.tolist())
        self.assertEqual(result.requested, 99)
        self.assertGreater(len(result), 0)

    def test_reading(self):
        structure = ionwell.read(str(DUPLEX), solute="chain A")
        self.assertLess(len(structure), len(ionwell.read(DUPLEX)))
        self.assertEqual(set(structure.chains), {"A"})
        self.fails(ionwell.Error, "nope.pqr: no such file", ionwell.read, "nope.pqr")
        self.fails(ionwell.UsageError, "input_water is 'x'", ionwell.read, DUPLEX, input_water="x")
        self.fails(ionwell.UsageError, "read needs a file", ionwell.read)


class Potential(IonwellTest):
    def test_a_map_by_a_plain_sum(self):
        structure = small_structure()
        potential = ionwell.potential(structure, spacing=2, border=4, method="direct")
        grid = np.stack(np.meshgrid(*[o + h * np.arange(n) for o, h, n in
                                      zip(potential.origin, potential.spacing, potential.values.shape)], indexing="ij"))
        # The prefactor in kT A / e^2 at 298.15 K: e^2 / (4 pi eps0 k T), CODATA 2018.
        e, eps0, k = 1.602176634e-19, 8.8541878128e-12, 1.380649e-23
        prefactor = e * e / (4 * np.pi * eps0 * k * 298.15) * 1e10
        expected = np.zeros(potential.values.shape)
        for position, charge in zip(structure.positions, structure.charges):
            distance = np.linalg.norm(grid - position[:, None, None, None], axis=0)
            expected += prefactor * charge / np.maximum(distance, 1e-3)
        np.testing.assert_allclose(potential.values, expected, rtol=2e-6)  # single precision
        self.assertEqual(potential.unit, "kT/e")
        self.assertEqual(potential.report["method"], "direct")
        points = grid.reshape(3, -1).T
        with self.assertWarnsRegex(ionwell.IonwellWarning, "3 points of"):  # on atoms
            at = ionwell.potential(structure, at=points, method="direct")
        np.testing.assert_allclose(at, expected.reshape(-1), rtol=1e-7)  # constants of another year
        in_mV = ionwell.potential(structure, at=points[:1], method="direct", unit="mV")
        np.testing.assert_allclose(in_mV, at[:1] * 25.6926, rtol=1e-5)  # kT/e at 298.15 K

    def test_an_accuracy_in_place_of_a_method(self):
        structure = ionwell.read(DUPLEX)
        chosen = np.random.default_rng(1)
        exact = None
        for accuracy in (1e-3, 1e-4, 1e-5):
            potential = ionwell.potential(structure, spacing=1, accuracy=accuracy)
            self.assertEqual(potential.report["accuracy"], accuracy)
            if exact is None:
                index = chosen.integers(potential.values.shape, size=(600, 3))
                points = potential.origin + potential.spacing * index
                apart = np.linalg.norm(points[:, None] - structure.positions[None], axis=-1).min(axis=1)
                index, points = index[apart > 1], points[apart > 1]
                exact = ionwell.potential(structure, at=points, method="direct")
            differences = potential.values[tuple(index.T)] - exact
            error = np.sqrt(np.mean(differences**2) / np.mean(exact**2))
            self.assertGreater(error, 0)
            self.assertLess(error, accuracy)
        self.assertGreater(len(exact), 400)
        rough = ionwell.place(structure, {"MG": 4}, spacing=1, accuracy=1e-2)
        np.testing.assert_array_equal(rough.positions, ionwell.place(structure, {"MG": 4}, spacing=1, method="direct").positions)
        for options, parts in [({"accuracy": 0}, "accuracy is 0; it must be from 1e-06 to 0.1"),
                               ({"accuracy": 1e-4, "method": "msm"}, "method cannot be used with accuracy"),
                               ({"accuracy": 1e-4, "msm_cutoff": 8}, "msm_cutoff cannot be used with accuracy"),
                               ({"accuracy": 1e-4, "pb": "own"}, "accuracy cannot be used with pb")]:
            self.fails(ionwell.UsageError, parts, ionwell.potential, structure, **options)

    def test_keywords_that_are_for_the_other_kind(self):
        structure = small_structure()
        self.fails(ionwell.UsageError, "add at", ionwell.potential, structure, map="x.dx")
        self.fails(ionwell.UsageError, "spacing", ionwell.potential, structure, [[0, 0, 9]], spacing=1)
        self.fails(ionwell.UsageError, "msm_cutoff", ionwell.potential, structure, [[0, 0, 9]], msm_cutoff=8)
        self.fails(ionwell.UsageError, "already screened", ionwell.potential, structure, [[0, 0, 9]], map="x.dx",
                   ionic_strength=0.1)
        self.fails(ionwell.UsageError, "on the CPU", ionwell.potential, structure, [[0, 0, 9]], map="x.dx", backend="gpu")
        self.fails(ionwell.UsageError, "map_interpolation", ionwell.potential, structure, pb="own",
                   map_interpolation="tricubic")
        self.fails(ionwell.UsageError, "unit is 'K'", ionwell.potential, structure, unit="K")
        self.fails(ionwell.ArrayError, "at has the shape (3,)", ionwell.potential, structure, [0, 0, 9])

    def test_the_same_outside_of_a_solute_by_alpb(self):
        with tempfile.TemporaryDirectory() as folder:
            points, values = Path(folder) / "at.csv", Path(folder) / "values.csv"
            at = [[40.0, 5.0, 0.0], [60.0, -20.0, 9.0]]
            points.write_text("x,y,z\n" + "".join(f"{x},{y},{z}\n" for x, y, z in at))
            run_program("potential", DUPLEX, "--at", points, "--alpb", "--solute-dielectric", 2, "--ionic-strength", 0.1, "-o", values)
            rows = np.loadtxt(values, delimiter=",", skiprows=1)
        structure = ionwell.read(DUPLEX)
        ours = ionwell.potential(structure, at, alpb=True, solute_dielectric=2, ionic_strength=0.1)
        np.testing.assert_allclose(ours, rows[:, 3], rtol=1e-5)
        self.fails(ionwell.UsageError, "solute_dielectric needs alpb", ionwell.potential, structure, at, solute_dielectric=2)
        self.fails(ionwell.UsageError, "ddd cannot be used with alpb", ionwell.potential, structure, at, alpb=True, ddd=3)
        self.fails(ionwell.UsageError, "alpb is for the potential at points", ionwell.potential, structure, alpb=True)

    def test_the_solution_of_the_poisson_boltzmann_equation(self):
        structure = ionwell.Structure([[0, 0, 0]], [1], [2.0])
        solved = ionwell.potential(structure, pb="own", spacing=1, border=8)
        at = ionwell.potential(structure, [[6, 0, 0]], pb="own", spacing=1, border=8)
        middle = [round(-o / h) for o, h in zip(solved.origin, solved.spacing)]
        self.assertAlmostEqual(at[0], solved.values[middle[0] + 6, middle[1], middle[2]], places=4)
        self.assertLess(at[0], 2.0)  # of 93 kT/e in vacuum: water screens
        self.assertGreater(at[0], 0.1)

    def test_points_in_a_map(self):
        structure = small_structure()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.dx"
            solute = ionwell.potential(structure, spacing=1, border=6)
            solute.save(path)
            with self.assertWarnsRegex(ionwell.IonwellWarning, "outside the maps"):
                at = ionwell.potential(structure, [solute.origin, [1e3, 0, 0]], map=path)
        self.assertAlmostEqual(at[0] / solute.values[0, 0, 0], 1.0, places=6)
        self.assertTrue(np.isnan(at[1]))


if __name__ == "__main__":
    main()
