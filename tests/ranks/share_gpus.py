# SPDX-License-Identifier: BSD-3-Clause
"""Runs of ranks with GPUs that share Poisson-Boltzmann equations: the result of one process on one GPU for any number of
ranks, each on a GPU of its own or, where there are fewer, some on one.

    share_gpus.py MPIEXEC PROGRAM DUPLEX.pqr

Prints "skipped: " and why, and ends with 77, where there is no GPU, unless IONWELL_REQUIRE_GPU is set.
"""
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SKIPPED = 77  # the exit code that CTest knows
MPIEXEC, PROGRAM, DUPLEX = sys.argv[1:4]
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none",
                   PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe", OMP_NUM_THREADS="2")
LATTICE = ["--spacing", "0.6", "--box=-24,-32,-300,66,32,300", "--pb", "own", "--backend", "gpu", "--quiet"]


# Less than one GPU needs for its equations, 1.1 GB, and more than each of two, 0.7: ranks share what one has no room for.
TOO_LITTLE = ["--tune", "gpu-memory=0.9"]


def command(ranks, words):
    if ranks == 1:
        return [PROGRAM, *words, *LATTICE]
    return [MPIEXEC, "-n", str(ranks), PROGRAM, *words, *LATTICE, *TOO_LITTLE]


def messages(text):
    """What ionwell said, and not what mpirun says of processes that fail."""
    return [line for line in text.splitlines() if line.startswith("ionwell:") and "warning" not in line]


class SharedEquations(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def digest(self, name):
        """Of a DX map, without the comments, which tell of its run."""
        sums = hashlib.sha256()
        with open(os.path.join(self.folder, name), "rb") as lines:
            comments = True
            for line in lines:
                comments = comments and line.startswith(b"#")
                if not comments:
                    sums.update(line)
        return sums.hexdigest()

    def run_ranks(self, ranks, words):
        done = subprocess.run(command(ranks, words), cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)

    def check_backend(self, report, ranks):
        self.assertEqual(report["backend"]["kind"], "gpu")
        self.assertEqual(report["backend"].get("ranks", 1), ranks)

    def test_the_ions_are_those_of_one_gpu(self):
        words = ["place", DUPLEX, "--ion", "MG:3", "--ion", "NA:1", "--pb-every", "2", "-o", "ions.pdb", "--report", "report.json"]
        results = {}
        for ranks in (1, 2, 3, 4, 8):
            self.run_ranks(ranks, words)
            report = json.loads(self.read("report.json"))
            self.check_backend(report, ranks)
            results[ranks] = (self.read("ions.pdb"), report["ions"], report["poisson_boltzmann"]["iterations"],
                              report["poisson_boltzmann"]["residual"])
            self.assertEqual(len(report["ions"]), 4)
            self.assertEqual(results[ranks], results[1], f"{ranks} ranks")

    def test_the_potential_of_the_nonlinear_equation_is_that_of_one_gpu(self):
        results = {}
        for ranks in (1, 2, 4):
            self.run_ranks(ranks, ["map", DUPLEX, "--pb-option", "npbe", "-o", "map.dxbin", "--report", "report.json"])
            report = json.loads(self.read("report.json"))
            self.check_backend(report, ranks)
            results[ranks] = (self.digest("map.dxbin"), report["poisson_boltzmann"]["iterations"],
                              report["poisson_boltzmann"]["residual"])
            self.assertEqual(results[ranks], results[1], f"{ranks} ranks")

    def test_a_rank_that_dies_ends_all_and_any_number_of_ranks_goes_on(self):
        words = ["place", DUPLEX, "--ion", "NA:12", "--pb-every", "1", "-o"]
        process = subprocess.Popen(command(3, [*words, "ions.pdb", "--checkpoint", "state.h5", "--tune", "checkpoint-every=0.01"]),
                                   cwd=self.folder, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 120
        while not os.path.exists(os.path.join(self.folder, "state.h5")):
            self.assertIsNone(process.poll(), "it ended before it was to be stopped")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
            os.kill(int(children.read().split()[-1]), signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertLessEqual(len(messages(errors)), 1, errors)  # mpirun may be sooner
        self.assertNotIn("ions.pdb", os.listdir(self.folder))
        self.run_ranks(2, [*words, "ions.pdb", "--resume", "state.h5"])
        self.run_ranks(1, [*words, "whole.pdb"])
        self.assertEqual(self.read("ions.pdb"), self.read("whole.pdb"))


def why_not():
    """Why there is no GPU; nothing where there is one."""
    told = subprocess.run([PROGRAM, "info"], capture_output=True, text=True, check=True).stdout
    return next((line for line in told.splitlines() if line.startswith("GPU") and "none: " in line), "")


if __name__ == "__main__":
    reason = why_not()
    if reason and os.environ.get("IONWELL_REQUIRE_GPU", "0") in ("", "0"):
        print("skipped:", reason)
        sys.exit(SKIPPED)
    sys.argv[1:] = []
    unittest.main(verbosity=2)
