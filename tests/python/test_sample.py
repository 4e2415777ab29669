# SPDX-License-Identifier: BSD-3-Clause
"""Ions that move: the files and numbers of the program, and arrays that agree with them."""
import json
import tempfile
import unittest
import warnings
from pathlib import Path

import ionwell
import numpy as np
from support import DUPLEX, IonwellTest, main, resident_bytes, run_program, small_structure

BRIEF = {"equilibration": 50, "replicas": 2, "backend": "cpu"}
BRIEF_WORDS = ["--equilibration", 50, "--replicas", 2, "--backend", "cpu"]


class Sample(IonwellTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_a_solute_without_charges(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            path = self.folder / "neutral.pqr"
            path.write_text("ATOM 1 AR AR 1 0.0 0.0 0.0 0.0 1.9\nATOM 2 AR AR 2 5.0 0.0 0.0 0.0 1.9\n")
            neutral = ionwell.read(path)
            ionwell.sample(neutral, {"NA": 2, "CL": 2}, sweeps=100, wall_distance=10, **BRIEF)
        self.assertTrue(any("neither attracts nor repels" in str(one.message) for one in caught))
        self.fails(ionwell.Error, "without charges there is no potential", ionwell.place, neutral, {"NA": 2})
        self.fails(ionwell.Error, "without charges there is no potential", ionwell.potential, neutral)

    def test_what_the_program_samples(self):
        for ions, keywords, words in [
                ({"NA": 6, "MG": 2}, {"sweeps": 200, "seed": 3, "radii": {"MG": 2.1}, "within": [4, 8], "around": "name P",
                                      "density": True},
                 ["--ion", "NA:6", "--ion", "MG:2", "--sweeps", 200, "--seed", 3, "--ion-radius", "MG:2.1", "--within", "4,8",
                  "--around", "name P"]),
                (None, {"salt": {"NaCl": 0.2}, "sweeps": 200, "bulk_sweeps": 100, "wall_distance": 12, "around": ["name P", "name N1"],
                        "density_spacing": 2},
                 ["--salt", "NaCl:0.2", "--sweeps", 200, "--tune", "bulk-sweeps=100", "--wall-distance", 12, "--around", "name P",
                  "--around", "name N1", "--tune", "density-spacing=2"]),
                (["NA:4"], {"sampler": "bd", "steps": 400, "sample_every": 20, "time_step": 0.008, "diffusions": {"NA": 0.2}, "around": "name P",
                            "density": True},
                 ["--ion", "NA:4", "--sampler", "bd", "--steps", 400, "--sample-every", 20, "--time-step", 0.008, "--diffusion", "NA:0.2",
                  "--around", "name P"])]:
            with self.subTest(words=words):
                paths = {name: self.folder / f"{name}.{ending}" for name, ending in
                         [("ions", "pdb"), ("report", "json"), ("rdf", "csv"), ("density", "mrc"), ("occupancy", "mrc")]}
                run_program("sample", DUPLEX, *words, *BRIEF_WORDS, "-o", paths["ions"], "--report", paths["report"], "--rdf",
                            paths["rdf"], "--density", paths["density"], "--occupancy", paths["occupancy"])
                sample = ionwell.sample(ionwell.read(DUPLEX), ions, **BRIEF, **keywords)
                self.assertEqual(sample.to_pdb(), paths["ions"].read_text())
                sample.save(self.folder / "ours.pdb")
                self.assertEqual((self.folder / "ours.pdb").read_text(), sample.to_pdb())
                sample.save(self.folder / "ours.gro", with_solute=True, ion_names="amber")
                program_file = self.folder / "theirs.gro"
                run_program("sample", DUPLEX, *words, *BRIEF_WORDS, "--with-solute", "--ion-names", "amber", "-o", program_file,
                            "--rdf", self.folder / "more.csv", "--density", self.folder / "more.mrc")
                self.assertEqual((self.folder / "ours.gro").read_bytes(), program_file.read_bytes())
                self.fails(ionwell.UsageError, "pdb_serials is 'x'", sample.save, self.folder / "x.pdb", pdb_serials="x")
                self.assertEqual(sample.rdf_csv, paths["rdf"].read_text())
                told = json.loads(paths["report"].read_text())
                for part in ["energy_kT", "species", "charge_within_e", "lowest", "warnings"]:
                    self.assertEqual(sample.report[part], told[part], part)
                self.assertEqual(sample.samples, told["sampling"]["samples"])
                self.assertEqual(sample.energy, told["lowest"]["energy_kT"])
                self.assertEqual(sample.positions.round(6).tolist(), [ion["position_A"] for ion in told["lowest"]["ions"]])
                self.assertEqual(sample.names.tolist(), [ion["name"] for ion in told["lowest"]["ions"]])
                self.assertEqual(len(sample.charges), len(sample.names))
                self.assertEqual(list(sample.densities), [kind["name"] for kind in told["species"]])
                for maps, path in [(sample.densities, paths["density"]), (sample.occupancies, paths["occupancy"])]:
                    for name, made in maps.items():
                        theirs = ionwell.read_map(path.with_suffix(f".{name}.mrc"))
                        np.testing.assert_array_equal(made.values, theirs.values)
                        np.testing.assert_allclose(made.origin, theirs.origin, atol=1e-4)  # single precision there
                count = [kind["count"]["mean"] for kind in told["species"]]
                np.testing.assert_allclose([made.values.sum() for made in sample.occupancies.values()], count, rtol=1e-4)

    def test_what_was_not_asked_for(self):
        sample = ionwell.sample(small_structure(), {"NA": 2}, sweeps=100, **BRIEF)
        self.assertEqual((sample.densities, sample.occupancies, sample.rdf_csv), ({}, {}, ""))
        self.assertEqual(sample.charges.tolist(), [1, 1])

    def test_what_makes_no_sense(self):
        for kind, parts, ions, keywords in [
                (ionwell.UsageError, ["ions and salt are missing"], None, {}),
                (ionwell.UsageError, "sampler is 'x'", {"NA": 2}, {"sampler": "x"}),
                (ionwell.UsageError, "sweeps is for sampler='mc'", {"NA": 2}, {"sampler": "bd", "sweeps": 9}),
                (ionwell.UsageError, "steps is for sampler='bd'", {"NA": 2}, {"steps": 9}),
                (ionwell.UsageError, "radii is {'NA': 0}", {"NA": 2}, {"radii": {"NA": 0}}),
                (ionwell.UsageError, "radii is 2", {"NA": 2}, {"radii": 2}),
                (ionwell.UsageError, "start is 'nope.pdb'", {"NA": 2}, {"start": "nope.pdb"}),
                (ionwell.UsageError, "seed is -1", {"NA": 2}, {"seed": -1}),
                (ionwell.UsageError, "within has", {"NA": 2}, {"within": [0]}),
                (ionwell.ArrayError, "within has the type", {"NA": 2}, {"within": "far"}),
                (ionwell.UsageError, "one side of a membrane", None, {"salt": "NaCl:0.1:above"}),
                (ionwell.UsageError, ["cell is for boundary", "periodic"], {"NA": 2}, {"cell": (50, 50, 50)})]:
            with self.subTest(parts):
                self.fails(kind, parts, ionwell.sample, small_structure(), ions, **keywords)

    def test_progress_may_end_it(self):
        def stop(stage, done):
            if stage == "sample":
                raise LookupError("enough")
        self.fails(LookupError, "enough", ionwell.sample, small_structure(), {"NA": 2}, progress=stop)

    def test_many_samples_leave_nothing(self):
        structure = small_structure()

        def some(count):
            for _ in range(count):
                ionwell.sample(structure, {"NA": 2}, sweeps=10, sample_every=1, equilibration=0, wall_distance=6, spacing=2, replicas=1,
                               density_spacing=2, threads=1, backend="cpu").densities["NA"].values.sum()
        some(50)
        before = resident_bytes()
        some(1000)
        self.assertLess(resident_bytes() - before, 3 << 20)  # one map of 3 kB kept a call would be 3 MB


if __name__ == "__main__":
    main()
