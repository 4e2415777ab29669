#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs each long command while the time of day jumps between any two looks at it, by years back and forth: results are
the same, and the intervals between checkpoints are those of the clock that only goes forward.

    jumping_clock.py PROGRAM DUPLEX.pqr LIBRARY      LIBRARY: jumping_clock.cpp, which is loaded before all others
"""
import os
import subprocess
import sys
import tempfile
import time

import runs


def start(run, program, folder, more, library):
    environment = dict(os.environ, LD_PRELOAD=library) if library else None
    began = time.monotonic()
    result = subprocess.run(run.command(program, folder, more), capture_output=True, text=True, check=False, env=environment)
    if result.returncode != 0:
        sys.exit(f"failed: {run.name}, {'with' if library else 'without'} jumps: {result.stderr}")
    return run.results(folder), time.monotonic() - began


def check_jumps(library):
    """That a program which asks for the time sees it jump."""
    seen = subprocess.run([sys.executable, "-c", "import time; print(time.time(), time.time())"], capture_output=True, text=True,
                          check=True, env=dict(os.environ, LD_PRELOAD=library)).stdout.split()
    if abs(float(seen[0]) - float(seen[1])) < 86400:
        sys.exit("failed: the time of day does not jump")


def check(run, program, folder, library):
    whole, seconds = start(run, program, folder, [], None)
    state = os.path.join(folder, "run.state")
    jumped, _ = start(run, program, folder, ["--checkpoint", state, "--tune", "checkpoint-every=1e6"], library)
    if jumped != whole:
        sys.exit(f"failed: {run.name}: another result when the time of day jumps")
    # Years ahead an interval of days is not over. average leaves its sums at its end.
    if os.path.exists(state) and run.words[0] != "average":
        sys.exit(f"failed: {run.name}: a checkpoint after {seconds:.1f} s, and one was asked for after 1e6 s")
    jumped, _ = start(run, program, folder, ["--checkpoint", state, "--tune", "checkpoint-every=0.0001"], library)
    if jumped != whole or not os.path.exists(state):
        sys.exit(f"failed: {run.name}: no checkpoint, or another result, with a short interval and jumps")


def main():
    program, duplex, more = runs.arguments("LIBRARY")
    library = os.path.abspath(more[0])
    check_jumps(library)
    with tempfile.TemporaryDirectory() as inputs:
        for run in runs.make_runs(duplex, inputs):
            with tempfile.TemporaryDirectory() as folder:
                check(run, program, folder, library)
            print(f"{run.name:32} the same", flush=True)


main()
