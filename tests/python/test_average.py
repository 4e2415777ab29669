# SPDX-License-Identifier: BSD-3-Clause
"""The mean potential over a trajectory: the maps of the program, and the numbers of single frames."""
import json
import tempfile
import unittest
from pathlib import Path

import ionwell
import numpy as np
from support import IonwellTest, main, resident_bytes, run_program

CHARGES = [-1.0, 0.5, -0.25]
FRAMES = [[[0, 0, 0], [4, 0, 0], [8, 0, 0]], [[0, 1, 0], [4, 0, 1], [8, 0, 0]], [[0, 0, 2], [4, 1, 0], [8, 0, 1]],
          [[1, 0, 0], [4, 0, 0], [7, 1, 0]], [[0, 0, 1], [5, 0, 0], [8, 1, 1]]]
BOX = ((-6, -6, -6), (14, 8, 8))


class Average(IonwellTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.topology, self.trajectory = self.folder / "ligand.pqr", self.folder / "run.pdb"
        self.topology.write_text("".join("ATOM  %5d  C%d  LIG A   1    %8.3f%8.3f%8.3f %7.4f 1.7000\n" % (n + 1, n, *p, q)
                                         for n, (p, q) in enumerate(zip(FRAMES[0], CHARGES))))
        self.trajectory.write_text("".join(
            "MODEL %8d\n" % (m + 1) +
            "".join("ATOM  %5d  C%d  LIG A   1    %8.3f%8.3f%8.3f  1.00  0.00           C\n" % (n + 1, n, *p)
                    for n, p in enumerate(frame)) + "ENDMDL\n" for m, frame in enumerate(FRAMES)) + "END\n")

    def test_the_maps_of_the_program(self):
        output, report = self.folder / "mean.dx", self.folder / "report.json"
        run_program("average", self.topology, self.trajectory, "--box=-6,-6,-6,14,8,8", "--spacing", 2, "--blocks", 2,
                    "--statistics", "mean,sd,se", "--first", 2, "-o", output, "--report", report)
        made = ionwell.average(self.topology, self.trajectory, box=BOX, spacing=2, blocks=2, sd=True, se=True, first=2)
        self.assertEqual(made.frames, 4)
        told = json.loads(report.read_text())
        self.assertEqual(made.report["average"]["frames"], told["average"]["frames"])
        for one, path in [(made.mean, output), (made.sd, self.folder / "mean.sd.dx"), (made.se, self.folder / "mean.se.dx")]:
            one.save(self.folder / "ours.dx")
            ours, theirs = (file.read_text().splitlines() for file in [self.folder / "ours.dx", path])
            self.assertEqual([line for line in ours if not line.startswith("#")],
                             [line for line in theirs if not line.startswith("#")])
            self.assertGreater(len(ours), 100)

    def test_the_mean_and_deviation_of_single_frames(self):
        made = ionwell.average(self.topology, self.trajectory, box=BOX, spacing=2, sd=True, method="direct", unit="mV")
        single = np.array([ionwell.potential((frame, CHARGES), box=BOX, spacing=2, method="direct", unit="mV").values
                           for frame in FRAMES])
        away = np.abs(single).max(axis=0) < 2000  # of points beside an atom single precision has few digits
        self.assertGreater(away.sum(), 100)
        np.testing.assert_allclose(made.mean.values[away], single.mean(axis=0)[away], rtol=2e-5, atol=1e-3)
        np.testing.assert_allclose(made.sd.values[away], single.std(axis=0, ddof=1)[away], rtol=2e-4, atol=1e-2)
        self.assertEqual((made.mean.unit, made.se), ("mV", None))

    def test_what_makes_no_sense(self):
        for kind, parts, trajectories, keywords in [
                (ionwell.UsageError, "needs a trajectory", [], {}), (ionwell.Error, "nope.dcd", ["nope.dcd"], {}),
                (ionwell.UsageError, "method is for boundary='open'", [self.trajectory],
                 {"boundary": "periodic", "method": "direct"}),
                (ionwell.UsageError, "ewald_factor needs boundary", [self.trajectory], {"ewald_factor": 0.25}),
                (ionwell.UsageError, "boundary is 'x'", [self.trajectory], {"boundary": "x"}),
                (ionwell.UsageError, "every", [self.trajectory], {"every": 0}),
                (ionwell.UsageError, "first is 'x'", [self.trajectory], {"first": "x"}),
                (ionwell.UsageError, "unit is 'K'", [self.trajectory], {"unit": "K"})]:
            with self.subTest(parts):
                self.fails(kind, parts, ionwell.average, self.topology, *trajectories, **keywords)

    def test_what_there_are_too_few_frames_for(self):
        with self.assertWarnsRegex(ionwell.IonwellWarning, "sd is None"):
            made = ionwell.average(self.topology, self.trajectory, box=BOX, spacing=4, sd=True, last=1)
        self.assertIsNone(made.sd)
        self.assertEqual(made.frames, 1)
        self.assertTrue(any("sd is None" in text for text in made.warnings))
        self.fails(ionwell.UsageError, "blocks is 10", ionwell.average, self.topology, self.trajectory, se=True, last=1)

    def test_many_averages_leave_nothing(self):
        def some(count):
            for _ in range(count):
                ionwell.average(self.topology, self.trajectory, box=BOX, spacing=2, threads=1).mean.values.sum()
        some(50)
        before = resident_bytes()
        some(1000)
        self.assertLess(resident_bytes() - before, 2 << 20)  # a map of 3 kB kept a call would be 3 MB


if __name__ == "__main__":
    main()
