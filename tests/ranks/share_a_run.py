# SPDX-License-Identifier: BSD-3-Clause
"""Runs that mpirun starts: the result of one process for any number of ranks, and what users are told when one ends.

    share_a_run.py MPIEXEC PROGRAM CIONIZE DUPLEX.pqr
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../survival"))
from runs import read_atoms, write_dcd  # noqa: E402  # where they lie

MPIEXEC, PROGRAM, CIONIZE, DUPLEX = sys.argv[1:5]
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none",
                   PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe", OMP_NUM_THREADS="1")
PLACE = ["place", DUPLEX, "--ion", "MG:9", "--ion", "NA:4"]
LONGEST_S = 600  # of a run on a machine that others use too; each takes a few seconds by itself
# Thousands of ions, of which some are placed when a signal comes.
LONG = ["place", DUPLEX, "--ion", "NA:6000", "--ion-ion", "0.5", "--ion-solute", "3", "--spacing", "0.4", "--border", "12"]


def command(ranks, words):
    return ([MPIEXEC, "-n", str(ranks)] if ranks > 1 else []) + [PROGRAM, *words]


def run(ranks, words, folder):
    return subprocess.run(command(ranks, words), cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=LONGEST_S)


def messages(text):
    """What ionwell said, and not what mpirun says of processes that fail."""
    return [line for line in text.splitlines() if line.startswith("ionwell:") and "warning" not in line]


def numbers(path):
    """The values of a DX map."""
    with open(path) as lines:
        return [line for line in lines if not line.startswith("#")]


class SharedRuns(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_the_ions_are_those_of_one_process(self):
        for method in (["--method", "direct"], ["--method", "msm", "--save-map", "map.dx"]):
            results = {}
            for ranks in (1, 2, 3, 4, 8):
                done = run(ranks, [*PLACE, *method, "-o", "ions.pdb", "--report", "report.json"], self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                report = json.loads(self.read("report.json"))
                results[ranks] = (self.read("ions.pdb"), report["ions"],
                                  numbers(self.path("map.dx")) if "--save-map" in method else None)
                self.assertEqual(results[ranks], results[1], f"{ranks} ranks, {method}")
                shares = report.get("ranks", [])
                self.assertEqual([share["rank"] for share in shares], list(range(ranks)) if ranks > 1 else [])
                if ranks > 1:
                    self.assertEqual(sum(share["planes"] for share in shares), report["lattice"]["counts"][2])
                    self.assertIn(f"{ranks} like this one", done.stdout)
                    self.assertEqual(done.stdout.count("written"), 1)

    def test_poisson_boltzmann_solutions(self):
        place = ["place", DUPLEX, "--ion", "MG:3", "--ion", "NA:1", "--pb", "own", "--pb-every", "2", "--spacing", "0.8", "--quiet"]
        solve = ["map", DUPLEX, "--pb", "own", "--pb-option", "npbe", "--spacing", "0.7", "--pb-maps", "eps,kappa", "--quiet"]
        for ranks in (1, 2, 3, 4, 8):
            for words in ([*place, "-o", "ions.pdb", "--report", "report.json"], [*solve, "-o", "map.dx"]):
                done = run(ranks, words, self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(self.read("report.json"))
            maps = {name: numbers(self.path(name)) for name in os.listdir(self.folder) if name.endswith(".dx")}
            result = (self.read("ions.pdb"), report["ions"], report["poisson_boltzmann"]["iterations"], maps)
            if ranks == 1:
                alone = result
                self.assertGreater(len(maps), 1)
            else:
                self.assertEqual(result, alone, f"{ranks} ranks")
                self.assertEqual(report["backend"]["ranks"], ranks)

    def test_many_ranks(self):
        """Whose answers come in two steps; some have no planes."""
        files = []
        for ranks in (1, 18):
            done = run(ranks, [*PLACE, "--method", "direct", "--spacing", "1", "-o", "ions.pdb", "--report", "report.json"],
                       self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(self.read("report.json"))
            files.append((self.read("ions.pdb"), report["ions"]))
        self.assertEqual(files[0], files[1])
        self.assertEqual([share["rank"] for share in report["ranks"]], list(range(18)))

    def test_ions_in_a_map(self):
        self.assertEqual(run(1, ["map", DUPLEX, "--spacing", "1", "-o", "map.dx"], self.folder).returncode, 0)
        words = [*PLACE, "--map", "map.dx", "-o"]
        for ranks in (1, 3):
            done = run(ranks, [*words, f"ions{ranks}.pdb"], self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("ions1.pdb"), self.read("ions3.pdb"))

    def test_maps_of_all_formats(self):
        """They come part by part, to the bytes of one process; HDF5 has the time of day in it, so its values are compared."""
        for ending in (".dx", ".dx.gz", ".dxbin", ".ccp4", ".cube", ".grd", ".h5"):
            words = ["map", DUPLEX, "--method", "msm", "--spacing", "1", "--quiet", "-o", "map" + ending]
            for ranks in (1, 2, 3, 4, 8):
                done = run(ranks, words, self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                if ending == ".h5":
                    self.assertEqual(run(1, ["convert", "map.h5", "read.dxbin"], self.folder).returncode, 0)
                written = self.read("read.dxbin" if ending == ".h5" else "map" + ending)
                if ranks == 1:
                    alone = written
                self.assertEqual(written, alone, f"{ending}, {ranks} ranks")

    def test_maps_of_frames(self):
        atoms = read_atoms(DUPLEX)
        write_dcd(self.path("run.dcd"), [[(x + 0.1 * n, y, z) for x, y, z in atoms] for n in range(7)])
        for ranks in (1, 2, 3, 4, 8):
            done = run(ranks, ["average", DUPLEX, "run.dcd", "--spacing", "2", "--statistics", "mean,sd", "-o", "mean.dx",
                               "--report", "report.json", "--backend", "cpu"], self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            maps = [numbers(self.path(name)) for name in ("mean.dx", "mean.sd.dx")]
            if ranks == 1:
                alone = maps
            else:
                self.assertEqual(maps, alone)
                self.assertEqual(json.loads(self.read("report.json"))["backend"]["ranks"], ranks)
                self.assertIn("each with its own frames", done.stdout)

    def test_samples_of_replicas(self):
        words = ["sample", DUPLEX, "--ion", "MG:4", "--salt", "NaCl:0.05", "--sweeps", "60", "--sample-every", "2", "--equilibration",
                 "20", "--tune", "bulk-sweeps=100", "--replicas", "6", "--spacing", "1", "--density", "density.dx", "--rdf",
                 "rdf.csv", "--around", "name P", "-o", "ions.pdb", "--report", "report.json", "--backend", "cpu"]
        for ranks in (1, 2, 3, 4, 8):
            done = run(ranks, words, self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(self.read("report.json"))
            self.assertEqual(report["backend"].pop("ranks", 1), ranks)
            if ranks > 1:
                self.assertIn("each with its own replicas", done.stdout)
            report["sampling"].pop("seconds")
            for of_this_run in ("timings_s", "memory_bytes"):
                report.pop(of_this_run)
            files = [self.read("ions.pdb"), self.read("rdf.csv"), *(numbers(self.path(f"density.{ion}.dx"))
                                                                    for ion in ("MG", "NA", "CL"))]
            if ranks == 1:
                alone = (report, files)
            self.assertEqual((report, files), alone, f"{ranks} ranks")

    def test_a_sample_that_a_signal_ends_keeps_what_it_has(self):
        words = ["sample", DUPLEX, "--ion", "NA:neutralize", "--sweeps", "30000", "--equilibration", "100", "--replicas", "5",
                 "--spacing", "1", "--backend", "cpu", "--quiet", "--density", "density.dx", "-o"]
        stopped = subprocess.Popen(command(3, [*words, "part.pdb", "--checkpoint", "state.h5",
                                               "--tune", "checkpoint-every=0.2"]),
                                   cwd=self.folder, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
        self.await_file(stopped, "state.h5")
        for pid in self.children_of(stopped):
            os.kill(pid, signal.SIGTERM)
        _, errors = stopped.communicate(timeout=LONGEST_S)
        self.assertEqual(len(messages(errors)), 1, errors)
        self.assertRegex(errors, "part.pdb is from the .* samples taken so far; state.h5 has the state so far")
        self.assertIn("density.NA.dx", os.listdir(self.folder), errors)
        results = []
        for ranks, name, more in ((2, "resumed", ["--resume", "state.h5"]), (1, "whole", [])):
            done = run(ranks, [*words, f"{name}.pdb", *more], self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            results.append((self.read(f"{name}.pdb"), numbers(self.path("density.NA.dx"))))
        self.assertEqual(results[0], results[1])

    def test_scripts_of_cionize(self):
        script = "GRIDSPACING 1.0\nBEGIN\nPLACEION MG 4 2.0\nSAVEION pdb ions.pdb\n"
        files = []
        for ranks in (1, 3):
            done = subprocess.run([*command(ranks, [])[:-1], CIONIZE, DUPLEX], input=script, cwd=self.folder, env=ENVIRONMENT,
                                  capture_output=True, text=True, timeout=LONGEST_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            files.append([line for line in self.read("ions.pdb").splitlines() if line.startswith(b"HETATM")])
            self.assertEqual(len(files[-1]), 4)
        self.assertEqual(files[0], files[1])
        self.assertIn("3 like this one, each with a part of the lattice", done.stdout)

    def test_the_scaling_of_runs(self):
        """The script that measures it, as small as can be."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/cluster/scaling.sh")
        environment = dict(ENVIRONMENT, launch=MPIEXEC, repeats="1", spacing="2", pb_spacing="4", frames="3", sweeps="1000", ions="2")
        done = subprocess.run(["sh", script, PROGRAM, DUPLEX, "1", "2"], env=environment, capture_output=True, text=True,
                              timeout=LONGEST_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split() for line in done.stdout.splitlines() if line.startswith(("strong", "weak"))]
        self.assertEqual(len(rows), 2 * (1 + 5 * 2), done.stdout)
        self.assertTrue(all(float(row[3]) > 0 for row in rows if row[1] != "run"), done.stdout)

    def test_the_version_tells_of_the_ranks(self):
        done = run(3, ["--version"], self.folder)
        self.assertRegex(done.stdout, r"^ionwell \d+\.\d+\.\d+, .+, 3 ranks\n$")

    def test_bad_input_is_told_once(self):
        done = run(3, ["place", DUPLEX, "--ion", "XX:2", "-o", "ions.pdb"], self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(messages(done.stderr)), 1, done.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_device_that_no_rank_has_is_told_once(self):
        done = run(2, [*PLACE, "--backend", "gpu", "--devices", "99", "-o", "ions.pdb"], self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len(messages(done.stderr)), 1, done.stderr)

    def test_the_scripts_for_batch_systems_place_their_ions(self):
        """With stand-ins for srun and mpirun, which start one process."""
        launcher = 'while case "$1" in -*) true ;; *) false ;; esac; do shift; done\nexec "$@"\n'
        for name, text in (("srun", launcher), ("mpirun", launcher), ("ionwell", f'exec {PROGRAM} "$@"\n')):
            with open(self.path(name), "w") as script:
                script.write("#!/bin/sh\n" + text)
            os.chmod(self.path(name), 0o755)
        environment = dict(os.environ, PATH=self.folder + ":" + os.environ["PATH"], structure=DUPLEX)
        cluster = os.path.join(os.path.dirname(__file__), "../../examples/cluster")
        for script, words in (("place.slurm", [DUPLEX]), ("place.pbs", [])):
            with self.subTest(script):
                done = subprocess.run(["sh", os.path.join(cluster, script), *words], cwd=self.folder, env=environment,
                                      capture_output=True, text=True, timeout=LONGEST_S)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(len(json.loads(self.read("ions.json"))["ions"]), 11)

    def test_an_average_that_a_signal_ends_keeps_its_frames(self):
        atoms = read_atoms(DUPLEX)
        write_dcd(self.path("run.dcd"), [[(x + 0.01 * n, y, z) for x, y, z in atoms] for n in range(400)])
        words = ["average", DUPLEX, "run.dcd", "--spacing", "1", "--statistics", "mean,sd", "--backend", "cpu", "--quiet", "-o"]
        stopped = subprocess.Popen(command(2, [*words, "part.dx", "--checkpoint", "state.h5", "--tune", "checkpoint-every=0.2"]),
                                   cwd=self.folder, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
        self.await_file(stopped, "state.h5")
        before = os.stat(self.path("state.h5")).st_mtime_ns
        time.sleep(0.1)
        for pid in self.children_of(stopped):
            os.kill(pid, signal.SIGTERM)
        _, errors = stopped.communicate(timeout=LONGEST_S)
        self.assertGreater(os.stat(self.path("state.h5")).st_mtime_ns, before, errors)
        self.assertIn("part.dx", os.listdir(self.folder), errors)  # the maps of the frames until then
        for ranks, name, more in ((3, "resumed.dx", ["--resume", "state.h5"]), (1, "whole.dx", [])):
            done = run(ranks, [*words, name, *more], self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        for kind in ("", ".sd"):
            self.assertEqual(numbers(self.path(f"resumed{kind}.dx")), numbers(self.path(f"whole{kind}.dx")))

    def await_file(self, process, name):
        end = time.monotonic() + LONGEST_S
        while not os.path.exists(self.path(name)):
            self.assertIsNone(process.poll(), "it ended before it was to be stopped")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def children_of(self, process):
        """Processes of the program that mpirun has started, the first rank's first."""
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
            return [int(pid) for pid in children.read().split()]

    def start_long(self, ranks):
        process = subprocess.Popen(command(ranks, [*LONG, "-o", "ions.pdb", "--quiet", "--checkpoint", "state.h5",
                                                   "--tune", "checkpoint-every=0.01"]),
                                   cwd=self.folder, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
        self.await_file(process, "state.h5")
        return process

    def check_resumed(self, ranks):
        self.assertNotIn("ions.pdb", os.listdir(self.folder))
        done = run(ranks, [*LONG, "-o", "ions.pdb", "--quiet", "--resume", "state.h5"], self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = run(1, [*LONG, "-o", "whole.pdb", "--quiet"], self.folder)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        self.assertEqual(self.read("ions.pdb"), self.read("whole.pdb"))

    def test_a_rank_that_dies_ends_all_and_any_number_of_ranks_goes_on(self):
        process = self.start_long(3)
        os.kill(self.children_of(process)[-1], signal.SIGKILL)
        _, errors = process.communicate(timeout=LONGEST_S)
        self.assertNotEqual(process.returncode, 0)
        self.assertLessEqual(len(messages(errors)), 1, errors)  # mpirun may be sooner
        self.check_resumed(2)

    def test_a_signal_to_all_is_answered_by_the_first(self):
        process = self.start_long(2)
        for pid in self.children_of(process):
            os.kill(pid, signal.SIGTERM)
        _, errors = process.communicate(timeout=LONGEST_S)
        self.assertEqual(messages(errors),
                         ["ionwell: stopped by SIGTERM; state.h5 has the state so far, and --resume state.h5 continues from "
                          "there"], errors)
        self.check_resumed(4)


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main(verbosity=2)
