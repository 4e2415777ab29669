# SPDX-License-Identifier: BSD-3-Clause
"""Water, ions and salt: the files of the program byte for byte, and arrays that agree with them."""
import json
import pickle
import shutil
import tempfile
import unittest
import warnings
from pathlib import Path

import ionwell
import numpy as np
from support import DUPLEX, IonwellTest, files_in, gromacs_files, main, resident_bytes, run_program, small_structure

# A crystal's waters: one close, one apart.
WATERS = """\
ATOM      1  P    DA A   1       0.000   0.000   0.000 -1.0000 1.8000
ATOM      2  C    DA A   1       1.800   0.000   0.000 -1.0000 1.7000
ATOM      3  O   HOH A   2       0.000   3.000   0.000 -0.8340 1.5000
ATOM      4  H1  HOH A   2       0.000   3.600   0.757  0.4170 0.0000
ATOM      5  H2  HOH A   2       0.000   3.600  -0.757  0.4170 0.0000
ATOM      6  O   HOH A   3       0.000   0.000   9.000 -0.8340 1.5000
ATOM      7  H1  HOH A   3       0.757   0.000   9.600  0.4170 0.0000
ATOM      8  H2  HOH A   3      -0.757   0.000   9.600  0.4170 0.0000
"""


PSF = """\
PSF

       1 !NTITLE
 REMARKS patched

       2 !NATOM
       1 NA   1    GUA  P    P     -1.000000       30.9740           0
       2 NA   1    GUA  O1P  ON3   -0.500000       15.9994           0
"""
PSF_COORDINATES = """\
ATOM      1  P   GUA A   1       0.000   0.000   0.000  1.00  0.00      NA   P
ATOM      2  O1P GUA A   1       1.500   0.000   0.000  1.00  0.00      NA   O
END
"""


class Systems(IonwellTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check_files(self, system, command, source, words, endings, report_parts):
        """That all files are the program's, and the report but for what is of the call."""
        report = self.folder / "report.json"
        for ending in endings:
            theirs, ours = self.folder / f"theirs.{ending}", self.folder / f"ours.{ending}"
            run_program(command, source, *words, "-o", theirs, "--report", report)
            system.save(ours)
            self.assertEqual(ours.read_bytes(), theirs.read_bytes(), ending)
        told = json.loads(report.read_text())
        for part in report_parts:
            self.assertEqual(system.report[part], told[part], part)

    def check_folders(self, system, command, words, engines):
        for engine in engines:
            theirs, ours = self.folder / f"their-{engine}", self.folder / f"our-{engine}"
            run_program(command, DUPLEX, *words, "--for", engine, "-o", theirs)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                system.save(ours, engine=engine)
            self.assertEqual(files_in(ours), files_in(theirs), engine)
            self.assertGreater(len(files_in(ours)), 1)

    def check_arrays(self, system):
        structure, ions = system.structure, len(system.ion_names)
        self.assertEqual(system.positions.shape, (len(system), 3))
        self.assertEqual(len(structure), len(system))
        self.assertEqual(system.names.tolist(), structure.names.tolist())
        self.assertEqual(system.residues.tolist(), structure.residues.tolist())
        first = system.solute_atoms
        np.testing.assert_allclose(system.positions[first:first + ions], system.ion_positions)
        self.assertEqual(structure.charges[first:first + ions].tolist(), system.ion_charges.tolist())
        self.assertEqual((system.residues[first + ions:] == "HOH").sum(), len(system) - first - ions)
        a, b, c = system.box
        np.testing.assert_allclose([np.linalg.norm(a), np.linalg.norm(b), np.linalg.norm(c)], system.cell[:3])
        np.testing.assert_allclose(np.degrees(np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b))), system.cell[5])
        self.assertIs(system.structure, structure)  # made once
        self.assertIs(system.positions.base, structure)  # and not copied


class Solvate(Systems):
    def test_the_files_of_the_program(self):
        for keywords, words in [
                ({"padding": 8}, ["--padding", 8]),
                ({"padding": 6, "cell_shape": "dodecahedron", "orient": True, "water_model": "opc"},
                 ["--padding", 6, "--cell-shape", "dodecahedron", "--orient", "--water-model", "opc"]),
                ({"cell": (70, 40, 45), "threads": 1}, ["--cell", "70,40,45"]),
                ({"cell": [[70, 0, 0], (0, 40, 0), np.array([0, 0, 45])]}, ["--cell", "70,40,45"]),
                ({"cell": np.array([70, 50, 50, 90, 90, 60.0]), "solute": "chain A"},
                 ["--cell", "70,50,50,90,90,60", "--solute", "chain A"])]:
            with self.subTest(keywords):
                system = ionwell.solvate(DUPLEX, **keywords)
                self.check_files(system, "solvate", DUPLEX, words, ["gro", "pdb", "cif", "pqr.gz", "crd"],
                                 ["structure", "cell", "water", "atoms", "warnings"])
                self.check_arrays(system)

    def test_the_folders_of_the_program(self):
        system = ionwell.solvate(DUPLEX, padding=6)
        self.check_folders(system, "solvate", ["--padding", 6], ["amber", "charmm", "openmm", "vmd"])

    def test_a_structure_that_was_read(self):
        by_path, read = ionwell.solvate(str(DUPLEX), padding=6), ionwell.solvate(ionwell.read(DUPLEX), padding=6)
        by_list = ionwell.solvate([DUPLEX], padding=6)
        for system in [read, by_list]:
            self.assertEqual(system.positions.tolist(), by_path.positions.tolist())
        structure = small_structure()
        system = ionwell.solvate((structure.positions, structure.charges), padding=10)
        self.assertEqual(system.solute_atoms, 3)
        self.check_arrays(system)

    def test_a_structure_that_was_pickled_keeps_its_topology(self):
        psf, pdb = self.folder / "a.psf", self.folder / "a.pdb"
        psf.write_text(PSF)
        pdb.write_text(PSF_COORDINATES)
        for engine, paths, name in [("gromacs", gromacs_files(self.folder), "rna.top"), ("charmm", (psf, pdb), "solute.psf")]:
            structure = ionwell.read(*paths)
            again = pickle.loads(pickle.dumps(structure))
            folders = self.folder / f"{engine}-own", self.folder / f"{engine}-again"
            for one, folder in zip([structure, again], folders):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    ionwell.solvate(one, padding=6).save(folder, engine=engine)
            self.assertIn(name, files_in(folders[1]))
            self.assertEqual(files_in(folders[0]), files_in(folders[1]))

    def test_a_structure_that_was_pickled_keeps_what_was_left_out(self):
        path = self.folder / "crystal.pqr"
        path.write_text(WATERS + "ATOM      9 MG    MG A   4      20.000   0.000   0.000  2.0000 0.7200\n")
        structure = ionwell.read(path, input_water="ignore", ignore="name C")
        again = pickle.loads(pickle.dumps(structure))
        self.assertEqual(len(again), 2)
        one, other = (ionwell.place(s, {"CL": 1}, spacing=2).report["structure"] for s in (structure, again))
        self.assertEqual((one["composition"]["water"]["left_out"], len(one["composition"]["ions"])), (True, 1))
        self.assertEqual(one, other)
        one, other = (ionwell.solvate(s, padding=8) for s in (structure, again))
        self.assertEqual(one.names.tolist(), other.names.tolist())
        self.assertEqual(one.positions.tolist(), other.positions.tolist())

    def test_waters_of_a_crystal(self):
        path = self.folder / "crystal.pqr"
        path.write_text(WATERS)
        for keywords, words in [({}, []), ({"input_water": "ignore"}, ["--input-water", "ignore"])]:
            system = ionwell.solvate(path, padding=8, **keywords)
            self.check_files(system, "solvate", path, ["--padding", 8, *words], ["pdb"], ["atoms"])
            self.assertEqual(system.solute_atoms, 2 if keywords else 8)

    def test_warnings_are_the_programs(self):
        with self.assertWarnsRegex(ionwell.IonwellWarning, "own image"):
            system = ionwell.solvate(DUPLEX, padding=6, cutoff=40)
        self.assertTrue(any("own image" in text for text in system.warnings))

    def test_what_makes_no_sense(self):
        structure = small_structure()
        for kind, parts, source, keywords in [
                (ionwell.UsageError, "cell_shape is 'ball'", structure, {"cell_shape": "ball"}),
                (ionwell.UsageError, ["cell sets the cell", "padding"], structure, {"cell": (50, 50, 50), "padding": 9}),
                (ionwell.UsageError, "cell is (1, 2)", structure, {"cell": (1, 2)}),
                (ionwell.UsageError, "span no volume", structure, {"cell": [[70, 0, 0], [0, 40, 0], [70, 40, 0]]}),
                (ionwell.UsageError, "first vector along x", structure, {"cell": [[0, 70, 0], [-40, 0, 0], [0, 0, 45]]}),
                (ionwell.UsageError, "water_model", structure, {"water_model": "wine"}),
                (ionwell.UsageError, "padding is 'x'", structure, {"padding": "x"}),
                (ionwell.UsageError, "smallest_cavity is 0", structure, {"smallest_cavity": 0}),
                (ionwell.UsageError, ["solute is for files", "ionwell.read"], structure, {"solute": "protein"}),
                (ionwell.UsageError, "input_water", structure, {"input_water": "ignore"}),
                (ionwell.UsageError, "structure is an empty list", [], {}),
                (ionwell.Error, "nope.pqr: no such file", "nope.pqr", {}),
                (ionwell.UsageError, "cell", structure, {"cell": (5, 5, 5)})]:
            with self.subTest(parts):
                self.fails(kind, parts, ionwell.solvate, source, **keywords)

    def test_what_cannot_be_saved_leaves_nothing(self):
        system = ionwell.solvate(small_structure(), padding=8)
        for kind, parts, path, keywords in [
                (ionwell.UsageError, "x.dcd", "x.dcd", {}), (ionwell.UsageError, "engine is 'x'", "x", {"engine": "x"}),
                (ionwell.UsageError, "water_names is 'x'", "x.pdb", {"water_names": "x"}),
                (ionwell.UsageError, ["engine writes a folder", "x.pdb"], "x.pdb", {"engine": "vmd"}),
                (ionwell.UsageError, ["engine sets the names", "pdb_serials"], "x",
                 {"engine": "vmd", "pdb_serials": "hex"}),
                (ionwell.UsageError, "topology", "x", {"engine": "gromacs"}),
                (ionwell.Error, "there", "not/there.pdb", {})]:
            with self.subTest(parts):
                self.fails(kind, parts, system.save, self.folder / path, **keywords)
        self.assertEqual(list(self.folder.iterdir()), [])


class Prepare(Systems):
    def test_the_files_of_the_program(self):
        for ions, keywords, words in [
                ({"MG": 2, "NA": "neutralize"}, {"padding": 6}, ["--ion", "MG:2", "--ion", "NA:neutralize", "--padding", 6]),
                (None, {"salt": {"NaCl": 0.3}, "padding": 6, "seed": 7, "scheme": "add"},
                 ["--salt", "NaCl:0.3", "--padding", 6, "--seed", 7, "--scheme", "add"]),
                (["K:3"], {"salt": "KCl:0.2", "salt_by": "energy", "cell_shape": "octahedron", "padding": 5,
                           "keep_water": 4, "near": ["nucleic:12"], "inside_z": (10, 30), "water_model": "spce"},
                 ["--ion", "K:3", "--salt", "KCl:0.2", "--salt-by", "energy", "--cell-shape", "octahedron", "--padding", 5,
                  "--tune", "keep-water=4", "--near", "nucleic:12", "--inside-z", "10:30", "--water-model", "spce"]),
                ({"NA": "neutralize"}, {"boundary": "open", "dielectric": 78.5, "ionic_strength": 0.1, "padding": 5},
                 ["--ion", "NA:neutralize", "--boundary", "open", "--dielectric", 78.5, "--ionic-strength", 0.1,
                  "--padding", 5])]:
            with self.subTest(words=words), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                system = ionwell.prepare(DUPLEX, ions, backend="cpu", **keywords)
                self.check_files(system, "prepare", DUPLEX, [*words, "--backend", "cpu"], ["pdb", "gro", "cif"],
                                 ["ions", "net_charge_after_e", "water", "warnings", "solvation"])
                self.check_arrays(system)
                told = system.report["ions"]
                self.assertEqual(system.ion_positions.round(6).tolist(), [ion["position_A"] for ion in told])
                self.assertEqual(system.ion_names.tolist(), [ion["name"] for ion in told])

    def test_the_folders_of_the_program(self):
        words = ["--ion", "MG:1", "--salt", "NaCl:0.2", "--padding", 5]
        for names, engines in [("pdb", ["openmm"]), ("charmm", ["charmm", "vmd"]), ("amber", ["amber"])]:
            system = ionwell.prepare(DUPLEX, {"MG": 1}, salt={"NaCl": 0.2}, padding=5, ion_names=names)
            self.check_folders(system, "prepare", words, engines)

    def test_ions_at_sites_come_first_with_their_waters(self):
        words = ["--model", "sites", "--ion", "MG:2", "--ion", "NA:neutralize", "--hydrate", "MG:6", "--padding", 5]
        ions = {"MG": 2, "NA": "neutralize"}
        system = ionwell.prepare(DUPLEX, ions, model="sites", hydrate={"MG": 6}, padding=5)
        self.check_files(system, "prepare", DUPLEX, words, ["pdb", "gro", "cif"],
                         ["structure", "ions", "sites", "water", "warnings", "net_charge_after_e"])
        self.check_folders(system, "prepare", words, ["openmm"])
        self.check_arrays(system)
        self.assertEqual(system.ion_names.tolist(), ["MG"] * 2 + ["NA"] * 18)
        told = system.report["sites"]
        self.assertEqual(system.ion_positions[:2].round(6).tolist(), [ion["position_A"] for ion in told["ions"]])
        first = system.solute_atoms + len(system.ion_names)
        oxygens = system.positions[first:first + 3 * told["hydration"]["waters"]:3]
        np.testing.assert_allclose(np.linalg.norm(oxygens[:, None] - system.ion_positions[:2], axis=-1).min(axis=1), 2.07)
        alone = ionwell.place(ionwell.read(DUPLEX), {"MG": 2}, model="sites")
        moved = system.ion_positions[:2] - alone.positions
        np.testing.assert_allclose(moved, system.positions[0] - alone.structure.positions[0] + np.zeros((2, 3)), atol=1e-9)

    def test_as_many_at_sites_as_are_likely(self):
        words = ["--model", "sites", "--ion", "MG:likely:0.07", "--ion", "NA:neutralize", "--hydrate", "MG:6", "--padding", 5]
        system = ionwell.prepare(DUPLEX, {"MG": ("likely", 0.07), "NA": "neutralize"}, model="sites", hydrate={"MG": 6}, padding=5)
        self.check_files(system, "prepare", DUPLEX, words, ["pdb"], ["ions", "sites", "net_charge_after_e"])
        self.check_folders(system, "prepare", words, ["openmm"])
        magnesium = system.ion_names.tolist().count("MG")
        self.assertGreater(magnesium, 0)
        self.assertEqual(system.ion_names.tolist(), ["MG"] * magnesium + ["NA"] * (22 - 2 * magnesium))
        self.assertEqual(system.report["sites"]["requested_ions"], magnesium)
        self.assertLess(system.report["sites"]["expected_sites"]["next_probability"], 0.07)
        self.fails(ionwell.UsageError, "needs model sites", ionwell.prepare, DUPLEX, {"MG": "likely"}, padding=5)

    def test_what_is_not_at_sites_is_refused(self):
        for parts, ions, keywords in [
                (["places MG", "ions MG:6"], {"NA": 3}, {"model": "sites"}), ("hydrate needs ions at sites", {"MG": 3}, {"hydrate": "MG"}),
                ("model_file needs model", {"MG": 3}, {"model_file": "m.json"}), ("model is 'x'", {"MG": 3}, {"model": "x"}),
                ("NA is not placed by model sites", {"MG": 3, "NA": 1}, {"model": "sites", "hydrate": {"NA": 6}})]:
            with self.subTest(parts):
                self.fails(ionwell.UsageError, parts, ionwell.prepare, DUPLEX, ions, padding=5, **keywords)
        error = self.fails(ionwell.TooFewPlaced, ["could be placed at sites", "allow_fewer=True"], ionwell.prepare, small_structure(), {"MG": 900},
                           model="site-terms", padding=8)
        self.assertGreater(len(error.result.ion_names), 0)

    def test_an_engine_is_asked_before_and_written_by_save(self):
        words = ["--ion", "MG:1", "--salt", "NaCl:0.2", "--padding", 5]
        for engine in ["amber", "charmm"]:
            system = ionwell.prepare(DUPLEX, {"MG": 1}, salt={"NaCl": 0.2}, padding=5, engine=engine)
            theirs, ours = self.folder / f"their-{engine}", self.folder / f"our-{engine}"
            run_program("prepare", DUPLEX, *words, "--for", engine, "-o", theirs)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                system.save(ours)
            self.assertEqual(files_in(ours), files_in(theirs), engine)
            system.save(self.folder / "system.gro")  # the name of a file: a file
            self.assertTrue((self.folder / "system.gro").is_file())
        water = ionwell.solvate(DUPLEX, padding=5, engine="openmm")
        water.save(self.folder / "water")
        self.assertIn("run.py", files_in(self.folder / "water"))
        self.assertEqual(water.chemistry, [])
        for parts, keywords in [("which CHARMM's", {"engine": "charmm", "water_model": "opc"}), ("engine is 'x'", {"engine": "x"}),
                                ("engine sets the names", {"engine": "amber", "ion_names": "amber"}),
                                ("force_field needs engine='gromacs'", {"engine": "amber", "force_field": "charmm27"}),
                                ("oplsaa", {"engine": "gromacs", "force_field": "oplsaa"}), ("topology", {"engine": "gromacs"})]:
            with self.subTest(parts):
                self.fails(ionwell.UsageError, parts, ionwell.prepare, DUPLEX, {"MG": 1}, padding=5, **keywords)

    def test_an_entry_gets_the_topology_and_the_table_of_the_program(self):
        if not shutil.which("gmx") or not shutil.which("pdb2pqr30"):
            self.skipTest("there is no GROMACS or no PDB2PQR here")
        entry = self.folder / "entry.pdb"
        run_program("convert", DUPLEX, entry)
        lines = entry.read_text().splitlines(keepends=True)
        entry.write_text("".join(line for line in lines if line[21:26] != "A   6"))  # a gap, which is in the table
        theirs, ours = self.folder / "theirs", self.folder / "ours"
        run_program("prepare", entry, "--ion", "MG:1", "--padding", 5, "--for", "gromacs", "--force-field", "amber99sb", "-o", theirs,
                    "--report", self.folder / "report.json")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            system = ionwell.prepare(entry, {"MG": 1}, padding=5, engine="gromacs", force_field="amber99sb")
            system.save(ours)
            self.assertEqual(files_in(ours), files_in(theirs))
            self.assertIn("topol.top", files_in(ours))
            table = json.loads((self.folder / "report.json").read_text())["chemistry"]
            self.assertEqual(system.chemistry, table)
            self.assertEqual(set(table[0]), {"residue", "what", "why", "otherwise"})
            structure = ionwell.read(entry)  # read before, and as it was afterwards
            for one in (structure, entry):
                folder = self.folder / f"again-{one is entry}"
                ionwell.prepare(one, {"MG": 1}, padding=5, engine="gromacs", force_field="amber99sb").save(folder)
                self.assertEqual(files_in(folder), files_in(theirs))
            self.fails(ionwell.UsageError, "give engine='gromacs' to prepare", ionwell.prepare(structure, {"MG": 1}, padding=5).save,
                       self.folder / "late", engine="gromacs")

    def test_the_page_is_about_the_ions(self):
        page, program = ionwell.prepare(DUPLEX, {"MG": 1}, padding=5).html(), self.folder / "page.html"
        run_program("prepare", DUPLEX, "--ion", "MG:1", "--padding", 5, "-o", self.folder / "x.pdb", "--html", program)
        self.assertLess(abs(len(page) - len(program.read_text())), 3000)  # times, memory and the command are other ones
        self.fails(ionwell.UsageError, "solvate places none", ionwell.solvate(DUPLEX, padding=5).html)

    def test_energies_are_those_of_what_was_placed_by_energy(self):
        system = ionwell.prepare(DUPLEX, {"MG": 2}, salt={"NaCl": 0.3}, padding=6)
        told = system.report["ions"]
        self.assertEqual(len(told), len(system.ion_energies))
        self.assertTrue(np.isfinite(system.ion_energies[:2]).all())
        self.assertTrue((system.ion_energies[:2] < 0).all())
        self.assertTrue(np.isnan(system.ion_energies).any())
        self.assertAlmostEqual(system.structure.net_charge, 0, places=6)

    def test_waters_of_a_crystal_stay(self):
        path = self.folder / "crystal.pqr"
        path.write_text(WATERS)
        for keywords, words in [({}, []), ({"input_water": "ignore"}, ["--input-water", "ignore"]),
                                ({"replace_crystal_water": True, "keep_water": 0},
                                 ["--tune", "replace-crystal-water", "--tune", "keep-water=0"])]:
            system = ionwell.prepare(path, {"NA": "neutralize"}, padding=8, **keywords)
            self.check_files(system, "prepare", path, ["--ion", "NA:neutralize", "--padding", 8, *words], ["pdb"], ["ions"])
            self.check_arrays(system)

    def test_too_few(self):
        error = self.fails(ionwell.TooFewPlaced, ["allow_fewer=True"], ionwell.prepare, small_structure(), {"NA": 40},
                           padding=6, near=["index 0:7"])
        self.assertIsInstance(error.result, ionwell.System)
        with self.assertWarns(ionwell.IonwellWarning):
            system = ionwell.prepare(small_structure(), {"NA": 40}, padding=6, near=["index 0:7"], allow_fewer=True)
        self.assertEqual(system.ion_positions.tolist(), error.result.ion_positions.tolist())
        self.assertGreater(len(system.ion_names), 0)

    def test_what_makes_no_sense(self):
        structure = small_structure()
        for parts, ions, keywords in [
                ("ions and salt are missing", None, {}), ("scheme needs a salt", {"NA": 3}, {"scheme": "add"}),
                ("salt is {'NaCl': 'much'}", None, {"salt": {"NaCl": "much"}}), ("XyZ", None, {"salt": {"XyZ": 0.1}}),
                ("salt is 5", None, {"salt": 5}), ("inside_z is 3", {"NA": 3}, {"inside_z": 3}),
                ("boundary is 'x'", {"NA": 3}, {"boundary": "x"}), ("seed", None, {"salt": {"NaCl": 0.1}, "seed": -1}),
                ("ion_ion", {"NA": 3}, {"ion_ion": -1}), ("ion_names is 'x'", {"NA": 3}, {"ion_names": "x"}),
                ("near", {"NA": 3}, {"near": ["nucleic"]})]:
            with self.subTest(parts):
                self.fails(ionwell.UsageError, parts, ionwell.prepare, structure, ions, padding=6, **keywords)

    def test_progress_is_told_and_may_end_it(self):
        told = []
        ionwell.prepare(small_structure(), {"NA": 1}, padding=8, progress=lambda *one: told.append(one))
        stages = list(dict.fromkeys(stage for stage, _ in told))
        self.assertEqual(stages[0], "solvate")
        self.assertIn("placement", stages)

        def stop(stage, done):
            raise LookupError(stage)
        self.fails(LookupError, "solvate", ionwell.prepare, small_structure(), {"NA": 1}, padding=8, progress=stop)

    def test_many_systems_leave_nothing(self):
        structure, path = small_structure(), self.folder / "x.pdb"

        def some(count):
            for _ in range(count):
                system = ionwell.prepare(structure, {"NA": 1}, padding=6, threads=1)
                system.positions.sum()
                system.box, system.report
                with self.assertRaises(ionwell.UsageError):
                    ionwell.solvate(structure, padding=-1)
            system.save(path)
        some(50)
        before = resident_bytes()
        some(1000)
        self.assertLess(resident_bytes() - before, 4 << 20)  # the atoms of one kept a call would be 300 MB


if __name__ == "__main__":
    main()
