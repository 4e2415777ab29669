# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C, progress, threads, forked processes, and memory over many runs."""
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import ionwell
import numpy as np
from support import DUPLEX, IonwellTest, main, resident_bytes, small_structure


def energies(spacing):
    return ionwell.place(ionwell.read(DUPLEX), {"MG": 3}, spacing=spacing, threads=2).energies.tolist()


class Progress(IonwellTest):
    def test_is_told_of_stages_that_go_from_0_to_1(self):
        told = []
        ionwell.place(ionwell.read(DUPLEX), {"MG": 2}, spacing=1, progress=lambda *one: told.append(one))
        self.assertEqual(list(dict.fromkeys(stage for stage, _ in told)), ["exclusion", "potential", "placement"])
        for stage in ["potential", "placement"]:
            parts = [done for name, done in told if name == stage]
            self.assertEqual((parts[0], parts[-1]), (0.0, 1.0))
            self.assertEqual(parts, sorted(parts))

    def test_what_it_raises_ends_the_run(self):
        def stop(stage, done):
            if stage == "placement":
                raise LookupError("enough")
        for run in [lambda: ionwell.place(small_structure(), {"NA": 2}, progress=stop)]:
            self.fails(LookupError, "enough", run)
        self.assertEqual(len(ionwell.place(small_structure(), {"NA": 2})), 2)  # and leaves nothing behind

    def test_may_run_something_itself(self):
        inner = []
        def run(stage, done):
            if not inner:
                inner.append(len(ionwell.place(ionwell.read(DUPLEX), {"MG": 1}, spacing=2)))
        self.assertEqual(len(ionwell.place(small_structure(), {"NA": 2}, progress=run)), 2)
        self.assertEqual(inner, [1])


class Interrupt(IonwellTest):
    def test_ctrl_c_ends_a_long_run(self):
        code = """
import ionwell, numpy, sys
rows = numpy.random.default_rng(1).uniform(0, 200, (20000, 3))
def show(stage, done):
    if stage == "potential": print(stage, flush=True)
try:
    ionwell.potential((rows, numpy.ones(20000)), method="direct", spacing=0.5, progress=show)
except KeyboardInterrupt:
    sys.exit(7)
"""
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
            try:
                self.assertEqual(child.stdout.readline(), b"potential\n")
                child.send_signal(signal.SIGINT)
                self.assertEqual(child.wait(60), 7)  # the run would take minutes
            finally:
                child.kill()

    def test_a_signal_noted_by_the_solver_reaches_python(self):
        def interrupt(stage, done):
            if stage == "solve":
                os.kill(os.getpid(), signal.SIGINT)
        with self.assertRaises(KeyboardInterrupt):
            ionwell.place(ionwell.Structure([[0, 0, 0]], [-3], [2.0]), {"MG": 1}, pb="own", spacing=1, progress=interrupt)


class Threads(IonwellTest):
    def test_runs_of_several_threads(self):
        expected, found = energies(1.5), []
        threads = [threading.Thread(target=lambda: found.append(energies(1.5))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 4)

    def test_solvers_and_first_arrays_of_several_threads(self):
        code = """
import ionwell, threading
structure, found = ionwell.Structure([[0, 0, 0]], [-3], [2.0]), []
def place():
    found.append(ionwell.place(structure, {"MG": 1}, pb="own", spacing=2).positions.tolist())
threads = [threading.Thread(target=place) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(found) == 4 and found == found[:1] * 4, found
"""
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

    def test_others_run_meanwhile(self):
        rows = np.random.default_rng(1).uniform(0, 60, (1000, 3))
        done, counted = threading.Event(), []

        def count():
            n = 0
            while not done.is_set():
                n += 1
                time.sleep(0.001)
            counted.append(n)

        other = threading.Thread(target=count)
        other.start()
        start = time.monotonic()
        ionwell.potential((rows, np.ones(1000)), method="direct", spacing=1, threads=1)
        taken = time.monotonic() - start
        done.set()
        other.join()
        self.assertGreater(counted[0], 10 * min(taken, 1))  # of 1000 a second; none where the lock is kept


class Processes(IonwellTest):
    def test_processes_by_each_way_of_starting_them(self):
        expected = [energies(2), energies(1.5)]  # threads have run here
        for method in ["fork", "spawn"]:
            with self.subTest(method), multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map_async(energies, [2, 1.5]).get(60), expected)
        self.assertEqual(energies(2), expected[0])

    def test_errors_of_other_processes(self):
        with multiprocessing.get_context("fork").Pool(1) as pool:
            asked = pool.apply_async(ionwell.place, (small_structure(), {"NA": 99}),
                                     {"box": ((0, 0, 0), (8, 6, 0)), "spacing": 1})
            self.fails(ionwell.TooFewPlaced, "of 99 ions", asked.get, 60)
            asked = pool.apply_async(ionwell.place, (small_structure(), {}))
            self.fails(ionwell.UsageError, "ions is {}", asked.get, 60)


    def test_a_process_that_is_made_while_another_thread_solves(self):
        solves, goes_on = threading.Event(), threading.Event()

        def wait(stage, done):
            solves.set()
            goes_on.wait(60)

        solver = threading.Thread(target=ionwell.place, args=(ionwell.Structure([[0, 0, 0]], [-3], [2.0]), {"MG": 1}),
                                  kwargs={"pb": "own", "spacing": 2, "progress": wait})
        solver.start()
        try:
            self.assertTrue(solves.wait(60))
            child = os.fork()
            if child == 0:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(30)
                os._exit(0 if len(energies(2)) == 3 else 1)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        finally:
            goes_on.set()
            solver.join()


class Memory(IonwellTest):
    def test_many_small_runs_leave_nothing(self):
        structure = small_structure()

        def some(count):
            for _ in range(count):
                ionwell.place(structure, {"NA": 2}, spacing=2, border=4, maps=True, threads=1,
                              progress=lambda stage, done: None)
                ionwell.potential(structure, spacing=2, border=4, threads=1).values.sum()
                with self.assertRaises(ionwell.UsageError):
                    ionwell.place(structure, {"NA": 2}, spacing=-1)
        some(100)  # allocators have what they keep
        before = resident_bytes()
        some(1000)
        grown = resident_bytes() - before
        self.assertLess(grown, 2 << 20)  # one result or map kept a run would be 6 MB or more

    def test_a_map_has_no_second_copy(self):
        code = """
import ionwell, resource, sys
def peak(): return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
made = ionwell.potential(([[0, 0, 0]], [1]), box=((-75, -75, -75), (75, 75, 75)), spacing=1, method="direct")
before = peak()
values = made.values
values[...] *= 2
assert values.nbytes == 4 * 151 ** 3, values.nbytes
print((peak() - before) / values.nbytes)
"""
        more = float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
        self.assertLess(more, 0.5)


if __name__ == "__main__":
    main()
